import { groupIdOf, newPayoutId } from '../../ids.ts';
import { isSamePerson } from '../../ledger/same-person.ts';
import { type LimitUsage, payoutRules as releasingRules } from '../../payout/limits.ts';
import { sum } from '../../money/money.ts';
import { approverOf, type Decision, merchantSigner, type Payout, sentMinor } from '../../payout/payout.ts';
import { groupOfOrder, type PayoutGroup } from '../../payout/payout-group.ts';
import type { FinalStatus } from '../../payout/states.ts';
import { differingNames } from './differing-names.ts';
import { type Found, rule } from './rule.ts';

type Verdict = Decision['verdict'];

/** Requests, what they fixed, and the states of their payouts. Entries are recomputed in recomputations.ts. */
export const payoutRules = [
  rule({
    invariant: 'payout_groups_match',
    of: 'group',
    needs: ({ group: { groupId } }) => [{ kind: 'payouts_of', id: groupId }],
    broken({ group }, found) {
      const payouts = found.all('payouts_of', group.groupId).map(({ payout }) => payout);
      return [...differencesOfGroup(group, payouts)].map((why) => `payout group ${group.groupId} ${why}`);
    },
  }),
  rule({
    invariant: 'payout_limits',
    of: 'group',
    needs: ({ group: { groupId, merchantId, currency } }) => [
      { kind: 'payouts_of', id: groupId },
      { kind: 'balance', id: `${merchantId} ${currency}` },
    ],
    broken({ group: { groupId, merchantId, currency } }, found) {
      const payouts = found.all('payouts_of', groupId).map(({ payout }) => payout);
      const usage = found.one('balance', `${merchantId} ${currency}`)?.usage;
      return usage
        ? [...uncounted(payouts, usage)].map((what) => `payout group ${groupId} is not counted in ${what}`)
        : [];
    },
  }),
  rule({
    invariant: 'payout_groups_match',
    of: 'payout',
    needs: ({ payout: { id, merchantId, accountId } }) => [
      { kind: 'group', id: groupIdOf(id) },
      ...(accountId === undefined
        ? []
        : [{ kind: 'payout_account', id: `${merchantId} ${accountId}` } as const]),
    ],
    broken: ({ payout }, found) =>
      [...differencesOfRequest(payout, found)].map((why) => `payout ${payout.id} ${why}`),
  }),
  rule({
    invariant: 'payouts_match_decisions',
    of: 'payout',
    needs: () => [],
    broken: ({ payout }) => [...impossibleIn(payout)].map((why) => `payout ${payout.id} ${why}`),
  }),
  rule({
    invariant: 'payouts_match_decisions',
    of: 'known_account',
    needs: ({ known: { lastPaidBy } }) =>
      lastPaidBy === undefined ? [] : [{ kind: 'payout', id: lastPaidBy }],
    broken({ known: { merchantId, accountHash, lastPaidBy = '', approvedBy } }, found) {
      // Without an approver it is not known.
      if (approvedBy === undefined) return [];
      const payout = found.one('payout', lastPaidBy)?.payout;
      const isPaid =
        payout?.status === 'SUCCESS' &&
        payout.merchantId === merchantId &&
        payout.accountHash === accountHash &&
        approverOf(payout) === approvedBy;
      const text = `an account of ${merchantId} is known by payout ${lastPaidBy}, which is not a paid payout to it that ${approvedBy} approved`;
      return isPaid ? [] : [text];
    },
  }),
];

function* differencesOfGroup(group: PayoutGroup, payouts: readonly Payout[]): Generator<string> {
  const { groupId, merchantId, orderId } = group;
  const [first] = payouts;
  if (!first) return yield 'has no payout';
  if (orderId !== undefined && groupOfOrder(merchantId, orderId) !== groupId)
    yield 'has an id that is not of its merchant and order';
  const ids = new Set(payouts.map(({ id }) => id));
  const missing = payouts.map((_, at) => newPayoutId(groupId, at + 1)).filter((id) => !ids.has(id));
  if (missing.length > 0) yield `lacks payout ${missing.join(', ')}, but has a later one`;
  for (const payout of payouts) {
    const { merchantId: of, currency, orderId: order, createdAt } = group;
    const expected = { ...requestOf(first), merchantId: of, currency, orderId: order, createdAt };
    const wrong = differingNames(requestOf(payout), expected);
    if (wrong.length > 0) yield `and its payout ${payout.id} differ in ${wrong.join(', ')}`;
  }
}

/** What the payouts of a request have in common. */
const requestOf = (payout: Payout) => ({
  merchantId: payout.merchantId,
  currency: payout.amount.currency,
  orderId: payout.orderId,
  createdAt: payout.createdAt,
  kind: payout.kind,
  isAuto: payout.isAuto,
  accountId: payout.accountId,
  accountHash: payout.accountHash,
  accountType: payout.accountType,
  mask: payout.mask,
  commissionPayer: payout.commissionPayer,
  limitDay: payout.limitDay,
  limitMonth: payout.limitMonth,
});

/**
 * The totals of its balance that are less than what this request alone takes of them. That each is the sum of all requests is for the
 * simulation to check: the table has no list of a merchant's payouts.
 */
function* uncounted(payouts: readonly Payout[], usage: LimitUsage): Generator<string> {
  const [first] = payouts;
  if (!first) return;
  const totalOf = (counted: readonly Payout[]) => sum(counted.map(({ amount }) => amount.minor));
  const { limitDay, limitMonth, decisions } = first;
  // Declined and failed payouts are given back.
  const taken = totalOf(payouts.filter(({ status }) => status !== 'DECLINED' && status !== 'FAIL'));
  const { day = '', dayTotal, month = '', monthTotal, byRule } = usage;
  if (day < limitDay || (day === limitDay && dayTotal < taken)) yield `the limit of ${limitDay}`;
  if (month < limitMonth || (month === limitMonth && monthTotal < taken)) yield `the limit of ${limitMonth}`;
  for (const releasing of releasingRules) {
    const isReleased = decisions.some(
      ({ verdict, by }) => verdict === 'approved' && by === `rule:${releasing}`,
    );
    const used = byRule?.[releasing];
    // What a rule released is never given back.
    if (isReleased && used?.day === limitDay && used.total < totalOf(payouts))
      yield `what ${releasing} released on ${limitDay}`;
  }
}

/** What the request fixed: its group, amounts above zero, the stored account that it named. */
function* differencesOfRequest(payout: Payout, found: Found): Generator<string> {
  const { id, groupId, merchantId, kind, accountId, amount, commissionMinor } = payout;
  if (groupId !== groupIdOf(id)) yield `names the group ${groupId}`;
  if (!found.one('group', groupIdOf(id))) yield 'has no group';
  if (amount.minor <= 0n || commissionMinor < 0n || sentMinor(payout) < 0n)
    yield 'has an amount or a fee that no request leads to';
  if ((kind === 'personal') !== (accountId !== undefined))
    yield `is ${kind}, but names ${accountId === undefined ? 'no' : 'a'} stored account`;
  if (accountId === undefined) return;
  const account = found.one('payout_account', `${merchantId} ${accountId}`)?.account;
  if (!account) return yield `names account ${accountId}, which its merchant does not have`;
  const wrong = differingNames(
    { accountType: payout.accountType, mask: payout.mask },
    { accountType: account.type, mask: account.mask },
  );
  if (wrong.length > 0) yield `and its account ${accountId} differ in ${wrong.join(', ')}`;
}

/** The only status that a payout may have after these verdicts. */
const endOf: Partial<Readonly<Record<Verdict, FinalStatus>>> = {
  declined: 'DECLINED',
  paid: 'SUCCESS',
  failed: 'FAIL',
  returned: 'SUCCESS',
};

const isOfMerchant = ({ by }: Decision): boolean => by.startsWith('merchant:');

const isOwnCancel = ({ merchantId }: Payout, { verdict, by, id, approvedBy }: Decision): boolean =>
  verdict === 'declined' && by === merchantSigner(merchantId) && id === undefined && approvedBy === undefined;

/** What cannot have led to the payout's state. */
function* impossibleIn(payout: Payout): Generator<string> {
  const { status, decisions, limitDay, limitMonth, createdAt } = payout;
  const verdicts = decisions.map(({ verdict }) => verdict);
  const lastWord = verdicts.findLast((verdict) => verdict === 'approved' || verdict === 'stopped');
  const isReleased = lastWord === 'approved';
  if (status === 'MODERATING' && isReleased) yield 'waits for a moderator, but was approved';
  if (status !== 'MODERATING' && status !== 'DECLINED' && !isReleased)
    yield `is ${status}, but was not approved`;
  for (const verdict of new Set(verdicts)) {
    const end = endOf[verdict];
    if (end !== undefined && end !== status) yield `is ${status}, but a person said ${verdict}`;
  }
  if (status === 'DECLINED' && !verdicts.includes('declined')) yield 'is DECLINED, but nobody declined it';
  for (const decision of decisions)
    if (isOfMerchant(decision) && !isOwnCancel(payout, decision))
      yield `was ${decision.verdict} by ${decision.by}, but a merchant can only cancel its own payouts`;
  const returns = decisions.filter(({ verdict }) => verdict === 'returned');
  if (returns.length > 1) yield 'was returned more than once';
  if (returns.some(({ by, approvedBy }) => approvedBy === undefined || isSamePerson(by, approvedBy)))
    yield 'was returned by one person';
  yield* impossibleAtRail(payout, verdicts);
  if (!isAround(limitDay, createdAt) || !limitDay.startsWith(limitMonth))
    yield `was created on ${createdAt.toISOString()}, but counts against the limits of ${limitDay} and ${limitMonth}`;
}

/** An outcome that no person decided is one that the rail told. A payout of an earlier version may have none of its calls. */
function* impossibleAtRail(
  { status, sentAt, railCalls }: Payout,
  verdicts: readonly Verdict[],
): Generator<string> {
  const told = railCalls.map(({ call, answer }) => (answer === 'unknown' ? `${call} ${answer}` : answer));
  const isDecided = verdicts.includes('paid') || verdicts.includes('failed');
  if (isDecided || (status !== 'SUCCESS' && status !== 'FAIL' && status !== 'DECLINED')) return;
  if (status !== 'DECLINED' && sentAt === undefined) yield `is ${status}, but was never sent`;
  if (status !== 'SUCCESS' && told.includes('paid')) yield `is ${status}, but its rail said paid`;
  if (status === 'SUCCESS' && told.length > 0 && !told.includes('paid'))
    yield 'is SUCCESS, but its rail never said paid';
  // A payout that the rail does not know is cancelled there.
  if (status === 'FAIL' && told.length > 0 && !told.includes('refused') && !told.includes('cancel unknown'))
    yield 'is FAIL, but its rail never refused it';
}

const dayMs = 24 * 3600_000;

/** Whether the time is on that day in some time zone. */
function isAround(day: string, time: Date): boolean {
  const sinceMs = time.getTime() - new Date(day).getTime();
  return sinceMs >= -dayMs && sinceMs <= 2 * dayMs;
}
