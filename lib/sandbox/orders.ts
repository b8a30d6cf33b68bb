import * as z from 'zod/mini';
import { billCurrencies } from '../money/money.ts';
import type { SandboxDeps } from './deps.ts';
import { newOrder, orderStates, type Order, type OrderRequest, type OrderStep } from './order.ts';
import { read, revise, type Revised, type Slot } from './revise.ts';
import { textOrAbsent } from './table.ts';
import { cardOutcomes } from './test-values.ts';

/** An order that was cancelled before it was opened: it can no longer be opened. */
type Tombstone = { readonly paymentId: string; readonly state: 'never' };
export type Known = Order | Tombstone;

export const isOrder = (known: Known | undefined): known is Order =>
  known !== undefined && known.state !== 'never';

const minor = z.coerce.bigint();
const item = z.object({
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
  refundKey: textOrAbsent,
});
const tombstone = z.object({ paymentId: z.string(), state: z.literal('never') });
const known = z.union([tombstone, item]);

const slot = (paymentId: string): Slot<Known> => ({
  key: { PK: `ORDER#${paymentId}`, SK: 'ORDER' },
  parse: (raw) => known.parse(raw),
});

type Deps = Pick<SandboxDeps, 'table' | 'now' | 'random' | 'delay'>;
type KnownStep = OrderStep | { readonly to: Tombstone };
type Moved = Revised<Known, OrderStep>;

export const findOrder = (deps: Deps, paymentId: string): Promise<Known | undefined> =>
  read(deps.table, slot(paymentId));

/** The payment's order, opened if there is none. */
export async function openOrder(deps: Deps, request: OrderRequest, pageKey: string): Promise<Known> {
  const open = { to: newOrder(request, pageKey) };
  const { is } = await revise<Known, KnownStep>(deps, slot(request.paymentId), (seen) =>
    seen ? undefined : open,
  );
  return is ?? open.to;
}

/** Takes the step that `decide` chooses exactly once under concurrent writers. Unknown orders stay unknown. */
export const moveOrder = (
  deps: Deps,
  paymentId: string,
  decide: (order: Order) => OrderStep | undefined,
): Promise<Moved> =>
  revise<Known, OrderStep>(deps, slot(paymentId), (seen) => (isOrder(seen) ? decide(seen) : undefined));

/** As `moveOrder`, but an unknown order gets a tombstone, so that it can never be opened. */
export const moveOrTombstone = (
  deps: Deps,
  paymentId: string,
  decide: (order: Order) => OrderStep | undefined,
): Promise<Revised<Known, KnownStep>> =>
  revise<Known, KnownStep>(deps, slot(paymentId), (seen) => {
    if (!seen) return { to: { paymentId, state: 'never' } };
    return isOrder(seen) ? decide(seen) : undefined;
  });
