import { describe, expect, it } from 'vitest';
import type { NormalBill } from '../../lib/bill/bill.ts';
import { toBillId, toMerchantId, toPaymentId } from '../../lib/ids.ts';
import type { Entry, Line } from '../../lib/ledger/entry.ts';
import type { AuditRecord } from '../../lib/operator/audit/records.ts';
import { type Found, foundIn } from '../../lib/operator/audit/rule.ts';
import { judge } from '../../lib/operator/audit/rules.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import { paymentEvent } from '../../lib/payment/payment-postback.ts';
import {
  captureEntry,
  duplicateCaptureEntry,
  providerFeeEntry,
  refundEntry,
} from '../../lib/payment/payment-postings.ts';
import type { PostbackEvent } from '../../lib/postback/event.ts';
import {
  aBill,
  aPayment,
  billId,
  type BillTraits,
  merchantId,
  otherShopId,
  paymentId,
  shopId,
  today,
} from '../support/builders.ts';
import { judged, shopRecords } from '../support/judged.ts';

const minute = 60_000;
const later = (minutes: number) => new Date(today.getTime() + minutes * minute);
const secondId = toPaymentId(`${billId}00Payment2`);

const shop = shopRecords({ resultUrl: 'https://cafe.example/result', resultUrlSince: new Date(0) });
const bill = (traits: BillTraits): AuditRecord => ({ kind: 'bill', bill: aBill(traits) });
const payment = (of: Payment): AuditRecord => ({ kind: 'payment', payment: of });
const entry = (of: Entry): AuditRecord => ({ kind: 'entry', entry: of });
const event = (of: PostbackEvent): AuditRecord => ({ kind: 'event', event: of });
const eventOf = (of: Payment, traits: Partial<PostbackEvent> = {}): AuditRecord =>
  event({ ...paymentEvent(of, { now: later(2) }), ...traits });

const lock = { lockUntil: later(15) };
const paying = { status: 'PROCESS', current: paymentId, fenced: false, ...lock } as const;
const paidBill = { status: 'SUCCESS', paidBy: paymentId, current: paymentId, fenced: true } as const;
const failedBill = { status: 'FAIL', current: paymentId, failures: 1 } as const;

/** The bill of 100.50 paid in full, less a fee of 2.01. */
const success = aPayment({
  status: 'SUCCESS',
  phase: 'DONE',
  receivedMinor: 10_050n,
  feeMinor: 201n,
  orderId: 'order-1',
});
const captured = captureEntry(success, 10_050n, later(2));
const failed = aPayment({ status: 'FAIL', phase: 'DONE' });

type Parts = {
  readonly bill: Partial<NormalBill>;
  readonly payment: Partial<Payment>;
  readonly capture: Partial<Entry>;
  readonly event: Partial<PostbackEvent>;
};
/** A bill that was paid, with what a corruption changed. */
const paid = (changed: Partial<Parts> = {}): readonly AuditRecord[] => [
  ...shop,
  bill({ ...paidBill, orderId: 'order-1', ...changed.bill }),
  payment({ ...success, ...changed.payment }),
  entry({ ...captured, ...changed.capture }),
  eventOf(success, changed.event),
];
/** One payment of a bill, not paid. */
const unpaid = (of: Partial<Payment>, on: Partial<NormalBill>, ...others: readonly AuditRecord[]) => {
  const own = aPayment(of);
  const told = own.status === 'FAIL' ? [eventOf(own)] : [];
  return [...shop, bill(on), payment(own), ...told, ...others];
};
const duplicate = duplicateCaptureEntry(failed, 10_050n, later(2));
const refund = refundEntry(failed, 10_050n, later(3));
const second = payment(aPayment({ id: secondId, createdAt: later(20) }));
/** Another payment has paid the bill of `paymentId`. */
const paidBySecond = (id = secondId): readonly AuditRecord[] => {
  const own = { ...success, orderId: undefined, id };
  return [
    bill({ ...paidBill, paidBy: id, current: id }),
    payment(own),
    entry(captureEntry(own, 10_050n, later(2))),
    eventOf(own),
  ];
};

describe('the audit finds no difference in', () => {
  it.each<[string, readonly AuditRecord[]]>([
    ['a new bill', [...shop, bill({})]],
    ['a paid bill', paid()],
    [
      'a delivered postback',
      paid({
        payment: { deliveredAt: later(3) },
        event: { state: 'DELIVERED', attempts: [answered('500'), answered('204')] },
      }),
    ],
    ['a payment under way', unpaid({}, paying)],
    [
      'a payment that its acquirer can neither hold nor end',
      unpaid({ holds: false }, { ...paying, lockUntil: undefined }),
    ],
    ['a capture that was requested', unpaid({ phase: 'CAPTURING' }, { ...paying, fenced: true })],
    ['a payment that is voided while it holds the bill', unpaid({ phase: 'VOIDING' }, paying)],
    ['a refused card', unpaid({ status: 'FAIL', phase: 'DONE' }, failedBill)],
    [
      'a cancelled payment',
      unpaid(
        { status: 'FAIL', phase: 'DONE', declineReason: 'canceled_by_payer' },
        { ...failedBill, failures: 0 },
      ),
    ],
    ['a payment that failed by hand and is voided', unpaid({ status: 'FAIL', phase: 'VOIDING' }, failedBill)],
    [
      'a displaced payment beside the holder of its bill',
      unpaid({ phase: 'VOIDING' }, { ...paying, current: secondId, lockUntil: later(35) }, second),
    ],
    [
      'a duplicate capture that is refunded',
      [
        ...shop,
        ...paidBySecond(),
        payment(aPayment({ phase: 'REFUNDING', receivedMinor: 10_050n })),
        entry(duplicate),
      ],
    ],
    [
      'a duplicate capture that was refunded, whose event is superseded',
      [
        ...shop,
        ...paidBySecond(),
        payment({ ...failed, receivedMinor: 10_050n }),
        entry(duplicate),
        entry(refund),
        eventOf(failed, { state: 'SUPERSEDED' }),
      ],
    ],
    [
      'late money that is refunded',
      unpaid({ status: 'FAIL', phase: 'REFUNDING', receivedMinor: 10_050n }, failedBill, entry(duplicate)),
    ],
    [
      'a captured payment that was another’s, caught by a late payment that settled first',
      [...shop, ...paidBySecond(), payment(aPayment({ phase: 'CAPTURING' }))],
    ],
    [
      'a fee of the acquirer on a capture that was refunded before it was seen',
      unpaid(
        { status: 'FAIL', phase: 'DONE', providerFeeMinor: 150n },
        failedBill,
        entry(providerFeeEntry(failed, 150n, later(2))),
      ),
    ],
    [
      'a postback that was superseded when it was due',
      [...shop, ...paidBySecond(), payment(failed), eventOf(failed, { state: 'SUPERSEDED' })],
    ],
    [
      'a paid MULTI bill',
      [
        ...shop,
        bill({ type: 'MULTI', status: 'SUCCESS' }),
        payment({ ...success, orderId: undefined, billType: 'MULTI' }),
        entry(captured),
        eventOf({ ...success, orderId: undefined, billType: 'MULTI' }),
      ],
    ],
    [
      'a payment whose function has a clock that is five minutes behind',
      paid({ bill: { createdAt: later(5) } }),
    ],
    [
      'a payment from before the shop had a Result URL, by a clock that is five minutes ahead',
      [
        ...shopRecords({ resultUrl: 'https://cafe.example/', resultUrlSince: later(-5) }),
        ...paid()
          .filter(({ kind }) => kind !== 'event')
          .slice(shop.length),
      ],
    ],
    [
      'a payment from before the shop had a Result URL',
      [
        ...shopRecords({ resultUrl: 'https://cafe.example/', resultUrlSince: later(1) }),
        ...paid()
          .filter(({ kind }) => kind !== 'event')
          .slice(shop.length),
      ],
    ],
  ])('%s', (_state, records) => {
    expect(judged(records, later(60))).toEqual([]);
  });

  it('a payment of more than 90 days ago, whose event was forgotten', () => {
    const now = later(91 * 24 * 60);
    expect(
      judged(
        paid().filter(({ kind }) => kind !== 'event'),
        now,
      ),
    ).toEqual([]);
    expect(
      judged(
        paid().filter(({ kind }) => kind !== 'event'),
        later(60),
      ),
    ).toEqual([`events_match_states postback pay.${paymentId}.SUCCESS is missing`]);
  });
});

const rub = (account: Line['account'], minor: bigint): Line => ({ account, currency: 'RUB', minor });
const id = paymentId;
const posted = `captures_match_payments entry ${id}`;
const lines = 'acquirer -100.50 RUB, available 98.49 RUB, fees 2.01 RUB';
const stolen = toMerchantId('StolenStolenStol');

describe('the audit of entries finds', () => {
  it.each<[string, readonly AuditRecord[], readonly string[]]>([
    [
      'a CAPTURE whose fee was given to the merchant',
      paid({ capture: { lines: [rub('acquirer', -10_050n), rub('available', 10_050n)] } }),
      [
        `${posted} CAPTURE says acquirer -100.50 RUB, available 100.50 RUB, but its payment accounts for ${lines}`,
      ],
    ],
    [
      'a CAPTURE that credits another merchant',
      paid({ capture: { merchantId: stolen } }),
      [`${posted} CAPTURE says merchant ${stolen}, but its payment accounts for merchant ${merchantId}`],
    ],
    [
      'a CAPTURE in another currency',
      paid({ capture: { lines: captured.lines.map((line) => ({ ...line, currency: 'USD' as const })) } }),
      [`${posted} CAPTURE says ${lines.replaceAll('RUB', 'USD')}, but its payment accounts for ${lines}`],
    ],
    [
      'a CAPTURE with one line more',
      paid({ capture: { lines: [...captured.lines, rub('correction', 0n)] } }),
      [
        `${posted} CAPTURE says ${lines.replace(', fees', ', correction 0.00 RUB, fees')}, but its payment accounts for ${lines}`,
      ],
    ],
    [
      'a CAPTURE that names a person’s decision',
      [
        ...paid(),
        entry({ ...captured, adjustment: { id: 'a', reason: 'r', proposedBy: 'o', approvedBy: 'p' } }),
      ],
      [`${posted} CAPTURE#a was posted, but no payment accounts for it`],
    ],
    [
      'a missing CAPTURE',
      paid().filter(({ kind }) => kind !== 'entry'),
      [`${posted} CAPTURE is missing, but its payment accounts for it`],
    ],
    [
      'a CAPTURE of a payment that failed',
      unpaid({ status: 'FAIL', phase: 'DONE' }, failedBill, entry(captured)),
      [`${posted} CAPTURE was posted, but no payment accounts for it`],
    ],
    [
      'a CAPTURE about nothing',
      [entry(captured)],
      [`${posted} CAPTURE was posted, but no payment accounts for it`],
    ],
    [
      'a REFUND about a paid payment',
      [...paid(), entry(refund)],
      [`${posted} REFUND was posted, but no payment accounts for it`],
    ],
    [
      'a REFUND of a payment that is still refunded',
      unpaid(
        { status: 'FAIL', phase: 'REFUNDING', receivedMinor: 10_050n },
        failedBill,
        entry(duplicate),
        entry(refund),
      ),
      [`${posted} REFUND was posted, but no payment accounts for it`],
    ],
    [
      'a refunded payment without its REFUND',
      unpaid({ status: 'FAIL', phase: 'DONE', receivedMinor: 10_050n }, failedBill, entry(duplicate)),
      [`${posted} REFUND is missing, but its payment accounts for it`],
    ],
    [
      'a DUPLICATE_CAPTURE about nothing',
      [entry(duplicate)],
      [`${posted} DUPLICATE_CAPTURE was posted, but no payment accounts for it`],
    ],
    [
      'a PROVIDER_FEE that the payment does not have',
      [...paid(), entry(providerFeeEntry(success, 150n, later(2)))],
      [`provider_fees_match_payments entry ${id} PROVIDER_FEE was posted, but no payment accounts for it`],
    ],
    [
      'a payment’s fee without its PROVIDER_FEE',
      paid({ payment: { providerFeeMinor: 150n } }),
      [`provider_fees_match_payments entry ${id} PROVIDER_FEE is missing, but its payment accounts for it`],
    ],
    [
      'an entry from before its payment began',
      paid({ capture: { at: later(-11) }, event: { createdAt: later(-11) } }),
      [
        `${posted} CAPTURE says at ${later(-11).toISOString()}, but its payment accounts for at ${today.toISOString()}`,
      ],
    ],
    [
      'an entry of a time that has not come',
      paid({ capture: { at: later(80) }, event: { createdAt: later(80) } }),
      [`entry_balances entry ${id} CAPTURE is of ${later(80).toISOString()}, which has not come`],
    ],
    [
      'an entry that does not sum to zero',
      [...paid(), entry({ ...refund, lines: [rub('acquirer', 1n)] })],
      [
        `entry_balances entry ${id} REFUND sums to 0.01 RUB, not to zero`,
        `${posted} REFUND was posted, but no payment accounts for it`,
      ],
    ],
  ])('%s', (_corruption, records, differences) => {
    expect(judged(records, later(60)).toSorted()).toEqual(differences.toSorted());
  });
});

const own = `payments_match_states payment ${id}`;
const withBill = `payments_match_bills payment ${id}`;

describe('the audit of payments finds', () => {
  it.each<[string, readonly AuditRecord[], readonly string[]]>([
    [
      'a phase that its status never has',
      unpaid({ phase: 'DONE' }, paying),
      [`${own} is PROCESS, which is never DONE`],
    ],
    [
      'a paid payment that received something else than its status says',
      paid({
        bill: { status: 'UNDERPAID' },
        payment: { status: 'UNDERPAID' },
        event: { ...paymentEvent({ ...success, status: 'UNDERPAID' }, { now: later(2) }) },
      }),
      [`${own} is UNDERPAID, but received 100.50 of 100.50`],
    ],
    [
      'a paid payment that received nothing',
      paid({ payment: { receivedMinor: undefined, feeMinor: undefined } }),
      [
        `${own} is SUCCESS, but received nothing of 100.50`,
        `${posted} CAPTURE says ${lines}, but its payment accounts for no lines`,
        `events_match_states postback pay.${id}.SUCCESS has Commission "2.01", but its payment has "0.00"`,
      ],
    ],
    [
      'money of a payment that nothing was captured of',
      unpaid({ receivedMinor: 10_050n }, paying, entry(duplicate)),
      [`${own} is PROCESS/AUTHORIZING, but received 100.50`],
    ],
    [
      'a refund of nothing',
      unpaid({ status: 'FAIL', phase: 'REFUNDING' }, failedBill),
      [`${own} is FAIL/REFUNDING, but received nothing`],
    ],
    [
      'a fee that its terms do not say',
      paid({
        payment: { feeMinor: 0n },
        event: { ...paymentEvent({ ...success, feeMinor: 0n }, { now: later(2) }) },
      }),
      [`${own} has a fee of 0.00, but its terms say 2.01`],
    ],
    [
      'a surcharge that its terms do not say',
      paid({ payment: { surchargeMinor: 1n } }),
      [
        `${own} is SUCCESS, but received 100.50 of 100.51`,
        `${own} charged its payer a fee of 0.01, but its terms say 0.00`,
        `events_match_states postback pay.${id}.SUCCESS has OutSum "100.50", but its payment has "100.49"`,
      ],
    ],
    [
      'roubles that settle at a rate',
      unpaid({ settlement: { currency: 'RUB', numerator: 2n, denominator: 1n } }, paying),
      [`${own} of RUB settles in RUB at 2/1`],
    ],
    [
      'a paid payment that was refused',
      paid({ payment: { outcome: 'insufficient_funds' } }),
      [`${own} is SUCCESS, but was refused: insufficient_funds`],
    ],
    [
      'a fee of the acquirer below zero',
      unpaid(
        { status: 'FAIL', phase: 'DONE', providerFeeMinor: -150n },
        failedBill,
        entry(providerFeeEntry(failed, -150n, later(2))),
      ),
      [`provider_fees_match_payments payment ${id} cost a fee of -1.50`],
    ],
    [
      'an amount that is not its bill’s',
      unpaid(
        {
          amount: { minor: 50n, currency: 'USD' },
          settlement: { currency: 'USD', numerator: 1n, denominator: 1n },
        },
        paying,
      ),
      [
        `${withBill} has currency "USD", but its bill has "RUB"`,
        `${withBill} has minor "50", but its bill has "10050"`,
      ],
    ],
    [
      'a merchant, shop or order that is not its bill’s',
      unpaid({ merchantId: stolen, shopId: otherShopId, orderId: '7', custom: 'x' }, paying),
      [
        `${withBill} has custom "x", but its bill has none`,
        `${withBill} has merchantId "${stolen}", but its bill has "${merchantId}"`,
        `${withBill} has orderId "7", but its bill has none`,
        `${withBill} has shopId "${otherShopId}", but its bill has "${shopId}"`,
      ],
    ],
    [
      'a payment without its bill',
      [payment(aPayment())],
      [`${withBill} is of bill ${billId}, which does not exist`],
    ],
    [
      'a payment that is older than its bill',
      unpaid({}, { ...paying, createdAt: later(11) }),
      [`${withBill} is older than its bill`],
    ],
    [
      'a payment that its id gives to another bill',
      [
        ...shop,
        bill({ ...paying, id: toBillId('AnotherBillOfThe') }),
        payment(aPayment({ billId: toBillId('AnotherBillOfThe') })),
      ],
      [`${own} is of bill AnotherBillOfThe, but its id is of ${billId}`],
    ],
  ])('%s', (_corruption, records, differences) => {
    expect(judged(records, later(60)).toSorted()).toEqual(differences.toSorted());
  });
});

const ofBill = `bills_match_payments bill ${billId}`;

describe('the audit of bills finds', () => {
  it.each<[string, readonly AuditRecord[], readonly string[]]>([
    [
      'a bill that is FAIL though it was paid',
      paid({ bill: { ...failedBill, paidBy: undefined, fenced: false, failures: 0 } }),
      [`${ofBill} is paid by ${id}, but names none`, `${ofBill} is FAIL, but its holder ${id} is SUCCESS`],
    ],
    [
      'a bill that is SUCCESS though nobody paid it',
      [...shop, bill({ status: 'SUCCESS' })],
      [`${ofBill} is SUCCESS, but names no payment that paid it`],
    ],
    [
      'a bill that names a payment that did not pay it',
      unpaid({ status: 'FAIL', phase: 'DONE' }, paidBill),
      [
        `${ofBill} is paid by no payment, but names ${id}`,
        `${ofBill} is SUCCESS, but its payment ${id} is FAIL`,
      ],
    ],
    [
      'a bill that was paid twice',
      [
        ...paid(),
        ...paidBySecond()
          .filter(({ kind }) => kind !== 'bill')
          .map(withOrder),
      ],
      [`${ofBill} is paid by ${id} and ${secondId}, but names ${id}`],
    ],
    [
      'another status than that of its payment',
      paid({ bill: { status: 'OVERPAID' } }),
      [`${ofBill} is OVERPAID, but its payment ${id} is SUCCESS`],
    ],
    [
      'a paid bill that is held by another payment, or can be taken over',
      paid({ bill: { current: secondId, fenced: false } }),
      [
        `${ofBill} is paid by ${id}, but held by ${secondId}`,
        `${ofBill} is not fenced, but it has no holder`,
      ],
    ],
    [
      'a bill that waits for a payment that is done',
      unpaid({ status: 'FAIL', phase: 'DONE' }, paying),
      [`${ofBill} is PROCESS, but its holder ${id} is FAIL`],
    ],
    [
      'a fenced bill whose payment is done',
      unpaid({ status: 'FAIL', phase: 'DONE' }, { ...paying, fenced: true }),
      [
        `${ofBill} is PROCESS, but its holder ${id} is FAIL`,
        `${ofBill} is fenced, but its holder ${id} is FAIL/DONE`,
      ],
    ],
    [
      'a bill that waits for a payment that does not exist',
      [...shop, bill(paying)],
      [`${ofBill} is PROCESS, but its holder ${id} is no payment of it`],
    ],
    [
      'a new bill with a payment',
      unpaid({ status: 'FAIL', phase: 'DONE' }, {}),
      [`${ofBill} is NEW, but has 1 payments and names none as its holder`],
    ],
    [
      'a capture of a bill that was not fenced',
      unpaid({ phase: 'CAPTURING' }, paying),
      [`${ofBill} is not fenced, but its holder ${id} is PROCESS/CAPTURING`],
    ],
    [
      'a capture beside the holder',
      unpaid({ phase: 'CAPTURING' }, { ...paying, current: secondId, lockUntil: later(35) }, second),
      [`${ofBill} does not belong to its payment ${id}, which is CAPTURING`],
    ],
    [
      'a lock that lasts too long',
      unpaid({}, { ...paying, lockUntil: later(16) }),
      [`${ofBill} is locked until ${later(16).toISOString()}, not ${later(15).toISOString()}`],
    ],
    [
      'a lock that never ends',
      unpaid({}, { ...paying, lockUntil: undefined }),
      [`${ofBill} has no end of its lock, but its holder ${id} can be taken over`],
    ],
    [
      'a lock that nobody holds',
      unpaid({ status: 'FAIL', phase: 'DONE' }, { ...failedBill, ...lock }),
      [`${ofBill} is FAIL, but locked until ${later(15).toISOString()}`],
    ],
    [
      'failures that never happened',
      unpaid({}, { ...paying, failures: 1 }),
      [`${ofBill} counts 1 failures, of 0 to 0 payments that failed`],
    ],
    [
      'failures that were set back',
      unpaid(
        { status: 'FAIL', phase: 'DONE', declineReason: 'insufficient_funds' },
        { ...failedBill, failures: 0 },
      ),
      [`${ofBill} counts 0 failures, of 1 to 1 payments that failed`],
    ],
    [
      'a MULTI bill that is not shown as paid',
      [
        ...shop,
        bill({ type: 'MULTI', status: 'NEW' }),
        payment({ ...success, orderId: undefined, billType: 'MULTI' }),
        entry(captured),
        eventOf({ ...success, orderId: undefined, billType: 'MULTI' }),
      ],
      [`${ofBill} is NEW, but its payment ${id} is SUCCESS`],
    ],
    [
      'a MULTI bill that is shown as paid, though nobody paid it',
      [...shop, bill({ type: 'MULTI', status: 'SUCCESS' })],
      [`${ofBill} is SUCCESS, but has no paid payment`],
    ],
    [
      'a MULTI bill in a state that it never has',
      [...shop, bill({ type: 'MULTI', status: 'FAIL' })],
      [`${ofBill} is MULTI, but is FAIL`],
    ],
    [
      'a bill of another merchant’s shop',
      [...shop, bill({ merchantId: stolen })],
      [
        `bills_match_shops bill ${billId} is of merchant ${stolen}, but its shop ${shopId} is of ${merchantId}`,
      ],
    ],
    [
      'a bill of a shop that does not exist',
      [bill({})],
      [`bills_match_shops bill ${billId} is of shop ${shopId}, which does not exist`],
    ],
  ])('%s', (_corruption, records, differences) => {
    expect(judged(records, later(60)).toSorted()).toEqual(differences.toSorted());
  });
});

/** The second payment belongs to the bill of an order too. */
function withOrder(record: AuditRecord): AuditRecord {
  if (record.kind === 'payment') return payment({ ...record.payment, orderId: 'order-1' });
  return record.kind === 'event' ? eventOf({ ...success, id: secondId }) : record;
}

const answered = (outcome: string) => ({ at: later(3), outcome, ms: 5, answer: undefined });
const told = `events_match_states postback pay.${id}.SUCCESS`;
const fields = paymentEvent(success, { now: today }).fields;

describe('the audit of postbacks finds', () => {
  it.each<[string, readonly AuditRecord[], readonly string[]]>([
    [
      'another status',
      paid({ event: { status: 'FAIL', fields: { ...fields, Status: 'FAIL' } } }),
      [
        `${told} has Status "FAIL", but its payment has "SUCCESS"`,
        `${told} has status "FAIL", but its payment has "SUCCESS"`,
      ],
    ],
    [
      'another amount and fee',
      paid({ event: { fields: { ...fields, OutSum: '1.00', Commission: '0.00' } } }),
      [
        `${told} has Commission "0.00", but its payment has "2.01"`,
        `${told} has OutSum "1.00", but its payment has "100.50"`,
      ],
    ],
    [
      'another order of the fields, and a field too many',
      paid({ event: { fields: { Status: 'SUCCESS', ...fields, custom: 'x' } } }),
      [
        `${told} has custom "x", but its payment has none`,
        `${told} has order "Status InvId OutSum Commission TrsId CurrencyIn custom", but its payment has "InvId OutSum Commission TrsId Status CurrencyIn"`,
      ],
    ],
    [
      'another shop and merchant',
      paid({ event: { shopId: otherShopId, merchantId: stolen } }),
      [
        `${told} has merchantId "${stolen}", but its payment has "${merchantId}"`,
        `${told} has shopId "${otherShopId}", but its payment has "${shopId}"`,
      ],
    ],
    [
      'a bill that would supersede a SUCCESS',
      paid({ event: { supersededByBill: billId } }),
      [`${told} has supersededByBill "${billId}", but its payment has none`],
    ],
    [
      'a SUCCESS that is SUPERSEDED',
      paid({ event: { state: 'SUPERSEDED' } }),
      [`${told} is SUPERSEDED, but no other payment has paid its bill`],
    ],
    [
      'a FAIL that is SUPERSEDED though nobody paid the bill',
      [...shop, bill(failedBill), payment(failed), eventOf(failed, { state: 'SUPERSEDED' })],
      [`events_match_states postback pay.${id}.FAIL is SUPERSEDED, but no other payment has paid its bill`],
    ],
    [
      'a delivery that the payment does not store',
      paid({ event: { state: 'DELIVERED', attempts: [answered('200')] } }),
      [`${told} is DELIVERED, but its payment stores no delivery`],
    ],
    [
      'a delivery that nobody attempted',
      paid({ payment: { deliveredAt: later(3) }, event: { state: 'DELIVERED' } }),
      [`${told} is DELIVERED, but its last attempt is missing`],
    ],
    [
      'a delivery that the receiver refused',
      paid({
        payment: { deliveredAt: later(3) },
        event: { state: 'DELIVERED', attempts: [answered('500')] },
      }),
      [`${told} is DELIVERED, but its last attempt is 500`],
    ],
    [
      'another time than that of its CAPTURE',
      paid({ event: { createdAt: later(3) } }),
      [`${told} is of ${later(3).toISOString()}, but its CAPTURE entry of ${later(2).toISOString()}`],
    ],
    [
      'a postback of a state that its payment is not in',
      [...unpaid({}, paying), eventOf(success)],
      [
        `${told} has Commission "2.01", but its payment has "0.00"`,
        `${told} has InvId "order-1", but its payment has ""`,
        `${told} has Status "SUCCESS", but its payment has "PROCESS"`,
        `${told} has id "pay.${id}.SUCCESS", but its payment has "pay.${id}.PROCESS"`,
        `${told} has status "SUCCESS", but its payment has "PROCESS"`,
      ],
    ],
    ['a postback about nothing', [eventOf(success)], [`${told} is about a payment that does not exist`]],
  ])('%s', (_corruption, records, differences) => {
    expect(judged(records, later(60)).toSorted()).toEqual(differences.toSorted());
  });
});

it('the audit finds the holder of a bill that has more payments than its list tells', () => {
  const records = unpaid({}, paying);
  const known = foundIn(records);
  const held = records.filter(({ kind }) => kind === 'bill');
  const found: Found = { ...known, all: () => [] };
  expect(held.flatMap((record) => judge(record, found, later(60)))).toEqual([]);
});
