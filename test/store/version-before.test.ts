import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { toBillId } from '../../lib/ids.ts';
import { migrateLists } from '../../lib/search/migrate-lists.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { dynamoListMigrations } from '../../lib/store/list-migrations.ts';
import { payoutKey } from '../../lib/store/payout-item.ts';
import { listsOn } from '../support/api-deps.ts';
import { aBill, merchantId } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { created, payoutHarness } from '../support/payout-harness.ts';
import * as before from '../support/version-before.mjs';

const order = { merchantId, orderId: 'order-1', shopId: undefined };
const [first, second] = ['first', 'second'].map((name) => toBillId(name.padEnd(16, '0')));

it('migrate lists what the version before wrote', async () => {
  const { table, now, wait } = { wait: async () => undefined, ...(await payoutHarness()) };
  const bills = before.dynamoBills(table, now);
  for (const id of [first!, second!]) await bills.create(aBill({ id, orderId: 'order-1' }), [], []);
  const how = { again: false, perSecond: 500, mayGoOn: () => true };
  await migrateLists({ listMigrations: dynamoListMigrations(table), now, wait }, how);
  const { keyedListings, listings } = listsOn(table);
  const window = { from: new Date(0), to: new Date('2026-12-01') };
  const query = { window, cut: window.to.toISOString(), direction: 'older', limit: 9 } as const;
  const owner = { merchantId, shards: undefined };
  expect(
    (await listings.bills(owner).rows({ ...query, window: { ...window, from: new Date('2026-01-01') } }))
      .rows,
  ).toHaveLength(2);
  expect((await (await keyedListings.billsOfOrder(order))?.rows(query))?.rows).toHaveLength(2);
});

it('the version before reads what this one wrote, and moves it; only a payout that it moved loses its keys', async () => {
  const harness = await payoutHarness();
  const { table, now } = harness;
  const older = before.dynamoBills(table, now);

  for (const id of [first!, second!])
    await dynamoBills(table, now).create(aBill({ id, orderId: 'order-1' }), [], []);
  expect(await older.find(first!)).toMatchObject({ id: first, active: true });
  expect((await older.findNewestOfOrder(order))?.id).toBe(second);
  expect(await older.setActive({ merchantId, billId: first!, active: false })).toMatchObject({ ok: true });
  const payouts = before.dynamoPayouts(table, () => {
    throw new Error('unused');
  });
  const { id } = await created(harness);
  const payout = (await payouts.find(id))!;
  await table.client.send(new PutCommand({ TableName: table.name, Item: before.payoutItem(payout) }));
  const lost = (await itemsOf(table)).filter(
    ({ PK, SK, list }) => /^(B#\S+ B$|G#\S+ PO#)/.test(`${PK} ${SK}`) && list === undefined,
  );
  expect(lost.map(({ PK, SK }) => ({ PK, SK }))).toEqual([payoutKey(id)]);
});
