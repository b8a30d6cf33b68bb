import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { TermsOf } from '../merchant/ports.ts';
import type { Terms } from '../merchant/terms.ts';
import type { BillCurrency } from '../money/money.ts';
import { assignChanges } from './assign.ts';
import { getItem } from './get-item.ts';
import type { Table } from './table.ts';
import { termsKey, toTerms } from './terms-item.ts';

export type DefaultTerms = (currency: BillCurrency) => Terms;

export const dynamoTerms = (table: Table, defaults: DefaultTerms): TermsOf => ({
  async find(merchantId, currency) {
    const own = await getItem(table, termsKey(merchantId, currency), (raw) =>
      toTerms(raw, defaults(currency)),
    );
    return own ?? defaults(currency);
  },
  async set(merchantId, currency, overrides) {
    const { client, name: TableName } = table;
    const Key = termsKey(merchantId, currency);
    const update = new UpdateCommand({
      TableName,
      Key,
      ...assignChanges(overrides),
      ReturnValues: 'ALL_NEW',
    });
    const { Attributes } = await client.send(update);
    return toTerms(Attributes, defaults(currency));
  },
});
