import { collectClaim, writeOffClaim } from '../../../lib/decision/close-claim.ts';
import { confirmChargeback, dismissChargeback } from '../../../lib/decision/decide-chargeback.ts';
import { enterChargeback } from '../../../lib/decision/enter-chargeback.ts';
import type { MerchantId, PaymentId } from '../../../lib/ids.ts';
import { adjustmentEntry } from '../../../lib/ledger/adjustment.ts';
import { type Chargeback, expectedMinor } from '../../../lib/ledger/chargeback.ts';
import type { Acquirers, AcquirerView } from '../../../lib/payment/acquirer.ts';
import { alarmIfUndone } from '../../../lib/payment/capture-undone.ts';
import type { Payment } from '../../../lib/payment/payment.ts';
import { resolvePayment } from '../../../lib/payment/resolve-payment.ts';
import { dynamoAdjustments } from '../../../lib/store/adjustments.ts';
import { dynamoBalances } from '../../../lib/store/balances.ts';
import { dynamoChargebacks, dynamoClaims } from '../../../lib/store/chargebacks.ts';
import { dynamoPayments } from '../../../lib/store/payments.ts';
import { captured } from '../../support/acquirer-views.ts';
import { setRefunds } from '../../support/set-refunds.ts';
import { anApprovedAdjustment } from '../../support/adjustments.ts';
import type { Ports } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';
import { aBill, open, payerOf, start } from './bill-scenarios.ts';
import { goodCard, meanwhile } from './scenario-steps.ts';

const received = 10_000n;
const decided = { by: 'olga', approvedBy: 'petr', reason: 'case 4711' };
const confirming = /transact chargeback→CONFIRMED/;

/** A bill of 100.00 that was paid. */
async function paid(world: World): Promise<PaymentId> {
  // People decide here without a record of it.
  world.broken.add('decisions_were_made');
  const form = await open(world, await aBill(world));
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  await payerOf(world, form).comesBack().end();
  return form.paymentId;
}

const itemsOf = (world: World, paymentId: PaymentId): Promise<readonly Chargeback[]> =>
  dynamoChargebacks(world.table).ofPayment(paymentId);

export const enter = (ports: Ports, paymentId: PaymentId, amountMinor: bigint) =>
  enterChargeback(ports, {
    id: ports.newId(16),
    by: 'olga',
    paymentId,
    direction: 'loss',
    amountMinor,
    reason: 'letter',
  });

/** A payment with a loss of all of it that a person entered; returns the item's id. */
async function entered(world: World): Promise<string> {
  const paymentId = await paid(world);
  await world.pump(world.invoke('enter', (ports) => enter(ports, paymentId, received)));
  return `${paymentId}.chargeback.1`;
}

const confirm = (ports: Ports, chargebackId: string) =>
  confirmChargeback(ports, { ...decided, id: ports.newId(16), chargebackId, bearer: 'merchant' });
const dismiss = (ports: Ports, chargebackId: string) =>
  dismissChargeback(ports, { ...decided, id: ports.newId(16), chargebackId });
const collect = (ports: Ports, claimId: string) =>
  collectClaim(ports, { id: ports.newId(16), by: 'olga', claimId });
const writeOff = (ports: Ports, claimId: string) =>
  writeOffClaim(ports, { ...decided, id: ports.newId(16), claimId });

function firstMerchant({ population }: World): MerchantId {
  const [merchant] = population.merchants;
  if (!merchant) throw new Error('The population has three merchants');
  return merchant.id;
}

async function available(world: World): Promise<bigint> {
  const own = await dynamoBalances(world.table).of(firstMerchant(world));
  return own.find(({ currency }) => currency === 'RUB')?.available ?? 0n;
}

/** Debits all that the merchant has, less `rest`. */
export async function spend(world: World, rest: bigint): Promise<void> {
  const after = anApprovedAdjustment({
    id: `spent-${rest}`,
    merchantId: firstMerchant(world),
    direction: 'debit',
    amount: { minor: (await available(world)) - rest, currency: 'RUB' },
    at: world.now,
  });
  const adjustments = dynamoAdjustments(world.table);
  await adjustments.create({ ...after, status: 'PROPOSED', decision: undefined });
  await adjustments.approve(after, adjustmentEntry(after));
}

/** A confirmed loss of which 10.00 were available: 90.00 are owed, and 50.00 have come in since. */
async function owed(world: World): Promise<string> {
  const id = await entered(world);
  await spend(world, 1_000n);
  await world.pump(world.invoke('confirm', (ports) => confirm(ports, id)));
  world.scheduler.clock += 60_000;
  await world.population.fund(firstMerchant(world), 5_000n);
  return id;
}

const alone = (ports: Ports) => {
  const { approvedBy: _, ...signed } = decided;
  return { ...signed, id: ports.newId(16) };
};

export async function confirmedAlone(world: World): Promise<void> {
  const chargebackId = await entered(world);
  const before = await available(world);
  await world.pump(
    world.invoke('confirm alone', (ports) =>
      confirmChargeback(ports, { ...alone(ports), chargebackId, bearer: 'merchant' }),
    ),
  );
  if ((await available(world)) !== before)
    world.violate('two people', `${chargebackId} was debited by one person`);
}

export async function writtenOffAlone(world: World): Promise<void> {
  const claimId = await owed(world);
  await world.pump(
    world.invoke('write off alone', (ports) => writeOffClaim(ports, { ...alone(ports), claimId })),
  );
  if ((await dynamoClaims(world.table).find(claimId))?.openMinor !== 9_000n)
    world.violate('two people', `${claimId} was written off by one person`);
}

/** Two people dismiss an item, and two others confirm it just before that is written. */
export async function dismissedWhileConfirmed(world: World): Promise<void> {
  const id = await entered(world);
  await meanwhile(
    world,
    /transact chargeback→DISMISSED/,
    (ports) => dismiss(ports, id),
    () => world.pump(world.invoke('confirm', (ports) => confirm(ports, id))),
  );
}

/** The merchant spends what was available when the confirmation read the balance. */
export async function spentWhileConfirmed(world: World): Promise<void> {
  const id = await entered(world);
  await meanwhile(
    world,
    confirming,
    (ports) => confirm(ports, id),
    () => spend(world, 0n),
  );
}

/** Two people write a claim off while one collects what has come in. */
export async function collectedWhileWrittenOff(world: World): Promise<void> {
  const id = await owed(world);
  await meanwhile(
    world,
    /transact claim/,
    (ports) => writeOff(ports, id),
    () => world.pump(world.invoke('collect', (ports) => collect(ports, id))),
  );
}

/** Two people have the same letter, about half of the payment. */
export async function enteredTwice(world: World): Promise<void> {
  const paymentId = await paid(world);
  for (const who of ['enter', 'enter again'])
    await world.pump(world.invoke(who, (ports) => enter(ports, paymentId, received / 2n)));
  if ((await itemsOf(world, paymentId)).length > 1)
    world.violate('chargebacks', `one letter about ${paymentId} was entered twice`);
}

export async function enteredBeyond(world: World): Promise<void> {
  const paymentId = await paid(world);
  await world.pump(world.invoke('enter', (ports) => enter(ports, paymentId, received + 1n)));
  if (expectedMinor(received, await itemsOf(world, paymentId)) < 0n)
    world.violate('chargebacks', `more of ${paymentId} is charged back than was received`);
}

const refunds = { grossMinor: 6_000n, feeMinor: 0n, reservedMinor: 6_000n, refundedMinor: 0n };

/** A refund of 60.00 of the 100.00 that were received, which is under way or has succeeded. */
const refunding = (world: World, paymentId: PaymentId, refundedMinor = 0n): Promise<void> => {
  // The totals alone: no refund of its own is written.
  world.broken.add('refunds_match_payments');
  return setRefunds(world.table, paymentId, { ...refunds, refundedMinor });
};

/** What refunds leave of a payment, also when they are created while a person enters a chargeback. */
export async function enteredBesideRefund(world: World): Promise<void> {
  const paymentId = await paid(world);
  await meanwhile(
    world,
    /transact chargeback/,
    (ports) => enter(ports, paymentId, 5_000n),
    () => refunding(world, paymentId),
  );
  await world.pump(world.invoke('enter', (ports) => enter(ports, paymentId, 4_001n)));
  if ((await itemsOf(world, paymentId)).length > 0)
    world.violate('chargebacks', `more of ${paymentId} is charged back and refunded than was received`);
}

/** What our own refund returned is no loss: while it is under way, when it ends beside the notification, and afterwards. */
export async function noticeOfOwnRefund(world: World): Promise<void> {
  const paymentId = await paid(world);
  const notice = async (ports: Ports) => {
    const payment = await ports.payments.find(paymentId);
    if (payment) await alarmIfUndone(ports, { get: async () => captured(received - 6_000n) }, payment);
  };
  await meanwhile(world, /transact chargeback/, notice, () => refunding(world, paymentId));
  await world.pump(world.invoke('notice', notice));
  await refunding(world, paymentId, 6_000n);
  await world.pump(world.invoke('notice', notice));
  if ((await itemsOf(world, paymentId)).length > 0)
    world.violate('chargebacks', `the refund of ${paymentId} is taken for a chargeback`);
}

/**
 * Two notifications: while the first is on its way, the acquirer refunds more, and the second records that. The first must not
 * record what it saw before.
 */
export async function noticesAtOnce(world: World): Promise<void> {
  const paymentId = await paid(world);
  const payment = await dynamoPayments(world.table).find(paymentId);
  if (!payment) throw new Error('The scenario needs a payment');
  const acquirer = { heldMinor: received };
  const notice = (ports: Ports) => {
    const get = async () => captured(acquirer.heldMinor);
    return alarmIfUndone(ports, { get }, payment);
  };
  // Before the write, or, if the acquirer was asked first, before the list is read.
  for (const at of [/transact chargeback|query chargeback/, /transact chargeback/]) {
    acquirer.heldMinor -= 1_000n;
    await meanwhile(world, at, notice, async () => {
      acquirer.heldMinor -= 1_000n;
      await world.pump(world.invoke('notice', notice));
    });
    const expected = expectedMinor(received, await itemsOf(world, paymentId));
    if (expected !== acquirer.heldMinor)
      world.violate(
        'chargebacks',
        `of ${paymentId} ${expected} is expected, but ${acquirer.heldMinor} is held`,
      );
  }
}

const refundedMinor = 3_000n;
const lessRefund = (view: AcquirerView): AcquirerView =>
  view.state === 'captured' ? { ...view, refundedMinor } : view;

/** The acquirers, where a part of each capture has gone back. */
const acquirersAfterRefund = ({ acquirers }: Ports): Acquirers => ({
  ...acquirers,
  named(name) {
    const acquirer = acquirers.named(name);
    return (
      acquirer && {
        ...acquirer,
        get: async (order) => lessRefund(await acquirer.get(order)),
        async capture(order, call) {
          const { view, refused } = await acquirer.capture(order, call);
          return { view: lessRefund(view), refused };
        },
      }
    );
  },
});

/** A part goes back at the acquirer before anyone has asked it about the payment; then `how` resolves it. */
async function refundedBefore(
  world: World,
  how: Parameters<typeof resolvePayment>[2],
): Promise<Payment | undefined> {
  const form = await open(world, await aBill(world));
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  const resolve = (ports: Ports) =>
    resolvePayment({ ...ports, acquirers: acquirersAfterRefund(ports) }, form.paymentId, how).catch(
      () => undefined,
    );
  await world.pump(world.invoke('resolve', resolve));
  return dynamoPayments(world.table).find(form.paymentId);
}

export async function refundedBeforeSettled(world: World): Promise<void> {
  const payment = await refundedBefore(world, { evenIfFailed: true });
  if (!payment) throw new Error('The scenario needs a payment');
  const expected = expectedMinor(received, await itemsOf(world, payment.id));
  if (expected !== received - refundedMinor)
    world.violate('chargebacks', `of ${payment.id} ${expected} is expected, but less is held`);
}

/** A page has no right to write the item, so that a visit must not settle the payment. */
export async function visitedAfterRefund(world: World): Promise<void> {
  const payment = await refundedBefore(world, { throttled: true });
  if (payment?.phase === 'DONE')
    world.violate('chargebacks', `${payment.id} was settled by a visit, without what went back`);
}
