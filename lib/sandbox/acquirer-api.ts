import * as z from 'zod/mini';
import { billCurrencies } from '../money/money.ts';
import { json, notFound, refused, type SandboxResponse } from './answer.ts';
import { ask, cancel, capture, refusable } from './client-steps.ts';
import type { SandboxDeps } from './deps.ts';
import { forge, notifyEarly } from './notice.ts';
import { openUnderKey } from './open-order.ts';
import { type Order, orderMethods, type OrderStep, type Refund } from './order.ts';
import { listReferences } from './order-list.ts';
import { refundView, view } from './order-view.ts';
import { findOrder, isOrder, type Known, moveOrder } from './orders.ts';
import { askRefund, makeRefund, refundUnder } from './refunds.ts';
import { jsonOf, type Request } from './request.ts';
import { outcomeOfStart } from './test-values.ts';
import { clientId, instant, orderKey, webUrl } from './wire.ts';

const amount = z.int().check(z.positive());
const orderBody = z.object({
  paymentId: clientId,
  amountMinor: amount,
  currency: z.enum(billCurrencies),
  description: z.string().check(z.maxLength(1000)),
  returnUrl: webUrl,
  notifyUrl: webUrl,
  steps: z.enum(['one', 'two']),
  method: z._default(z.enum(orderMethods), 'card'),
});
const captureBody = z.object({ amountMinor: amount });
const refundBody = z.object({ refundId: orderKey, amountMinor: amount });
const listQuery = z.object({
  from: instant,
  to: instant,
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 10),
  cursor: z.optional(z.base64url()),
});

/**
 * POST and GET orders, GET orders/{reference}, POST orders/{reference}/capture | cancel, POST and GET
 * orders/{reference}/refunds.
 */
export async function acquirerApi(deps: SandboxDeps, request: Request): Promise<SandboxResponse> {
  const [, collection, reference = '', verb] = request.path;
  if (collection !== 'orders') return notFound();
  if (reference === '' && request.method === 'POST') return open(deps, request);
  if (reference === '' && request.method === 'GET') return list(deps, request);
  if (!clientId.safeParse(reference).success) return notFound();
  if (request.method === 'GET' && verb === undefined) return show(deps, reference);

  const action = Object.hasOwn(actions, `${request.method} ${verb}`) && actions[`${request.method} ${verb}`];
  return action ? action(deps, reference, request) : notFound();
}

/** SBP has no hold: it captures in one step only. */
async function open(deps: SandboxDeps, request: Request): Promise<SandboxResponse> {
  const key = orderKey.safeParse(request.headers['idempotency-key']);
  const asked = orderBody.safeParse(jsonOf(request));
  if (!key.success || !asked.success) return refused(422, 'invalid_request');
  const wanted = { ...asked.data, amountMinor: BigInt(asked.data.amountMinor) };
  if (wanted.method === 'sbp' && (wanted.steps === 'two' || wanted.currency !== 'RUB'))
    return refused(422, 'method_not_possible');

  const fault = outcomeOfStart(wanted.amountMinor);
  if (fault === 'refused') return refused(422, 'order_refused');
  if (fault === 'fails_before') return refused(500, 'internal');
  const opened = await openUnderKey(deps, key.data, wanted);
  if (!opened) return refused(409, 'idempotency_key_reused');
  const { order, isNew } = opened;
  if (isNew) {
    await notifyEarly(deps, order);
    await forge(deps, order);
    if (fault === 'fails_after') return refused(500, 'internal');
  }
  return json(200, { ...view(order, deps.now()), ...pageOf(order, request) });
}

/** The page's URL, while it has something to do. */
const pageOf = (order: Order, { baseUrl }: Request) =>
  ['open', 'challenged'].includes(order.state) && {
    pageUrl: `${baseUrl}/${order.method}/${order.reference}.${order.pageKey}`,
  };

/** Orders by the time of their opening, newest first. */
async function list(deps: SandboxDeps, request: Request): Promise<SandboxResponse> {
  const asked = listQuery.safeParse(request.query);
  if (!asked.success) return refused(422, 'invalid_request');
  const cursor = asked.data.cursor && Buffer.from(asked.data.cursor, 'base64url').toString();
  const { references, next } = await listReferences(deps, { ...asked.data, cursor });
  const orders = await Promise.all(references.map((reference) => findOrder(deps, reference)));
  return json(200, {
    orders: orders.filter((order) => order !== undefined).map((order) => view(order, deps.now())),
    ...(next !== undefined && { next: Buffer.from(next).toString('base64url') }),
  });
}

async function show(deps: SandboxDeps, reference: string): Promise<SandboxResponse> {
  const { is, step } = await moveOrder(deps, reference, ask);
  return is ? answered(deps, { is, step }) : notFound();
}

type Action = (deps: SandboxDeps, reference: string, request: Request) => Promise<SandboxResponse>;

const voided: readonly string[] = ['voided', 'declined'];

/** A request that the order's state does not allow is 409 with the order's current state. */
const actions: Readonly<Record<string, Action>> = {
  async 'POST capture'(deps, reference, request) {
    const key = orderKey.safeParse(request.headers['idempotency-key']);
    const asked = captureBody.safeParse(jsonOf(request));
    if (!key.success || !asked.success) return refused(422, 'invalid_request');
    const amountMinor = BigInt(asked.data.amountMinor);
    const isMet = (order: Order) => order.captureKey === key.data;
    const decide = (order: Order) => capture(order, key.data, amountMinor);
    const { is, step } = await moveOrder(deps, reference, refusable(deps.manners, key.data, isMet, decide));
    if (!is) return notFound();
    if (step && isOrder(is)) await notifyEarly(deps, is);
    return answered(deps, { is, step, isMet: isOrder(is) && isMet(is) });
  },

  async 'POST cancel'(deps, reference, request) {
    const key = orderKey.safeParse(request.headers['idempotency-key']);
    if (!key.success) return refused(422, 'invalid_request');
    const isMet = (order: Order) => voided.includes(order.state) && !order.refusedKeys.includes(key.data);
    const decide = (order: Order) => cancel(order, deps.manners);
    const { is, step } = await moveOrder(deps, reference, refusable(deps.manners, key.data, isMet, decide));
    if (!is) return notFound();
    if (step && isOrder(is)) await notifyEarly(deps, is);
    return answered(deps, { is, step: undefined, isMet: isOrder(is) && isMet(is) });
  },

  /** Refunds under the merchant's own id. One that is not possible is 409 with what there is. */
  async 'POST refunds'(deps, reference, request) {
    const key = orderKey.safeParse(request.headers['idempotency-key']);
    const asked = refundBody.safeParse(jsonOf(request));
    if (!key.success || !asked.success) return refused(422, 'invalid_request');
    const wanted = {
      reference: `sbxr${Buffer.from(deps.random(12)).toString('hex')}`,
      refundId: asked.data.refundId,
      amountMinor: BigInt(asked.data.amountMinor),
      key: key.data,
      at: deps.now(),
    };
    const made = (order: Order): Refund | undefined => refundUnder(order, wanted, deps.manners);
    const decide = (order: Order) => makeRefund(order, wanted, deps.manners);
    const isMet = (order: Order) => made(order) !== undefined;
    const { is } = await moveOrder(deps, reference, refusable(deps.manners, key.data, isMet, decide));
    if (!isOrder(is)) return notFound();
    const refundMade = made(is);
    if (!refundMade) return json(409, { error: 'not_possible', ...view(is, deps.now()) });
    const isSame = refundMade.refundId === wanted.refundId && refundMade.amountMinor === wanted.amountMinor;
    return isSame ? json(200, refundView(refundMade)) : refused(409, 'idempotency_key_reused');
  },

  /** All refunds of the order under the merchant's id, oldest first. */
  async 'GET refunds'(deps, reference, request) {
    const refundId = request.query['refundId'] ?? '';
    const { is } = await moveOrder(deps, reference, (order) => askRefund(order, refundId));
    if (!isOrder(is)) return notFound();
    return json(200, { refunds: is.refunds.filter((each) => each.refundId === refundId).map(refundView) });
  },
};

type Moved = { readonly is: Known; readonly step: OrderStep | undefined; readonly isMet?: boolean };

function answered(deps: SandboxDeps, { is, step, isMet = true }: Moved): SandboxResponse {
  if (step?.fault === 'fails') return refused(500, 'internal');
  if (step?.fault === 'times_out') return refused(504, 'timed_out');
  return isMet
    ? json(200, view(is, deps.now()))
    : json(409, { error: 'not_possible', ...view(is, deps.now()) });
}
