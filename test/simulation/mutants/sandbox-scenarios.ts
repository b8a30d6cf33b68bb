import { toPaymentId } from '../../../lib/ids.ts';
import type { KnownOrder } from '../../../lib/payment/acquirer.ts';
import { sandboxAcquirer } from '../../../lib/provider/sandbox-acquirer.ts';
import type { World } from '../harness/world.ts';

const at = new Date('2026-11-21T12:34:56.789Z');
const order: KnownOrder = {
  paymentId: toPaymentId('BillBillBillBill00Payment1'),
  method: 'card',
  holds: true,
  amountMinor: 10_050n,
  currency: 'RUB',
  reference: 'sbx1',
  firstCallAt: at,
  lastCallAt: at,
};
const pending = { paymentId: order.paymentId, reference: 'sbx1', state: 'pending' };
const call = { key: 'key', amountMinor: 10_050n, receipt: undefined };

type Canned = readonly [status: number, body: object];

/** The adapter at a sandbox that answers each call with the next of these. */
function answering(...answers: readonly Canned[]) {
  const left = [...answers];
  const fetch = async () => {
    const [status, body] = left.shift() ?? [500, {}];
    return new Response(JSON.stringify(body), { status });
  };
  return sandboxAcquirer({ url: 'https://sandbox.test/sandbox', secret: 'a secret', fetch });
}

/** What the adapter returned; undefined when it threw, which leaves the outcome unknown. */
const known = async <T>(asked: Promise<T>): Promise<T | 'unknown'> => asked.catch(() => 'unknown' as const);

export async function onTheSecondPage(world: World): Promise<void> {
  const acquirer = answering([200, { orders: [], next: 'bmV4dA' }], [200, { orders: [pending] }]);
  if ((await known(acquirer.find(order))) === 'absent')
    world.violate('provider', 'an order on the second page of the list is absent');
}

export async function keyUsedForRefund(world: World): Promise<void> {
  const acquirer = answering([409, { error: 'idempotency_key_reused' }]);
  if ((await known(acquirer.refund(order, { ...call, refundId: 'refund' }))) !== 'unknown')
    world.violate('provider', 'a refund whose key was used for another is decided');
}

export async function refusedCapture(world: World): Promise<void> {
  const acquirer = answering([409, { error: 'not_possible', ...pending }]);
  const acted = await known(acquirer.capture(order, call));
  if (acted !== 'unknown' && !acted.refused)
    world.violate('provider', 'a refused capture counts as carried out');
}

export async function ofAnotherPayment(world: World): Promise<void> {
  const acquirer = answering([200, { ...pending, paymentId: 'another' }]);
  if ((await known(acquirer.get(order))) !== 'unknown')
    world.violate('provider', 'the order of another payment is believed to be of this one');
}

export async function missingByGateway(world: World): Promise<void> {
  const acquirer = answering([404, { message: 'Not found.' }]);
  if ((await known(acquirer.look(order.reference))) !== 'unknown')
    world.violate('provider', 'an order does not exist because a gateway has no such path');
}

export async function unsignedNotice(world: World): Promise<void> {
  const headers = { 'sandbox-signature': 'f'.repeat(64) };
  if (await answering().readNotification(headers, JSON.stringify(pending)))
    world.violate('provider', 'a notification that the sandbox did not sign is read');
}
