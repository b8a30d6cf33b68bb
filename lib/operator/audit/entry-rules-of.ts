import { type Entry, entryId, type EntryKind } from '../../ledger/entry.ts';
import { entryDifference } from './entry-difference.ts';
import type { Invariant } from './records.ts';
import { type AnyRule, type Found, idOf, type RecordKind, type RecordOf, type Ref, rule } from './rule.ts';

/** An entry that a record accounts for in its state, and how it is recomputed; `posted` is what the journal has. */
export type Accounted = {
  readonly id: string;
  readonly recompute: (found: Found, posted: Entry | undefined) => Entry | undefined;
};

type Accounting<K extends RecordKind> = {
  readonly invariant: Invariant;
  /** The kind of the record that accounts for the entries. */
  readonly of: K;
  /** Returns the id of that record; undefined when the entry names none. */
  readonly ownerOf: (entry: Entry) => string | undefined;
  /** What the recomputation takes beside that record, by its id. */
  readonly beside: (id: string) => readonly Ref[];
  /** The entries of the kind that the record accounts for. */
  readonly accounts: (record: RecordOf<K>, kind: EntryKind) => readonly Accounted[];
};

/**
 * Returns the two rules of one kind of entry: each record has the entries that it accounts for, and each entry is accounted for. Both
 * compare the whole entry and tell a difference in the same words, since a scope may select one side alone.
 */
export const entryRulesOf =
  <K extends RecordKind>({ invariant, of, ownerOf, beside, accounts }: Accounting<K>) =>
  (kind: EntryKind): readonly AnyRule[] => [
    rule<K>({
      invariant,
      of,
      needs: (record) => {
        const accounted = accounts(record, kind);
        const entries = accounted.map(({ id }) => ({ kind: 'entry', id }) as const);
        return entries.length === 0 ? [] : [...entries, ...beside(idOf(record))];
      },
      broken: (record, found) =>
        accounts(record, kind).flatMap(({ id, recompute }) => {
          const posted = found.one('entry', id)?.entry;
          return entryDifference(id, of, { posted, expected: recompute(found, posted) });
        }),
    }),
    rule({
      invariant,
      of: 'entry',
      needs: ({ entry }) => {
        const owner = entry.kind === kind ? ownerOf(entry) : undefined;
        return owner === undefined ? [] : [{ kind: of, id: owner }, ...beside(owner)];
      },
      broken: ({ entry }, found) => {
        if (entry.kind !== kind) return [];
        const owner = ownerOf(entry);
        const record = owner === undefined ? undefined : found.one(of, owner);
        const accounted = record && accounts(record, kind).find(({ id }) => id === entryId(entry));
        const expected = accounted?.recompute(found, entry);
        return entryDifference(entryId(entry), of, { posted: entry, expected });
      },
    }),
  ];
