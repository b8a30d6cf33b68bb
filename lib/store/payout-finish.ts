import type { Entry } from '../ledger/entry.ts';
import type { Payout } from '../payout/payout.ts';
import type { MoveRefusal, Payouts } from '../payout/ports.ts';
import { fail, type Result } from '../result.ts';
import { balanceKey } from './balance-item.ts';
import { putEntry } from './entry-item.ts';
import { putEvent } from './event-item.ts';
import { getItem } from './get-item.ts';
import { creditReturn, release, settle, toPayoutBalance } from './payout-balance.ts';
import { markAccountKnown, replacePayout } from './payout-steps.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';

type How = Parameters<Payouts['finish']>[2];
type Done = Promise<Result<void, MoveRefusal>>;

/** Writes a decline, a settlement or a failure: state, balance, journal entry and postback event in one transaction. */
export const writeFinish = (table: Table, before: Payout, after: Payout, how: How): Done =>
  how.entry.kind === 'SETTLE' ? settled(table, before, after, how) : released(table, before, after, how);

const settled = (table: Table, before: Payout, after: Payout, how: How): Done =>
  transact(table, [
    replacePayout(table, before, after),
    settle(table, before),
    ...markAccountKnown(table, after),
    ...recorded(table, how),
  ]);

const recorded = (table: Table, { entry, event }: How) => [
  putEntry(table, entry),
  ...(event ? [putEvent(table, event)] : []),
];

/** The payout is subtracted from the limits of its day and month if they are still current, which only the balance shows. */
async function released(table: Table, before: Payout, after: Payout, how: How): Done {
  const attempt = async (): Promise<Awaited<Done> | typeof conflict> => {
    const balance = await getItem(
      table,
      balanceKey(before.merchantId, before.amount.currency),
      toPayoutBalance,
    );
    const written = await transact(table, [
      replacePayout(table, before, after),
      release(table, before, balance?.usage),
      ...recorded(table, how),
    ]);
    if (written.ok) return written;
    return written.error === 'moved_meanwhile' ? fail(written.error) : conflict;
  };
  return retryOnConflict(attempt, { exhausted: tooManyConflicts('The day or month of the limits') });
}

/** Writes a return. The journal accepts one RETURN per payout. */
export const writeReturn = (table: Table, before: Payout, after: Payout, entry: Entry): Done =>
  transact(table, [replacePayout(table, before, after), creditReturn(table, before), putEntry(table, entry)]);
