import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import {
  type Authorization,
  type Entry,
  entryKinds,
  merchantAccounts,
  type MerchantAccount,
  platformAccounts,
} from '../ledger/entry.ts';
import { billCurrencies } from '../money/money.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

/** Journal entry: immutable. Its unique key prevents a second posting; the timeline index lists a merchant's month. */
export const entryPartition = (about: string) => `J#${about}` as const;
export const entryKey = ({ about, kind, adjustment }: Pick<Entry, 'about' | 'kind' | 'adjustment'>) =>
  ({ PK: entryPartition(about), SK: adjustment ? `${kind}#${adjustment.id}` : kind }) as const;
export const timelineOf = (merchantId: MerchantId, currency: string, month: string) =>
  `L#${merchantId}#${currency}#${month}` as const;

const isMerchants = (account: string): account is MerchantAccount =>
  merchantAccounts.some((each) => each === account);

function timeline({ merchantId, lines, at }: Entry): string {
  const line = lines.find(({ account }) => isMerchants(account)) ?? lines[0];
  return timelineOf(merchantId, line?.currency ?? '', at.toISOString().slice(0, 7).replace('-', ''));
}

const item = z.object({
  about: z.string(),
  kind: z.enum(entryKinds),
  merchantId: storedId<MerchantId>(),
  lines: z.array(
    z.object({
      account: z.enum([...merchantAccounts, ...platformAccounts]),
      currency: z.enum(billCurrencies),
      minor,
    }),
  ),
  at: moment,
  adjustment: orAbsent(
    z.object({
      id: z.string(),
      reason: z.string(),
      proposedBy: z.string(),
      approvedBy: orAbsent(z.string()),
    } satisfies Record<AttributeOf<Authorization>, z.ZodMiniType>),
  ),
} satisfies Record<AttributeOf<Entry>, z.ZodMiniType>);

type Attributes = Omit<z.input<typeof item>, 'lines'> & Pick<Entry, 'lines'> & { readonly timeline: string };

export const entryItem = (entry: Entry): Attributes & ReturnType<typeof entryKey> => ({
  ...entryKey(entry),
  ...entry,
  at: entry.at.toISOString(),
  timeline: timeline(entry),
});

export const toEntry = (raw: unknown): Entry => item.parse(raw);
/** Returns undefined for an item that is no entry. */
export const readEntry = (raw: unknown): Entry | undefined => item.safeParse(raw).data;

/** The step that posts an entry. It fails when the entry already exists. */
export const putEntry = ({ name: TableName }: Table, entry: Entry): TransactionStep => ({
  write: { Put: { TableName, Item: entryItem(entry), ConditionExpression: 'attribute_not_exists(PK)' } },
});
