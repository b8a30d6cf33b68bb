import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { MerchantId } from '../ids.ts';
import { flagsOf, type Merchant, type MerchantFlags } from '../merchant/merchant.ts';
import type { Merchants } from '../merchant/ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { changeItem, changeSteps } from './changes.ts';
import { getItem } from './get-item.ts';
import { merchantItem, merchantKey, toCaller, tokenItem, tokenKey, toMerchant } from './merchant-item.ts';
import type { Table } from './table.ts';
import { type TransactionStep, transact } from './transact.ts';
import { replaceWebhookSecrets } from './webhook-secrets.ts';
import { updateAsRead } from './update-as-read.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';

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

/** Scans the whole table: only for the operator's list. */
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

const putNew = (TableName: string, Item: Readonly<Record<string, unknown>>): TransactionStep => ({
  write: { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(PK)' } },
});

async function create(table: Table, merchant: Merchant): Promise<void> {
  const token = tokenItem(merchant.tokenHash, merchant);
  const record = await changeSteps(table, merchant.id, {}, merchant);
  await transact(table, [putNew(table.name, merchantItem(merchant)), putNew(table.name, token), ...record]);
}

/** The old token is invalid from the commit on, because the authorizer's reads are strongly consistent. */
async function replaceToken(
  table: Table,
  merchant: Merchant,
  next: Pick<Merchant, 'tokenHash' | 'sealedToken' | 'tokenVersion'>,
): Promise<Result<void, 'token_replaced_meanwhile'>> {
  const { name: TableName } = table;
  return transact<'token_replaced_meanwhile'>(table, [
    updateIfUnchanged(table, merchant, next),
    { write: { Delete: { TableName, Key: tokenKey(merchant.tokenHash) } } },
    putNew(TableName, tokenItem(next.tokenHash, merchant)),
    ...(await changeSteps(table, merchant.id, merchant, { ...merchant, ...next })),
  ]);
}

/** Changes the merchant, on condition that its token and flags are unchanged since they were read. */
const updateIfUnchanged = (table: Table, merchant: Merchant, changes: Partial<Merchant>) =>
  updateAsRead(
    table,
    merchantKey(merchant.id),
    { tokenHash: merchant.tokenHash, ...flagsOf(merchant) },
    changes,
    'token_replaced_meanwhile' as const,
  );

/** Changes the flags of the merchant and their copy on its token in one transaction. */
async function setFlags(
  table: Table,
  id: MerchantId,
  flags: Partial<MerchantFlags>,
): Promise<Result<Merchant, 'merchant_not_found'>> {
  const attempt = async (): Promise<Result<Merchant, 'merchant_not_found'> | typeof conflict> => {
    const merchant = await getItem(table, merchantKey(id), toMerchant);
    if (!merchant) return fail('merchant_not_found');
    const after = { ...merchant, ...flags };
    const written = await transact(table, [
      updateIfUnchanged(table, merchant, flags),
      { write: { Put: { TableName: table.name, Item: tokenItem(merchant.tokenHash, after) } } },
      ...(await changeSteps(table, id, merchant, after)),
    ]);
    return written.ok ? ok(after) : conflict;
  };
  return retryOnConflict(attempt, { exhausted: tooManyConflicts('The merchant') });
}

async function setSettings(
  table: Table,
  id: MerchantId,
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
