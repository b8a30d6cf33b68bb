import * as z from 'zod/mini';
import type { MerchantId, PaymentId } from '../ids.ts';
import { type Claim, type ClaimMove, claimMoveKinds, isClosedClaim } from '../ledger/claim.ts';
import { balanceCurrencies } from '../money/money.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { chargebackKeyOf } from './chargeback-item.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';

/** Claim: in its payment's partition, by the number of its chargeback; on a work list while something is owed. Never deleted. */
export const claimPartition = (paymentId: string) => `CL#${paymentId}` as const;
export const claimList = 'W#CL';

/** Returns the key of the claim with this id; undefined for text that is no claim's id. */
export function claimKeyOf(id: string) {
  const key = chargebackKeyOf(id);
  return key && { PK: claimPartition(key.PK.slice('CB#'.length)), SK: key.SK };
}

const move = z.object({
  id: z.string(),
  kind: z.enum(claimMoveKinds),
  minor,
  by: z.string(),
  approvedBy: orAbsent(z.string()),
  reason: orAbsent(z.string()),
  at: moment,
} satisfies Record<AttributeOf<ClaimMove>, z.ZodMiniType>);

const item = z.object({
  id: z.string(),
  paymentId: storedId<PaymentId>(),
  merchantId: storedId<MerchantId>(),
  amountMinor: minor,
  currency: z.enum(balanceCurrencies),
  openMinor: minor,
  at: moment,
  moves: z.array(move),
} satisfies Record<AttributeOf<Claim>, z.ZodMiniType>);

export function toClaim(raw: unknown): Claim {
  const { amountMinor, currency, ...claim } = item.parse(raw);
  return { ...claim, amount: { minor: amountMinor, currency } };
}

export function claimItem({ amount, moves, ...claim }: Claim) {
  const at = claim.at.toISOString();
  return {
    ...claimKeyOf(claim.id),
    ...claim,
    amountMinor: amount.minor,
    currency: amount.currency,
    at,
    moves: moves.map((each) => ({ ...each, at: each.at.toISOString() })),
    ...(!isClosedClaim(claim) && { workList: claimList, workDue: at }),
  };
}
