import { type BillStatus, lockMinutes, type NormalBill } from '../../bill/bill.ts';
import type { DeclineReason } from '../../payment/acquirer.ts';
import { billIdOf } from '../../ids.ts';
import { isPaid, type Payment } from '../../payment/payment.ts';
import { type AnyRule, rule } from './rule.ts';

type Held = {
  readonly bill: NormalBill;
  readonly payments: readonly Payment[];
  /** The payment that holds the bill, or the last one that did, if the bill has it. */
  readonly holder: Payment | undefined;
};

/** A rule of NORMAL bills, judged by all payments of the bill. The returned texts follow "bill <id>". */
const ofNormalBill = (broken: (held: Held) => readonly string[]): AnyRule =>
  rule({
    invariant: 'bills_match_payments',
    of: 'bill',
    needs: ({ bill }) =>
      bill.type === 'NORMAL'
        ? [
            { kind: 'payments_of', id: bill.id },
            ...(bill.current === undefined ? [] : [{ kind: 'payment', id: bill.current } as const]),
          ]
        : [],
    broken: ({ bill }, found) => {
      if (bill.type !== 'NORMAL') return [];
      const payments = found.all('payments_of', bill.id).map(({ payment }) => payment);
      // By its id: a list has no more than a thousand.
      const current = bill.current && found.one('payment', bill.current)?.payment;
      const holder =
        current && [current.billId, billIdOf(current.id)].includes(bill.id) ? current : undefined;
      return broken({ bill, payments, holder }).map((text) => `bill ${bill.id} ${text}`);
    },
  });

const idsOf = (payments: readonly Payment[]): string =>
  payments
    .map(({ id }) => id)
    .toSorted()
    .join(' and ') || 'no payment';

const unpaid: readonly BillStatus[] = ['NEW', 'PROCESS', 'FAIL'];

/** A bill is paid once, by the payment that it names. */
const namesItsPayer = ofNormalBill(({ bill, payments }) => {
  const payers = payments.filter(isPaid);
  return idsOf(payers) === (bill.paidBy ?? 'no payment')
    ? []
    : [`is paid by ${idsOf(payers)}, but names ${bill.paidBy ?? 'none'}`];
});

/** A paid bill has the status of its payment; an unpaid bill has none of these. */
const hasStatusOfPayer = ofNormalBill(({ bill, payments }) => {
  const payer = payments.find(({ id }) => id === bill.paidBy);
  if (bill.paidBy === undefined)
    return unpaid.includes(bill.status) ? [] : [`is ${bill.status}, but names no payment that paid it`];
  return payer && payer.status !== bill.status
    ? [`is ${bill.status}, but its payment ${payer.id} is ${payer.status}`]
    : [];
});

/** While a bill is in PROCESS its holder is; after a failure its last holder has failed; a paid bill is its payer's for ever. */
const hasItsHolder = ofNormalBill(({ bill, payments, holder }) => {
  const { status, current, paidBy } = bill;
  if (status === 'NEW')
    return payments.length > 0 || current !== undefined
      ? [`is NEW, but has ${payments.length} payments and names ${current ?? 'none'} as its holder`]
      : [];
  if (paidBy !== undefined)
    return current === paidBy ? [] : [`is paid by ${paidBy}, but held by ${current ?? 'none'}`];
  return unpaid.includes(status) && holder?.status !== status
    ? [`is ${status}, but its holder ${current ?? 'none'} is ${holder?.status ?? 'no payment of it'}`]
    : [];
});

/** No other payment may take a bill over once the capture of its holder was requested, or it is paid. */
const isFencedInTime = ofNormalBill(({ bill, holder }) => {
  const isCapturing = bill.status === 'PROCESS' && holder?.phase === 'CAPTURING';
  const shouldBe = bill.paidBy !== undefined || isCapturing;
  if (bill.fenced === shouldBe) return [];
  const state = holder ? `its holder ${holder.id} is ${holder.status}/${holder.phase}` : 'it has no holder';
  return [`${bill.fenced ? 'is fenced' : 'is not fenced'}, but ${state}`];
});

/** Only its holder may be captured, until the bill is paid: then what is captured besides is refunded. */
const capturesItsHolder = ofNormalBill(({ bill, payments }) =>
  bill.paidBy === undefined
    ? payments
        .filter(
          ({ id, phase }) => phase === 'CAPTURING' && (bill.status !== 'PROCESS' || id !== bill.current),
        )
        .map(({ id }) => `does not belong to its payment ${id}, which is CAPTURING`)
    : [],
);

/** The lock lasts fifteen minutes from the start of its holder. A payment that its acquirer can neither hold nor end has no lock. */
const isLockedInTime = ofNormalBill(({ bill: { status, lockUntil, fenced }, holder }) => {
  if (status !== 'PROCESS')
    return lockUntil ? [`is ${status}, but locked until ${lockUntil.toISOString()}`] : [];
  if (!holder) return [];
  const end = new Date(holder.createdAt.getTime() + lockMinutes * 60_000);
  if (lockUntil)
    return lockUntil > end ? [`is locked until ${lockUntil.toISOString()}, not ${end.toISOString()}`] : [];
  return holder.holds && !fenced
    ? [`has no end of its lock, but its holder ${holder.id} can be taken over`]
    : [];
});

/** What is no failure of a card. */
const givenUp: readonly (DeclineReason | undefined)[] = ['canceled_by_payer', 'expired', undefined];

/**
 * Not every failed payment counts: the payer may have cancelled it, or lost the bill before, which is not stored. The holder of a bill that
 * failed has counted when its card was declined.
 */
const countsFailures = ofNormalBill(({ bill: { status, failures }, payments, holder }) => {
  const most = payments.filter((payment) => payment.status === 'FAIL').length;
  const least = status === 'FAIL' && !givenUp.includes(holder?.declineReason) ? 1 : 0;
  return failures >= least && failures <= most
    ? []
    : [`counts ${failures} failures, of ${least} to ${most} payments that failed`];
});

/** A MULTI bill never ends: it only shows whether it was ever paid. */
const multiIsNewOrPaid = rule({
  invariant: 'bills_match_payments',
  of: 'bill',
  needs: ({ bill: { id, type, status } }) =>
    type === 'MULTI' && status === 'SUCCESS' ? [{ kind: 'payments_of', id }] : [],
  broken: ({ bill: { id, type, status } }, found) => {
    if (type !== 'MULTI' || status === 'NEW') return [];
    if (status !== 'SUCCESS') return [`bill ${id} is MULTI, but is ${status}`];
    const isPaidOnce = found.all('payments_of', id).some(({ payment }) => isPaid(payment));
    return isPaidOnce ? [] : [`bill ${id} is SUCCESS, but has no paid payment`];
  },
});

const belongsToItsShop = rule({
  invariant: 'bills_match_shops',
  of: 'bill',
  needs: ({ bill }) => [{ kind: 'shop', id: bill.shopId }],
  broken: ({ bill: { id, shopId, merchantId } }, found) => {
    const shop = found.one('shop', shopId)?.shop;
    if (!shop) return [`bill ${id} is of shop ${shopId}, which does not exist`];
    return shop.merchantId === merchantId
      ? []
      : [`bill ${id} is of merchant ${merchantId}, but its shop ${shopId} is of ${shop.merchantId}`];
  },
});

export const billRules: readonly AnyRule[] = [
  namesItsPayer,
  hasStatusOfPayer,
  hasItsHolder,
  isFencedInTime,
  capturesItsHolder,
  isLockedInTime,
  countsFailures,
  multiIsNewOrPaid,
  belongsToItsShop,
];
