import { noOptions } from '../../../lib/bill/options.ts';
import { noContact } from '../../../lib/bill/contact.ts';
import { createBill } from '../../../lib/bill/create-bill.ts';
import { getBill } from '../../../lib/payment/get-bill.ts';
import { toggleBillActivity } from '../../../lib/bill/toggle-bill-activity.ts';
import { getBalances } from '../../../lib/ledger/get-balances.ts';
import { authenticate } from '../../../lib/merchant/authenticate.ts';
import type { Caller } from '../../../lib/merchant/merchant.ts';
import { tokenHash } from '../../../lib/merchant/token.ts';
import { toDecimal } from '../../../lib/money/money.ts';
import { getPayment } from '../../../lib/payment/get-payment.ts';
import { listPayments } from '../../../lib/payment/list-payments.ts';
import { cancelPayout } from '../../../lib/payout/cancel-payout.ts';
import { createPersonalPayout } from '../../../lib/payout/create-personal-payout.ts';
import { createRegularPayout } from '../../../lib/payout/create-regular-payout.ts';
import { getPayout } from '../../../lib/payout/get-payout.ts';
import { payoutValues } from '../../../lib/sandbox/test-values.ts';
import type { Invocation } from '../harness/invocation.ts';
import type { Ports } from '../harness/ports.ts';
import { billCurrencyWeights, type KnownMerchant } from '../harness/population.ts';
import type { Ran, World } from '../harness/world.ts';

/** Calls the merchant API: the authorizer first, then the use case. */
export async function call<T>(
  world: World,
  merchant: KnownMerchant,
  useCase: string,
  handle: (ports: Ports, caller: Caller) => Promise<T>,
): Promise<Ran<T | undefined>> {
  const { token } = merchant;
  return world.invoke(useCase, async (ports, by) => {
    const caller = await authenticate(ports, `Bearer ${token}`);
    if (caller) assertAlive(world, token, by);
    return caller && handle(ports, caller);
  });
}

/** A token that was replaced before the request began is not accepted (contract 5). */
function assertAlive(world: World, token: string, { startedInStep }: Invocation): void {
  const died = world.watch.tokenDiedIn.get(tokenHash(token));
  if (died !== undefined && died < startedInStep)
    world.violate('token', 'a replaced token is still accepted');
}

/** An `Idempotency-Key` is stored for seven days; the margin covers the differences between clocks. */
const keyStoredMs = 7 * 24 * 3600_000 - 10_000;

export async function makeBill(world: World): Promise<void> {
  const { random, population } = world;
  const merchant = population.someMerchant();
  const shopId = random.pick(merchant.shops);
  const currency = random.weighted(billCurrencyWeights);
  const orderId = random.happens(0.4) ? `order-${random.below(40)}` : undefined;
  const idempotencyKey = random.happens(0.15) ? `key-${random.below(25)}` : undefined;
  const command = {
    shopId,
    amount: toDecimal(BigInt(random.happens(0.3) ? 100_000 : 5_000 + random.below(400_000))),
    currency,
    type: random.happens(0.3) ? ('MULTI' as const) : ('NORMAL' as const),
    payerPaysCommission: random.happens(0.25),
    orderId,
    description: undefined,
    name: undefined,
    custom: undefined,
    items: undefined,
    payer: { ...noContact, email: orderId && 'payer@example.ru' },
    options: noOptions,
    idempotencyKey,
  };
  const create = async () => {
    const ran = await call(world, merchant, 'create bill', (ports, caller) =>
      createBill(ports, { caller, ...command }),
    );
    if (ran.kind !== 'done' || !ran.done?.ok) return;
    const { bill } = ran.done.value;
    if (!population.bills.some(({ id }) => id === bill.id)) population.bills.push({ id: bill.id, merchant });
    const answered = { data: JSON.stringify(command), ids: bill.id };
    if (idempotencyKey !== undefined)
      population.remember(`bill ${merchant.id} ${idempotencyKey}`, answered, keyStoredMs);
  };
  // A client that sets an idempotency key sometimes sends the request twice.
  const times = idempotencyKey !== undefined && random.happens(0.5) ? 2 : 1;
  await Promise.all(Array.from({ length: times }, create));
}

export async function toggleBill(world: World): Promise<void> {
  const bill = world.population.someBill();
  if (!bill) return;
  const active = world.random.happens(0.7);
  await call(world, bill.merchant, 'toggle bill', (ports, caller) =>
    toggleBillActivity(ports, { caller, billId: bill.id, active }),
  );
}

export async function lookAround(world: World): Promise<void> {
  const { random, population } = world;
  const bill = population.someBill();
  if (!bill) return;
  const { merchant } = bill;
  const what = random.weighted({ bill: 3, payments: 2, payment: 2, payout: 2 });
  const payment = population.payments.at(-1);
  const payout = population.payouts.at(-1) ?? '';
  await call(world, merchant, `look at ${what}`, async (ports, caller): Promise<unknown> => {
    if (what === 'bill')
      return getBill(ports, { caller, id: bill.id, orderId: undefined, shopId: undefined });
    if (what === 'payments')
      return listPayments(ports, {
        caller,
        billId: bill.id,
        limit: undefined,
        perPage: undefined,
        cursor: undefined,
      });
    if (what === 'payment') return getPayment(ports, { caller, id: payment });
    return getPayout(ports, { caller, id: payout, orderId: undefined });
  });
}

export async function makePayout(world: World): Promise<void> {
  const { random, population } = world;
  const merchant = population.someMerchant();
  const seen = await call(world, merchant, 'look at balance', (ports, caller) =>
    getBalances(ports, { caller }),
  );
  const available = seen.kind === 'done' && seen.done?.ok ? rubles(seen.done.value) : 0n;
  if (available < 1000n && random.happens(0.95)) return;
  const orderId = random.happens(0.5) ? `payout-${random.below(25)}` : undefined;
  const idempotencyKey = random.happens(0.2) ? `key-${random.below(15)}` : undefined;
  const amount = amountFor(world, available);
  const isPersonal = random.happens(0.4);
  const accountId = random.pick(merchant.accounts);
  const destination = someDestination(world);
  const data = JSON.stringify(isPersonal ? [amount, accountId, orderId] : [amount, destination, orderId]);
  // An impatient client sends the same request twice concurrently.
  const times = random.happens(0.15) ? 2 : 1;
  const create = async () => {
    const ran = await call(
      world,
      merchant,
      isPersonal ? 'create personal payout' : 'create regular payout',
      (ports, caller) =>
        isPersonal
          ? createPersonalPayout(ports, { caller, accountId, amount, orderId, idempotencyKey })
          : createRegularPayout(ports, { caller, destination, amount, orderId, idempotencyKey }),
    );
    if (ran.kind !== 'done' || !ran.done?.ok) {
      if (ran.kind === 'done' && ran.done && !ran.done.ok) world.count(`payout refused ${ran.done.error}`);
      return;
    }
    world.count(`payout ${ran.done.value.replayed ? 'replayed' : 'created'}`);
    const ids = ran.done.value.payouts.map(({ id }) => id);
    population.payouts.push(...ids);
    const answered = { data, ids: ids.join() };
    if (orderId !== undefined) population.remember(`payout ${merchant.id} ${orderId}`, answered);
    if (idempotencyKey !== undefined)
      population.remember(`payout ${merchant.id} ${idempotencyKey}`, answered, keyStoredMs);
  };
  await Promise.all(Array.from({ length: times }, create));
}

/** Cancels one of the latest payouts or its order, wherever it stands; an impatient client does both at the same time. */
export async function cancel(world: World): Promise<void> {
  const { random, population } = world;
  const payoutId = population.payouts.at(-1 - random.below(8));
  if (payoutId === undefined) return;
  const shown = await world.invoke('show payout', ({ payouts }) => payouts.find(payoutId));
  if (shown.kind !== 'done' || !shown.done) return;
  const { merchantId, orderId } = shown.done;
  const merchant = population.merchants.find(({ id }) => id === merchantId);
  if (!merchant) return;
  const part = { id: payoutId, orderId: undefined };
  const ways = orderId === undefined ? [part] : [part, { id: undefined, orderId }];
  const chosen = random.happens(0.2) ? [...ways, part] : [random.pick(ways)];
  await Promise.all(
    chosen.map(async (which) => {
      const ran = await call(world, merchant, 'cancel payout', (ports, caller) =>
        cancelPayout(ports, { caller, ...which }),
      );
      if (ran.kind !== 'done' || !ran.done) return;
      world.count(ran.done.ok ? 'did cancel a payout' : `cancel refused ${ran.done.error}`);
      if (ran.done.ok && ran.done.value.some(({ status }) => status !== 'DECLINED'))
        world.violate('cancel', `a cancel of ${payoutId} was answered, but not all parts are DECLINED`);
    }),
  );
}

const rubles = (balances: readonly { readonly currency: string; readonly available: bigint }[]): bigint =>
  balances.find(({ currency }) => currency === 'RUB')?.available ?? 0n;

/** Draws an amount relative to the balance, so that two concurrent payouts often exceed it together. */
function amountFor({ random }: World, available: bigint): string {
  const test = random.pick(payoutValues.filter(({ use }) => use === 'payout amount')).value;
  if (available > 500_000n && random.happens(0.15)) return test;
  const percent = random.weighted({ 10: 3, 45: 3, 60: 3, 97: 3, 99: 2, 120: 1 });
  const amount = (available * BigInt(percent)) / 100n;
  return toDecimal(amount > 0n ? amount : 100n);
}

function someDestination({ random }: World) {
  const value = random.pick(payoutValues.filter(({ use }) => use !== 'payout amount'));
  return value.use === 'payout card'
    ? ({ type: 'credit_card', number: value.value, holder: 'IVAN PETROV' } as const)
    : ({ type: 'sbp', phone: value.value, bankId: 100000000004 } as const);
}
