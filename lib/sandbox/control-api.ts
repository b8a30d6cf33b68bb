import * as z from 'zod/mini';
import { json, notFound, refused, type SandboxResponse } from './answer.ts';
import { authoriseLate, captureLate, captureOther, takeBack } from './changes.ts';
import type { SandboxDeps } from './deps.ts';
import { notify } from './notice.ts';
import type { Order, OrderStep } from './order.ts';
import { view } from './order-view.ts';
import { isOrder, moveOrder } from './orders.ts';
import { jsonOf, type Request } from './request.ts';
import { clientId } from './wire.ts';

const amountMinor = z.pipe(
  z.int().check(z.positive()),
  z.transform((value: number) => BigInt(value)),
);
const change = z.union([
  z.object({ do: z.enum(['refund', 'charge_back', 'capture_other']), amountMinor }),
  z.object({ do: z.enum(['capture_late', 'authorise_late']) }),
]);
type Change = z.infer<typeof change>;

/**
 * POST control/orders/{reference}: what a provider does to an order without its merchant, for tests. `refund` and `charge_back`
 * give back a part of the capture, `capture_other` changes its amount; `capture_late` and `authorise_late` undo a failure.
 */
export async function controlApi(deps: SandboxDeps, request: Request): Promise<SandboxResponse> {
  const [, collection, reference = '', more] = request.path;
  if (collection !== 'orders' || more !== undefined || request.method !== 'POST') return notFound();
  const asked = change.safeParse(jsonOf(request));
  if (!clientId.safeParse(reference).success || !asked.success) return refused(422, 'invalid_request');
  const { is, step } = await moveOrder(deps, reference, (order) => changed(order, asked.data));
  if (!isOrder(is)) return notFound();
  if (step) await notify(deps, is);
  return step
    ? json(200, view(is, deps.now()))
    : json(409, { error: 'not_possible', ...view(is, deps.now()) });
}

function changed(order: Order, how: Change): OrderStep | undefined {
  if ('amountMinor' in how)
    return how.do === 'capture_other'
      ? captureOther(order, how.amountMinor)
      : takeBack(order, how.amountMinor);
  return how.do === 'capture_late' ? captureLate(order) : authoriseLate(order);
}
