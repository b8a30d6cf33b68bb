import { holdsCardNumber } from '../../../lib/card-number.ts';
import type { PaymentId, RefundId } from '../../../lib/ids.ts';
import type { Acquirer } from '../../../lib/payment/acquirer.ts';
import { alarmIfUndone } from '../../../lib/payment/capture-undone.ts';
import { advanceRefund } from '../../../lib/refund/advance-refund.ts';
import { checkRefund } from '../../../lib/refund/check-refund.ts';
import { createRefund, type CreateRefund } from '../../../lib/refund/create-refund.ts';
import type { Refund } from '../../../lib/refund/refund.ts';
import { dynamoBalances } from '../../../lib/store/balances.ts';
import { dynamoChargebacks } from '../../../lib/store/chargebacks.ts';
import { dynamoPayments } from '../../../lib/store/payments.ts';
import { dynamoRefunds } from '../../../lib/store/refunds.ts';
import { captured } from '../../support/acquirer-views.ts';
import type { KnownMerchant } from '../harness/population.ts';
import type { Ports } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';
import { enter, spend } from './chargeback-scenarios.ts';
import { aBill, open, payerOf, start } from './bill-scenarios.ts';
import { noAnswer, withAcquirer } from './order-scenarios.ts';
import { caller, goodCard, meanwhile } from './scenario-steps.ts';

const hour = 3600_000;
const creating = /transact .*REFUND_RESERVE/;
const failing = /transact refund→FAIL/;

export type Paid = { readonly merchant: KnownMerchant; readonly paymentId: PaymentId };

/** A bill of 100.00 that was paid, so that the merchant has 98.00. */
export async function paid(world: World): Promise<Paid> {
  const [merchant] = world.population.merchants;
  if (!merchant) throw new Error('The population has three merchants');
  const form = await open(world, await aBill(world));
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  await payerOf(world, form).comesBack().end();
  return { merchant, paymentId: form.paymentId };
}

/** Another payment gives the merchant enough for two refunds of the first. */
async function paidTwice(world: World): Promise<Paid> {
  await paid(world);
  return paid(world);
}

const creates =
  ({ merchant, paymentId }: Paid, text: string, command: Partial<CreateRefund> = {}) =>
  (ports: Ports) =>
    createRefund(ports, {
      by: { kind: 'merchant', caller: caller(merchant) },
      paymentId,
      amount: { kind: 'part', text },
      reason: undefined,
      payer: { email: undefined, phone: undefined },
      idempotencyKey: undefined,
      ...command,
    });

const refund = (world: World, of: Paid, text: string, command?: Partial<CreateRefund>) =>
  world.pump(world.invoke('create refund', creates(of, text, command)));

export async function created(world: World, of: Paid, text = '40'): Promise<RefundId> {
  const ran = await refund(world, of, text);
  if (ran.kind !== 'done' || !ran.done.ok) throw new Error('The scenario needs a refund');
  return ran.done.value.refund.id;
}

const refundsOf = (world: World, { paymentId }: Pick<Paid, 'paymentId'>) =>
  dynamoRefunds(world.table, () => new Date(world.scheduler.clock)).ofPayment(paymentId);

const stored = async (world: World, id: RefundId): Promise<Refund> => {
  const found = await dynamoRefunds(world.table, () => new Date(world.scheduler.clock)).find(id);
  if (!found) throw new Error('The scenario needs a refund');
  return found;
};

async function withinReceived(world: World, { paymentId }: Paid): Promise<void> {
  const payment = await dynamoPayments(world.table).find(paymentId);
  const known = await dynamoChargebacks(world.table).ofPayment(paymentId);
  const lost = known.reduce((all, { amount }) => all + amount.minor, 0n);
  const taken = (await refundsOf(world, { paymentId })).reduce(
    (all, { status, amount }) => all + (status === 'FAIL' ? 0n : amount.minor),
    0n,
  );
  if (taken + lost > (payment?.receivedMinor ?? 0n))
    world.violate('refunds', `refunds and chargebacks of ${paymentId} pass what was received`);
}

type Methods = Partial<Pick<Acquirer, 'refund' | 'findRefund'>>;
/** One step of the worker, whose calls have these answers. */
const step =
  (id: RefundId, methods: Methods = {}) =>
  (ports: Ports) =>
    checkRefund(withAcquirer(ports, methods), id).catch(() => undefined);
export const carryOut = (world: World, id: RefundId, methods: Methods = {}) =>
  world.pump(world.invoke('check refund', step(id, methods)));

/** Two refunds of 60.00 of 100.00 are created at once. */
export async function refundedTwiceAtOnce(world: World): Promise<void> {
  const of = await paidTwice(world);
  await meanwhile(world, creating, creates(of, '60'), () => refund(world, of, '60'));
  await withinReceived(world, of);
}

/** A chargeback of 60.00 is entered while a refund of 60.00 is created. */
export async function refundedBesideChargeback(world: World): Promise<void> {
  const of = await paidTwice(world);
  // It is entered without a record of the decision.
  world.broken.add('decisions_were_made');
  await meanwhile(world, creating, creates(of, '60'), () =>
    world.pump(world.invoke('enter', (ports) => enter(ports, of.paymentId, 6_000n))),
  );
  await withinReceived(world, of);
}

/** The acquirer does not know of a chargeback from a letter: what it holds more than we expect is a surplus that nobody has confirmed. */
export async function refundedWhatALetterTook(world: World): Promise<void> {
  const of = await paidTwice(world);
  world.broken.add('decisions_were_made');
  await world.pump(world.invoke('enter', (ports) => enter(ports, of.paymentId, 6_000n)));
  const compare = async (ports: Ports) => {
    const payment = await ports.payments.find(of.paymentId);
    if (payment) await alarmIfUndone(ports, { get: async () => captured(10_000n) }, payment);
  };
  await world.pump(world.invoke('compare', compare));
  await refund(world, of, '60');
  if ((await refundsOf(world, of)).length > 0)
    world.violate('refunds', `a chargeback of ${of.paymentId} was refunded as well`);
}

export async function refundedBeyondReceived(world: World): Promise<void> {
  const of = await paidTwice(world);
  await refund(world, of, '100.01');
  await withinReceived(world, of);
}

/** The terms return the fee from the second refund on. */
export async function refundedUnderNewTerms(world: World): Promise<void> {
  const of = await paidTwice(world);
  await refund(world, of, '90');
  await world.pump(
    world.invoke('create refund', (ports) => {
      const terms: typeof ports.terms = {
        ...ports.terms,
        find: async (...about) => ({ ...(await ports.terms.find(...about)), refundFee: 'returned' }),
      };
      return creates(of, '10')({ ...ports, terms });
    }),
  );
  const returned = (await refundsOf(world, of)).map(({ feeReturnedMinor }) => feeReturnedMinor);
  if (returned.some((minor) => minor > 20n))
    world.violate('refunds', 'a refund returned the fee that an earlier one left to the platform');
}

/** The merchant has spent the money of the payment. */
export async function refundedBeyondBalance(world: World): Promise<void> {
  const of = await paid(world);
  await spend(world, 5_000n);
  await refund(world, of, '100');
  const balances = await dynamoBalances(world.table).of(of.merchant.id);
  if (balances.some(({ available }) => available < 0n))
    world.violate('refunds', 'a refund took more than was available');
}

/** Requests about two payments come with one `Idempotency-Key` at once. */
export async function refundedTwiceUnderOneKey(world: World): Promise<void> {
  const [one, other] = [await paid(world), await paid(world)];
  const once = { idempotencyKey: 'once' };
  await meanwhile(world, creating, creates(one, '10', once), () => refund(world, other, '10', once));
  if ((await refundsOf(world, one)).length + (await refundsOf(world, other)).length > 1)
    world.violate('refunds', 'one Idempotency-Key made two refunds');
}

export async function refundedByBanned(world: World): Promise<void> {
  const of = await paid(world);
  const banned = { kind: 'merchant', caller: { ...caller(of.merchant), banned: true } } as const;
  const ran = await refund(world, of, '10', { by: banned });
  if (ran.kind === 'done' && ran.done.ok) world.violate('refunds', 'a banned merchant refunded');
}

export async function refundedForAnother(world: World): Promise<void> {
  const of = await paid(world);
  const other = world.population.merchants[1];
  if (!other) throw new Error('The population has three merchants');
  const ran = await refund(world, of, '10', { by: { kind: 'merchant', caller: caller(other) } });
  if (ran.kind === 'done' && ran.done.ok) world.violate('refunds', 'a merchant refunded another’s payment');
}

const rejected = { state: 'rejected', outcome: 'no', providerEmpty: false } as const;

/** A worker has a refusal in hand while another makes the call that refunds. */
export async function failedBesideACall(world: World): Promise<void> {
  const id = await created(world, await paid(world));
  await meanwhile(world, failing, step(id, { refund: async () => rejected }), () =>
    world.pump(
      world.invoke('call refund', async (ports) => {
        const found = await ports.refunds.find(id);
        // Its answer is lost, so that nothing but the call is written.
        const lost = async (...given: Parameters<Acquirer['refund']>) => {
          await ports.acquirers.named('sandbox')?.refund(...given);
          return noAnswer();
        };
        if (found) await advanceRefund(withAcquirer(ports, { refund: lost }), found).catch(() => undefined);
      }),
    ),
  );
  await refundedAsBooked(world, id);
}

/** The answer of the call that refunds is lost, and a later call is refused before the refund is visible. */
export async function failedByALaterRefusal(world: World): Promise<void> {
  const id = await created(world, await paid(world));
  await carryOutUnanswered(world, id);
  world.scheduler.clock += hour;
  await carryOut(world, id, { refund: async () => rejected, findRefund: async () => undefined });
  await refundedAsBooked(world, id);
}

/** A refund whose answer was lost is not yet visible. */
export async function failedByAbsence(world: World): Promise<void> {
  const id = await created(world, await paid(world));
  await carryOutUnanswered(world, id);
  world.scheduler.clock += 23 * hour;
  await carryOut(world, id, { findRefund: async () => undefined });
  await refundedAsBooked(world, id);
}

/** The acquirer refunds, and its answer is lost. */
const carryOutUnanswered = (world: World, id: RefundId) =>
  world.pump(
    world.invoke('check refund', async (ports) => {
      const acquirer = ports.acquirers.named('sandbox');
      const lost = async (...given: Parameters<Acquirer['refund']>) => {
        await acquirer?.refund(...given);
        return noAnswer();
      };
      await step(id, { refund: lost })(ports);
    }),
  );

async function refundedAsBooked(world: World, id: RefundId): Promise<void> {
  if ((await stored(world, id)).status === 'FAIL')
    world.violate('refunds', `refund ${id} failed, and the acquirer made it`);
}

/** A worker is about to call while another ends the refund. */
export async function calledAfterItsEnd(world: World): Promise<void> {
  const id = await created(world, await paid(world));
  let calls = 0;
  const counting =
    (ports: Ports) =>
    async (...given: Parameters<Acquirer['refund']>) => {
      calls += 1;
      const made = await ports.acquirers.named('sandbox')?.refund(...given);
      return made ?? rejected;
    };
  await meanwhile(
    world,
    /transact refund→NEW/,
    (ports) => step(id, { refund: counting(ports) })(ports),
    () => world.pump(world.invoke('check refund', (ports) => step(id, { refund: counting(ports) })(ports))),
  );
  if (calls > 1) world.violate('refunds', 'a refund was sent after its end');
}

const empty = { state: 'rejected', outcome: 'no_money', providerEmpty: true } as const;

/** Our account at the acquirer stays empty. */
export async function emptyForDays(world: World): Promise<void> {
  const id = await created(world, await paid(world));
  const attempt = () => carryOut(world, id, { refund: async () => empty });
  await attempt();
  world.scheduler.clock += 70 * hour;
  await attempt();
  if ((await stored(world, id)).status === 'FAIL')
    world.violate('refunds', `refund ${id} did not wait three days for money`);
  world.scheduler.clock += 3 * hour;
  await attempt();
  if ((await stored(world, id)).status !== 'FAIL')
    world.violate('refunds', `refund ${id} locks its debit after three days of an empty account`);
}

/** The decision of an operator is carried out again. */
export async function decidedOnce(world: World): Promise<void> {
  // No record of the decision is written.
  world.broken.add('decisions_were_made');
  const of = await paidTwice(world);
  const by = { kind: 'operator', identity: 'olga', decisionId: 'DecisionOfOlga01' } as const;
  for (const _time of ['once', 'again']) await refund(world, of, '10', { by, reason: 'letter' });
  if ((await refundsOf(world, of)).length !== 1)
    world.violate('refunds', 'one decision of an operator made two refunds');
}

/** The payment has a fiscal receipt, and the contact of its payer is erased in four days. */
export async function refundedBeyondContact(world: World): Promise<void> {
  const of = await paidTwice(world);
  const until = new Date(world.scheduler.clock + 4 * 24 * hour);
  const masks = { email: 'i***@e***.ru', phone: undefined, name: undefined, comment: undefined };
  const withReceipt = ({ payments, contacts, ...ports }: Ports): Ports => ({
    ...ports,
    contacts: { ...contacts, find: async () => ({ sealed: 'sealed', masks, until }) },
    payments: {
      ...payments,
      async findWithBill(id) {
        const found = await payments.findWithBill(id);
        return found && { ...found, payment: { ...found.payment, receiptTerms, contactUntil: until } };
      },
    },
  });
  await world.pump(world.invoke('create refund', (ports) => creates(of, '10')(withReceipt(ports))));
  if ((await refundsOf(world, of)).length > 0)
    world.violate('receipts', 'the contact is erased before the last call of a refund needs it');
}

const receiptTerms = {
  taxSystem: undefined,
  vatCode: 1,
  subject: 'service',
  mode: 'full_payment',
  emailOnly: false,
} as const;

export async function cardInReason(world: World): Promise<void> {
  const of = await paidTwice(world);
  for (const reason of [`to ${goodCard}`, `to ${goodCard.replaceAll(/(\d{4})(?=\d)/g, '$1.')}`])
    await refund(world, of, '10', { reason });
  const reasons = (await refundsOf(world, of)).map(({ reason }) => reason ?? '');
  if (reasons.length !== 2) throw new Error('The scenario needs refunds');
  if (reasons.some(holdsCardNumber))
    world.violate('secrets', 'the table stores a card number in the reason of a refund');
}
