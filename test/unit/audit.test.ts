import { describe, expect, it } from 'vitest';
import type { NormalBill } from '../../lib/bill/bill.ts';
import { type Adjustment, adjustmentEntry } from '../../lib/ledger/adjustment.ts';
import type { Entry, Line } from '../../lib/ledger/entry.ts';
import { releaseEntry, reserveEntry, settleEntry } from '../../lib/payout/payout-postings.ts';
import { differencesAmong } from '../../lib/operator/audit/audit.ts';
import type { AuditRecord } from '../../lib/operator/audit/records.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import type { Payout } from '../../lib/payout/payout.ts';
import { anApprovedAdjustment } from '../support/adjustments.ts';
import { aBill, aPayment, merchantId, paymentId, today } from '../support/builders.ts';
import { shopRecords } from '../support/judged.ts';
import { aDecision, aGroup, aPayout, theUsage } from '../support/payouts.ts';

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
  usage: theUsage(),
});
const bill = (traits: Partial<NormalBill> = {}): AuditRecord => ({
  kind: 'bill',
  bill: aBill({ status: 'SUCCESS', paidBy: paymentId, current: paymentId, fenced: true, ...traits }),
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

const paid = [...shopRecords(), bill(), payment(), capture(), balance(9_849n)];

const posting = {
  merchantId,
  currency: 'RUB',
  sentMinor: 100_000n,
  commissionMinor: 1_000n,
  at: aPayout().createdAt,
} as const;
const { id: payoutId, groupId } = aPayout();
/** An adjustment of a million kopecks, which covers the payouts. */
const fund = anApprovedAdjustment({ id: 'fund', amount: { minor: 1_000_000n, currency: 'RUB' } });
const funded = [adjustment(fund), entry(adjustmentEntry(fund))];
const group: AuditRecord = { kind: 'group', group: aGroup() };
const reserved = [...funded, group, entry(reserveEntry({ ...posting, about: groupId }))];

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
});

describe('audit finds', () => {
  it('balance_not_negative: a balance below zero', () => {
    const taken = anApprovedAdjustment({ direction: 'debit', amount: { minor: 1n, currency: 'RUB' } });
    expect(found(adjustment(taken), entry(adjustmentEntry(taken)), balance(-1n))).toEqual([
      `balance_not_negative balance ${merchantId} RUB available is -0.01, below zero`,
    ]);
  });

  it('an item that cannot be parsed', () => {
    expect(found({ kind: 'unreadable', key: 'B#1 B', why: 'amount is missing' })).toEqual([
      'items item B#1 B cannot be read: amount is missing',
    ]);
  });
});
