import type { TermsOf } from '../merchant/ports.ts';
import type { Terms } from '../merchant/terms.ts';
import type { BillCurrency } from '../money/money.ts';
import { changeItem } from './changes.ts';
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
    const changed = await changeItem(table, {
      key: termsKey(merchantId, currency),
      about: merchantId,
      changes: overrides,
      mustExist: false,
    });
    return toTerms(changed, defaults(currency));
  },
});
