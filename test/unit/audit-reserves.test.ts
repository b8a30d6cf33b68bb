import { describe, expect, it } from 'vitest';
import type { Entry } from '../../lib/ledger/entry.ts';
import { differencesAmong } from '../../lib/operator/audit/audit.ts';
import type { AuditRecord } from '../../lib/operator/audit/records.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import { captureEntry, reserveOf, reserveReleaseEntry } from '../../lib/payment/payment-postings.ts';
import { aBill, aPayment, merchantId, paymentId, today } from '../support/builders.ts';

const started = aPayment({ reserveTerms: { basisPoints: 1_000, days: 90 } });
const capture = captureEntry(started, 10_050n, today);
const reserve = reserveOf(started, capture);
if (!reserve) throw new Error('The capture reserves nothing');
const release = reserveReleaseEntry(started, reserve, reserve.releaseAt);

const payment = (traits: Partial<Payment> = {}): AuditRecord => ({
  kind: 'payment',
  payment: {
    ...started,
    status: 'SUCCESS',
    phase: 'DONE',
    receivedMinor: 10_050n,
    feeMinor: 201n,
    reserve,
    ...traits,
  },
});
const bill: AuditRecord = { kind: 'bill', bill: aBill({ status: 'SUCCESS', paidBy: paymentId }) };
const entry = (posted: Entry): AuditRecord => ({ kind: 'entry', entry: posted });
const balance = (available: bigint, reserved: bigint): AuditRecord => ({
  kind: 'balance',
  merchantId,
  balance: { currency: 'RUB', available, locked: 0n, held: 0n, reserved },
});
const released = { reserve: { ...reserve, released: true } };

const found = (...records: readonly AuditRecord[]) => foundAt(today, ...records);

const foundAt = (at: Date, ...records: readonly AuditRecord[]) =>
  differencesAmong(records, at).map(({ invariant, text }) => `${invariant} ${text}`);

describe('the audit of a reserve', () => {
  it('finds no difference before its release and after it', () => {
    expect(found(bill, payment(), entry(capture), balance(8_865n, 984n))).toEqual([]);
    const after = [payment(released), entry(capture), entry(release), balance(9_849n, 0n)];
    expect(found(bill, ...after)).toEqual([]);
  });

  it('finds a balance that reserves something else than the payments', () => {
    expect(found(bill, payment(released), entry(capture), balance(8_865n, 984n))).toEqual([
      `reserve_matches_payments balance ${merchantId} RUB reserved is 9.84, but its payments' unreleased reserves are 0.00`,
      `reserve_matches_payments payment ${paymentId} released 9.84 of its reserve, but its RESERVE_RELEASE entry moved 0.00`,
    ]);
  });

  it.each([
    [
      'a payment that says something else',
      { reserve: { ...reserve, minor: 985n } },
      capture,
      '9.85',
      '9.84',
      '9.84',
    ],
    [
      'terms that say something else',
      { reserveTerms: { basisPoints: 2_000, days: 90 } },
      capture,
      '9.84',
      '9.84',
      '19.69',
    ],
    [
      'a payment without one',
      { reserve: undefined, reserveTerms: undefined },
      capture,
      '0.00',
      '9.84',
      '0.00',
    ],
    [
      'a CAPTURE entry that reserved nothing',
      {},
      captureEntry({ ...started, reserveTerms: undefined }, 10_050n, today),
      '9.84',
      '0.00',
      '9.84',
    ],
  ] as const)('finds %s', (_what, traits, posted, has, reserved, agreed) => {
    expect(found(bill, payment(traits), entry(posted), balance(8_865n, 984n))).toContain(
      `reserve_matches_payments payment ${paymentId} has a reserve of ${has}, and its CAPTURE entry reserved ${reserved}, but its terms say ${agreed}`,
    );
  });

  it('finds a release that is set for another day than agreed', () => {
    const sooner = { reserve: { ...reserve, releaseAt: today } };
    expect(found(bill, payment(sooner), entry(capture), balance(8_865n, 984n))).toEqual([
      `reserve_matches_payments payment ${paymentId} releases its reserve on ${today.toISOString()}, but its terms say ${reserve.releaseAt.toISOString()}`,
    ]);
  });

  it('finds a release before its time', () => {
    const early = { ...release, at: new Date(reserve.releaseAt.getTime() - 1) };
    const records = [payment(released), entry(capture), entry(early), balance(9_849n, 0n)];
    expect(found(bill, ...records)).toEqual([
      `reserve_matches_payments payment ${paymentId} released its reserve on ${early.at.toISOString()}, before ${reserve.releaseAt.toISOString()}`,
    ]);
  });

  it('finds a reserve that was not released a week after its days were over', () => {
    const records = [bill, payment(), entry(capture), balance(8_865n, 984n)];
    const aWeekLate = new Date(reserve.releaseAt.getTime() + 7 * 24 * 3600_000);
    expect(foundAt(aWeekLate, ...records)).toEqual([]);
    expect(foundAt(new Date(aWeekLate.getTime() + 1), ...records)).toEqual([
      `reserve_matches_payments payment ${paymentId} has not released its reserve of 9.84, due on ${reserve.releaseAt.toISOString()}`,
    ]);
  });

  it('finds a release that the payment does not know', () => {
    expect(found(bill, payment(), entry(capture), entry(release), balance(9_849n, 0n))).toEqual([
      `reserve_matches_payments balance ${merchantId} RUB reserved is 0.00, but its payments' unreleased reserves are 9.84`,
      `reserve_matches_payments payment ${paymentId} released 0.00 of its reserve, but its RESERVE_RELEASE entry moved 9.84`,
    ]);
  });

  it('finds a reserve below zero', () => {
    expect(found(bill, payment({}), entry(capture), balance(8_865n, -984n))).toContain(
      `balance_not_negative balance ${merchantId} RUB reserved is -9.84, below zero`,
    );
  });
});
