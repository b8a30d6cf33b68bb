import { merchantAccounts } from '../../../lib/ledger/entry.ts';
import { toDecimal } from '../../../lib/money/money.ts';
import { Tally } from './tally.ts';
import { sentMinor } from '../../../lib/payout/payout.ts';
import { isEndedRefund } from '../../../lib/refund/refund.ts';
import { isFinalPayoutStatus } from '../../../lib/payout/states.ts';
import type { Violation } from '../harness/world.ts';
import type { Snapshot } from './records.ts';

/**
 * Sums over the whole table, which follow from what the audit checks record by record (lib/ledger/README.md). A snapshot is consistent, so
 * they are exact here, and computed without the code of the audit's rules.
 */
export const unlikeSums = (snapshot: Snapshot): readonly Violation[] => [
  ...notZero(snapshot),
  ...unlike('balance_matches_journal', storedBalances(snapshot), postedBalances(snapshot)),
  ...unlike('reserves_match_payouts', lockedInBalances(snapshot), lockedByOpen(snapshot)),
  ...unlike('reserve_matches_payments', reservedInBalances(snapshot), reservedByPayments(snapshot)),
  ...unlike('refunds_match_payments', exchangedByRefunded(snapshot), new Tally()),
];

/** `accounts_sum_to_zero`: the balances, and what was posted to the platform's accounts. */
function notZero(snapshot: Snapshot): readonly Violation[] {
  const totals = new Tally();
  for (const { balance } of snapshot.of('balance'))
    for (const account of merchantAccounts) totals.add(balance.currency, balance[account]);
  for (const { entry } of snapshot.of('entry'))
    for (const { account, currency, minor } of entry.lines)
      if (!merchantAccounts.some((each) => each === account)) totals.add(currency, minor);
  return unlike('accounts_sum_to_zero', totals, new Tally());
}

function storedBalances(snapshot: Snapshot): Tally {
  const sums = new Tally();
  for (const { merchantId, balance } of snapshot.of('balance'))
    for (const account of merchantAccounts)
      sums.add(`${merchantId} ${balance.currency} ${account}`, balance[account]);
  return sums;
}

/** The audit compares balances with journals by brackets, because money moves while it reads (lib/operator/audit/bracket.ts). */
function postedBalances(snapshot: Snapshot): Tally {
  const sums = new Tally();
  for (const { entry } of snapshot.of('entry'))
    for (const { account, currency, minor } of entry.lines)
      if (merchantAccounts.some((each) => each === account))
        sums.add(`${entry.merchantId} ${currency} ${account}`, minor);
  return sums;
}

function lockedInBalances(snapshot: Snapshot): Tally {
  const sums = new Tally();
  for (const { merchantId, balance } of snapshot.of('balance')) {
    sums.add(`${merchantId} ${balance.currency} locked`, balance.locked);
    sums.add(`${merchantId} ${balance.currency} held`, balance.held);
  }
  return sums;
}

/** What unfinished payouts and refunds hold. */
function lockedByOpen(snapshot: Snapshot): Tally {
  const sums = new Tally();
  for (const { payout } of snapshot.of('payout').filter((each) => !isFinalPayoutStatus(each.payout.status))) {
    const balance = `${payout.merchantId} ${payout.amount.currency}`;
    sums.add(`${balance} locked`, sentMinor(payout));
    sums.add(`${balance} held`, payout.commissionMinor);
  }
  for (const { refund } of snapshot.of('refund').filter((each) => !isEndedRefund(each.refund)))
    sums.add(`${refund.merchantId} ${refund.debit.currency} locked`, refund.debit.minor);
  return sums;
}

function reservedInBalances(snapshot: Snapshot): Tally {
  const sums = new Tally();
  for (const { merchantId, balance } of snapshot.of('balance'))
    sums.add(`${merchantId} ${balance.currency} reserved`, balance.reserved);
  return sums;
}

function reservedByPayments(snapshot: Snapshot): Tally {
  const sums = new Tally();
  for (const { payment } of snapshot.of('payment'))
    if (payment.reserve && !payment.reserve.released)
      sums.add(`${payment.merchantId} ${payment.reserve.currency} reserved`, payment.reserve.minor);
  return sums;
}

/** What payments that were refunded whole left on the account `exchange`: in how many parts and at which rate, it is nothing. */
function exchangedByRefunded(snapshot: Snapshot): Tally {
  const whole = new Set<string>(
    snapshot
      .of('payment')
      .map(({ payment }) => payment)
      .filter(({ refunds, receivedMinor }) => refunds && refunds.refundedMinor === receivedMinor)
      .map(({ id }) => id),
  );
  const paymentOf = new Map<string, string>(
    snapshot.of('refund').map(({ refund: { id, paymentId } }) => [id, paymentId]),
  );
  const sums = new Tally();
  for (const { entry } of snapshot.of('entry')) {
    const paymentId = paymentOf.get(entry.about) ?? entry.about;
    if (!whole.has(paymentId)) continue;
    for (const { account, currency, minor } of entry.lines)
      if (account === 'exchange') sums.add(`exchange of ${paymentId} ${currency}`, minor);
  }
  return sums;
}

const unlike = (invariant: string, sums: Tally, expected: Tally): readonly Violation[] =>
  [...new Set([...sums.names(), ...expected.names()])]
    .filter((name) => sums.of(name) !== expected.of(name))
    .map((name) => ({
      invariant,
      text: `${name} sums to ${toDecimal(sums.of(name))}, not to ${toDecimal(expected.of(name))}`,
    }));
