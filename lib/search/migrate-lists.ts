import type { ListedKind } from './ports.ts';

/** How far the migration is that gives older items their keys of the LIST index. */
export type Migration = {
  /** What is created from then on has its keys. */
  readonly startedAt: Date;
  /** Undefined: it is under way, or was interrupted. */
  readonly endedAt: Date | undefined;
  /** Where it goes on; undefined at the beginning of the table, and at its end. */
  readonly cursor: string | undefined;
  /** How many items were read, and how many of each kind were given their keys. */
  readonly read: number;
  readonly given: Readonly<Partial<Record<ListedKind, number>>>;
};

type MigrationPage = Pick<Migration, 'cursor' | 'read' | 'given'>;

export interface ListMigrations {
  find(): Promise<Migration | undefined>;
  store(migration: Migration): Promise<void>;
  /** Gives the items of the next page of the table their keys. An item that has keys is not written. */
  migratePage(cursor: string | undefined): Promise<MigrationPage>;
}

type Ports = {
  readonly listMigrations: ListMigrations;
  readonly now: () => Date;
  readonly wait: (ms: number) => Promise<unknown>;
};
type How = {
  /** Whether it begins anew when it has ended: a version that did not know the index has run since. */
  readonly again: boolean;
  /** The most items that are written in a second. */
  readonly perSecond: number;
  /** Called after each page; false interrupts. */
  readonly mayGoOn: (migration: Migration) => boolean;
};

/**
 * Gives the items from before the LIST index their keys, while the service runs. Interrupted, it goes on where it was; pages that are done
 * twice change nothing.
 */
export async function migrateLists(
  { listMigrations, now, wait }: Ports,
  { again, perSecond, mayGoOn }: How,
): Promise<Migration> {
  const found = await listMigrations.find();
  if (found?.endedAt && !again) return found;
  const isNew = found === undefined || found.endedAt !== undefined;
  let migration: Migration = isNew
    ? { startedAt: now(), endedAt: undefined, cursor: undefined, read: 0, given: {} }
    : found;
  if (isNew) await listMigrations.store(migration);
  for (;;) {
    const begun = now().getTime();
    const page = await listMigrations.migratePage(migration.cursor);
    migration = {
      ...migration,
      cursor: page.cursor,
      read: migration.read + page.read,
      given: sumOf(migration.given, page.given),
      endedAt: page.cursor === undefined ? now() : undefined,
    };
    await listMigrations.store(migration);
    if (migration.endedAt || !mayGoOn(migration)) return migration;
    const written = Object.values(page.given).reduce((sum, count) => sum + count, 0);
    const pauseMs = begun + (written / perSecond) * 1000 - now().getTime();
    if (pauseMs > 0) await wait(pauseMs);
  }
}

const sumOf = (one: Migration['given'], other: Migration['given']): Migration['given'] => {
  const kinds = { ...one, ...other };
  return Object.fromEntries(
    Object.keys(kinds).map((kind) => [kind, countIn(one, kind) + countIn(other, kind)]),
  );
};
const countIn = (counts: Readonly<Record<string, number | undefined>>, kind: string): number =>
  counts[kind] ?? 0;
