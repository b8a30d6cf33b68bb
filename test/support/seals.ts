import type { MerchantId } from '../../lib/ids.ts';
import type { Entry, Line } from '../../lib/ledger/entry.ts';
import type { SealPorts } from '../../lib/seal/ports.ts';
import { credit } from '../../lib/store/balances.ts';
import { putEntry } from '../../lib/store/entry-item.ts';
import { dynamoSealedJournal } from '../../lib/store/sealed-journal.ts';
import { dynamoSeals } from '../../lib/store/seals.ts';
import type { Table } from '../../lib/store/table.ts';
import { transact } from '../../lib/store/transact.ts';
import { merchantId } from './builders.ts';

export const moscow = 'Europe/Moscow';

/** A CAPTURE entry of 1.00 RUB. */
export const anEntry = (about: string, at: Date, traits: Partial<Entry> = {}): Entry => ({
  about,
  kind: 'CAPTURE',
  merchantId,
  lines: [rub('acquirer', -100n), rub('available', 100n)],
  at,
  adjustment: undefined,
  ...traits,
});

export const rub = (account: Line['account'], minor: bigint): Line => ({ account, currency: 'RUB', minor });

/** Posts entries with the balance that makes their merchants known. */
export async function post(table: Table, ...entries: readonly Entry[]): Promise<void> {
  for (const entry of entries)
    await transact(table, [
      putEntry(table, entry),
      credit(table, entry.merchantId, { currency: 'RUB', minor: 100n }),
    ]);
}

/** The sealing on a real table. */
export function sealPortsOn(table: Table, given: Partial<SealPorts> & Pick<SealPorts, 'now'>): SealPorts {
  return {
    timeZone: moscow,
    seals: dynamoSeals(table),
    sealedJournal: dynamoSealedJournal(table),
    sealArchive: undefined,
    log: () => undefined,
    ...given,
  };
}

export const rubOf = (merchant: MerchantId = merchantId) =>
  ({ merchantId: merchant, currency: 'RUB' }) as const;
