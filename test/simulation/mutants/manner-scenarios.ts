import type { PaymentId } from '../../../lib/ids.ts';
import { checkPayment } from '../../../lib/payment/check-payment.ts';
import { movements } from '../../../lib/sandbox/books.ts';
import { dynamoChargebacks } from '../../../lib/store/chargebacks.ts';
import { deliverNotice } from '../clients/machinery.ts';
import type { World } from '../harness/world.ts';
import { aBill, open, payerOf, start } from './bill-scenarios.ts';
import { late, resolve } from './order-scenarios.ts';
import { goodCard } from './scenario-steps.ts';

const hour = 3600_000;
const day = 24 * hour;
const declinedCard = '4000000000000002';

const check = (world: World, id: PaymentId) =>
  world.pump(world.invoke('check payment', (ports) => checkPayment(ports, id)));

/** The acquirer rejects the refund of late money. Whether and how the payer gets it is for people to decide. */
export async function refundRejected(world: World): Promise<void> {
  let refunds = 0;
  const refund = async () => {
    refunds += 1;
    return { state: 'rejected', outcome: 'rejected_by_issuer', providerEmpty: false } as const;
  };
  const id = await late(world, { refund });
  world.scheduler.clock += hour;
  await resolve(world, id, { refund });
  if (refunds !== 1) world.violate('refund', `a refund that was rejected was sent ${refunds} times`);
  if (!world.alarms.has(`refund_rejected ${id}`))
    world.violate('silent', 'a refund was rejected without an alarm');
}

/** The acquirer corrects the captured amount upwards, and says so in a notification. */
export async function capturedMoreLater(world: World): Promise<void> {
  const { provider } = world;
  const form = await open(world, await aBill(world));
  const id = form.paymentId;
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  await resolve(world, id);
  await world.pump(
    world.outside('the acquirer corrects a capture', () => provider.changeCapture(id, 'more')),
  );
  while (world.hasNotices) await world.pump(deliverNotice(world));
  const found = await dynamoChargebacks(world.table).ofPayment(id);
  if (!found.some(({ direction }) => direction === 'surplus'))
    world.violate('silent', 'the acquirer holds more than was received, and no item says so');
}

/** The acquirer captures an order after the late query of the day, and its notification is lost. */
export async function capturedWithinTheWeek(world: World): Promise<void> {
  const { provider, scheduler } = world;
  provider.manners = { ...provider.manners, failureIsFinal: false, notices: 'lost' };
  const form = await open(world, await aBill(world));
  const id = form.paymentId;
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(declinedCard);
  await resolve(world, id);
  scheduler.clock += day + hour;
  await check(world, id);
  await world.pump(world.outside('the acquirer captures late', () => provider.contradict(id, 'captured')));
  scheduler.clock += 6 * day + hour;
  await check(world, id);
  const moved = await movements(provider.table);
  if (!moved.some(({ kind, subject }) => kind === 'refunded' && subject === id))
    world.violate('late money', 'money that came after a failure was not refunded within the week');
}
