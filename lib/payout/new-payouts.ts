import { Defect } from '../defect.ts';
import { newPayoutId } from '../ids.ts';
import { reserveEntry } from './payout-postings.ts';
import { sum } from '../money/money.ts';
import type { PartCost } from './cost.ts';
import type { Decision, ModeratedPayout, PayoutKind, QueuedPayout, SealedDestination } from './payout.ts';
import type { Plan } from './plan.ts';
import type { CreationQuery, NewPayouts } from './ports.ts';

type NewRequest = {
  readonly kind: PayoutKind;
  readonly isAuto: boolean;
  readonly orderId: string | undefined;
  readonly fingerprint: string;
  readonly query: CreationQuery;
  readonly duplicateSeen: boolean;
  readonly sealed: SealedDestination;
};

/** Builds the payouts of a plan and the entry that reserves their money. */
export function newPayouts(plan: Plan, request: NewRequest): NewPayouts {
  const { query, fingerprint, duplicateSeen } = request;
  const { merchantId, groupId, currency, now: at } = query;
  const [first, ...others] = plan.parts.map((cost, index) => newPayout(plan, cost, index + 1, request));
  if (!first) throw new Defect('PAYOUT_PLAN_EMPTY', 'A plan has at least one part');
  const entry = reserveEntry({
    about: groupId,
    merchantId,
    currency,
    sentMinor: sum(plan.parts.map(({ sentMinor }) => sentMinor)),
    commissionMinor: sum(plan.parts.map(({ commissionMinor }) => commissionMinor)),
    at,
  });
  const { reservation, ruleUse } = plan;
  const payouts = [first, ...others] as const;
  return { groupId, fingerprint, payouts, entry, reservation, ruleUse, query, duplicateSeen };
}

function newPayout(
  plan: Plan,
  cost: PartCost,
  part: number,
  request: NewRequest,
): ModeratedPayout | QueuedPayout {
  const { kind, isAuto, orderId, query, duplicateSeen, sealed } = request;
  const { groupId, merchantId, currency, accountHash, numberHash, accountId, now } = query;
  const payout = {
    id: newPayoutId(groupId, part),
    groupId,
    merchantId,
    kind,
    accountId,
    isAuto,
    amount: { minor: cost.amountMinor, currency },
    commissionMinor: cost.commissionMinor,
    commissionPayer: plan.commissionPayer,
    accountType: plan.recipient.type,
    mask: plan.recipient.mask,
    accountHash,
    numberHash,
    destination: sealed,
    orderId,
    possibleDuplicate: duplicateSeen,
    limitDay: plan.reservation.day.period,
    limitMonth: plan.reservation.month.period,
    createdAt: now,
    revision: 1,
    providerKey: undefined,
    attempt: undefined,
    firstCallAt: undefined,
    lastCallAt: undefined,
    attemptOver: undefined,
    rail: undefined,
    notTaken: undefined,
    accepted: undefined,
    reference: undefined,
    railCalls: [],
    reason: undefined,
    sentAt: undefined,
    checks: 0,
  };
  // Without a rule that releases it, the payout waits for a moderator.
  if (!plan.ruleUse) return { ...payout, status: 'MODERATING', decisions: [] };
  const decision: Decision = {
    verdict: 'approved',
    id: undefined,
    by: `rule:${plan.ruleUse.rule}`,
    approvedBy: undefined,
    reason: undefined,
    at: now,
  };
  return { ...payout, status: 'NEW', decisions: [decision], dueAt: now };
}
