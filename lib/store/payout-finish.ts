import type { Entry } from '../ledger/entry.ts';
import type { Payout } from '../payout/payout.ts';
import type { FinishedPayout, FinishedTogether, MoveRefusal } from '../payout/ports.ts';
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

type Done = Promise<Result<void, MoveRefusal>>;

/** Writes a decline, a settlement or a failure: state, balance, journal entry and postback event in one transaction. */
export const writeFinish = (table: Table, finished: FinishedPayout): Done =>
  finished.entry.kind === 'SETTLE' ? settled(table, finished) : writeReleases(table, [finished]);

const settled = (table: Table, finished: FinishedPayout): Done =>
  transact(table, [
    replacePayout(table, finished.before, finished.after),
    settle(table, finished.before),
    ...markAccountKnown(table, finished.after),
    ...recorded(table, finished),
  ]);

const recorded = (table: Table, { entry, event }: FinishedPayout) => [
  putEntry(table, entry),
  ...(event ? [putEvent(table, event)] : []),
];

/**
 * Releases payouts of one group, all or none. They are subtracted from the limits of their day and month if these are still
 * current, which only the balance shows.
 */
export async function writeReleases(table: Table, parts: FinishedTogether): Done {
  const [{ before: first }, ...others] = parts;
  const { merchantId, amount } = first;
  const attempt = async (): Promise<Awaited<Done> | typeof conflict> => {
    const balance = await getItem(table, balanceKey(merchantId, amount.currency), toPayoutBalance);
    const written = await transact(table, [
      ...parts.map(({ before, after }) => replacePayout(table, before, after)),
      release(table, [first, ...others.map(({ before }) => before)], balance?.usage),
      ...parts.flatMap((part) => recorded(table, part)),
    ]);
    if (written.ok) return written;
    return written.error === 'moved_meanwhile' ? fail(written.error) : conflict;
  };
  return retryOnConflict(attempt, { exhausted: tooManyConflicts('The day or month of the limits') });
}

/** Writes a return. The journal accepts one RETURN per payout. */
export const writeReturn = (table: Table, before: Payout, after: Payout, entry: Entry): Done =>
  transact(table, [replacePayout(table, before, after), creditReturn(table, before), putEntry(table, entry)]);
