import * as z from 'zod/mini';
import type { BillReference } from '../bill/reference.ts';
import { isClosedClaim } from '../ledger/claim.ts';
import type { Flaw } from '../operator/audit/records.ts';
import { type ReadRecord, refOf, refText } from '../operator/audit/rule.ts';
import { nextCheckOfDone } from '../payment/after-capture.ts';
import { awaitsAcquirer, type Payment } from '../payment/payment.ts';
import type { PostbackEvent } from '../postback/event.ts';
import { isEndedRefund, type Refund } from '../refund/refund.ts';
import { adjustmentItem } from './adjustment-item.ts';
import { balanceKey, balanceList } from './balance-item.ts';
import { billKey, billReferenceKey } from './bill-item.ts';
import { chargebackItem } from './chargeback-item.ts';
import { claimItem } from './claim-item.ts';
import { proposalItem } from './decision-item.ts';
import { entryItem } from './entry-item.ts';
import { eventKey, sendingListOf, undeliverableListOf } from './event-item.ts';
import { listed, listedMerchant, listShardOfPayment, mayListBill } from './list-index.ts';
import { merchantKey } from './merchant-item.ts';
import { listedAt, paymentKey } from './payment-item.ts';
import { payoutAccountKey } from './payout-account-item.ts';
import { groupKey } from './payout-claims.ts';
import { payoutItem } from './payout-item.ts';
import { payoutNumberKey } from './payout-number-item.ts';
import { refundKey, refundListOf } from './refund-item.ts';
import { shopKey } from './shop-item.ts';

/** Where an item belongs, computed from its content by the code that writes it. Other attributes of it are not compared. */
type Place = {
  /** Absent for an item that is told by its key alone. */
  readonly PK?: string;
  readonly SK?: string;
  readonly workList?: string;
  readonly timeline?: string;
  /** When it is due; the list may have a later time while it is queued. Absent where a list is read whole. */
  readonly due?: Date;
  /** Whether it may be due later than any schedule says. */
  readonly mayBeFar?: boolean;
  /** Whether it may have a time-to-live: whether DynamoDB may delete it. */
  readonly mayExpire?: true;
};

const filed = z.object({
  PK: z.string(),
  SK: z.string(),
  workList: z.optional(z.string()),
  workDue: z.optional(z.string()),
  timeline: z.optional(z.string()),
  list: z.optional(z.unknown()),
  listAt: z.optional(z.unknown()),
  ttl: z.optional(z.unknown()),
});

/** Returns what is wrong with an item's key, its lists and its time-to-live, given its content. */
export function flawsIn(
  raw: unknown,
  record: ReadRecord,
  { isMigrated }: { readonly isMigrated: boolean },
): readonly Extract<Flaw, { readonly kind: 'misfiled' }>[] {
  const about = refText(refOf(record));
  const place = placeOf(record);
  const named = `${about}${stateOf(record)}`;
  const flaw = (invariant: 'work_lists_complete' | 'keys_match_content', text: string, until?: Date) =>
    ({ kind: 'misfiled', invariant, about, text, until }) as const;
  const { PK, SK, workList, workDue, timeline, ttl, list, listAt } = filed.parse(raw);
  const isListed = workList !== undefined && workDue !== undefined && instant.test(workDue);
  const tooLate = isListed ? tooLateFor(place, new Date(workDue)) : undefined;
  return [
    ...(place.PK === undefined || (PK === place.PK && SK === place.SK)
      ? []
      : [
          flaw(
            'keys_match_content',
            `item ${PK} ${SK} contains ${about}, which belongs under ${place.PK} ${place.SK}`,
          ),
        ]),
    ...(timeline === place.timeline
      ? []
      : [
          flaw(
            'keys_match_content',
            `${about} is on ${shown(timeline, 'timeline')}, but belongs on ${shown(place.timeline, 'timeline')}`,
          ),
        ]),
    ...(isListedWrongly(record, { list, listAt }, isMigrated)
      ? [
          flaw(
            'keys_match_content',
            list === undefined && listAt === undefined
              ? `${about} is on no list: migrate --again gives it its place`
              : `${about} is on list ${String(list)} at ${String(listAt)}, not where it belongs`,
          ),
        ]
      : []),
    ...(ttl === undefined || place.mayExpire === true
      ? []
      : [flaw('keys_match_content', `${named}, but has a time-to-live, after which it would be deleted`)]),
    ...(place.workList !== undefined && !isListed
      ? [flaw('work_lists_complete', `${named}, but is on no work list`)]
      : []),
    ...(isListed && workList !== place.workList
      ? [
          flaw(
            'work_lists_complete',
            `${named} and on ${shown(workList, 'work list')}, but belongs on ${shown(place.workList, 'work list')}`,
          ),
        ]
      : []),
    ...(tooLate
      ? [
          flaw(
            'work_lists_complete',
            `${named}, but no sweep takes it up before ${tooLate.at.toISOString()}`,
            tooLate.until,
          ),
        ]
      : []),
  ];
}

type ListKeys = { readonly list: unknown; readonly listAt: unknown };

/** Whether an item has keys of the LIST index that are not its own. Items from before the index have none until they are migrated. */
function isListedWrongly(record: ReadRecord, { list, listAt }: ListKeys, isMigrated: boolean): boolean {
  const place = listPlaceOf(record);
  if (list === undefined && listAt === undefined) return isMigrated && place !== undefined;
  const isOnList =
    list === place?.list ||
    (record.kind === 'bill' && typeof list === 'string' && mayListBill(record.bill, list));
  return !isOnList || listAt !== place?.listAt;
}

function listPlaceOf(record: ReadRecord): ListKeys | undefined {
  switch (record.kind) {
    case 'merchant':
      return listedMerchant(record.merchant);
    case 'bill':
      return listed('bill', record.bill);
    case 'payment':
      return listed('payment', record.payment, listShardOfPayment(record.payment.id));
    case 'refund':
      return listed('refund', record.refund);
    case 'payout':
      return listed('payout', record.payout);
    case 'event':
      return listed('event', record.event);
    case 'adjustment':
    case 'balance':
    case 'bill_reference':
    case 'chargeback':
    case 'claim':
    case 'decision':
    case 'entry':
    case 'group':
    case 'known_account':
    case 'payout_account':
    case 'payout_claim':
    case 'payout_number':
    case 'proposal':
    case 'shop':
    case 'shop_reference':
    case 'token':
      return undefined;
  }
}

/** As lists are sorted: another text could sort after every time. */
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const dayMs = 24 * 3600_000;
/** The longest pause of any schedule is the one between the two late queries of a failed payment, six days (lib/payment/check-payment.ts). */
const longestPauseMs = 7 * dayMs;
/** A sweep postpones what it queues by minutes. */
const longestQueuedMs = dayMs;

/** Returns when a listed item is taken up if no schedule says so, and until when that is wrong. */
function tooLateFor(
  { due, mayBeFar }: Place,
  seen: Date,
): { readonly at: Date; readonly until: Date } | undefined {
  if (!due) return undefined;
  if (seen.getTime() > due.getTime() + longestQueuedMs)
    return { at: seen, until: new Date(seen.getTime() - longestQueuedMs) };
  return mayBeFar ? undefined : { at: due, until: new Date(due.getTime() - longestPauseMs) };
}

const shown = (name: string | undefined, what: string): string =>
  name === undefined ? `no ${what}` : `${what} ${name}`;

function placeOf(record: ReadRecord): Place {
  switch (record.kind) {
    case 'merchant':
      return merchantKey(record.merchant.id);
    case 'shop':
      return shopKey(record.shop.id);
    case 'bill':
      return billKey(record.bill.id);
    case 'payment':
      return { ...paymentKey(record.payment.id), ...placeOfPayment(record.payment) };
    case 'refund':
      return placeOfRefund(record.refund);
    case 'payout':
      return {
        ...payoutItem(record.payout),
        ...('dueAt' in record.payout && { due: record.payout.dueAt }),
      };
    case 'group':
      return groupKey(record.group.groupId);
    case 'payout_account':
      return payoutAccountKey(record.account.merchantId, record.account.id);
    case 'payout_number':
      return payoutNumberKey(record.number.merchantId, record.number.numberHash);
    case 'proposal':
      return proposalItem(record.proposal);
    case 'bill_reference':
      return placeOfReference(record.reference);
    case 'payout_claim':
      return { mayExpire: true };
    case 'token':
    case 'shop_reference':
    case 'known_account':
    case 'decision':
      return {};
    case 'event':
      return { ...eventKey(record.event.id), ...placeOfEvent(record.event) };
    case 'adjustment':
      return adjustmentItem(record.adjustment);
    case 'chargeback':
      return chargebackItem(record.chargeback);
    case 'claim':
      return claimItem(record.claim);
    case 'entry':
      return entryItem(record.entry);
    case 'balance':
      return { ...balanceKey(record.merchantId, record.balance.currency), workList: balanceList };
  }
}

function placeOfReference({ of, merchantId, hash, billId }: BillReference): Place {
  switch (of) {
    case 'order':
    case 'key':
      return { mayExpire: true };
    case 'newest':
      return {};
    case 'order_bill':
      return billReferenceKey([of, merchantId, hash, billId]) ?? {};
  }
}

/**
 * A payment is on a list while its outcome is open, or while something of it is checked later. The reserve of a captured payment is
 * released when its terms say, in a year at most; the rules of payments compare that time.
 */
function placeOfPayment(payment: Payment): Place {
  const isOpen = awaitsAcquirer(payment);
  const due = isOpen ? payment.nextCheck : nextCheckOfDone(payment);
  if (!isOpen && !due) return {};
  const { workList } = listedAt(payment, payment.createdAt);
  return { workList, ...(due && { due }), mayBeFar: !isOpen && payment.reserve?.released === false };
}

/** A refund is on a list until it has ended, and then while its receipt is pending. */
function placeOfRefund(refund: Refund): Place {
  const { id, nextCheck } = refund;
  if (isEndedRefund(refund) && !nextCheck) return refundKey(id);
  return { ...refundKey(id), workList: refundListOf(id), ...(nextCheck && { due: nextCheck }) };
}

function placeOfEvent({ id, state, nextAt }: PostbackEvent): Place {
  switch (state) {
    case 'PENDING':
    case 'RETRY':
      return { workList: sendingListOf(id), due: nextAt };
    case 'PAUSED':
      return { workList: undeliverableListOf(id) };
    case 'DEAD':
      return { workList: undeliverableListOf(id), mayExpire: true };
    case 'DELIVERED':
    case 'SUPERSEDED':
      return { mayExpire: true };
  }
}

/** The state that decides whether an item is on a list, for the sentence. */
function stateOf(record: ReadRecord): string {
  switch (record.kind) {
    case 'payment':
      return ` is ${record.payment.status}/${record.payment.phase}`;
    case 'refund':
      return ` is ${record.refund.status}`;
    case 'payout':
      return ` is ${record.payout.status}`;
    case 'adjustment':
      return ` is ${record.adjustment.status}`;
    case 'chargeback':
      return ` is ${record.chargeback.status}`;
    case 'claim':
      return isClosedClaim(record.claim) ? ' is closed' : ' is open';
    case 'event':
      return ` is ${record.event.state}`;
    case 'proposal':
      return ` is ${record.proposal.status}`;
    case 'merchant':
    case 'token':
    case 'shop':
    case 'shop_reference':
    case 'bill':
    case 'bill_reference':
    case 'group':
    case 'payout_claim':
    case 'payout_account':
    case 'payout_number':
    case 'known_account':
    case 'decision':
    case 'entry':
    case 'balance':
      return ' is stored';
  }
}
