import type { PaymentId } from '../../../lib/ids.ts';
import type { Acquirer, Acquirers, AcquirerView } from '../../../lib/payment/acquirer.ts';
import { checkPayment } from '../../../lib/payment/check-payment.ts';
import { receiveNotification } from '../../../lib/payment/receive-notification.ts';
import { resolveByHand } from '../../../lib/payment/resolve-by-hand.ts';
import { resolvePayment } from '../../../lib/payment/resolve-payment.ts';
import { signatureHeader, signatureOf } from '../../../lib/sandbox/secret.ts';
import { dynamoPayments } from '../../../lib/store/payments.ts';
import { dynamoUnknownPayments } from '../../../lib/store/unknown-payments.ts';
import { captured as capturedView } from '../../support/acquirer-views.ts';
import type { Ports } from '../harness/ports.ts';
import { sandboxSecret } from '../harness/provider.ts';
import type { World } from '../harness/world.ts';
import { aBill, open, payerOf, start } from './bill-scenarios.ts';

const hour = 3600_000;
const declinedCard = '4000000000000002';
const otherBrowser = 'ABrowserOfTheScenario2';
const authorised = (amountMinor: bigint): AcquirerView => ({ state: 'authorised', amountMinor });
const captured: AcquirerView = capturedView(10_000n);

type Methods = Partial<Acquirer>;

/** The ports with an acquirer that does these calls otherwise. */
export function withAcquirer(ports: Ports, methods: Methods): Ports {
  const over = (acquirer: Acquirer | undefined) => acquirer && { ...acquirer, ...methods };
  const acquirers: Acquirers = {
    ...ports.acquirers,
    named: (name) => over(ports.acquirers.named(name)),
    forNew: (...given) => over(ports.acquirers.forNew(...given)),
  };
  return { ...ports, acquirers };
}

export const noAnswer = async (): Promise<never> => Promise.reject(new Error('no answer'));

/** A payment whose start was carried out by these calls. */
async function started(world: World, methods: Methods = {}): Promise<PaymentId> {
  const form = await open(world, await aBill(world));
  await world.pump(world.invoke('start', (ports) => start(withAcquirer(ports, methods), form)));
  return form.paymentId;
}

/** One resolution, which may end because a call had no answer. */
export const resolve = (world: World, id: PaymentId, methods: Methods | ((ports: Ports) => Methods) = {}) =>
  world.pump(
    world.invoke('resolve', (ports) => {
      const over = typeof methods === 'function' ? methods(ports) : methods;
      return resolvePayment(withAcquirer(ports, over), id, { evenIfFailed: true }).catch(() => undefined);
    }),
  );

async function stored(world: World, id: PaymentId) {
  const payment = await dynamoPayments(world.table).find(id);
  if (!payment) throw new Error('The scenario needs a payment');
  return payment;
}

/** No order is created under a key that the acquirer may have forgotten. */
export async function startedAfterTheKey(world: World): Promise<void> {
  const id = await started(world, { start: noAnswer });
  world.scheduler.clock += 23 * hour;
  const again = async () => {
    world.violate('keys', 'an order was started under a key that has expired');
    return noAnswer();
  };
  await resolve(world, id, { start: again });
}

/** An order that is not yet in the list may still appear there. */
export async function absentTooEarly(world: World): Promise<void> {
  const id = await started(world, { start: noAnswer });
  world.scheduler.clock += 23 * hour;
  await resolve(world, id, { find: async () => 'absent' });
  if ((await stored(world, id)).status === 'FAIL')
    world.violate('absence', 'a payment failed before the list can decide');
}

/** A refusal does not say what the call before it did. */
export async function refusedAfterNoAnswer(world: World): Promise<void> {
  const id = await started(world, { start: noAnswer });
  world.scheduler.clock += 60_000;
  await resolve(world, id, { start: async () => ({ kind: 'refused', outcome: 'forbidden' }) });
  if ((await stored(world, id)).status === 'FAIL')
    world.violate('absence', 'a payment failed although a call to start it is unanswered');
}

/** The next key follows only a refusal with no call unanswered. */
export async function nextKeyAfterNoAnswer(world: World): Promise<void> {
  const id = await started(world);
  const get = async () => authorised(10_000n);
  await resolve(world, id, { get, capture: noAnswer });
  for (let time = 0; time < 2; time += 1)
    await resolve(world, id, {
      get,
      capture: async (_order, { key }) => {
        if (!key.endsWith('.capture.1')) world.violate('keys', `captured under ${key}`);
        return { view: authorised(10_000n), refused: true };
      },
    });
}

/** A second reference for one payment is not believed. */
export async function secondReference(world: World): Promise<void> {
  const id = await started(world);
  const { reference } = await stored(world, id);
  const body = JSON.stringify({ paymentId: id, reference: 'another' });
  const headers = { [signatureHeader]: signatureOf(body, sandboxSecret) };
  const look = async () => ({ reference: 'another', paymentId: id, view: { state: 'pending' } as const });
  await world.pump(
    world.invoke('notice', (ports) =>
      receiveNotification(withAcquirer(ports, { look }), { provider: 'sandbox', headers, body }).catch(
        () => undefined,
      ),
    ),
  );
  if ((await stored(world, id)).reference !== reference)
    world.violate('references', 'a second reference replaced the first');
  if ((await dynamoUnknownPayments(world.table).list()).length === 0)
    world.violate('unknown payments', 'a second order of a payment was forgotten');
}

/** An order that the acquirer has and the table does not is kept. */
export async function lostPayment(world: World): Promise<void> {
  await noticeOfLost(world, captured);
  if ((await dynamoUnknownPayments(world.table).list()).length === 0)
    world.violate('unknown payments', 'an order of the acquirer was forgotten');
}

/** A person closed an order that nobody had paid; then its money arrives. */
export async function paidAfterClosing(world: World): Promise<void> {
  const orders = dynamoUnknownPayments(world.table);
  await noticeOfLost(world, { state: 'pending' });
  for (const order of await orders.list())
    await orders.close(order, { id: 'd1', by: 'olga', reason: 'nobody paid it', at: order.at });
  await noticeOfLost(world, captured);
  if ((await orders.list()).length === 0)
    world.violate('unknown payments', 'money arrived for a closed order and nobody was told');
}

async function noticeOfLost(world: World, view: AcquirerView): Promise<void> {
  const lost = { paymentId: 'BillBillBillBill00LostLost', reference: 'lost' };
  const body = JSON.stringify(lost);
  const headers = { [signatureHeader]: signatureOf(body, sandboxSecret) };
  const look = async () => ({ ...lost, view });
  await world.pump(
    world.invoke('notice', (ports) =>
      receiveNotification(withAcquirer(ports, { look }), { provider: 'sandbox', headers, body }).catch(
        () => undefined,
      ),
    ),
  );
}

/** The payment is VOIDING before the acquirer is called. */
export async function cancelledUnwritten(world: World): Promise<void> {
  const id = await started(world);
  world.scheduler.clock += hour;
  await resolve(world, id, ({ payments }) => ({
    get: async () => ({ state: 'pending' }),
    cancel: async () => {
      if ((await payments.find(id))?.phase !== 'VOIDING')
        world.violate('void', 'an order was cancelled while its payment was not VOIDING');
      return noAnswer();
    },
  }));
}

/** A payment that can be neither held nor ended keeps its bill. */
export async function takenOverUnended(world: World): Promise<void> {
  const unended = (ports: Ports): Ports => {
    const terms = ports.acquirers.named('sandbox')?.methods.card;
    if (!terms) throw new Error('The scenario needs the sandbox');
    return withAcquirer(ports, { methods: { card: { ...terms, holds: false, endsOpenOrders: false } } });
  };
  const billId = await aBill(world);
  const [first, second] = [await open(world, billId), await open(world, billId, otherBrowser)];
  await world.pump(world.invoke('start', (ports) => start(unended(ports), first)));
  world.scheduler.clock += hour / 3;
  const ran = await world.pump(world.invoke('start', (ports) => start(unended(ports), second, otherBrowser)));
  if (ran.kind === 'done' && ran.done.kind === 'started')
    world.violate('lock', 'a bill was taken over while its payer can still be charged');
}

/** Not more than authorised is captured. */
export async function capturedMore(world: World): Promise<void> {
  const id = await started(world);
  await resolve(world, id, {
    get: async () => authorised(9_000n),
    capture: async (_order, { amountMinor }) => {
      if (amountMinor !== 9_000n) world.violate('amounts', `${amountMinor} was captured of 9000`);
      return noAnswer();
    },
  });
}

/** A declined payment that the acquirer captured late. */
export async function late(world: World, methods: Methods): Promise<PaymentId> {
  const form = await open(world, await aBill(world));
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  const id = form.paymentId;
  await payerOf(world, form).pay(declinedCard);
  await resolve(world, id);
  await world.pump(
    world.outside('the acquirer captures late', () => world.provider.contradict(id, 'captured')),
  );
  await resolve(world, id, methods);
  return id;
}

/** Two people end a refund whose answers are lost, while it is still sent: the payer could get the money twice. */
export async function refundEndedWhileSent(world: World): Promise<void> {
  const id = await late(world, { refund: noAnswer });
  world.scheduler.clock += 2 * hour;
  await world.pump(
    world.invoke('resolve by hand', (ports) =>
      resolveByHand(withAcquirer(ports, { get: async () => captured }), {
        paymentId: id,
        phase: 'REFUNDING',
        outcome: 'failed',
        amountMinor: undefined,
        by: 'olga',
        approvedBy: 'petr',
        evidence: 'bank transfer 4711',
      }),
    ),
  );
  if ((await stored(world, id)).phase === 'DONE')
    world.violate('refund', 'people ended a refund that is still sent');
}

/** A refund whose answers are lost is not sent again under a key that has expired. */
export async function refundedAfterTheKey(world: World): Promise<void> {
  const id = await late(world, { refund: noAnswer });
  world.scheduler.clock += 23 * hour;
  await resolve(world, id, {
    findRefund: async () => undefined,
    refund: async () => {
      world.violate('keys', 'a refund was sent under a key that has expired');
      return noAnswer();
    },
  });
}

/** A refund that is under way is not sent again. */
export async function refundedTwice(world: World): Promise<void> {
  const id = await late(world, { refund: async () => ({ state: 'pending' }) });
  await resolve(world, id, {
    findRefund: async () => ({ state: 'pending' }),
    refund: async () => {
      world.violate('keys', 'a refund that is under way was sent again');
      return noAnswer();
    },
  });
}

/** The ports with an acquirer whose failures are not final. */
function notFinal(ports: Ports, methods: Methods): Ports {
  const terms = ports.acquirers.named('sandbox')?.methods.card;
  if (!terms) throw new Error('The scenario needs the sandbox');
  return withAcquirer(ports, { ...methods, methods: { card: { ...terms, failureIsFinal: false } } });
}

const declined: AcquirerView = { state: 'declined', reason: 'declined', outcome: 'not yet' };

/** A payment that failed a day ago, where the failure is not final. */
async function failedYesterday(world: World): Promise<PaymentId> {
  const id = await started(world);
  await world.pump(
    world.invoke('resolve', (ports) => resolvePayment(notFinal(ports, { get: async () => declined }), id)),
  );
  world.scheduler.clock += 25 * hour;
  return id;
}

/** Returns how many times a check queries the acquirer. */
async function queriesOfCheck(world: World, id: PaymentId): Promise<number> {
  let queries = 0;
  const get = async () => {
    queries += 1;
    return declined;
  };
  await world.pump(world.invoke('check', (ports) => checkPayment(notFinal(ports, { get }), id)));
  return queries;
}

/** A failure that is not final at the acquirer is queried again. */
export async function notQueriedLate(world: World): Promise<void> {
  const id = await failedYesterday(world);
  if ((await queriesOfCheck(world, id)) === 0)
    world.violate('late money', 'a failure that is not final was not queried again');
}

/** A late query waits for an acquirer that is not deployed. */
export async function lateQueryUnasked(world: World): Promise<void> {
  const id = await failedYesterday(world);
  const away = (ports: Ports): Ports => ({
    ...ports,
    acquirers: { ...ports.acquirers, named: () => undefined },
  });
  await world.pump(world.invoke('check', (ports) => checkPayment(away(ports), id)));
  world.scheduler.clock += 2 * hour;
  if ((await queriesOfCheck(world, id)) === 0)
    world.violate('late money', 'a late query counted as made although nothing was asked');
}
