import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Rates } from '../merchant/ports.ts';
import type { Rate } from '../money/exchange.ts';
import { balanceCurrencies, billCurrencies } from '../money/money.ts';
import { changeItem } from './changes.ts';
import { getItem } from './get-item.ts';
import { moment } from './moment.ts';
import type { Table } from './table.ts';

const partition = 'RATES';
const rateKey = (from: string, to: string) => ({ PK: partition, SK: `${from}#${to}` }) as const;

/** Checked here because IAM lets operators write rates without the command's checks. */
const aboveZero = z.coerce.bigint().check(z.positive());

const item = z.object({
  from: z.enum(billCurrencies),
  to: z.enum(balanceCurrencies),
  numerator: aboveZero,
  denominator: aboveZero,
  setAt: moment,
} satisfies Record<keyof Rate, z.ZodMiniType>);
const toRate = (raw: unknown): Rate => item.parse(raw);

/** The operator's exchange rates: one item each, the latest only. A payment stores the rate that it started with. */
export const dynamoRates = (table: Table): Rates => ({
  find: (from, to) => getItem(table, rateKey(from, to), toRate),
  list: () => list(table),
  set: (rate) => set(table, rate),
});

async function list({ client, name: TableName }: Table): Promise<readonly Rate[]> {
  const query = new QueryCommand({
    TableName,
    KeyConditionExpression: 'PK = :partition',
    ExpressionAttributeValues: { ':partition': partition },
  });
  const { Items = [] } = await client.send(query);
  return Items.map(toRate);
}

async function set(table: Table, rate: Rate): Promise<void> {
  const { from, to } = rate;
  await changeItem(table, { key: rateKey(from, to), about: partition, changes: rate, mustExist: false });
}
