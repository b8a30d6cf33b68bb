import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { isKeyAlive } from './manners.ts';
import { newOrder, type Order, type OrderRequest } from './order.ts';
import { findOrder, isOrder, itemsOfOrder, type OrderDeps } from './orders.ts';
import { revise, type Slot } from './revise.ts';
import { time } from './table.ts';

const item = z.object({ reference: z.string(), digest: z.string(), firstUsedAt: time });
type KeyUse = z.infer<typeof item>;

const slot = (key: string): Slot<KeyUse> => ({
  key: { PK: `KEY#${key}`, SK: 'KEY' },
  parse: (raw) => item.parse(raw),
});

type Opened = { readonly order: Order; readonly isNew: boolean };

/**
 * Opens an order under an idempotency key, or returns the one that was opened under it. A key whose life is over opens a new
 * order, as if it had never been used. Undefined: the key was used with another body.
 */
export async function openUnderKey(
  deps: OrderDeps,
  key: string,
  request: OrderRequest,
): Promise<Opened | undefined> {
  const order = orderOf(deps, request);
  const first = { reference: order.reference, digest: digestOf(request), firstUsedAt: order.openedAt };
  const { is, step } = await revise(deps, slot(key), (seen) =>
    seen && isKeyAlive(deps.manners, seen.firstUsedAt, order.openedAt)
      ? undefined
      : { to: first, creates: itemsOfOrder(order) },
  );
  if (step) return { order, isNew: true };
  const known = is?.digest === first.digest ? await findOrder(deps, is.reference) : undefined;
  return isOrder(known) ? { order: known, isNew: false } : undefined;
}

function orderOf({ now, random, manners }: OrderDeps, request: OrderRequest) {
  const openedAt = now();
  return {
    ...newOrder(request, {
      reference: `sbx${Buffer.from(random(12)).toString('hex')}`,
      openedAt,
      payableUntil: new Date(openedAt.getTime() + manners.payableMinutes * 60_000),
      pageKey: Buffer.from(random(12)).toString('base64url'),
    }),
    openedAt,
  };
}

const digestOf = ({ amountMinor, ...rest }: OrderRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([`${amountMinor}`, Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1))]))
    .digest('hex');
