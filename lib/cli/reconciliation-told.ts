import { toDecimal } from '../money/money.ts';
import { accountCauses, type DayAccount, statedMinor } from '../reconciliation/accounts.ts';
import {
  type Compared,
  countOf,
  type Difference,
  type DifferenceKind,
  type DifferenceReason,
  type Incomplete,
  type Reconciliation,
  type Side,
  verdictOf,
} from '../reconciliation/reconciliation.ts';
import { counted, table, timestamp } from './output.ts';

/** Returns the result of a day as text: the providers, the totals, the accounts, each difference with a sentence, and what to do. */
export function reconciliationTold(reconciliation: Reconciliation): string {
  const { compared, totals, accounts = [], differences } = reconciliation;
  const rows = totals.map(({ kind, currency, there, here }) => [
    kind,
    currency,
    there.count,
    toDecimal(there.minor),
    here.count,
    toDecimal(here.minor),
  ]);
  const titles = ['kind', 'currency', 'there', 'sum there', 'here', 'sum here'];
  return [
    ...compared.map(comparedTold),
    '',
    table(titles, rows, 'No money moved on this day.'),
    '',
    ...(accounts.length > 0 ? [table(accountTitles, accounts.map(accountRow), ''), ''] : []),
    ...differences.flatMap((each) => [`${each.kind}  ${differenceTold(each)}`, `    ${remedyOf(each)}`]),
    ...(differences.length > 0 ? [''] : []),
    conclusionOf(reconciliation),
  ].join('\n');
}

const accountTitles = [
  'provider',
  'currency',
  'statement',
  'other days',
  'explained',
  'differing',
  'fees due',
  'undecided',
  'journal',
];

/** The total of the statement, what leads from it to the journal, and the total of the journal: less refunds and fees. */
const accountRow = (account: DayAccount) => [
  `${account.provider ?? 'unknown'} (${account.role})`,
  account.currency,
  toDecimal(statedMinor(account)),
  ...accountCauses.map((cause) => toDecimal(account.gaps[cause])),
  toDecimal(account.journalMinor),
];

const comparedTold = ({ provider, role, incomplete }: Compared): string =>
  `${provider} (${role === 'acquirer' ? 'payments and refunds' : 'payouts'}): ${incomplete ? `INCOMPLETE, ${incompleteTold[incomplete]}` : 'compared whole'}`;

const incompleteTold: Readonly<Record<Incomplete, string>> = {
  statement_failed: 'it did not answer, or with an error: the log of the function reconcile names it',
  not_deployed: 'the journal has movements of this day, and the record no longer deploys it',
  too_many: 'more movements differ than are looked up one by one: a whole side may be missing',
  out_of_time: 'the function had no time left: run it again, and if it repeats, its day is too large',
};

function conclusionOf(reconciliation: Reconciliation): string {
  const { day, isOver, counts, moreDifferences } = reconciliation;
  const found = countOf(reconciliation);
  const told = [
    `${counted(counts.matched, 'movement')} and ${counted(counts.postbacks, 'postback')} agree`,
    ...(counts.onAnotherDay > 0 ? [`${counts.onAnotherDay} agree with another day`] : []),
    ...(counts.explained > 0
      ? [
          `explained by chargebacks, refunds in the cabinet, returned payouts or closed orders: ${counts.explained}`,
        ]
      : []),
    ...(counts.feesDue > 0 ? [`fees still to be booked: ${counts.feesDue}`] : []),
    ...(counts.foreign > 0 ? [`lines of other systems: ${counts.foreign}`] : []),
  ].join(', ');
  const sentence: Readonly<Record<ReturnType<typeof verdictOf>, string>> = {
    agrees: 'agrees',
    differs: `has ${counted(found, 'difference')}`,
    incomplete: `is ${isOver ? 'INCOMPLETE' : 'not over'}, with ${counted(found, 'difference')} so far`,
  };
  const more = moreDifferences > 0 ? ` The last ${moreDifferences} are not listed.` : '';
  return `${day.date} (${day.timeZone}) ${sentence[verdictOf(reconciliation)]}: ${told}. Nothing was changed.${more}`;
}

/** Returns one sentence about a difference. */
function differenceTold(difference: Difference): string {
  const { about, subject, reference, provider, there, here, why, decidedBy } = difference;
  if (about === 'postback') {
    const state = there?.state;
    return `postback ${reference} about ${subject}: ${state === undefined ? 'there is none' : `it is ${state}`}`;
  }
  const named = [subject, reference === undefined ? undefined : `${provider} ${reference}`];
  const sides = [
    `there ${sideTold(there)}`,
    `here ${sideTold(here)}`,
    ...(why === undefined ? [] : [reasons[why]]),
    ...(decidedBy === undefined ? [] : [`decided by hand, last by ${decidedBy}`]),
  ];
  return `${about} ${named.filter((each) => each !== undefined).join(', ')}: ${sides.join('; ')}`;
}

const reasons: Readonly<Record<DifferenceReason, string>> = {
  unknown_id: 'nothing here has this id',
  another_reference: 'not the order or transfer that is known here',
  not_asked_for: 'not by a call of ours, and no chargeback item tells of it',
  no_order: 'the provider has no such order or transfer',
  not_stated: 'the provider reports it when asked, but not on its statement of this day',
};

function sideTold(side: Side | undefined): string {
  if (!side) return 'nothing';
  const { state, amountMinor, currency, at } = side;
  const parts = [
    state,
    amountMinor === undefined ? undefined : `${toDecimal(amountMinor)} ${currency ?? ''}`.trim(),
    at === undefined ? undefined : `at ${timestamp(at)}`,
  ].filter((each) => each !== undefined);
  return parts.length === 0 ? 'nothing' : parts.join(' ');
}

/** What an operator does about a difference (docs/operating.md). */
const remedies: Readonly<Record<DifferenceKind, (difference: Difference) => string>> = {
  missing_here: ({ about, why }) => {
    if (why === 'not_asked_for') return 'Check the order in the provider’s cabinet, then chargebacks enter.';
    return about === 'payout'
      ? 'Money left without a payout here: find out at the provider who was paid, then adjustments propose.'
      : 'Money came without a payment here: payments unknown, then refund it in the provider’s cabinet and payments close.';
  },
  missing_there: ({ decidedBy }) =>
    decidedBy === undefined
      ? 'Ask the provider for the order; if it never had the money, adjustments propose.'
      : 'Check the evidence of the decision (trace) against the provider’s cabinet; if it was wrong, adjustments propose.',
  amount: () =>
    'trace shows what was booked; settle it with the provider, then chargebacks enter or adjustments propose.',
  fee: () => 'Compare the fee with the provider’s tariff; the books keep what was booked.',
  state: (difference) =>
    difference.about === 'payout' ? payoutRemedy(difference) : paymentRemedy(difference),
  currency: () => 'Stop the method in the record and ask the provider: an order changed its currency.',
  postback_missing: () => 'trace it; the merchant must be told by hand.',
  postback_not_delivered: () => 'Tell the merchant; then endpoint resume, or postbacks replay.',
};

/** `payments ask` refuses a paid payment, and a failed one whose order is not known here. */
function paymentRemedy({ here }: Difference): string {
  if (here?.state === 'FAIL')
    return 'Money came after the payment had failed here: payments ask has it refunded and booked. If that is refused, refund it in the provider’s cabinet; then the day agrees.';
  if (here?.state?.includes('/'))
    return 'payments ask has it checked at the provider at once; what stays open: payments resolve.';
  return 'The books have money that the provider does not hold: ask the provider; if it never had it, adjustments propose.';
}

function payoutRemedy({ here }: Difference): string {
  if (here?.state === 'ERROR') return 'Look it up in the provider’s cabinet, then payouts resolve.';
  if (here?.state === 'SETTLE')
    return 'Check at the provider that the money came back to the account there, then payouts returned.';
  if (here?.state === 'FAIL' || here?.state === 'DECLINED')
    return 'The provider paid it, and its money is on the balance again: settle it with the provider, then adjustments propose.';
  return 'It is still checked by itself: trace it, and compare the day again tomorrow.';
}

const remedyOf = (difference: Difference): string => remedies[difference.kind](difference);
