import type { Bill } from '../../bill/bill.ts';
import type { MerchantId } from '../../ids.ts';
import type { Payout } from '../../payout/payout.ts';
import { inParallel } from '../../reconciliation/in-parallel.ts';
import { everyOf } from '../lists/find.ts';
import { ownersOf } from '../lists/list.ts';
import { billTimeline } from './bill-timeline.ts';
import type { Earlier, TracedPage, TracePage } from './page.ts';
import { payoutTimeline } from './payout-timeline.ts';
import { mergeTimelines, type Subject, type TracePorts } from './timeline.ts';

/** As many bills of one order as a person reads at once. */
const mostBills = 10;

type OrderQuery = {
  readonly orderId: string;
  /** Undefined: of any merchant; each of them is asked. */
  readonly merchantId: MerchantId | undefined;
};

/** Returns the timeline of an order: a page of its bills, the latest first, and its payouts. Undefined: nothing has this order id. */
export async function orderTimeline(
  ports: TracePorts,
  { orderId, merchantId: asked }: OrderQuery,
  page: TracePage,
): Promise<TracedPage | undefined> {
  const [bills, payouts]: [Bill[], Payout[]] = [[], []];
  let isCut = false;
  await inParallel(await ownersOf(ports, asked), 16, async ({ merchantId }) => {
    const order = { merchantId, orderId };
    const [some, paidOut] = await Promise.all([
      ports.keyedListings.billsOfOrder(order).then(everyOf),
      ports.keyedListings.payoutsOfOrder(order).then(everyOf),
    ]);
    bills.push(...some.items);
    payouts.push(...paidOut.items);
    isCut ||= some.isCut || paidOut.isCut;
  });
  const { shown, earlier } = latest(bills, page, isCut);
  const until = page.before instanceof Date ? page.before.getTime() : Infinity;
  const itsPayouts = payouts.filter(({ createdAt }) => createdAt.getTime() < until);
  const whole = { limit: page.limit, before: undefined };
  const ofBills = await Promise.all(shown.map((bill) => billTimeline(ports, bill, whole)));
  const ofPayouts = itsPayouts.length === 0 ? [] : [await payoutTimeline(ports, itsPayouts)];
  if (ofBills.length + ofPayouts.length === 0) return undefined;
  return { ...mergeTimelines([...ofBills.map(withNote), ...ofPayouts]), earlier };
}

/** Those of one time stay together, so that the next page can begin before it. */
function latest(
  bills: readonly Bill[],
  { before }: TracePage,
  isCut: boolean,
): { readonly shown: readonly Bill[]; readonly earlier: Earlier | undefined } {
  const until = before instanceof Date ? before.getTime() : Infinity;
  const known = bills
    .filter(({ createdAt }) => createdAt.getTime() < until)
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const last = known[Math.min(mostBills, known.length) - 1];
  if (last === undefined) return { shown: [], earlier: undefined };
  const shown = known.filter(({ createdAt }) => createdAt.getTime() >= last.createdAt.getTime());
  const count = known.length - shown.length;
  if (count === 0 && !isCut) return { shown, earlier: undefined };
  return { shown, earlier: { of: 'bills', count: isCut ? undefined : count, before: last.createdAt } };
}

/** A bill whose payments do not fit says so itself: the order's next page is about its other bills. */
function withNote({ subjects: [bill, ...others], steps, earlier }: TracedPage) {
  if (!bill || !earlier) return { subjects: [...(bill ? [bill] : []), ...others], steps };
  const facts = { ...bill.facts, payments: 'not all are shown: trace this bill' };
  const noted: Subject = { ...bill, facts };
  return { subjects: [noted, ...others], steps };
}
