import type { AuditRecord } from '../../lib/operator/audit/records.ts';
import { foundIn } from '../../lib/operator/audit/rule.ts';
import { judge } from '../../lib/operator/audit/rules.ts';
import type { Shop } from '../../lib/merchant/shop.ts';
import { aCaller, aMerchant, aShop, merchantId, shopId, today } from './builders.ts';

/** Judges each record by the audit's rules, as far as the others account for it: `<invariant> <sentence>`, each once. */
export function judged(records: readonly AuditRecord[], now: Date = today): readonly string[] {
  const found = foundIn(records);
  const differences = records.flatMap((record) => judge(record, found, now));
  return [...new Set(differences.map(({ invariant, text }) => `${invariant} ${text}`))];
}

/** A shop with the records that it needs. */
export const shopRecords = (traits: Partial<Shop> = {}): readonly AuditRecord[] => [
  { kind: 'merchant', merchant: aMerchant() },
  { kind: 'token', tokenHash: aMerchant().tokenHash, caller: aCaller() },
  { kind: 'shop_reference', merchantId, shopId },
  { kind: 'shop', shop: aShop(traits) },
];
