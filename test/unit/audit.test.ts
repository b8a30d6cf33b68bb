import { describe, expect, it } from 'vitest';
import type { Bill } from '../../lib/bill/bill.ts';
import { toPaymentId } from '../../lib/ids.ts';
import { type Adjustment, adjustmentEntry, rejected } from '../../lib/ledger/adjustment.ts';
import type { Entry, Line } from '../../lib/ledger/entry.ts';
import { duplicateCaptureEntry, refundEntry } from '../../lib/payment/payment-postings.ts';
import { releaseEntry, reserveEntry, settleEntry } from '../../lib/payout/payout-postings.ts';
import { differencesAmong } from '../../lib/operator/audit/audit.ts';
import type { AuditRecord } from '../../lib/operator/audit/records.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import type { Payout } from '../../lib/payout/payout.ts';
import type { PostbackEvent } from '../../lib/postback/event.ts';
import { anAdjustment, anApprovedAdjustment, decisionBy } from '../support/adjustments.ts';
import {
  aBill,
  aCaller,
  aMerchant,
  aPayment,
  aShop,
  type BillTraits,
  merchantId,
  paymentId,
  shopId,
  today,
} from '../support/builders.ts';
import { aDecision, aGroup, aPayout } from '../support/payouts.ts';

const now = () => new Date('2026-11-22T00:00:00Z');

const found = (...records: readonly AuditRecord[]) =>
  differencesAmong(records, now()).map(({ invariant, text }) => `${invariant} ${text}`);

const rub = (account: Line['account'], minor: bigint): Line => ({ account, currency: 'RUB', minor });
const capture = (
  lines: readonly Line[] = [rub('acquirer', -10_050n), rub('available', 9_849n), rub('fees', 201n)],
): AuditRecord => ({
  kind: 'entry',
  entry: { about: paymentId, kind: 'CAPTURE', merchantId, lines, at: today, adjustment: undefined },
});
const balance = (available: bigint, locked = 0n, held = 0n, reserved = 0n): AuditRecord => ({
  kind: 'balance',
  merchantId,
  balance: { currency: 'RUB', available, locked, held, reserved },
});
const bill = (traits: BillTraits = {}): AuditRecord => ({
  kind: 'bill',
  bill: aBill(traits.type === 'MULTI' ? traits : { status: 'SUCCESS', paidBy: paymentId, ...traits }),
});
const payment = (traits: Partial<Payment> = {}): AuditRecord => ({
  kind: 'payment',
  payment: aPayment({ status: 'SUCCESS', phase: 'DONE', receivedMinor: 10_050n, feeMinor: 201n, ...traits }),
});
const entry = (posted: Entry): AuditRecord => ({ kind: 'entry', entry: posted });
const adjustment = (proposedOrDecided: Adjustment): AuditRecord => ({
  kind: 'adjustment',
  adjustment: proposedOrDecided,
});
const payout = (traits: Partial<Payout> = {}): AuditRecord => ({
  kind: 'payout',
  payout: aPayout({ merchantId, decisions: decisionsOf(traits.status), sentAt: today, ...traits }),
});
/** What a payout of this status must have been through. */
const decisionsOf = (status: Payout['status'] = 'MODERATING') =>
  status === 'MODERATING'
    ? []
    : (['approved', ...(status === 'DECLINED' ? (['declined'] as const) : [])] as const).map((verdict) =>
        aDecision({ verdict, by: 'petr', at: today }),
      );

const paid = [bill(), payment(), capture(), balance(9_849n)];

const posting = {
  merchantId,
  currency: 'RUB',
  sentMinor: 100_000n,
  commissionMinor: 1_000n,
  at: today,
} as const;
const { id: payoutId, groupId } = aPayout();
/** An adjustment of a million kopecks, which covers the payouts. */
const fund = anApprovedAdjustment({ id: 'fund', amount: { minor: 1_000_000n, currency: 'RUB' } });
const funded = [adjustment(fund), entry(adjustmentEntry(fund))];
const group: AuditRecord = { kind: 'group', group: aGroup() };
const reserved = [...funded, group, entry(reserveEntry({ ...posting, about: groupId }))];

const event = (traits: Partial<PostbackEvent> = {}): AuditRecord => ({
  kind: 'event',
  event: {
    id: `pay.${paymentId}.SUCCESS`,
    kind: 'payment',
    merchantId,
    shopId,
    supersededByBill: undefined,
    sealedPhone: undefined,
    status: 'SUCCESS',
    fields: {},
    state: 'DELIVERED',
    attempts: [],
    tries: 1,
    createdAt: today,
    nextAt: today,
    ...traits,
  },
});
const shopWithUrl = (since: string): AuditRecord[] => [
  { kind: 'merchant', merchant: aMerchant() },
  { kind: 'token', tokenHash: aMerchant().tokenHash, caller: aCaller() },
  { kind: 'shop_reference', merchantId, shopId },
  {
    kind: 'shop',
    shop: aShop({ resultUrl: 'https://cafe.example/result', resultUrlSince: new Date(since) }),
  },
];

describe('audit finds no difference in', () => {
  it('an installation without data', () => {
    expect(found()).toEqual([]);
  });

  it('a paid bill', () => {
    expect(found(...paid)).toEqual([]);
  });

  it('an unfinished payout, a paid one and a failed one', () => {
    expect(found(...reserved, payout(), balance(899_000n, 100_000n, 1_000n))).toEqual([]);
    const settled = entry(settleEntry({ ...posting, about: payoutId }));
    const success = payout({ status: 'SUCCESS' });
    expect(found(...reserved, settled, success, balance(899_000n))).toEqual([]);
    const released = entry(releaseEntry({ ...posting, about: payoutId }));
    expect(found(...reserved, released, payout({ status: 'FAIL' }), balance(1_000_000n))).toEqual([]);
  });

  it('several adjustments about one payment', () => {
    const both = [
      anApprovedAdjustment({ id: 'a1', about: paymentId }),
      anApprovedAdjustment({ id: 'a2', about: paymentId }),
    ];
    const posted = both.flatMap((each) => [adjustment(each), entry(adjustmentEntry(each))]);
    expect(found(...paid.slice(0, 3), ...posted, balance(29_849n))).toEqual([]);
  });

  it('a payment from before the shop had a Result URL', () => {
    expect(found(...paid, ...shopWithUrl('2026-11-21T18:00:00Z'))).toEqual([]);
  });
});

describe('audit finds', () => {
  it('entry_balances: an entry that does not sum to zero, and with it accounts_sum_to_zero', () => {
    const lines = [rub('acquirer', -10_050n), rub('available', 9_849n), rub('fees', 202n)];
    expect(found(bill(), payment(), capture(lines), balance(9_849n))).toEqual([
      `entry_balances entry CAPTURE of ${paymentId} sums to 0.01 RUB, not to zero`,
      'accounts_sum_to_zero all RUB accounts together hold 0.01, not zero',
    ]);
  });

  it('balance_matches_journal: a balance that differs from the sum of its lines', () => {
    const differences = found(bill(), payment(), capture(), balance(9_850n));
    expect(differences).toContain(
      `balance_matches_journal balance ${merchantId} RUB available is 98.50, but its journal lines sum to 98.49`,
    );
  });

  it('balance_matches_journal: a missing balance item', () => {
    const differences = found(bill(), payment(), capture());
    expect(differences).toContain(
      `balance_matches_journal balance ${merchantId} RUB available is 0.00, but its journal lines sum to 98.49`,
    );
  });

  it('balance_not_negative: a balance below zero', () => {
    const taken = anApprovedAdjustment({ direction: 'debit', amount: { minor: 1n, currency: 'RUB' } });
    expect(found(adjustment(taken), entry(adjustmentEntry(taken)), balance(-1n))).toEqual([
      `balance_not_negative balance ${merchantId} RUB available is -0.01, below zero`,
    ]);
  });

  it('reserves_match_payouts: a balance that reserves more than unfinished payouts need', () => {
    const settled = entry(settleEntry({ ...posting, about: payoutId }));
    const differences = found(
      ...reserved,
      settled,
      payout({ status: 'SUCCESS' }),
      balance(899_000n, 100_000n),
    );
    expect(differences).toContain(
      `reserves_match_payouts balance ${merchantId} RUB locked is 1000.00, but its unfinished payouts reserve 0.00`,
    );
  });

  it('reserves_match_payouts: a final payout without its entry, and an entry without its payout', () => {
    expect(found(...reserved, payout({ status: 'SUCCESS' }), balance(899_000n, 100_000n, 1_000n))).toContain(
      `reserves_match_payouts payout ${payoutId} is final, but has no SETTLE entry`,
    );
    const settled = entry(settleEntry({ ...posting, about: payoutId }));
    expect(found(...reserved, settled, payout({ status: 'FAIL' }), balance(899_000n))).toContain(
      `reserves_match_payouts payout ${payoutId} has a SETTLE entry that its state does not account for`,
    );
  });

  it('captures_match_payments: a paid payment without a CAPTURE, a CAPTURE without a paid payment, and one of another amount', () => {
    expect(found(bill(), payment())).toEqual([
      `captures_match_payments payment ${paymentId} is paid, but has no CAPTURE entry`,
    ]);
    expect(found(capture(), balance(9_849n))).toEqual([
      `captures_match_payments payment ${paymentId} has a CAPTURE entry, but is not paid`,
    ]);
    expect(found(bill(), payment({ receivedMinor: 10_000n }), capture(), balance(9_849n))).toEqual([
      `captures_match_payments payment ${paymentId} received 100.00, but its CAPTURE entry took 100.50`,
    ]);
  });

  it('captures_match_payments: a DONE failed payment whose late money was not refunded', () => {
    const { id } = aPayment();
    const late = duplicateCaptureEntry(aPayment(), 10_050n, today);
    const refund = refundEntry(aPayment(), 10_050n, today);
    const failed = (phase: Payment['phase']) => payment({ id, status: 'FAIL', phase });
    expect(found(failed('REFUNDING'), entry(late))).toEqual([]);
    expect(found(failed('DONE'), entry(late), entry(refund))).toEqual([]);
    expect(found(failed('DONE'), entry(late))).toEqual([
      `captures_match_payments payment ${id} failed, but 100.50 of it was not refunded`,
    ]);
  });

  it('captures_match_payments: a MULTI bill that is NEW although it has a paid payment', () => {
    const [, , posted, available] = paid;
    const multi = (status: Bill['status']) => [
      bill({ type: 'MULTI', status }),
      payment({ billType: 'MULTI' }),
      posted!,
      available!,
    ];
    expect(found(...multi('SUCCESS'))).toEqual([]);
    expect(found(...multi('NEW'))).toEqual([
      `captures_match_payments bill ${aBill().id} has a paid payment, but shows NEW`,
    ]);
  });

  it('captures_match_payments: a NORMAL bill that is paid twice, or does not name its paid payment', () => {
    const second = `${aBill().id}00Payment2`;
    const twice = [
      ...paid.slice(0, 3),
      payment({ id: toPaymentId(second) }),
      entry({
        about: second,
        kind: 'CAPTURE',
        merchantId,
        lines: [rub('acquirer', -10_050n), rub('available', 10_050n)],
        at: today,
        adjustment: undefined,
      }),
      balance(19_899n),
    ];
    expect(found(...twice)).toEqual([
      `captures_match_payments bill ${aBill().id} is paid by ${paymentId} and ${second}, but names ${paymentId}`,
    ]);
    expect(found(bill({ paidBy: undefined }), ...paid.slice(1))).toEqual([
      `captures_match_payments bill ${aBill().id} is paid by ${paymentId}, but names none`,
    ]);
  });

  it('events_match_states: a missing postback of a payment', () => {
    expect(found(...paid, ...shopWithUrl('2026-11-20T00:00:00Z'))).toEqual([
      `events_match_states postback pay.${paymentId}.SUCCESS is missing`,
    ]);
    expect(found(...paid, event(), ...shopWithUrl('2026-11-20T00:00:00Z'))).toEqual([]);
  });

  it('no missing postback of a payment after 180 days, when the delivered event has expired', () => {
    const day = 24 * 3600_000;
    const createdAt = new Date(now().getTime() - 181 * day);
    const delivered = paid.map((record) =>
      record.kind === 'payment'
        ? { ...record, payment: { ...record.payment, createdAt, deliveredAt: createdAt } }
        : record,
    );
    expect(found(...delivered, ...shopWithUrl('1970-01-01T00:00:00Z'))).toEqual([]);
  });

  it('events_match_states: a postback of a state that its payment is not in', () => {
    expect(
      found(
        bill({ status: 'PROCESS', paidBy: undefined }),
        payment({ status: 'PROCESS', phase: 'CAPTURING' }),
        event(),
      ),
    ).toEqual([
      `events_match_states postback pay.${paymentId}.SUCCESS reports a state that its payment or payout is not in`,
    ]);
  });

  it('adjustments_match_entries: an approved adjustment without its entry, and an entry without an approval', () => {
    const approved = anApprovedAdjustment({ id: 'a1' });
    expect(found(adjustment(approved))).toEqual([
      'adjustments_match_entries adjustment a1 is approved, but has no ADJUST entry',
    ]);
    const posted = [entry(adjustmentEntry(approved)), balance(10_000n)];
    const unapproved = ['adjustments_match_entries adjustment a1 has an ADJUST entry, but is not approved'];
    expect(found(...posted)).toEqual(unapproved);
    expect(found(...posted, adjustment(anAdjustment({ id: 'a1' })))).toEqual(unapproved);
    const refused = rejected(anAdjustment({ id: 'a1' }), { ...decisionBy('petr'), reason: 'no' });
    expect(found(...posted, adjustment(refused))).toEqual(unapproved);
  });

  it('adjustments_match_entries: an entry with another amount or another approver', () => {
    const approved = anApprovedAdjustment({ id: 'a1' });
    const more = adjustmentEntry({ ...approved, amount: { minor: 10_001n, currency: 'RUB' } });
    expect(found(adjustment(approved), entry(more), balance(10_001n))).toEqual([
      expect.stringMatching(
        /^adjustments_match_entries adjustment a1 was approved as "available 100\.00 .*is "available 100\.01 /,
      ),
    ]);
    const byIvan = adjustmentEntry({ ...approved, decision: decisionBy('ivan') });
    expect(found(adjustment(approved), entry(byIvan), balance(10_000n))).toEqual([
      expect.stringMatching(/^adjustments_match_entries .*olga and petr: .*olga and ivan: /),
    ]);
  });

  it.each([1, -1])('adjustments_match_entries: two entries of one adjustment, in either order', (order) => {
    const approved = anApprovedAdjustment({ id: 'a1' });
    const once = adjustmentEntry(approved);
    const twice = [entry(once), entry({ ...once, about: paymentId })];
    const read = order === 1 ? twice : twice.toReversed();
    expect(found(adjustment(approved), ...read, balance(20_000n))).toEqual([
      expect.stringMatching(
        /^adjustments_match_entries adjustment a1 was approved as .*, but its ADJUST entry is .* and /,
      ),
    ]);
  });

  it('adjustments_match_entries: an ADJUST entry without an adjustment', () => {
    const named = adjustmentEntry(anApprovedAdjustment({ about: paymentId }));
    const bare = { ...named, adjustment: undefined };
    expect(found(entry(bare), balance(10_000n))).toEqual([
      `adjustments_match_entries ADJUST entry of ${paymentId} names no adjustment`,
    ]);
  });

  it('an item that cannot be parsed', () => {
    expect(found({ kind: 'unreadable', key: 'B#1 B', why: 'amount is missing' })).toEqual([
      'items item B#1 B cannot be read: amount is missing',
    ]);
  });
});
