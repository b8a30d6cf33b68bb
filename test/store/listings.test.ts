import { BatchWriteCommand, PutCommand, type QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillPage, type Place } from '../../lib/search/fill-page.ts';
import type { Owner } from '../../lib/search/ports.ts';
import type { Window } from '../../lib/search/listing.ts';
import { toBillId, toMerchantId, toPaymentId } from '../../lib/ids.ts';
import { billItem, billOfOrderItem } from '../../lib/store/bill-item.ts';
import { dynamoKeyedListings } from '../../lib/store/keyed-listings.ts';
import { listed } from '../../lib/store/list-index.ts';
import { dynamoListings } from '../../lib/store/listings.ts';
import { paymentKey } from '../../lib/store/payment-item.ts';
import { merchantItem } from '../../lib/store/merchant-item.ts';
import type { Table } from '../../lib/store/table.ts';
import { aBill, aMerchant, merchantId } from '../support/builders.ts';
import { freshTable } from '../support/dynamo.ts';

const spice = toMerchantId('SpiceSpiceSpice1');
const bill = (name: string, at: string, of = merchantId) =>
  aBill({ id: toBillId(name.padEnd(16, '0')), createdAt: new Date(at), merchantId: of });

let table: Table;
beforeAll(async () => {
  table = await freshTable({ lockMs: 0 });
  const put = (Item: Readonly<Record<string, unknown>>) =>
    table.client.send(new PutCommand({ TableName: table.name, Item }));
  for (const [name, at, shard] of [
    ['july', '2026-07-31T23:59:59.999Z', '00'],
    ['august', '2026-08-01T00:00:00.000Z', '02'],
    ['november1', '2026-11-02T10:00:00.000Z', '01'],
    ['november2', '2026-11-02T10:00:00.000Z', '00'],
    ['november3', '2026-11-30T10:00:00.000Z', '02'],
  ] as const) {
    const one = bill(name, at);
    await put({ ...billItem(one), ...listed('bill', one, shard) });
  }
  await put(billItem(bill('spice', '2026-11-03T10:00:00.000Z', spice)));
  const filedWrongly = bill('stranger', '2025-05-04T10:00:00.000Z', spice);
  await put({ ...billItem(filedWrongly), ...listed('bill', { ...filedWrongly, merchantId }) });
  for (const [id, at] of [
    [merchantId, '2026-11-01T00:00:00.000Z'],
    [spice, '2024-01-01T00:00:00.000Z'],
  ] as const)
    await put(merchantItem(aMerchant({ id, createdAt: new Date(at) })));
});

const since = (from: string, to = '2026-12-01T00:00:00.000Z'): Window => ({
  from: new Date(from),
  to: new Date(to),
});

async function names(owner: Partial<Owner>, window: Window, perPage = 50, place?: Place) {
  const listing = dynamoListings(table).bills({ merchantId, shards: 3, ...owner });
  const page = await fillPage(listing, { window, perPage, place, matches: undefined });
  return { ...page, names: page.items.map(({ id }) => id.replace(/0+$/, '')) };
}

describe('the list of a merchant', () => {
  it('has the bills of all months and shards, newest first, those of one time by id', async () => {
    const { names: found } = await names({}, since('2026-01-01T00:00:00Z'));
    expect(found).toEqual(['november3', 'november2', 'november1', 'august', 'july']);
  });

  it('asks for all shards that the merchant has', async () => {
    const { names: found } = await names({ shards: 1 }, since('2026-01-01T00:00:00Z'));
    expect(found).toEqual(['november2', 'july']);
  });

  it('leaves out an item of another merchant, whatever its index key says', async () => {
    expect((await names({}, since('2025-05-01T00:00:00Z', '2025-06-01T00:00:00Z'))).names).toEqual([]);
  });

  it('begins and ends with the window, to the millisecond', async () => {
    const of = async (from: string, to: string) => (await names({}, since(from, to))).names;
    expect(await of('2026-07-31T23:59:59.999Z', '2026-11-02T10:00:00.000Z')).toEqual(['august', 'july']);
    expect(await of('2026-08-01T00:00:00.000Z', '2026-11-02T10:00:00.001Z')).toEqual([
      'november2',
      'november1',
      'august',
    ]);
  });

  it('pages on and back across months and shards', async () => {
    const window = since('2026-01-01T00:00:00Z');
    const first = await names({}, window, 2);
    const second = await names({}, window, 2, first.next);
    const third = await names({}, window, 2, second.next);
    expect([first.names, second.names, third.names]).toEqual([
      ['november3', 'november2'],
      ['november1', 'august'],
      ['july'],
    ]);
    expect(third.next).toBeUndefined();
    const back = await names({}, window, 2, third.previous);
    expect(back.names).toEqual(['november1', 'august']);
    expect((await names({}, window, 2, back.previous)).names).toEqual(['november3', 'november2']);
  });

  it('goes on through empty years, some months a call', async () => {
    const window = since('2016-01-01T00:00:00Z', '2025-05-01T00:00:00Z');
    let page = await names({}, window);
    let calls = 1;
    for (; page.next; calls += 1) page = await names({}, window, 50, page.next);
    expect([page.names, calls]).toEqual([[], 5]);
    const forward = { cut: '2016-01-01T00:00:00.000Z', direction: 'newer' } as const;
    let back = await names({}, since('2016-01-01T00:00:00Z'), 50, forward);
    while (back.previous && back.names.length === 0)
      back = await names({}, since('2016-01-01T00:00:00Z'), 50, back.previous);
    expect(back.names).toEqual(['november3', 'november2', 'november1', 'august', 'july']);
  });
});

describe('the list of merchants', () => {
  it('has all merchants, newest first', async () => {
    const window = since('2020-01-01T00:00:00Z');
    const page = await fillPage(dynamoListings(table).merchants(), {
      window,
      perPage: 10,
      place: undefined,
      matches: undefined,
    });
    expect(page.items.map(({ id }) => id)).toEqual([merchantId, spice]);
  });
});

describe('the payments of an order', () => {
  const merchant = toMerchantId('Orders0000000001');
  const ids = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      toBillId(`ofAnOrder${String(at).padStart(3, '0')}`.padEnd(16, '0')),
    );

  async function anOrder(orderId: string, bills: number, paymentsOfTheFirst = 0) {
    const order = { merchantId: merchant, orderId };
    const [first, ...others] = ids(bills);
    const items = [first!, ...others].map((id, at) =>
      billOfOrderItem({ ...order, id, createdAt: new Date(Date.UTC(2026, 10, 1, 0, at)) }),
    );
    const payments = Array.from({ length: paymentsOfTheFirst }, (_, at) =>
      paymentKey(toPaymentId(`${first}${String(at).padStart(10, '0')}`)),
    );
    const puts = [...items, ...payments].map((Item) => ({ PutRequest: { Item } }));
    for (let at = 0; at < puts.length; at += 25)
      await table.client.send(
        new BatchWriteCommand({ RequestItems: { [table.name]: puts.slice(at, at + 25) } }),
      );
    const asked: unknown[] = [];
    const send = async (command: QueryCommand) => {
      asked.push(command.input.ExpressionAttributeValues?.[':partition']);
      return table.client.send(command);
    };
    const counting = { ...table, client: Object.assign(Object.create(table.client), { send }) };
    const keyed = dynamoKeyedListings(counting, dynamoListings(counting));
    return { found: await keyed.paymentsOfOrder(order), bills: new Set(asked).size - 1 };
  }

  it('are read of each of its bills', async () => {
    const { found, bills } = await anOrder('few', 12);
    expect(found).toBeDefined();
    expect(bills).toBe(12);
  });

  it('are not read to the last of them where there are more than a search reads', async () => {
    expect(await anOrder('many', 12, 1_001)).toEqual({ found: undefined, bills: 5 });
  });

  it('are not read of more than 50 bills', async () => {
    expect(await anOrder('too many', 51)).toEqual({ found: undefined, bills: 0 });
  });
});
