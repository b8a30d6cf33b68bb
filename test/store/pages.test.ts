import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toMerchantId, toShopId } from '../../lib/ids.ts';
import { dynamoAdjustments } from '../../lib/store/adjustments.ts';
import { dynamoAuditRecords } from '../../lib/store/audit-records.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import type { Table } from '../../lib/store/table.ts';
import { anAdjustment } from '../support/adjustments.ts';
import { aMerchant, aShop, merchantId } from '../support/builders.ts';
import { freshTable } from '../support/dynamo.ts';

const most = 2;
/** More than any list here needs: stops a reader that repeats a page endlessly. */
const mostRequests = 40;

/** A table with two items per page, as if each were half a megabyte. */
async function tableOfSmallPages(): Promise<Table> {
  const table = await freshTable();
  const send = table.client.send.bind(table.client);
  let requests = 0;
  const client = Object.assign(Object.create(table.client), {
    async send(command: QueryCommand) {
      if ([QueryCommand, ScanCommand].some((kind) => command instanceof kind)) {
        if ((requests += 1) > mostRequests) throw new Error('The list is read for ever');
        Object.assign(command.input, { Limit: most });
      }
      return send(command);
    },
  });
  return { ...table, client };
}

const five = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(16));

describe('a list longer than one page is read to its end, each item once', () => {
  it('a work list', async () => {
    const adjustments = dynamoAdjustments(await tableOfSmallPages());
    for (const id of five) await adjustments.create(anAdjustment({ id }));
    expect((await adjustments.listProposed()).map(({ id }) => id)).toEqual(five);
  });

  it('the items of one partition', async () => {
    const shops = dynamoShops(await tableOfSmallPages());
    for (const id of five) await shops.create(aShop({ id: toShopId(id) }));
    expect((await shops.listOf(merchantId)).map(({ id }) => id).toSorted()).toEqual(five);
  });

  it('the merchants of the operator', async () => {
    const merchants = dynamoMerchants(await tableOfSmallPages());
    for (const id of five) await merchants.create(aMerchant({ id: toMerchantId(id), tokenHash: id }));
    expect((await merchants.list()).map(({ id }) => id).toSorted()).toEqual(five);
  });

  it('the whole table, for the audit', async () => {
    const table = await tableOfSmallPages();
    for (const id of five) await dynamoShops(table).create(aShop({ id: toShopId(id) }));
    const found: string[] = [];
    const everything = { merchantId: undefined, since: undefined };
    for await (const { items } of dynamoAuditRecords(table).pages(everything, undefined))
      for (const record of items.flatMap(({ records }) => records))
        if (record.kind === 'shop') found.push(record.shop.id);
    expect(found.toSorted()).toEqual(five);
  });
});
