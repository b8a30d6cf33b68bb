import * as z from 'zod/mini';
import {
  type Adjustment,
  type AdjustmentDecision,
  adjustmentStatuses,
  directions,
  isFinalAdjustment,
} from '../ledger/adjustment.ts';
import type { MerchantId } from '../ids.ts';
import { balanceCurrencies } from '../money/money.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';

/** Adjustment: read by id; on a work list until it is decided. The list is short and read whole. Never deleted. */
export const adjustmentKey = (id: string) => ({ PK: `ADJ#${id}`, SK: 'ADJ' }) as const;
export const adjustmentList = 'W#ADJ';

const decisionSchema = z.object({
  id: orAbsent(z.string()),
  by: z.string(),
  at: moment,
  reason: orAbsent(z.string()),
} satisfies Record<AttributeOf<AdjustmentDecision>, z.ZodMiniType>);

const fields = z.object({
  id: z.string(),
  merchantId: storedId<MerchantId>(),
  direction: z.enum(directions),
  amountMinor: minor,
  currency: z.enum(balanceCurrencies),
  reason: z.string(),
  about: orAbsent(z.string()),
  status: z.enum(adjustmentStatuses),
  proposedBy: z.string(),
  proposedAt: moment,
  decision: orAbsent(decisionSchema),
} satisfies Record<AttributeOf<Adjustment>, z.ZodMiniType>);

/** A decided adjustment has its decision; an undecided one has none. */
const item = fields.check(
  z.refine(({ status, decision }) => isFinalAdjustment({ status }) === (decision !== undefined)),
);

export function toAdjustment(raw: unknown): Adjustment {
  const { amountMinor, currency, ...adjustment } = item.parse(raw);
  return { ...adjustment, amount: { minor: amountMinor, currency } };
}

export function adjustmentItem({
  amount,
  decision,
  ...adjustment
}: Adjustment): z.input<typeof fields> & ReturnType<typeof adjustmentKey> {
  const proposedAt = adjustment.proposedAt.toISOString();
  return {
    ...adjustmentKey(adjustment.id),
    ...adjustment,
    amountMinor: amount.minor,
    currency: amount.currency,
    proposedAt,
    decision: decision && { ...decision, at: decision.at.toISOString() },
    ...(!isFinalAdjustment(adjustment) && { workList: adjustmentList, workDue: proposedAt }),
  };
}
