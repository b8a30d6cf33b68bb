import { type PayoutRule, type PeriodReservation, usedOf } from './limits.ts';
import type { CreationContext } from './ports.ts';
import { takesTwoPeople } from './second-person.ts';

/** The rule that lets a payout go without a moderator, and what it then takes of the rule's daily total. */
export type RuleUse = { readonly rule: PayoutRule; readonly share: PeriodReservation };

type Facts = Pick<CreationContext, 'terms' | 'usage' | 'accountKnown' | 'duplicateSeen'>;

/**
 * The rules look at the whole request, so that splitting gets nothing past them. Each has a ceiling and a daily total of
 * its own; what does not fit waits for a person, and so do a possible duplicate and what takes two people, whatever the
 * ceilings.
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
