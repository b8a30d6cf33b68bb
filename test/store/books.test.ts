import { describe, expect, it } from 'vitest';
import { merchantId } from '../support/builders.ts';
import { toMerchantId } from '../../lib/ids.ts';
import type { Entry } from '../../lib/ledger/entry.ts';
import { credit } from '../../lib/store/balances.ts';
import { dynamoBooks } from '../../lib/store/books.ts';
import { putEntry } from '../../lib/store/entry-item.ts';
import type { Table } from '../../lib/store/table.ts';
import { transact } from '../../lib/store/transact.ts';
import { freshTable } from '../support/dynamo.ts';

const other = toMerchantId('OtherMerchant001');
const at = (text: string) => new Date(`2026-${text}:00.000Z`);

const capture = (
  about: string,
  when: Date,
  merchant = merchantId,
  currency: 'RUB' | 'KZT' = 'RUB',
): Entry => ({
  about,
  kind: 'CAPTURE',
  merchantId: merchant,
  lines: [
    { account: 'acquirer', currency, minor: -100n },
    { account: 'refunds_due', currency, minor: 100n },
  ],
  at: when,
  adjustment: undefined,
});

async function given(table: Table, ...entries: readonly Entry[]): Promise<void> {
  for (const entry of entries)
    await transact(table, [
      putEntry(table, entry),
      credit(table, entry.merchantId, { currency: 'RUB', minor: 100n }),
    ]);
}

const period = { from: at('11-30T00:00'), to: at('12-02T00:00') };
const sorted = (entries: readonly Entry[]) => entries.map(({ about }) => about).toSorted();

describe('the journal of a period', () => {
  it('has the entries of all merchants and currencies, over the end of a month, and none around it', async () => {
    const table = await freshTable();
    await given(
      table,
      capture('before', at('11-29T23:59')),
      capture('first', period.from),
      capture('tenge', at('11-30T12:00'), merchantId, 'KZT'),
      capture('of-another', at('12-01T12:00'), other),
      capture('last', new Date(period.to.getTime() - 1)),
      capture('after', period.to),
    );
    const reader = await dynamoBooks(table).journalOf(period);
    expect(sorted(await reader.until(period.to))).toEqual(['first', 'last', 'of-another', 'tenge']);
    expect(await reader.until(period.to)).toEqual([]);
  });

  it('is read part by part, each entry once, over more entries than a page has', async () => {
    const table = await freshTable();
    const all = Array.from({ length: 120 }, (_, minute) =>
      capture(`entry-${minute}`, new Date(period.from.getTime() + minute * 60_000)),
    );
    await given(table, ...all);
    const reader = await dynamoBooks(table).journalOf(period);
    const first = await reader.until(at('11-30T00:45'));
    const second = await reader.until(at('11-30T01:30'));
    const third = await reader.until(period.to);
    expect([first.length, second.length, third.length]).toEqual([45, 45, 30]);
    expect(sorted([...first, ...second, ...third])).toEqual(sorted(all));
    expect(first[0]).toMatchObject({
      merchantId,
      kind: 'CAPTURE',
      lines: [{ minor: -100n }, { minor: 100n }],
    });
  });

  it('has nothing where no money ever moved', async () => {
    const reader = await dynamoBooks(await freshTable()).journalOf(period);
    expect(await reader.until(period.to)).toEqual([]);
  });
});
