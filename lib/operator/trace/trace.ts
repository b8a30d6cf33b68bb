import {
  readBillId,
  readGroupId,
  readMerchantId,
  readPaymentId,
  readPayoutId,
  readShopId,
} from '../../ids.ts';
import { chargebackIn, isEventId, subjectOf } from '../../postback/event.ts';
import { fail, ok, type Result } from '../../result.ts';
import { adjustmentTimeline } from './adjustment-timeline.ts';
import { billTimeline, paymentWithBillTimeline } from './bill-timeline.ts';
import { changeStep } from './change-steps.ts';
import { merchantTimeline, shopTimeline } from './merchant-timeline.ts';
import { payoutTimeline } from './payout-timeline.ts';
import { proposalTimeline } from './proposal-timeline.ts';
import { postbackTimeline } from './postback-timeline.ts';
import type { Timeline, TracePorts } from './timeline.ts';

type Lookup = (ports: TracePorts, id: string) => Promise<Timeline | undefined>;

/** Returns the timeline of the item with this id or link. An id does not show its kind, so every kind is looked up. */
export async function trace(ports: TracePorts, idOrLink: string): Promise<Result<Timeline, 'nothing_known'>> {
  const id = idIn(idOrLink);
  const timelines = await Promise.all(lookups.map((lookup) => lookup(ports, id)));
  const timeline = timelines.find((each) => each && each.subjects.length > 0);
  return timeline ? ok(timeline) : fail('nothing_known');
}

/** Returns the id: of a link, the last segment of its path. */
const idIn = (text: string): string =>
  URL.canParse(text) ? (new URL(text).pathname.replace(/\/+$/, '').split('/').at(-1) ?? '') : text;

const bill: Lookup = async (ports, id) => {
  const billId = readBillId(id);
  const known = billId && (await ports.bills.find(billId));
  return known && billTimeline(ports, known);
};

const payment: Lookup = async (ports, id) => {
  const paymentId = readPaymentId(id);
  const known = paymentId && (await ports.payments.find(paymentId));
  return known && paymentWithBillTimeline(ports, known);
};

const payout: Lookup = async (ports, id) => {
  const payoutId = readPayoutId(id);
  const known = payoutId && (await ports.payouts.find(payoutId));
  return known && payoutTimeline(ports, [known]);
};

const payoutGroup: Lookup = async (ports, id) => {
  const groupId = readGroupId(id);
  const parts = groupId ? await ports.payouts.findGroup(groupId) : [];
  return parts.length === 0 ? undefined : payoutTimeline(ports, parts);
};

/** A postback is shown with the payment or payout that it reports. */
const postback: Lookup = async (ports, id) => {
  if (!isEventId(id)) return undefined;
  const about = chargebackIn(id)?.paymentId ?? subjectOf({ id });
  return (await payment(ports, about)) ?? (await payout(ports, about)) ?? postbackTimeline(ports, id);
};

const merchant: Lookup = async (ports, id) => {
  const merchantId = readMerchantId(id);
  const known = merchantId && (await ports.merchants.find(merchantId));
  return known && merchantTimeline(ports, known);
};

const shop: Lookup = async (ports, id) => {
  const shopId = readShopId(id);
  const known = shopId && (await ports.shops.find(shopId));
  return known && shopTimeline(ports, known);
};

const adjustment: Lookup = async (ports, id) => {
  const known = await ports.adjustments.find(id);
  return known && adjustmentTimeline(ports, known);
};

/** A chargeback, and the claim under its id, are shown with their payment. */
const chargeback: Lookup = async (ports, id) => {
  const known = await ports.chargebacks.find(id);
  return known && payment(ports, known.paymentId);
};

const proposal: Lookup = async (ports, id) => {
  const known = await ports.proposals.find(id);
  return known && proposalTimeline(known);
};

/** The exchange rates belong to no merchant: their changes are shown under RATES. */
const rates: Lookup = async (ports, id) => {
  if (id.toUpperCase() !== 'RATES') return undefined;
  const steps = (await ports.changes.of('RATES')).map(changeStep);
  return { subjects: [{ kind: 'rates', id: 'RATES', facts: {} }], steps };
};

const lookups: readonly Lookup[] = [
  rates,
  bill,
  payment,
  payout,
  payoutGroup,
  postback,
  merchant,
  shop,
  adjustment,
  chargeback,
  proposal,
];
