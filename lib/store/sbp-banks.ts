import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { SbpBank, SbpBanks, StoredSbpBanks } from '../payout/sbp-banks.ts';
import { getItem } from './get-item.ts';
import { moment } from './moment.ts';
import type { Table } from './table.ts';

const key = { PK: 'DICT#SBP', SK: 'BANKS' } as const;

const bank = z.object({
  memberId: z.int(),
  name: z.string(),
  nameEn: z.string(),
  bic: z.string(),
} satisfies Record<keyof SbpBank, z.ZodMiniType>);

const item = z.object({
  rail: z.string(),
  banks: z.array(bank),
  refreshedAt: moment,
} satisfies Record<keyof StoredSbpBanks, z.ZodMiniType>);

/** The dictionary of SBP banks: one item, replaced as a whole. */
export const dynamoSbpBanks = (table: Table): SbpBanks => ({
  find: () => getItem(table, key, (raw) => item.parse(raw)),
  async put({ refreshedAt, ...dictionary }) {
    const Item = { ...key, ...dictionary, refreshedAt: refreshedAt.toISOString() };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  },
});
