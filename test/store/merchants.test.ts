import { describe, expect, it } from 'vitest';
import type { MerchantFlags } from '../../lib/merchant/merchant.ts';
import { dynamoMerchants } from '../../lib/store/merchants.ts';
import { aMerchant } from '../support/builders.ts';
import { freshTable } from '../support/dynamo.ts';
import { afterReading } from '../support/payout-harness.ts';

const before: MerchantFlags = {
  enabled: true,
  banned: false,
  verified: false,
  regularPayouts: false,
  subscription: 'none',
  apiAddresses: undefined,
  shards: undefined,
};
const changes: readonly Partial<MerchantFlags>[] = [
  { enabled: false },
  { banned: true },
  { verified: true },
  { regularPayouts: true },
  { subscription: 'active' },
  { apiAddresses: ['203.0.113.7', '2001:db8::/48'] },
];

describe('a flag of a merchant', () => {
  it.each(changes)('%j survives another that was read before it and is written after it', async (change) => {
    const table = await freshTable();
    const merchant = aMerchant(before);
    const merchants = dynamoMerchants(table);
    await merchants.create(merchant);
    const other = 'banned' in change ? { verified: true } : { banned: true };
    const late = dynamoMerchants(
      afterReading(table, `M#${merchant.id}`, () => merchants.setFlags(merchant.id, change)),
    );
    await late.setFlags(merchant.id, other);

    const set = Object.entries({ ...before, ...change, ...other }).filter(([, value]) => value !== undefined);
    const both = Object.fromEntries(set);
    expect(await merchants.find(merchant.id)).toMatchObject(both);
    expect(await merchants.findByTokenHash(merchant.tokenHash)).toMatchObject(both);
  });
});
