import * as z from 'zod/mini';
import { billCurrencies } from '../money/money.ts';
import { changeByTime } from './changes.ts';
import type { SandboxDeps } from './deps.ts';
import { listItem } from './order-list.ts';
import { orderMethods, orderStates, type Order, type OrderStep } from './order.ts';
import { revise, type Revised, type Slot } from './revise.ts';
import { textOrAbsent, time, timeOrAbsent } from './table.ts';
import { cardOutcomes } from './test-values.ts';

/** Earlier versions stored that an order was cancelled before it was opened. */
type Tombstone = { readonly paymentId: string; readonly state: 'never' };
export type Known = Order | Tombstone;

export const isOrder = (known: Known | undefined): known is Order =>
  known !== undefined && known.state !== 'never';

const minor = z.coerce.bigint();
const minorOrAbsent: z.ZodMiniType<bigint | undefined> = z.optional(minor);
const refund = z.object({
  reference: z.string(),
  refundId: z.string(),
  key: z.string(),
  at: time,
  amountMinor: minor,
  state: z.enum(['pending', 'succeeded', 'rejected']),
  outcome: textOrAbsent,
  pendingPolls: z.number(),
});
const fields = z.object({
  paymentId: z.string(),
  amountMinor: minor,
  currency: z.enum(billCurrencies),
  description: z.string(),
  returnUrl: z.string(),
  notifyUrl: z.string(),
  steps: z.enum(['one', 'two']),
  pageKey: z.string(),
  state: z.enum(orderStates),
  cardOutcome: z.enum(cardOutcomes),
  card: textOrAbsent,
  outcome: textOrAbsent,
  heldMinor: minor,
  pendingPolls: z.number(),
  faulted: z.boolean(),
  captureKey: textOrAbsent,
  // Absent in orders of earlier versions.
  reference: textOrAbsent,
  method: z._default(z.enum(orderMethods), 'card'),
  openedAt: timeOrAbsent,
  payableUntil: timeOrAbsent,
  refusedKeys: z._default(z.array(z.string()), []),
  refunds: z._default(z.array(refund), []),
  takenBackMinor: z._default(minor, 0n),
  changes: z._default(z.number(), 0),
  feeMinor: minorOrAbsent,
  feeToldAt: timeOrAbsent,
});
const item = z.pipe(
  fields,
  z.transform((order): Order => ({ ...order, reference: order.reference ?? order.paymentId })),
);
const tombstone = z.object({ paymentId: z.string(), state: z.literal('never') });
const known = z.union([tombstone, item]);

const orderKey = (reference: string) => ({ PK: `ORDER#${reference}`, SK: 'ORDER' });

const slot = (reference: string): Slot<Known> => ({
  key: orderKey(reference),
  parse: (raw) => known.parse(raw),
});

export type OrderDeps = Pick<SandboxDeps, 'table' | 'manners' | 'now' | 'random' | 'delay'>;
type Moved = Revised<Known, OrderStep>;

/** The items of a new order: the order itself, and its place in the list. */
export const itemsOfOrder = (order: Order & { readonly openedAt: Date }) => [
  { ...orderKey(order.reference), ...order, version: 1 },
  listItem(order),
];

/**
 * Takes the step that `decide` chooses exactly once under concurrent writers. What time alone changes is changed first, as a
 * step of its own. Unknown orders stay unknown.
 */
export async function moveOrder(
  deps: OrderDeps,
  reference: string,
  decide: (order: Order) => OrderStep | undefined,
): Promise<Moved> {
  const moved = await revise<Known, OrderStep & { readonly byTime?: true }>(deps, slot(reference), (seen) => {
    if (!isOrder(seen)) return undefined;
    const changed = changeByTime(seen, deps);
    const step = changed ? { ...changed, byTime: true as const } : decide(seen);
    return step && withFee(seen, step, deps);
  });
  return moved.step?.byTime ? moveOrder(deps, reference, decide) : moved;
}

/** A capture takes its fee by the manners of its time. */
function withFee<S extends OrderStep>(seen: Order, step: S, { manners, now }: OrderDeps): S {
  const { feeBasisPoints, feeAfterMinutes } = manners;
  const isCapture = step.to.state === 'captured' && seen.state !== 'captured';
  if (!isCapture || feeBasisPoints === 0) return step;
  const feeMinor = (step.to.heldMinor * BigInt(feeBasisPoints) + 5_000n) / 10_000n;
  const feeToldAt = new Date(now().getTime() + feeAfterMinutes * 60_000);
  const movement = step.movement && { movement: { ...step.movement, feeMinor } };
  return { ...step, to: { ...step.to, feeMinor, feeToldAt }, ...movement };
}

export const findOrder = async (deps: OrderDeps, reference: string): Promise<Known | undefined> => {
  const { is } = await moveOrder(deps, reference, () => undefined);
  return is;
};
