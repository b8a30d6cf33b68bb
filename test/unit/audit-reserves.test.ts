import { describe, expect, it } from 'vitest';
import type { Entry } from '../../lib/ledger/entry.ts';
import type { AuditRecord } from '../../lib/operator/audit/records.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import { captureEntry, reserveOf, reserveReleaseEntry } from '../../lib/payment/payment-postings.ts';
import { aBill, aPayment, paymentId, today } from '../support/builders.ts';
import { judged, shopRecords } from '../support/judged.ts';

const started = aPayment({ reserveTerms: { basisPoints: 1_000, days: 90 } });
const capture = captureEntry(started, 10_050n, today);
const reserve = reserveOf(started, capture);
if (!reserve) throw new Error('The capture reserves nothing');
const release = reserveReleaseEntry(started, reserve, reserve.releaseAt);
const due = reserve.releaseAt.toISOString();

const paid = (traits: Partial<Payment>, ...entries: readonly Entry[]): readonly AuditRecord[] => [
  ...shopRecords(),
  { kind: 'bill', bill: aBill({ status: 'SUCCESS', paidBy: paymentId, current: paymentId, fenced: true }) },
  {
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
  },
  ...entries.map((entry): AuditRecord => ({ kind: 'entry', entry })),
];
const released = { reserve: { ...reserve, released: true } };

const ofPayment = `reserve_matches_payments payment ${paymentId}`;
/** Clocks of functions differ by less. */
const early = new Date(reserve.releaseAt.getTime() - 10 * 60_000);
const ofEntry = `reserve_matches_payments entry ${paymentId} RESERVE_RELEASE`;
const ofCapture = `captures_match_payments entry ${paymentId} CAPTURE`;
const asReserved = 'acquirer -100.50 RUB, available 88.65 RUB, fees 2.01 RUB, reserved 9.84 RUB';

describe('the audit of a reserve', () => {
  it('finds no difference before its release and after it', () => {
    expect(judged(paid({}, capture))).toEqual([]);
    expect(judged(paid(released, capture, release), reserve.releaseAt)).toEqual([]);
  });

  it.each<[string, readonly AuditRecord[], readonly string[]]>([
    [
      'a payment that reserves more',
      paid({ reserve: { ...reserve, minor: 985n } }, capture),
      [`${ofPayment} reserves 9.85 RUB until ${due}, but its terms say 9.84 RUB until ${due}`],
    ],
    [
      'other terms, of which the entry knows nothing',
      paid({ reserveTerms: { basisPoints: 2_000, days: 90 } }, capture),
      [
        `${ofCapture} says ${asReserved}, but its payment accounts for acquirer -100.50 RUB, available 78.80 RUB, fees 2.01 RUB, reserved 19.69 RUB`,
        `${ofPayment} reserves 9.84 RUB until ${due}, but its terms say 19.69 RUB until ${due}`,
      ],
    ],
    [
      'a payment without a reserve that its terms ask for',
      paid({ reserve: undefined }, capture),
      [`${ofPayment} reserves nothing, but its terms say 9.84 RUB until ${due}`],
    ],
    [
      'a payment with a reserve that its terms do not ask for',
      paid(
        { reserveTerms: undefined },
        captureEntry({ ...started, reserveTerms: undefined }, 10_050n, today),
      ),
      [`${ofPayment} reserves 9.84 RUB until ${due}, but its terms say nothing`],
    ],
    [
      'a CAPTURE entry that reserved nothing',
      paid({}, captureEntry({ ...started, reserveTerms: undefined }, 10_050n, today)),
      [
        `${ofCapture} says acquirer -100.50 RUB, available 98.49 RUB, fees 2.01 RUB, but its payment accounts for ${asReserved}`,
      ],
    ],
    [
      'a release that is set for another day than agreed',
      paid({ reserve: { ...reserve, releaseAt: today } }, capture),
      [
        `${ofPayment} has not released its reserve of 9.84, due on ${today.toISOString()}`,
        `${ofPayment} reserves 9.84 RUB until ${today.toISOString()}, but its terms say 9.84 RUB until ${due}`,
      ],
    ],
    [
      'a release that the payment does not know',
      paid({}, capture, release),
      [`${ofEntry} was posted, but no payment accounts for it`],
    ],
    [
      'a release that was not posted',
      paid(released, capture),
      [`${ofEntry} is missing, but its payment accounts for it`],
    ],
    [
      'a release before its time',
      paid(released, capture, { ...release, at: early }),
      [`${ofEntry} says at ${early.toISOString()}, but its payment accounts for at ${due}`],
    ],
  ])('finds %s', (_corruption, records, differences) => {
    expect(judged(records, reserve.releaseAt).toSorted()).toEqual(differences.toSorted());
  });

  it('finds a reserve that was not released a week after its days were over', () => {
    const aWeekLate = new Date(reserve.releaseAt.getTime() + 7 * 24 * 3600_000);
    expect(judged(paid({}, capture), aWeekLate)).toEqual([]);
    expect(judged(paid({}, capture), new Date(aWeekLate.getTime() + 1))).toEqual([
      `${ofPayment} has not released its reserve of 9.84, due on ${due}`,
    ]);
  });
});
