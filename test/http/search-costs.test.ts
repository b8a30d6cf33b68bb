import { readFileSync } from 'node:fs';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { beforeAll, expect, it } from 'vitest';
import { create as billPayments } from '../../functions/bill-payments.ts';
import { create as billSearch } from '../../functions/bill-search.ts';
import { create as paymentSearch } from '../../functions/payment-search.ts';
import { create as payoutSearch } from '../../functions/payout-search.ts';
import { create as refundSearch } from '../../functions/refund-search.ts';
import { newPayoutId, toBillId, toPaymentId, toRefundId } from '../../lib/ids.ts';
import type { ApiHandler } from '../../lib/http/endpoint.ts';
import { billItem, billOfOrderItem } from '../../lib/store/bill-item.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { dynamoPayments } from '../../lib/store/payments.ts';
import { paymentItem } from '../../lib/store/payment-item.ts';
import { payoutItem } from '../../lib/store/payout-item.ts';
import { refundItem } from '../../lib/store/refund-item.ts';
import type { Table } from '../../lib/store/table.ts';
import { groupOfOrder } from '../../lib/payout/payout-group.ts';
import { get } from '../support/api-event.ts';
import { type ApiDeps, apiDeps, listsOn } from '../support/api-deps.ts';
import { aBill, aPayment, merchantId, today } from '../support/builders.ts';
import { section, table as markdown } from '../support/markdown.ts';
import { aPayout } from '../support/payouts.ts';
import { aRefund } from '../support/refunds.ts';

/** More than the rows that one call reads. */
const billCount = 1_100;
const orderId = 'order-1';
/** The nth newest of a merchant, a second apart, in one month. */
const nth = (n: number) => {
  const id = toBillId(`bill${String(n).padStart(12, '0')}`);
  return { id, paymentId: toPaymentId(`${id}00Payment1`), createdAt: new Date(today.getTime() - n * 1000) };
};

let deps: ApiDeps;
beforeAll(async () => {
  deps = await apiDeps();
  const items: Readonly<Record<string, unknown>>[] = [];
  for (let n = 0; n < billCount; n += 1) {
    const { id, paymentId, createdAt } = nth(n);
    const shown = n % 10 === 0 ? ({ type: 'MULTI' } as const) : {};
    items.push(billItem(aBill({ id, createdAt, ...shown })));
    if (n >= 60) continue;
    const ofBill = { paymentId, billId: id, createdAt };
    items.push(paymentItem(aPayment({ ...ofBill, id: paymentId }), today));
    items.push(refundItem(aRefund({ ...ofBill, id: toRefundId(`${paymentId}Refund`) })));
    const groupId = groupOfOrder(merchantId, `order-${n}`);
    items.push(payoutItem(aPayout({ id: newPayoutId(groupId, 1), groupId, createdAt })));
  }
  const { id, createdAt } = nth(0);
  items.push(billOfOrderItem({ id, createdAt, merchantId, orderId }));
  for (let n = 0; n < items.length; n += 25) {
    const requests = items.slice(n, n + 25).map((Item) => ({ PutRequest: { Item } }));
    await deps.table.client.send(new BatchWriteCommand({ RequestItems: { [deps.table.name]: requests } }));
  }
});

const searches: readonly (readonly [path: string, of: (deps: ApiDeps) => ApiHandler])[] = [
  ['bill/search', billSearch],
  ['payment/search', paymentSearch],
  ['payout/search', payoutSearch],
  ['refund/search', refundSearch],
  ['bill/payments', billPayments],
];
const { id: billId, paymentId } = nth(0);

/** What is asked, and what the table says instead of the ids. */
const asked: readonly (readonly [call: string, what: string])[] = [
  ['bill/search', 'a page of 20'],
  ['payment/search', 'a page of 20'],
  ['payout/search', 'a page of 20'],
  ['refund/search', 'a page of 20'],
  ['bill/search?per_page=100', 'a page of 100'],
  ['bill/search?status=NEW', 'a filter that every bill matches'],
  ['bill/search?type=MULTI', 'a filter that one in ten matches'],
  ['bill/search?status=SUCCESS', 'a filter that none of a thousand matches'],
  [`bill/search?order_id=${orderId}`, 'the bill of an order'],
  [`payment/search?order_id=${orderId}`, 'the payment of an order'],
  [`payment/search?bill_id=${billId}`, 'the payment of a bill'],
  [`payout/search?order_id=${orderId}`, 'the payout of an order'],
  [`refund/search?payment_id=${paymentId}`, 'the refund of a payment'],
  [`bill/payments?id=${billId}&per_page=20`, 'one payment'],
];

const capacity = z.object({ CapacityUnits: z.number() });
const consumed = z.object({ ConsumedCapacity: z.union([capacity, z.array(capacity)]) });

/** Calls the endpoint and counts what it asks of the table: how often, and how many read units that takes. */
async function costOf(call: string) {
  const [path, query] = call.split('?');
  const spent: number[] = [];
  const client = Object.assign(Object.create(deps.table.client), {
    async send(command: { readonly input: object }) {
      Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
      const answer: unknown = await Reflect.apply(deps.table.client.send, deps.table.client, [command]);
      const units = [consumed.parse(answer).ConsumedCapacity].flat().map((each) => each.CapacityUnits);
      spent.push(units.reduce((sum, each) => sum + each, 0));
      return answer;
    },
  });
  const counted: Table = { ...deps.table, client };
  const bills = dynamoBills(counted, deps.now);
  const ports = { ...deps, ...listsOn(counted), bills, payments: dynamoPayments(counted) };
  const [, create] = searches.find(([name]) => name === path) ?? [];
  if (!create) throw new Error(`No endpoint ${call}`);
  const sent = { query: Object.fromEntries(new URLSearchParams(query)) };
  expect(await get(create(ports), sent)).toMatchObject({ status: 200 });
  return { calls: spent.length, units: spent.reduce((sum, each) => sum + each, 0) };
}

it('searches cost what the table says', async () => {
  const document = readFileSync('docs/costs-and-limits.md', 'utf8');
  const rows: string[][] = [];
  for (const [call, what] of asked) {
    const { calls, units } = await costOf(call);
    rows.push([`\`${call.replace(/=(?:bill|order).*?(?=&|$)/, '=')}\``, what, String(calls), String(units)]);
  }
  expect(section(document, 'search-costs')).toBe(markdown(['Call', 'Finds', 'Calls', 'R'], rows));
});
