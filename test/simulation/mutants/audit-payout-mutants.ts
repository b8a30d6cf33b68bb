import type { Mutant } from './mutant.ts';

const payouts = 'lib/operator/audit/payout-rules.ts';
const events = 'lib/operator/audit/payout-event-rules.ts';
const merchants = 'lib/operator/audit/merchant-rules.ts';
const decisions = 'lib/operator/audit/decision-rules.ts';

/** A rule whose comparison is left out, and the corruption that is not found then. */
const dropped = (name: string, corruption: string, file: string, find: string, put: string): Mutant => ({
  name: `audit-${name}`,
  guard: `the audit finds ${corruption}`,
  patches: [{ file, find, put }],
  by: { corruption },
});

/** The comparisons of payouts, their postbacks and decisions, tokens, shops, accounts and references. */
export const auditPayoutMutants: readonly Mutant[] = [
  dropped(
    'group-gone',
    'a group without its item',
    payouts,
    "if (!found.one('group', groupIdOf(id))) yield 'has no group';",
    '',
  ),
  dropped(
    'group-fields',
    'a payout that names another order',
    payouts,
    'if (wrong.length > 0) yield `and its payout ${payout.id} differ',
    'if (wrong.length > 99) yield `and its payout ${payout.id} differ',
  ),
  dropped(
    'parts-alike',
    'a part of a split payout that shows another account',
    payouts,
    '...requestOf(first), merchantId: of',
    '...requestOf(payout), merchantId: of',
  ),
  dropped(
    'account-shown',
    'a stored account that shows another number',
    payouts,
    '{ accountType: account.type, mask: account.mask },',
    '{ accountType: account.type, mask: payout.mask },',
  ),
  dropped(
    'approval',
    'a paid payout that nobody approved',
    payouts,
    "if (status !== 'MODERATING' && status !== 'DECLINED' && !isReleased)",
    'if (false)',
  ),
  dropped(
    'declined-by-nobody',
    'a declined payout that nobody declined',
    payouts,
    "if (status === 'DECLINED' && !verdicts.includes('declined'))",
    'if (false)',
  ),
  dropped(
    'cancelled-by-another',
    'a payout that another merchant cancelled',
    payouts,
    'by === merchantSigner(merchantId)',
    '(by === merchantSigner(merchantId) || by.length > 0)',
  ),
  dropped(
    'returned-by-one',
    'a payout returned by one person',
    payouts,
    'approvedBy === undefined || isSamePerson(by, approvedBy)',
    'false && isSamePerson(by, approvedBy ?? by)',
  ),
  dropped(
    'rail-answers',
    'a paid payout turned FAIL, with its postback, RELEASE and balance',
    payouts,
    'const told = railCalls.map(',
    'const told = railCalls.slice(railCalls.length).map(',
  ),
  dropped(
    'known-account',
    'an account made known that nobody approved',
    payouts,
    'return isPaid ? [] : [text];',
    'return isPaid || text ? [] : [text];',
  ),
  dropped(
    'limit-of-day',
    "the day's total of the payout limit set back",
    payouts,
    '(day === limitDay && dayTotal < taken)',
    'false',
  ),
  dropped(
    'limit-of-month',
    "the month's total of the payout limit set back",
    payouts,
    '(month === limitMonth && monthTotal < taken)',
    'false',
  ),
  dropped(
    'limit-of-rule',
    "the day's total of the automatic approvals set back",
    payouts,
    'used.total < totalOf(payouts)',
    'used.total < 0n',
  ),
  dropped(
    'payout-event-state',
    'a postback of a payout that is under way',
    events,
    'if (!payout || !isFinalPayout(payout) || payout.status !== event.status)',
    'if (!payout || !isFinalPayout(payout)) return [];\n      if (payout.status !== event.status)',
  ),
  dropped(
    'payout-event-fields',
    "the Amount of a payout's postback changed",
    events,
    'yield* differingNames(fields, expected);',
    '',
  ),
  dropped(
    'token-orphan',
    'an orphan token',
    merchants,
    'if (merchant.tokenHash !== tokenHash)',
    'if (false)',
  ),
  dropped(
    'token-flags',
    'a token with a right that its merchant does not have',
    merchants,
    'const wrong = differingNames(flags, flagsOf(merchant));',
    'const wrong = differingNames(flagsOf(merchant), flagsOf(merchant));',
  ),
  dropped(
    'shop-listed',
    'a shop that its merchant does not list',
    merchants,
    "return found.one('shop_reference', `${merchantId} ${id}`)",
    'return id',
  ),
  dropped(
    'account-banned',
    'a banned account whose number is not banned',
    merchants,
    'return number.banned === banned',
    'return number',
  ),
  dropped(
    'number-gone',
    'the number of a stored account removed',
    merchants,
    'if (!number?.accounts.includes(id))',
    'if (!number) return [];\n      if (!number.accounts.includes(id))',
  ),
  dropped(
    'order-reference',
    'an order reference that points at the bill of another order',
    merchants,
    "(of === 'key' ||",
    '(of !== undefined ||',
  ),
  dropped(
    'reference-merchant',
    'an unpaid bill given to another merchant',
    merchants,
    'bill?.merchantId === merchantId &&',
    'bill !== undefined &&',
  ),
  dropped(
    'payout-claim',
    "an idempotency key that answers with another merchant's payout",
    merchants,
    'return group?.merchantId === merchantId && group.fingerprint === fingerprint',
    'return group',
  ),
  dropped(
    'decision-of-payout',
    'a payout approved by somebody who did not',
    decisions,
    'if (!decision || groundsIn(decision)?.trim() !== reason',
    'if (!decision) return true;\n  if (groundsIn(decision)?.trim() !== reason',
  ),
  dropped(
    'decision-about-payout',
    'the decision that approved a payout turned to another',
    decisions,
    ' || !hasVerdict(decision, verdict, payoutId)',
    '',
  ),
  dropped(
    'second-person-of-payout',
    'a return that a third person approved',
    decisions,
    'proposal.decided?.by === approvedBy &&',
    '',
  ),
  dropped(
    'adjustment-as-proposed',
    'an adjustment raised, with its ADJUST and balance',
    decisions,
    "if (!says(decisionOf(found, 'operator', proposedBy, id), proposed))",
    'if (false)',
  ),
  dropped(
    'adjustment-decided',
    'a rejected adjustment that somebody else rejected',
    decisions,
    'if (!isDecided) yield',
    'if (false) yield',
  ),
];
