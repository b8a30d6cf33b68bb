import { describe, expect, it } from 'vitest';
import { judgeAll } from '../../lib/operator/audit/rules.ts';
import { adjustmentItem } from '../../lib/store/adjustment-item.ts';
import { auditItem } from '../../lib/store/audit-items.ts';
import { chargebackItem } from '../../lib/store/chargeback-item.ts';
import { entryItem } from '../../lib/store/entry-item.ts';
import { eventItem } from '../../lib/store/event-item.ts';
import { listedAt, paymentItem } from '../../lib/store/payment-item.ts';
import { refundItem, toRefund } from '../../lib/store/refund-item.ts';
import { payoutItem } from '../../lib/store/payout-item.ts';
import { anAdjustment } from '../support/adjustments.ts';
import { aCall, aPayment, merchantId, otherPaymentId, paymentId, today } from '../support/builders.ts';
import { aChargeback } from '../support/chargebacks.ts';
import { aPayout } from '../support/payouts.ts';
import { aRefund, refundId } from '../support/refunds.ts';
import { anEvent } from '../support/postbacks.ts';

type Item = Readonly<Record<string, unknown>>;

/** The differences of one item's own place, apart from what the rules say of its content. */
const filed = (item: Item): readonly string[] =>
  judgeAll(
    auditItem(item).records.filter(({ kind }) => kind === 'misfiled' || kind === 'unreadable'),
    today,
  ).map(({ invariant, text }) => `${invariant} ${text}`);

/** A hundred years later. */
const far = '2126-11-21T12:00:00.000Z';
const open = paymentItem(aPayment({ status: 'PROCESS', phase: 'AUTHORIZING' }), today);
const done = paymentItem(aPayment({ status: 'SUCCESS', phase: 'DONE', receivedMinor: 1n }), today);
const inSixDays = new Date(today.getTime() + 6 * 24 * 3600_000);
const lateQuery = { status: 'FAIL', phase: 'DONE', lateQuery: 'week', nextCheck: inSixDays } as const;
const lateQueried = paymentItem(aPayment(lateQuery), inSixDays);
const listedLate = listedAt(aPayment(lateQuery), inSixDays);
const payout = payoutItem(aPayout({ status: 'ERROR' }));
const entry = entryItem({
  about: paymentId,
  kind: 'CAPTURE',
  merchantId,
  lines: [{ account: 'available', currency: 'RUB', minor: 0n }],
  at: today,
  adjustment: undefined,
});

describe('an item where its content belongs', () => {
  it.each([
    ['an open payment', open],
    ['a payment that waits for nothing', done],
    ['a failed payment whose last late query is in six days', { ...lateQueried, ...listedLate }],
    ['an open refund', refundItem(aRefund())],
    ['a refund that has ended', refundItem(aRefund({ status: 'SUCCESS', nextCheck: undefined }))],
    ['a payout', payout],
    ['an entry', entry],
    ['an adjustment', adjustmentItem(anAdjustment())],
    ['a chargeback', chargebackItem(aChargeback())],
    ['a postback', eventItem(anEvent())],
    ['a postback that was delivered, until it expires', { ...delivered(), ttl: 1_800_000_000 }],
    ['an item that holds no money', { PK: `EP#${merchantId}`, SK: 'EP' }],
  ])('is no difference: %s', (_, item) => {
    expect(filed(item)).toEqual([]);
  });
});

it('a refund is read as it was written', () => {
  const refund = aRefund({ status: 'PROCESS', call: aCall(), reason: 'returned goods', contactUntil: today });
  expect(toRefund(refundItem(refund))).toEqual(refund);
  expect(auditItem(refundItem(refund)).records).toContainEqual({ kind: 'refund', refund });
  expect(refundItem(refund).SK).toBe(`R#${refundId}`);
});

describe('work_lists_complete', () => {
  it('finds unfinished items that are on no list', () => {
    expect(filed(without(open, 'workList'))).toEqual([
      `work_lists_complete payment ${paymentId} is PROCESS/AUTHORIZING, but is on no work list`,
    ]);
    expect(filed(without(payout, 'workList'))).toEqual([
      `work_lists_complete payout ${aPayout().id} is ERROR, but is on no work list`,
    ]);
    expect(filed(without(adjustmentItem(anAdjustment()), 'workList'))).toEqual([
      `work_lists_complete adjustment ${anAdjustment().id} is PROPOSED, but is on no work list`,
    ]);
    expect(filed(without(chargebackItem(aChargeback()), 'workList'))).toEqual([
      `work_lists_complete chargeback ${aChargeback().id} is OPEN, but is on no work list`,
    ]);
  });

  it('finds an item that the index leaves out because its due time is missing', () => {
    expect(filed(without(open, 'workDue'))).toEqual([
      `work_lists_complete payment ${paymentId} is PROCESS/AUTHORIZING, but is on no work list`,
    ]);
  });

  it('finds a postback on the list of another state', () => {
    const retried = { ...eventItem(anEvent({ state: 'RETRY' })), workList: 'W#PBX#00' };
    expect(filed(retried)).toEqual([
      expect.stringMatching(
        /^work_lists_complete event .* is RETRY and on work list W#PBX#00, but belongs on work list W#PB#\d\d$/,
      ),
    ]);
  });

  it.each([
    ['payment', { ...open, workDue: far }],
    ['payment', { ...open, workDue: far, nextCheck: far }],
    ['event', { ...eventItem(anEvent()), workDue: far }],
    ['event', { ...eventItem(anEvent()), workDue: far, nextAt: far }],
    ['payout', { ...payoutItem(aPayout({ status: 'NEW' })), workDue: far }],
  ])('finds a %s that no sweep takes up', (_, item) => {
    expect(filed(item)).toEqual([
      expect.stringMatching(/^work_lists_complete .* but no sweep takes it up before 2126-11-21/),
    ]);
  });

  it('lets a sweep postpone what it queues, and a payment wait for the release of its reserve', () => {
    const soon = new Date(today.getTime() + 10 * 60_000).toISOString();
    expect(filed({ ...open, workDue: soon })).toEqual([]);
    const inAYear = new Date('2027-11-21T12:00:00Z');
    const reserve = { minor: 1n, currency: 'RUB', releaseAt: inAYear, released: false } as const;
    const reserving = aPayment({ status: 'SUCCESS', phase: 'DONE', receivedMinor: 1n, reserve });
    expect(filed({ ...paymentItem(reserving, inAYear), ...listedAt(reserving, inAYear) })).toEqual([]);
    expect(
      filed({ ...paymentItem(reserving, inAYear), ...listedAt(reserving, inAYear), workDue: far }),
    ).toEqual([expect.stringMatching(/but no sweep takes it up before 2126/)]);
  });

  it('finds a finished item that is still on a list', () => {
    expect(filed({ ...done, workList: 'W#PAY#00', workDue: today.toISOString() })).toEqual([
      `work_lists_complete payment ${paymentId} is SUCCESS/DONE and on work list W#PAY#00, but belongs on no work list`,
    ]);
  });
});

describe('keys_match_content', () => {
  it('finds an entry whose key and subject differ', () => {
    expect(filed({ ...entry, about: otherPaymentId })).toEqual([
      `keys_match_content item J#${paymentId} CAPTURE contains entry ${otherPaymentId} CAPTURE, which belongs under J#${otherPaymentId} CAPTURE`,
    ]);
  });

  it('finds an entry on the timeline of another month, or on none', () => {
    expect(filed({ ...entry, timeline: `L#${merchantId}#RUB#202601` })).toEqual([
      `keys_match_content entry ${paymentId} CAPTURE is on timeline L#${merchantId}#RUB#202601, but belongs on timeline ${entry.timeline}`,
    ]);
    expect(filed(without(entry, 'timeline'))).toEqual([
      `keys_match_content entry ${paymentId} CAPTURE is on no timeline, but belongs on timeline ${entry.timeline}`,
    ]);
  });

  it('finds what DynamoDB would delete although it must not', () => {
    expect(filed({ ...entry, ttl: 1 })).toEqual([
      `keys_match_content entry ${paymentId} CAPTURE is stored, but has a time-to-live, after which it would be deleted`,
    ]);
    expect(filed({ ...eventItem(anEvent({ state: 'RETRY' })), ttl: 1 })).toEqual([
      expect.stringMatching(/ is RETRY, but has a time-to-live/),
    ]);
  });
});

describe('items', () => {
  it('finds an item that cannot be parsed, and one of an unknown kind', () => {
    expect(filed(without(done, 'amountMinor'))).toEqual([
      expect.stringMatching(/^items item B#\S+ P#\S+ cannot be read: /),
    ]);
    expect(filed({ PK: 'X#1', SK: 'X' })).toEqual([
      'items item X#1 X cannot be read: this version knows no kind of item with such a key',
    ]);
  });
});

function delivered(): Item {
  return without(eventItem(anEvent({ state: 'DELIVERED' })), 'workList', 'workDue');
}

function without(item: Item, ...names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}
