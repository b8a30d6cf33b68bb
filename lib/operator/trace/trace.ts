import {
  billIdOf,
  type MerchantId,
  paymentIdOfRefund,
  readBillId,
  readGroupId,
  readMerchantId,
  readPaymentId,
  readPayoutId,
  readRefundId,
  readShopId,
} from '../../ids.ts';
import { chargebackIn, isEventId, subjectOf } from '../../postback/event.ts';
import { fail, ok, type Result } from '../../result.ts';
import { adjustmentTimeline } from './adjustment-timeline.ts';
import { billTimeline, paymentWithBillTimeline } from './bill-timeline.ts';
import { changeStep } from './change-steps.ts';
import { merchantTimeline, shopTimeline } from './merchant-timeline.ts';
import { payoutTimeline } from './payout-timeline.ts';
import { orderTimeline } from './order-timeline.ts';
import { latestBefore, pageOf, type TracedPage, type TracePage } from './page.ts';
import { proposalTimeline } from './proposal-timeline.ts';
import { postbackTimeline } from './postback-timeline.ts';
import type { Timeline, TracePorts } from './timeline.ts';

type Lookup = (ports: TracePorts, id: string, page: TracePage) => Promise<TracedPage | undefined>;
/** Of items whose timeline is always read as a whole. */
type WholeLookup = (ports: TracePorts, id: string) => Promise<Timeline | undefined>;

const paged =
  (lookup: WholeLookup): Lookup =>
  async (ports, id, page) => {
    const timeline = await lookup(ports, id);
    if (!timeline) return undefined;
    const { subjects, steps: items } = timeline;
    return pageOf({ subjects, items, completeFrom: undefined }, page);
  };

type Refusal = 'nothing_known' | 'not_a_payment_of_this_bill';

/**
 * Returns a page of the timeline of the item with this id or link. An id does not show its kind, so every kind is looked up. A page before
 * a payment is one of that payment's bill. A text that is no id is looked up as the order id of a merchant, or of any.
 */
export async function trace(
  ports: TracePorts,
  idOrLink: string,
  { merchantId, ...page }: TracePage & { readonly merchantId: MerchantId | undefined },
): Promise<Result<TracedPage, Refusal>> {
  const id = idIn(idOrLink);
  if (typeof page.before === 'string' && billIdOf(page.before) !== id)
    return fail('not_a_payment_of_this_bill');
  const timelines = await Promise.all(lookups.map((lookup) => lookup(ports, id, page)));
  const known = timelines.find((each) => each && each.subjects.length > 0);
  const timeline = known ?? (await orderTimeline(ports, { orderId: idOrLink, merchantId }, page));
  return timeline ? ok(timeline) : fail('nothing_known');
}

/** Returns the id: of a link, the last segment of its path. */
const idIn = (text: string): string =>
  URL.canParse(text) ? (new URL(text).pathname.replace(/\/+$/, '').split('/').at(-1) ?? '') : text;

const bill: Lookup = async (ports, id, page) => {
  const billId = readBillId(id);
  const known = billId && (await ports.bills.find(billId));
  return known && billTimeline(ports, known, page);
};

const payment: WholeLookup = async (ports, id) => {
  const paymentId = readPaymentId(id);
  const known = paymentId && (await ports.payments.find(paymentId));
  return known && paymentWithBillTimeline(ports, known);
};

const payout: WholeLookup = async (ports, id) => {
  const payoutId = readPayoutId(id);
  const known = payoutId && (await ports.payouts.find(payoutId));
  return known && payoutTimeline(ports, [known]);
};

const payoutGroup: WholeLookup = async (ports, id) => {
  const groupId = readGroupId(id);
  const parts = groupId ? await ports.payouts.findGroup(groupId) : [];
  return parts.length === 0 ? undefined : payoutTimeline(ports, parts);
};

/** A postback is shown with the payment or payout that it reports. */
const postback: WholeLookup = async (ports, id) => {
  if (!isEventId(id)) return undefined;
  const subject = subjectOf({ id });
  const refundId = readRefundId(subject);
  const about = chargebackIn(id)?.paymentId ?? (refundId ? paymentIdOfRefund(refundId) : subject);
  return (await payment(ports, about)) ?? (await payout(ports, about)) ?? postbackTimeline(ports, id);
};

/** A refund is shown with its payment. */
const refund: WholeLookup = async (ports, id) => {
  const refundId = readRefundId(id);
  const known = refundId && (await ports.refunds.find(refundId));
  return known && payment(ports, known.paymentId);
};

const merchant: Lookup = async (ports, id, page) => {
  const merchantId = readMerchantId(id);
  const known = merchantId && (await ports.merchants.find(merchantId));
  return known && merchantTimeline(ports, known, page);
};

const shop: Lookup = async (ports, id, page) => {
  const shopId = readShopId(id);
  const known = shopId && (await ports.shops.find(shopId));
  return known && shopTimeline(ports, known, page);
};

const adjustment: WholeLookup = async (ports, id) => {
  const known = await ports.adjustments.find(id);
  return known && adjustmentTimeline(ports, known);
};

/** A chargeback, and the claim under its id, are shown with their payment. */
const chargeback: WholeLookup = async (ports, id) => {
  const known = await ports.chargebacks.find(id);
  return known && payment(ports, known.paymentId);
};

const proposal: WholeLookup = async (ports, id) => {
  const known = await ports.proposals.find(id);
  return known && proposalTimeline(known);
};

/** The exchange rates belong to no merchant: their changes are shown under RATES. */
const rates: Lookup = async (ports, id, page) => {
  if (id.toUpperCase() !== 'RATES') return undefined;
  const changes = await ports.changes.of('RATES', latestBefore(ports, page));
  const subjects = [{ kind: 'rates', id: 'RATES', facts: {} }] as const;
  return pageOf({ subjects, ...changes, items: changes.items.map(changeStep) }, page);
};

const lookups: readonly Lookup[] = [
  rates,
  bill,
  paged(payment),
  paged(payout),
  paged(payoutGroup),
  paged(postback),
  paged(refund),
  merchant,
  shop,
  paged(adjustment),
  paged(chargeback),
  paged(proposal),
];
