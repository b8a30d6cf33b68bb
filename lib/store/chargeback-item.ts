import * as z from 'zod/mini';
import type { MerchantId, PaymentId } from '../ids.ts';
import {
  bearers,
  type Chargeback,
  type ChargebackDecision,
  chargebackDirections,
  chargebackStatuses,
  isDecidedChargeback,
} from '../ledger/chargeback.ts';
import { billCurrencies } from '../money/money.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';

/**
 * Chargeback: in its payment's partition, by its number; on a work list until it is decided, and on the timeline of its
 * merchant. The lists are short. Never deleted.
 */
export const chargebackPartition = (paymentId: string) => `CB#${paymentId}` as const;
export const chargebackKey = ({
  paymentId,
  number,
}: {
  readonly paymentId: string;
  readonly number: number;
}) => ({ PK: chargebackPartition(paymentId), SK: String(number).padStart(6, '0') }) as const;
export const chargebackList = 'W#CB';
export const chargebackTimeline = (merchantId: MerchantId) => `CB#${merchantId}` as const;

/** Returns the key of the item with this id; undefined for text that is no chargeback's id. */
export function chargebackKeyOf(id: string) {
  const [, paymentId, number] = /^([0-9A-Za-z]{26})\.chargeback\.([1-9]\d{0,5})$/.exec(id) ?? [];
  return paymentId === undefined ? undefined : chargebackKey({ paymentId, number: Number(number) });
}

const decision = z.object({
  id: z.string(),
  proposedBy: z.string(),
  approvedBy: z.string(),
  reason: z.string(),
  at: moment,
  bearer: orAbsent(z.enum(bearers)),
  posted: orAbsent(z.boolean()),
} satisfies Record<AttributeOf<ChargebackDecision>, z.ZodMiniType>);

const fields = z.object({
  id: z.string(),
  paymentId: storedId<PaymentId>(),
  number: z.number(),
  merchantId: storedId<MerchantId>(),
  direction: z.enum(chargebackDirections),
  amountMinor: minor,
  currency: z.enum(billCurrencies),
  seen: orAbsent(z.object({ state: z.string(), heldMinor: minor, refundedMinor: orAbsent(minor) })),
  entered: orAbsent(z.object({ id: z.string(), by: z.string(), reason: z.string() })),
  at: moment,
  status: z.enum(chargebackStatuses),
  decision: orAbsent(decision),
} satisfies Record<AttributeOf<Chargeback>, z.ZodMiniType>);

/** A decided item has its decision; an open one has none. */
const item = fields.check(z.refine((each) => isDecidedChargeback(each) === (each.decision !== undefined)));

export function toChargeback(raw: unknown): Chargeback {
  const { amountMinor, currency, ...chargeback } = item.parse(raw);
  return { ...chargeback, amount: { minor: amountMinor, currency } };
}

export function chargebackItem({ amount, decision: made, ...chargeback }: Chargeback) {
  const at = chargeback.at.toISOString();
  return {
    ...chargebackKey(chargeback),
    ...chargeback,
    amountMinor: amount.minor,
    currency: amount.currency,
    at,
    decision: made && { ...made, at: made.at.toISOString() },
    timeline: chargebackTimeline(chargeback.merchantId),
    ...(!isDecidedChargeback(chargeback) && { workList: chargebackList, workDue: at }),
  };
}
