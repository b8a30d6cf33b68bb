import * as z from 'zod/mini';
import { billCurrencies } from '../money/money.ts';
import { json, notFound, refused, type SandboxResponse } from './answer.ts';
import type { SandboxDeps } from './deps.ts';
import { ask, cancel, capture, refund } from './client-steps.ts';
import type { OrderStep } from './order.ts';
import { view } from './order-view.ts';
import { isOrder, moveOrTombstone, moveOrder, openOrder, type Known } from './orders.ts';
import { jsonOf, type Request } from './request.ts';
import { clientId, idempotencyKey, webUrl } from './wire.ts';

const amount = z.int().check(z.positive());
const orderBody = z.object({
  paymentId: clientId,
  amountMinor: amount,
  currency: z.enum(billCurrencies),
  description: z.string().check(z.maxLength(1000)),
  returnUrl: webUrl,
  notifyUrl: webUrl,
  steps: z.enum(['one', 'two']),
});
const captureBody = z.object({ amountMinor: amount });

/** POST orders, GET orders/{payment}, POST orders/{payment}/capture | refund | cancel. */
export async function acquirerApi(deps: SandboxDeps, request: Request): Promise<SandboxResponse> {
  const [, collection, payment = '', verb] = request.path;
  if (collection !== 'orders') return notFound();
  if (payment === '') return request.method === 'POST' ? open(deps, request) : notFound();
  if (!clientId.safeParse(payment).success) return notFound();
  if (request.method === 'GET') return verb === undefined ? show(deps, payment) : notFound();

  const action = actions[verb ?? ''];
  return action && request.method === 'POST' ? action(deps, payment, request) : notFound();
}

async function open(deps: SandboxDeps, request: Request): Promise<SandboxResponse> {
  const asked = orderBody.safeParse(jsonOf(request));
  if (!asked.success) return refused(422, 'invalid_request');

  const wanted = { ...asked.data, amountMinor: BigInt(asked.data.amountMinor) };
  const pageKey = Buffer.from(deps.random(12)).toString('base64url');
  const order = await openOrder(deps, wanted, pageKey);
  if (!isOrder(order)) return refused(409, 'order_cancelled');
  if (order.amountMinor !== wanted.amountMinor || order.currency !== wanted.currency)
    return refused(409, 'order_exists_with_other_data');
  const pageUrl = `${request.baseUrl}/card/${order.paymentId}.${order.pageKey}`;
  return json(200, { ...view(order), pageUrl });
}

async function show(deps: SandboxDeps, paymentId: string): Promise<SandboxResponse> {
  const { is, step } = await moveOrder(deps, paymentId, ask);
  return is ? answered(is, step) : notFound();
}

type Action = (deps: SandboxDeps, paymentId: string, request: Request) => Promise<SandboxResponse>;

/** A request that the order's state does not allow is 409 with the order's current state. */
const actions: Readonly<Record<string, Action>> = {
  async capture(deps, paymentId, request) {
    const key = idempotencyKey.safeParse(request.headers['idempotency-key']);
    const asked = captureBody.safeParse(jsonOf(request));
    if (!key.success || !asked.success) return refused(422, 'invalid_request');
    const amountMinor = BigInt(asked.data.amountMinor);
    const { is, step } = await moveOrder(deps, paymentId, (order) => capture(order, key.data, amountMinor));
    if (!is) return notFound();
    return answered(is, step, isOrder(is) && is.captureKey === key.data);
  },

  async refund(deps, paymentId, request) {
    const key = idempotencyKey.safeParse(request.headers['idempotency-key']);
    if (!key.success) return refused(422, 'invalid_request');
    const { is, step } = await moveOrder(deps, paymentId, (order) => refund(order, key.data));
    return is ? answered(is, step, isOrder(is) && is.refundKey === key.data) : notFound();
  },

  async cancel(deps, paymentId) {
    const { is } = await moveOrTombstone(deps, paymentId, cancel);
    return is
      ? answered(is, undefined, ['voided', 'declined', 'refunded', 'never'].includes(is.state))
      : notFound();
  },
};

function answered(is: Known, step: OrderStep | undefined, met = true): SandboxResponse {
  if (step?.fault === 'fails') return refused(500, 'internal');
  if (step?.fault === 'times_out') return refused(504, 'timed_out');
  return met ? json(200, view(is)) : json(409, { error: 'not_possible', ...view(is) });
}
