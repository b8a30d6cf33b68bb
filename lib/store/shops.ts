import * as z from 'zod/mini';
import type { MerchantId, ShopId } from '../ids.ts';
import type { Shops } from '../merchant/ports.ts';
import type { Shop } from '../merchant/shop.ts';
import { fail, ok, type Result } from '../result.ts';
import { batchGet } from './batch-get.ts';
import { changeItem, changeSteps } from './changes.ts';
import { getItem } from './get-item.ts';
import { merchantKey } from './merchant-item.ts';
import { queryAll } from './query-all.ts';
import { shopItem, shopKey, shopReferenceKey, shopReferencePrefix, toShop } from './shop-item.ts';
import type { Table } from './table.ts';
import { storedId } from './stored-id.ts';
import { transact } from './transact.ts';
import { replaceWebhookSecrets } from './webhook-secrets.ts';

export const dynamoShops = (table: Table): Shops => ({
  find: (id) => getItem(table, shopKey(id), toShop),
  listOf: (merchantId) => listOf(table, merchantId),
  create: (shop) => create(table, shop),
  set: (id, changes) => set(table, id, changes),
  replaceWebhookSecrets: (id, replacement) => replaceWebhookSecrets(table, shopKey(id), id, replacement),
});

const reference = z.object({ SK: z.string() });
const shopIdOf = ({ SK }: z.infer<typeof reference>): ShopId =>
  storedId<ShopId>().parse(SK.slice(shopReferencePrefix.length));

async function listOf(table: Table, merchantId: MerchantId): Promise<readonly Shop[]> {
  const ids = await listShopIds(table, merchantId);
  return (await batchGet(table, ids.map(shopKey))).map(toShop);
}

export async function listShopIds(table: Table, merchantId: MerchantId): Promise<readonly ShopId[]> {
  const references = await queryAll(table, {
    KeyConditionExpression: 'PK = :merchant AND begins_with(SK, :shop)',
    ExpressionAttributeValues: { ':merchant': merchantKey(merchantId).PK, ':shop': shopReferencePrefix },
    ConsistentRead: true,
  });
  return references.map((item) => shopIdOf(reference.parse(item)));
}

async function create(table: Table, shop: Shop): Promise<void> {
  const { name: TableName } = table;
  await transact(table, [
    { write: { Put: { TableName, Item: shopItem(shop), ConditionExpression: 'attribute_not_exists(PK)' } } },
    { write: { Put: { TableName, Item: shopReferenceKey(shop.merchantId, shop.id) } } },
    ...(await changeSteps(table, shop.id, {}, shop)),
  ]);
}

async function set(
  table: Table,
  id: ShopId,
  changes: Parameters<Shops['set']>[1],
): Promise<Result<Shop, 'shop_not_found'>> {
  const changed = await changeItem(table, { key: shopKey(id), about: id, changes, mustExist: true });
  return changed ? ok(toShop(changed)) : fail('shop_not_found');
}
