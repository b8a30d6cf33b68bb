import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Merchant, MerchantFlags } from '../merchant/merchant.ts';
import type { Merchants } from '../merchant/ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { assign } from './assign.ts';
import { changeItem, changeSteps } from './changes.ts';
import { getItem } from './get-item.ts';
import { merchantItem, merchantKey, toCaller, tokenItem, tokenKey, toMerchant } from './merchant-item.ts';
import type { Table } from './table.ts';
import { type Step, transact } from './transact.ts';
import { replaceWebhookSecrets } from './webhook-secrets.ts';

/** Merchants and their tokens. */
export const dynamoMerchants = (table: Table): Merchants => ({
  find: (id) => getItem(table, merchantKey(id), toMerchant),
  list: () => list(table),
  findByTokenHash: (tokenHash) => getItem(table, tokenKey(tokenHash), toCaller),
  create: (merchant) => create(table, merchant),
  replaceToken: (merchant, next) => replaceToken(table, merchant, next),
  replaceWebhookSecrets: (id, replacement) => replaceWebhookSecrets(table, merchantKey(id), id, replacement),
  setFlags: (id, flags) => setFlags(table, id, flags),
  setSettings: (id, settings) => setSettings(table, id, settings),
});

/** Reads the whole table: for the operator's list only. */
async function list({ client, name: TableName }: Table): Promise<readonly Merchant[]> {
  const merchants: Merchant[] = [];
  let ExclusiveStartKey: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page = await client.send(
      new ScanCommand({
        TableName,
        ExclusiveStartKey,
        FilterExpression: 'SK = :m',
        ExpressionAttributeValues: { ':m': 'M' },
      }),
    );
    merchants.push(...(page.Items ?? []).map(toMerchant));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return merchants;
}

const putNew = (TableName: string, Item: Readonly<Record<string, unknown>>): Step => ({
  write: { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(PK)' } },
});

async function create(table: Table, merchant: Merchant): Promise<void> {
  const token = tokenItem(merchant.tokenHash, merchant);
  const record = await changeSteps(table, merchant.id, {}, merchant);
  await transact(table, [putNew(table.name, merchantItem(merchant)), putNew(table.name, token), ...record]);
}

/** The old token is dead at commit: the authorizer reads strongly. */
async function replaceToken(
  table: Table,
  merchant: Merchant,
  next: Pick<Merchant, 'tokenHash' | 'sealedToken' | 'tokenVersion'>,
): Promise<Result<void, 'token_replaced_meanwhile'>> {
  const { name: TableName } = table;
  return transact<'token_replaced_meanwhile'>(table, [
    updateAsRead(TableName, merchant, next),
    { write: { Delete: { TableName, Key: tokenKey(merchant.tokenHash) } } },
    putNew(TableName, tokenItem(next.tokenHash, merchant)),
    ...(await changeSteps(table, merchant.id, merchant, { ...merchant, ...next })),
  ]);
}

/** Changes the merchant while its token is the one that was read. */
function updateAsRead(
  TableName: string,
  { id, tokenHash, enabled, banned, verified, regularPayouts, subscription }: Merchant,
  changes: Partial<Merchant>,
): Step<'token_replaced_meanwhile'> {
  const change = assign(changes);
  const seen = { tokenHash, enabled, banned, verified, regularPayouts, subscription };
  const { ExpressionAttributeNames: names } = assign(seen);
  const values = Object.fromEntries(Object.entries(seen).map(([name, value]) => [`:seen_${name}`, value]));
  return {
    write: {
      Update: {
        TableName,
        Key: merchantKey(id),
        ...change,
        ConditionExpression: Object.keys(seen)
          .map((name) => `#${name} = :seen_${name}`)
          .join(' AND '),
        ExpressionAttributeNames: { ...change.ExpressionAttributeNames, ...names },
        ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ...values },
      },
    },
    onConditionFailed: 'token_replaced_meanwhile',
  };
}

/** Each lost round means that somebody else changed this merchant just then. */
const rounds = 5;

/** The merchant and the copy on its token change together. */
async function setFlags(
  table: Table,
  id: string,
  flags: Partial<MerchantFlags>,
): Promise<Result<Merchant, 'merchant_not_found'>> {
  for (let round = 0; round < rounds; round += 1) {
    const merchant = await getItem(table, merchantKey(id), toMerchant);
    if (!merchant) return fail('merchant_not_found');
    const after = { ...merchant, ...flags };
    const written = await transact(table, [
      updateAsRead(table.name, merchant, flags),
      { write: { Put: { TableName: table.name, Item: tokenItem(merchant.tokenHash, after) } } },
      ...(await changeSteps(table, id, merchant, after)),
    ]);
    if (written.ok) return ok(after);
  }
  throw new Error('The merchant was changed by others in every round');
}

async function setSettings(
  table: Table,
  id: string,
  settings: Parameters<Merchants['setSettings']>[1],
): Promise<Result<Merchant, 'merchant_not_found'>> {
  const changed = await changeItem(table, {
    key: merchantKey(id),
    about: id,
    changes: settings,
    mustExist: true,
  });
  return changed ? ok(toMerchant(changed)) : fail('merchant_not_found');
}
