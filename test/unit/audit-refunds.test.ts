import { describe, expect, it } from 'vitest';
import { newRefundId, toMerchantId, toPaymentId } from '../../lib/ids.ts';
import type { Chargeback } from '../../lib/ledger/chargeback.ts';
import type { Entry } from '../../lib/ledger/entry.ts';
import type { AuditRecord } from '../../lib/operator/audit/records.ts';
import { captureEntry } from '../../lib/payment/payment-postings.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import type { PostbackEvent } from '../../lib/postback/event.ts';
import {
  refundReleaseEntry,
  refundReserveEntry,
  refundSettleEntry,
} from '../../lib/refund/refund-postings.ts';
import { refundEvent } from '../../lib/refund/refund-postback.ts';
import type { Refund } from '../../lib/refund/refund.ts';
import { aBill, billId, otherShopId, paymentId, today } from '../support/builders.ts';
import { aChargeback, aPaidPayment, inTenge } from '../support/chargebacks.ts';
import { judged, shopRecords } from '../support/judged.ts';
import { aRefundedPart, refundIdOf } from '../support/ended-refunds.ts';

const later = (minutes: number) => new Date(today.getTime() + minutes * 60_000);
const open = { status: 'PROCESS', endedAt: undefined, nextCheck: later(1) } as const;
const failed = { status: 'FAIL', errorCode: 'refund_rejected' } as const;

const entry = (of: Entry | undefined): readonly AuditRecord[] => (of ? [{ kind: 'entry', entry: of }] : []);
const entriesOf = (refund: Refund): readonly AuditRecord[] => [
  ...entry(refundReserveEntry(refund, refund.createdAt)),
  ...(refund.status === 'SUCCESS' ? entry(refundSettleEntry(refund, refund.endedAt ?? today)) : []),
  ...(refund.status === 'FAIL' ? entry(refundReleaseEntry(refund, refund.endedAt ?? today)) : []),
];
const refunded = (...refunds: readonly Refund[]): readonly AuditRecord[] =>
  refunds.flatMap((refund) => [{ kind: 'refund', refund } as const, ...entriesOf(refund)]);
const item = (chargeback: Chargeback): AuditRecord => ({ kind: 'chargeback', chargeback });
const told = (of: Refund, traits: Partial<PostbackEvent> = {}): AuditRecord => {
  const event = refundEvent(of, aPaidPayment());
  if (!event) throw new Error('It has ended');
  return { kind: 'event', event: { ...event, ...traits } };
};

const totals = { reservedMinor: 3_000n, grossMinor: 3_000n, feeMinor: 0n, refundedMinor: 3_000n };
/** A paid payment with these totals, its shop and its bill. */
const paid = (
  refunds: Payment['refunds'] = totals,
  traits: Partial<Payment> = {},
): readonly AuditRecord[] => {
  const payment = aPaidPayment({ refunds, ...traits });
  const bill = { status: 'SUCCESS', paidBy: paymentId, current: paymentId, fenced: true } as const;
  return [
    ...shopRecords({ refundUrl: 'https://cafe.example/refunds', refundUrlSince: new Date(0) }),
    { kind: 'bill', bill: aBill({ ...bill, amount: payment.amount }) },
    { kind: 'payment', payment },
    ...entry(captureEntry(payment, payment.receivedMinor ?? 0n, today)),
  ];
};
/** All but postbacks that are missing and decisions that nobody recorded. */
const wrong = (...records: readonly (readonly AuditRecord[])[]) =>
  judged(records.flat(), later(10))
    .filter((each) => !each.startsWith('decisions_were_made') && !each.includes('has no postback'))
    .toSorted();

const name = `refund ${refundIdOf(1)}`;

describe('the audit of refunds finds no difference in', () => {
  it.each<[string, readonly (readonly AuditRecord[])[]]>([
    ['one that succeeded', [paid(), refunded(aRefundedPart())]],
    ['one that is under way', [paid({ ...totals, refundedMinor: 0n }), refunded(aRefundedPart(open))]],
    [
      'one that was not sent yet',
      [
        paid({ ...totals, refundedMinor: 0n }),
        refunded(aRefundedPart({ ...open, status: 'NEW', call: undefined })),
      ],
    ],
    [
      'one that failed, beside one that returned its part of the fee',
      [
        paid({ ...totals, feeMinor: 60n }),
        refunded(
          aRefundedPart(failed),
          aRefundedPart({
            id: refundIdOf(2),
            debit: { minor: 2_940n, currency: 'RUB' },
            feeReturnedMinor: 60n,
          }),
        ),
      ],
    ],
    [
      'two of a payment in tenge, of which the second costs a kopeck less',
      [
        paid({ reservedMinor: 10_006n, grossMinor: 1_701n, feeMinor: 0n, refundedMinor: 10_006n }, inTenge),
        refunded(
          inTenges({ amount: { minor: 5_003n, currency: 'KZT' }, debit: { minor: 851n, currency: 'RUB' } }),
          inTenges({
            id: refundIdOf(2),
            amount: { minor: 5_003n, currency: 'KZT' },
            debit: { minor: 850n, currency: 'RUB' },
          }),
        ),
      ],
    ],
    [
      'one beside a chargeback of all that was left, which knew of it',
      [
        paid(),
        refunded(aRefundedPart()),
        [
          item(
            aChargeback({
              amount: { minor: 7_050n, currency: 'RUB' },
              seen: { state: 'captured', heldMinor: 0n, refundedMinor: 3_000n },
              at: later(5),
            }),
          ),
        ],
      ],
    ],
    ['one that was told', [paid(), refunded(aRefundedPart()), [told(aRefundedPart())]]],
  ])('%s', (_state, records) => {
    expect(wrong(...records)).toEqual([]);
  });
});

function inTenges(traits: Partial<Refund>): Refund {
  return aRefundedPart({ ...traits });
}

describe('the audit of refunds finds', () => {
  it.each<[string, readonly (readonly AuditRecord[])[], readonly string[]]>([
    [
      'a refund without its payment',
      [shopRecords(), refunded(aRefundedPart())],
      [`${name} is of payment ${paymentId}, which does not exist`],
    ],
    [
      'a refund of a payment that was not paid',
      [
        paid(totals, { status: 'FAIL', receivedMinor: undefined, feeMinor: undefined }),
        refunded(aRefundedPart()),
      ],
      [`${name} is of a payment that is FAIL`],
    ],
    [
      'a refund given to another merchant, shop and acquirer',
      [
        paid(),
        refunded(
          aRefundedPart({
            merchantId: toMerchantId('OtherOtherOther0'),
            shopId: otherShopId,
            acquirer: 'another',
          }),
        ),
      ],
      ['merchantId', 'shopId', 'acquirer'].map((field) => `${name} has ${field} "`),
    ],
    [
      'a refund of another payment',
      [
        paid(),
        refunded(aRefundedPart({ id: newRefundId(toPaymentId(`${billId}00Payment2`), () => '000001') })),
      ],
      [`has paymentId "${paymentId}", but its payment has "${billId}00Payment2"`],
    ],
    [
      'a refund that its payment does not know',
      [paid(totals, { refunds: undefined }), refunded(aRefundedPart())],
      [`${name} is of a payment that knows of no refund`],
    ],
    [
      'a refund that is older than its payment',
      [paid(), refunded(aRefundedPart({ createdAt: later(-60) }))],
      [`${name} is older than its payment`],
    ],
    [
      'a refund that costs less than its amount',
      [
        paid({ ...totals, grossMinor: 2_999n }),
        refunded(aRefundedPart({ debit: { minor: 2_999n, currency: 'RUB' } })),
      ],
      [`${name} costs 29.99, but 30.00 settles at 30.00`],
    ],
    [
      'a refund in tenge that costs two kopecks less',
      [
        paid({ reservedMinor: 5_000n, grossMinor: 848n, feeMinor: 0n, refundedMinor: 5_000n }, inTenge),
        refunded(
          aRefundedPart({
            amount: { minor: 5_000n, currency: 'KZT' },
            debit: { minor: 848n, currency: 'RUB' },
          }),
        ),
      ],
      [`${name} costs 8.48, but 50.00 settles at 8.50`],
    ],
    [
      'refunds that return more than the fee',
      [
        paid({ ...totals, feeMinor: 202n }),
        refunded(aRefundedPart({ debit: { minor: 2_798n, currency: 'RUB' }, feeReturnedMinor: 202n })),
      ],
      [`payment ${paymentId} returns 2.02 of a fee of 2.01`],
    ],
    [
      'a debit below zero',
      [
        paid({ ...totals, feeMinor: 3_001n }),
        refunded(aRefundedPart({ debit: { minor: -1n, currency: 'RUB' }, feeReturnedMinor: 3_001n })),
      ],
      [`${name} debits -0.01 and returns 30.01 of the fee`],
    ],
    [
      'a refund of nothing',
      [
        paid({ ...totals, reservedMinor: 0n, grossMinor: 0n, refundedMinor: 0n }),
        refunded(
          aRefundedPart({ amount: { minor: 0n, currency: 'RUB' }, debit: { minor: 0n, currency: 'RUB' } }),
        ),
      ],
      [`${name} is of 0.00`],
    ],
    [
      'totals that are not the sums',
      [
        paid({ reservedMinor: 2_999n, grossMinor: 2_999n, feeMinor: 1n, refundedMinor: 0n }),
        refunded(aRefundedPart()),
      ],
      ['reservedMinor "2999"', 'grossMinor "2999"', 'feeMinor "1"', 'refundedMinor "0"'].map(
        (field) => `payment ${paymentId} has ${field}, but the sum of its refunds has`,
      ),
    ],
    [
      'more refunded than was received',
      [
        paid({ reservedMinor: 10_051n, grossMinor: 10_051n, feeMinor: 0n, refundedMinor: 10_051n }),
        refunded(
          aRefundedPart({
            amount: { minor: 10_051n, currency: 'RUB' },
            debit: { minor: 10_051n, currency: 'RUB' },
          }),
        ),
      ],
      [`payment ${paymentId} refunds 100.51 of 100.50`],
    ],
    [
      'refunds and chargebacks of more than was received',
      [
        paid(),
        refunded(aRefundedPart()),
        [
          item(
            aChargeback({
              amount: { minor: 7_051n, currency: 'RUB' },
              seen: undefined,
              entered: { id: 'e', by: 'olga', reason: 'letter' },
            }),
          ),
        ],
      ],
      [`payment ${paymentId} refunds 30.00, but its chargebacks leave 29.99`],
    ],
    [
      'a chargeback that took our own refund for a loss',
      [
        paid(),
        refunded(aRefundedPart()),
        [
          item(
            aChargeback({
              amount: { minor: 7_050n, currency: 'RUB' },
              seen: { state: 'captured', heldMinor: 3_000n, refundedMinor: 0n },
              at: later(60),
            }),
          ),
        ],
      ],
      [`knew of 0.00 refunded, but it was 30.00`],
    ],
    [
      'a chargeback that counted a refund that had not ended',
      [
        paid(),
        refunded(aRefundedPart({ endedAt: later(60) })),
        [
          item(
            aChargeback({
              amount: { minor: 4_050n, currency: 'RUB' },
              seen: { state: 'captured', heldMinor: 3_000n, refundedMinor: 3_000n },
              at: today,
            }),
          ),
        ],
      ],
      [`knew of 30.00 refunded, but it was 0.00`],
    ],
    [
      'a failure without an error',
      [
        paid({ ...totals, reservedMinor: 0n, grossMinor: 0n, refundedMinor: 0n }),
        refunded(aRefundedPart({ ...failed, errorCode: undefined })),
      ],
      [`${name} is FAIL, but has the error none`],
    ],
    [
      'an error of a refund that succeeded',
      [paid(), refunded(aRefundedPart({ errorCode: 'refund_rejected' }))],
      [`${name} is SUCCESS, but has the error refund_rejected`],
    ],
    [
      'a success that nobody asked the acquirer for',
      [paid(), refunded(aRefundedPart({ call: undefined }))],
      [`${name} is SUCCESS, but was never sent to its acquirer`],
    ],
    [
      'a new refund that was sent',
      [paid({ ...totals, refundedMinor: 0n }), refunded(aRefundedPart({ ...open, status: 'NEW' }))],
      [`${name} is NEW, but was sent to its acquirer`],
    ],
    [
      'an end of a refund that is under way',
      [paid({ ...totals, refundedMinor: 0n }), refunded(aRefundedPart({ ...open, endedAt: later(1) }))],
      [`${name} is PROCESS, but has an end`],
    ],
    [
      'a refund that ended before it was created',
      [paid(), refunded(aRefundedPart({ createdAt: later(30) }))],
      [`${name} is SUCCESS, but ended before it was created`],
    ],
    [
      'a receipt of a failure',
      [
        paid({ ...totals, reservedMinor: 0n, grossMinor: 0n, refundedMinor: 0n }),
        refunded(aRefundedPart({ ...failed, receipt: 'registered' })),
      ],
      [`${name} is FAIL, but has a receipt`],
    ],
    [
      'a success without its entry',
      [
        paid(),
        [{ kind: 'refund', refund: aRefundedPart() }, ...entry(refundReserveEntry(aRefundedPart(), today))],
      ],
      [`entry ${refundIdOf(1)} REFUND_SETTLE is missing`],
    ],
    [
      'a RELEASE of a success',
      [paid(), refunded(aRefundedPart()), entry(refundReleaseEntry(aRefundedPart(), later(2)))],
      [`entry ${refundIdOf(1)} REFUND_RELEASE was posted, but no refund accounts for it`],
    ],
    [
      'a postback with another amount',
      [
        paid(),
        refunded(aRefundedPart()),
        [told(aRefundedPart({ amount: { minor: 3_001n, currency: 'RUB' } }))],
      ],
      ['differs from its refund in Amount'],
    ],
    [
      'a postback of a refund that is under way',
      [paid({ ...totals, refundedMinor: 0n }), refunded(aRefundedPart(open)), [told(aRefundedPart())]],
      ['is about no refund that has ended'],
    ],
  ])('%s', (_state, records, expected) => {
    const found = wrong(...records);
    for (const text of expected) expect(found).toContainEqual(expect.stringContaining(text));
  });

  it('a missing postback, where the shop had a refund URL before the refund was created', () => {
    const records = [...paid(), ...refunded(aRefundedPart())];
    const text = `events_match_states ${name} has no postback rf.${refundIdOf(1)}.SUCCESS`;
    expect(judged(records, later(10))).toEqual([text]);
    expect(judged([...records, told(aRefundedPart())], later(10))).toEqual([]);
    expect(judged(records, later(91 * 24 * 60))).toEqual([]);
    const since = shopRecords({ refundUrl: 'https://cafe.example/refunds', refundUrlSince: later(1) });
    expect(judged([...records.filter(({ kind }) => kind !== 'shop'), ...since], later(10))).toEqual([]);
  });
});
