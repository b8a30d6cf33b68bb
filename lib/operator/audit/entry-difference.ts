import type { Entry } from '../../ledger/entry.ts';
import { toDecimal } from '../../money/money.ts';

type Compared = { readonly posted: Entry | undefined; readonly expected: Entry | undefined };

/** Returns how the posted entry differs from the one that its subject (a payment, a payout, …) accounts for; empty when it does not. */
export function entryDifference(
  id: string,
  subject: string,
  { posted, expected }: Compared,
): readonly string[] {
  if (!posted && !expected) return [];
  if (!posted) return [`entry ${id} is missing, but its ${subject} accounts for it`];
  if (!expected) return [`entry ${id} was posted, but no ${subject} accounts for it`];
  const [has, needs] = [partsOf(posted), partsOf(expected)];
  const differing = has.filter((part, index) => part !== needs[index]);
  const should = needs.filter((part, index) => part !== has[index]);
  if (differing.length === 0) return [];
  return [`entry ${id} says ${differing.join('; ')}, but its ${subject} accounts for ${should.join('; ')}`];
}

/** The parts of an entry as text, each named. The order of its lines has no meaning. */
function partsOf({ about, kind, merchantId, lines, at, adjustment }: Entry): readonly string[] {
  const amounts = lines.map(({ account, minor, currency }) => `${account} ${toDecimal(minor)} ${currency}`);
  const { id, reason, proposedBy, approvedBy } = adjustment ?? {};
  return [
    `${kind} about ${about}`,
    `merchant ${merchantId}`,
    amounts.length === 0 ? 'no lines' : amounts.toSorted().join(', '),
    `at ${at.toISOString()}`,
    adjustment ? `${id} by ${proposedBy} and ${approvedBy ?? 'nobody'}: ${reason}` : 'nobody’s decision',
  ];
}
