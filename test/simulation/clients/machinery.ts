import { toPaymentId, toPayoutId, toRefundId } from '../../../lib/ids.ts';
import { receiveNotification } from '../../../lib/payment/receive-notification.ts';
import { checkPayment } from '../../../lib/payment/check-payment.ts';
import { sweepPayments } from '../../../lib/payment/sweep-payments.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { receivePayoutNotice } from '../../../lib/payout/receive-payout-notice.ts';
import { runAutoPayouts } from '../../../lib/payout/run-auto-payouts.ts';
import { sweepPayouts } from '../../../lib/payout/sweep-payouts.ts';
import { checkRefund } from '../../../lib/refund/check-refund.ts';
import { sweepRefunds } from '../../../lib/refund/sweep-refunds.ts';
import { deliverPostback } from '../../../lib/postback/deliver-postback.ts';
import { sweepPostbacks } from '../../../lib/postback/sweep-postbacks.ts';
import { keysOf } from '../harness/keys.ts';
import type { Ports } from '../harness/ports.ts';
import type { Provider } from '../harness/provider.ts';
import type { VirtualQueue } from '../harness/virtual-queue.ts';
import type { World } from '../harness/world.ts';

/** Delivers one of the acquirer's notifications in any order; some are repeated, some lost. */
export async function deliverNotice(world: World): Promise<void> {
  const { random } = world;
  const telling = world.providers.filter((each) => each.notices.length + each.payoutNotices.length > 0);
  if (telling.length === 0) return;
  const provider = random.pick(telling);
  const { notices, payoutNotices, name } = provider;
  if (payoutNotices.length > 0 && (notices.length === 0 || random.happens(0.3)))
    return deliverPayoutNotice(world, provider);
  if (notices.length === 0) return;
  const at = random.below(notices.length);
  const notice = notices[at];
  if (!notice || !random.happens(0.15)) notices.splice(at, 1);
  if (!notice || (world.scheduler.faults && random.happens(0.1))) return;
  await world.invoke('receive notification', (ports) =>
    receiveNotification(ports, { provider: name, ...notice }),
  );
}

/** Delivers one of the rail's notifications; some are repeated, some lost. */
async function deliverPayoutNotice(world: World, { payoutNotices }: Provider): Promise<void> {
  const { random } = world;
  const at = random.below(payoutNotices.length);
  const payoutId = payoutNotices[at];
  if (!payoutId || !random.happens(0.15)) payoutNotices.splice(at, 1);
  const isLost = world.scheduler.faults && random.happens(0.1);
  if (!payoutId || isLost) return;
  await world.invoke('receive payout notice', (ports) => receivePayoutNotice(ports, payoutId));
}

export const workPostbacks = (world: World): Promise<void> =>
  work(world, world.postbacks, 'deliver postback', (ports, id) => deliverPostback(ports, id, 'first'));

export const workRetries = (world: World): Promise<void> =>
  work(world, world.retries, 'deliver postback', (ports, id) => deliverPostback(ports, id, 'retries'));

export const workPayments = (world: World): Promise<void> =>
  work(world, world.paymentMessages, 'check payment', (ports, id) => checkPayment(ports, toPaymentId(id)));

export const workRefunds = (world: World): Promise<void> =>
  work(world, world.refundMessages, 'check refund', (ports, id) => checkRefund(ports, toRefundId(id)));

export const workPayouts = (world: World): Promise<void> =>
  work(world, world.payoutMessages, 'dispatch payout', (ports, id) => dispatchPayout(ports, toPayoutId(id)));

/** Receives a message and deletes it only after its worker succeeds. */
async function work(
  world: World,
  queue: VirtualQueue,
  useCase: string,
  handle: (ports: Ports, id: string) => Promise<void>,
): Promise<void> {
  const message = queue.receive(world.scheduler.clock);
  if (!message) return;
  const ran = await world.invoke(useCase, (ports) => handle(ports, message.id));
  const isForgotten = queue.faults && world.random.happens(0.03);
  if (ran.kind === 'done' && !isForgotten) queue.delete(message);
}

export const sweeps = {
  'sweep payments': (ports: Ports) => sweepPayments(ports),
  'sweep refunds': (ports: Ports) => sweepRefunds(ports),
  'sweep payouts': (ports: Ports) => sweepPayouts(ports),
  'sweep postbacks': (ports: Ports) => sweepPostbacks(ports),
  'run automatic payouts': (ports: Ports) => runAutoPayouts(ports),
} as const satisfies Readonly<Record<string, (ports: Ports) => Promise<unknown>>>;
type Sweep = keyof typeof sweeps;

const everyMs: Readonly<Record<Sweep, number>> = {
  'sweep payments': 60_000,
  'sweep refunds': 60_000,
  'sweep payouts': 60_000,
  'sweep postbacks': 60_000,
  'run automatic payouts': 3_600_000,
};

/** Returns a sweep that is due, if any. */
export const dueSweep = ({ population, scheduler }: World): Sweep | undefined =>
  keysOf(sweeps).find((name) => scheduler.clock - (population.lastSweep.get(name) ?? 0) >= everyMs[name]);

export async function sweep(world: World, name: Sweep): Promise<void> {
  world.population.lastSweep.set(name, world.scheduler.clock);
  await world.invoke<unknown>(name, (ports) => sweeps[name](ports));
}
