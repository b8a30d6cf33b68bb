import type { PaymentId } from '../../../lib/ids.ts';
import type { AcquirerView } from '../../../lib/payment/acquirer.ts';
import { nextCheckOfDone } from '../../../lib/payment/after-capture.ts';
import { checkPayment } from '../../../lib/payment/check-payment.ts';
import type { SandboxManners } from '../../../lib/sandbox/manners.ts';
import { dynamoJournal } from '../../../lib/store/journal.ts';
import { dynamoPayments } from '../../../lib/store/payments.ts';
import type { World } from '../harness/world.ts';
import { checkMoment } from '../invariants/at-any-moment.ts';
import { aBill, open, payerOf, start } from './bill-scenarios.ts';
import { late, noAnswer, resolve } from './order-scenarios.ts';
import { goodCard, meanwhile } from './scenario-steps.ts';

const minute = 60_000;
const feeBasisPoints = 350;

async function stored(world: World, id: PaymentId) {
  const payment = await dynamoPayments(world.table).find(id);
  if (!payment) throw new Error('The scenario needs a payment');
  return payment;
}

/** A payment that its payer paid, at an acquirer that keeps a fee. */
async function paid(world: World, manners: Partial<SandboxManners>): Promise<PaymentId> {
  world.provider.manners = { ...world.provider.manners, feeBasisPoints, ...manners };
  const form = await open(world, await aBill(world));
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  await resolve(world, form.paymentId);
  return form.paymentId;
}

/** A slow check was told no fee, and writes after another that was told one. */
export async function slowCheckAfterFee(world: World): Promise<void> {
  const id = await paid(world, { feeAfterMinutes: 15 });
  world.scheduler.clock += 10 * minute;
  await meanwhile(
    world,
    /transact payment/,
    (ports) => checkPayment(ports, id),
    async () => {
      world.scheduler.clock += 10 * minute;
      await world.pump(world.invoke('check payment', (ports) => checkPayment(ports, id)));
    },
  );
  await checkMoment(world);
  if ((await stored(world, id)).providerFeeMinor === undefined)
    world.violate('fees', 'the fee of a payment was lost by a check that was told none');
}

/** The acquirer tells a fee that cannot be one, with the capture. */
export async function feeBeyondCapture(world: World): Promise<void> {
  const form = await open(world, await aBill(world));
  const id = form.paymentId;
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  await resolve(world, id, (ports) => {
    const acquirer = ports.acquirers.named('sandbox');
    if (!acquirer) throw new Error('The scenario needs an acquirer');
    const tells = (view: AcquirerView) =>
      view.state === 'captured' ? { ...view, feeMinor: view.amountMinor + 1n } : view;
    return {
      capture: async (...given) => {
        const acted = await acquirer.capture(...given);
        return { ...acted, view: tells(acted.view) };
      },
    };
  });
  const entries = await dynamoJournal(world.table).about(id);
  if (entries.some(({ kind }) => kind === 'PROVIDER_FEE'))
    world.violate('fees', 'a fee above the capture was posted');
}

/** The fee of late money is told with its capture, and again with its refund. */
export async function feeOfRefunded(world: World): Promise<void> {
  world.provider.manners = { ...world.provider.manners, feeBasisPoints };
  const id = await late(world, {});
  const { phase } = await stored(world, id);
  if (phase !== 'DONE') world.violate('stuck', `a refund was made, and its payment is ${phase}`);
}

/** The fee of late money is told between its capture and its refund. */
export async function feeWhileRefunding(world: World): Promise<void> {
  world.provider.manners = { ...world.provider.manners, feeBasisPoints, feeAfterMinutes: 15 };
  const id = await late(world, { refund: noAnswer });
  world.scheduler.clock += 20 * minute;
  await resolve(world, id);
  await checkMoment(world);
  const { phase, providerFeeMinor, afterCapture } = await stored(world, id);
  if (phase !== 'DONE' || providerFeeMinor === undefined)
    throw new Error('The scenario needs a refund with a fee');
  if (afterCapture) world.violate('fees', 'a payment waits for a fee that was told');
}

/** A worker found the payment open, and schedules its next check after it was settled. */
export async function slowCheckAfterSettled(world: World): Promise<void> {
  world.provider.manners = { ...world.provider.manners, feeBasisPoints, feeAfterMinutes: 15 };
  const form = await open(world, await aBill(world));
  const id = form.paymentId;
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  world.scheduler.clock += minute;
  await meanwhile(
    world,
    /update payment workDue/,
    (ports) => checkPayment(ports, id),
    async () => {
      await payerOf(world, form).pay(goodCard);
      await resolve(world, id);
    },
  );
  const payment = await stored(world, id);
  if (payment.nextCheck?.getTime() !== nextCheckOfDone(payment)?.getTime())
    world.violate('fees', 'a late worker moved the check after the capture');
}

/** The whole capture went back at the acquirer before it was seen here. */
export async function refundedUnseen(world: World): Promise<void> {
  const { provider } = world;
  provider.manners = { ...provider.manners, feeBasisPoints, steps: 'one' };
  const form = await open(world, await aBill(world));
  const id = form.paymentId;
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  for (let quarter = 0; quarter < 4; quarter += 1)
    await world.pump(world.outside('the acquirer refunds', () => provider.changeCapture(id, 'taken_back')));
  await resolve(world, id);
  const { status, providerFeeMinor } = await stored(world, id);
  if (status !== 'FAIL') throw new Error('The scenario needs a capture that went back in whole');
  if (providerFeeMinor === undefined)
    world.violate('fees', 'the fee on a capture that was refunded before it was seen is missing');
}
