import { type PayoutRule, type PeriodReservation, usedOf } from './limits.ts';
import type { CreationContext } from './ports.ts';
import { takesTwoPeople } from './second-person.ts';

/** The rule that releases a payout without a moderator, and what the payout takes of the rule's daily total. */
export type RuleUse = { readonly rule: PayoutRule; readonly share: PeriodReservation };

type Facts = Pick<CreationContext, 'terms' | 'usage' | 'accountKnown' | 'duplicateSeen'>;

/**
 * Returns the rule that releases a request without a moderator; undefined when a person must approve it. Rules apply to
 * the whole request, so splitting cannot evade them. Each has its own ceiling and daily total. A possible duplicate and
 * an order that requires two people always wait for a person.
 */
export function ruleFor(amountMinor: bigint, facts: Facts, day: string): RuleUse | undefined {
  if (facts.duplicateSeen) return undefined;
  if (takesTwoPeople(facts.terms, amountMinor)) return undefined;
  for (const { rule, ceilingMinor, dayTotalMinor } of rulesOf(facts)) {
    const used = facts.usage.byRule?.[rule] ?? { day: undefined, total: 0n };
    const share = { period: day, running: used.day === day, amountMinor, room: dayTotalMinor - amountMinor };
    if (amountMinor <= ceilingMinor && usedOf(share, used.total) <= share.room) return { rule, share };
  }
  return undefined;
}

type Rule = { readonly rule: PayoutRule; readonly ceilingMinor: bigint; readonly dayTotalMinor: bigint };

const rulesOf = ({ terms, accountKnown }: Facts): readonly Rule[] => [
  {
    rule: 'auto_approve_up_to',
    ceilingMinor: terms.autoApproveUpToMinor,
    dayTotalMinor: terms.autoApproveDayTotalMinor,
  },
  {
    rule: 'auto_approve_known_accounts',
    ceilingMinor: accountKnown ? terms.autoApproveKnownUpToMinor : 0n,
    dayTotalMinor: terms.autoApproveKnownDayTotalMinor,
  },
];
