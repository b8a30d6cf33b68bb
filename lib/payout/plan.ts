import { type MerchantRefusal, whyRefused } from '../merchant/merchant.ts';
import type { CommissionPayer } from '../merchant/terms.ts';
import { fail, ok, type Result } from '../result.ts';
import type { LocalTime } from './calendar.ts';
import { debitOf, type PartCost, partsOf } from './cost.ts';
import { type LimitRefusal, type Reservation, reservation, whyOverLimit } from './limits.ts';
import type { PayoutKind } from './payout.ts';
import type { CreationContext } from './ports.ts';
import type { RailLimits, RailLimitsOf } from './payout-rail.ts';
import { type AccountRefusal, type PayoutRecipient, recipientOf, type Target } from './recipient.ts';
import { amountOf, type RequestedAmount } from './requested-amount.ts';
import { limitNumbers, partNumbers, type RefusalNumbers } from './refusal-numbers.ts';
import { type RuleUse, ruleFor } from './rules.ts';

/** The part of a payout request that the plan depends on. */
export type Intent = { readonly target: Target; readonly requested: RequestedAmount };

export type Plan = {
  readonly recipient: PayoutRecipient;
  readonly parts: readonly PartCost[];
  readonly commissionPayer: CommissionPayer;
  readonly reservation: Reservation;
  /** The rule that releases it without a moderator. */
  readonly ruleUse: RuleUse | undefined;
};

const merchantRefusals = [
  'merchant_not_found',
  'merchant_banned',
  'merchant_subscription_inactive',
  'merchant_subscription_not_found',
  'merchant_not_verified',
] as const satisfies readonly MerchantRefusal[];

type AmountRefusal = 'invalid_amount' | LimitRefusal | 'balance_not_enough';

type AccessRefusal = 'unauthorized_action' | (typeof merchantRefusals)[number];
export type PlanRefusal = AccessRefusal | AccountRefusal | AmountRefusal;

/** Returns why the merchant may not pay out now. Checked before the payout itself, also for a repeated request. */
export const whyNoAccess = (
  { flags }: Pick<CreationContext, 'flags'>,
  kind: PayoutKind,
): AccessRefusal | undefined =>
  kind === 'regular' && flags?.regularPayouts === false
    ? 'unauthorized_action'
    : whyRefused(flags, merchantRefusals);

/** Returns the payouts to create, or the first refusal in the order of contract 4.7 and 4.8. */
export function plan(
  context: CreationContext,
  { target, requested }: Intent,
  rails: RailLimitsOf,
  today: LocalTime,
): Result<Plan, AccountRefusal | AmountRefusal, RefusalNumbers> {
  const recipient = recipientOf(target, context);
  if (!recipient.ok) return recipient;
  const { type } = recipient.value;
  const limits = rails.forNew(type)?.limits(type);
  if (!limits) return fail('direction_not_available');
  const amounts = planAmounts(context, requested, limits, today);
  return amounts.ok ? ok({ recipient: recipient.value, ...amounts.value }) : amounts;
}

/** Returns the parts and what they take from balance and limits. */
function planAmounts(
  context: CreationContext,
  requested: RequestedAmount,
  limits: RailLimits,
  today: LocalTime,
): Result<Omit<Plan, 'recipient'>, AmountRefusal, RefusalNumbers> {
  const { terms, usage, availableMinor } = context;
  const amountMinor = amountOf(requested, context, limits, today);
  if (amountMinor === undefined || amountMinor <= 0n) return fail('invalid_amount');
  const parts = partsOf(amountMinor, terms, limits);
  if (!parts) return fail('invalid_amount', partNumbers(terms, limits));
  const reserved = reservation(amountMinor, terms, usage, today);
  const overLimit = whyOverLimit(reserved, usage);
  if (overLimit) return fail(overLimit, limitNumbers(overLimit, terms, reserved, usage));
  if (debitOf(parts) > availableMinor) return fail('balance_not_enough');
  const { commissionPayer } = terms;
  const ruleUse = ruleFor(amountMinor, context, reserved.day.period);
  return ok({ parts, commissionPayer, reservation: reserved, ruleUse });
}
