import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../lib/store/table.ts';
import { compareText } from '../../../lib/seal/canonical.ts';
import { audit } from '../../../lib/operator/audit/audit.ts';
import { auditPortsOn } from '../../support/audit.ts';
import { scan } from '../harness/scan.ts';
import type { Corruption } from './corruption.ts';
import type { Installation } from './installation.ts';
import { type Item, Items, keyOf } from './items.ts';
import { inMemory } from './memory-source.ts';

/** The most of one BatchWriteItem. */
const mostWrites = 25;

/** A difference that the audit found, `<invariant>: <record>`, with its sentence; with names in place of ids. */
type Finding = { readonly finding: string; readonly text: string };

/** The names of the findings, each once: several sentences may be about one record. */
export const namesOf = (found: readonly Finding[]): readonly string[] => [
  ...new Set(found.map(({ finding }) => finding)),
];

/** What is audited of an installation, which may be stored in a file. */
export type RecordedInstallation = {
  readonly items: readonly Item[];
  readonly names: readonly (readonly [id: string, name: string])[];
  readonly now: Date;
};

export async function recorded({ world, names }: Installation): Promise<RecordedInstallation> {
  const items = (await scan(world.table)).map((item) => ({
    ...item,
    PK: String(item['PK']),
    SK: String(item['SK']),
  }));
  return { items, names: [...names], now: world.now };
}

/** An installation whose items are corrupted, audited and restored. */
export class CorruptibleInstallation {
  readonly #now: Date;
  readonly #items: readonly Item[];
  readonly #ids: ReadonlyMap<string, string>;
  readonly #names: readonly (readonly [id: string, name: string])[];

  constructor({ items, names, now }: RecordedInstallation) {
    this.#now = now;
    this.#items = items;
    this.#ids = new Map(names.map(([id, name]) => [name, id]));
    // A payment's id begins with its bill's.
    this.#names = [...names].sort(([one], [other]) => other.length - one.length);
  }

  /** What the audit finds of the installation after the corruption, in alphabetical order. */
  async findings(corrupt: Corruption['does'] = () => undefined): Promise<readonly Finding[]> {
    return this.#audited(inMemory(this.#corrupted(corrupt).all()));
  }

  /** The same by the installation's own table, which is restored afterwards. */
  async findingsInTable(
    table: Table,
    corrupt: Corruption['does'] = () => undefined,
  ): Promise<readonly Finding[]> {
    const { put, deleted } = this.#corrupted(corrupt).changes();
    const originals = new Map(this.#items.map((item) => [keyOf(item), item]));
    const before = [...put, ...deleted].flatMap((item) => originals.get(keyOf(item)) ?? []);
    const added = put.filter((item) => !originals.has(keyOf(item)));
    await write(table, put, deleted);
    const found = await this.#audited({ table });
    await write(table, before, added);
    return found;
  }

  #corrupted(corrupt: Corruption['does']): Items {
    const items = new Items(this.#items, this.#ids);
    corrupt(items);
    return items;
  }

  async #audited(
    source: ReturnType<typeof inMemory> | { readonly table: Table },
  ): Promise<readonly Finding[]> {
    const ports = { ...auditPortsOn({ table: source.table, now: () => this.#now }), ...source };
    const { differences } = await audit(ports);
    return differences
      .map(({ invariant, about, text }) => ({
        finding: this.#named(`${invariant}: ${about}`),
        text: this.#named(text),
      }))
      .toSorted((one, other) => compareText(one.finding + one.text, other.finding + other.text));
  }

  /** The text with names in place of ids. */
  #named(text: string): string {
    return this.#names.reduce((named, [id, name]) => named.replaceAll(id, name), text);
  }
}

async function write({ client, name }: Table, put: readonly Item[], deleted: readonly Item[]): Promise<void> {
  const writes = [
    ...put.map((Item) => ({ PutRequest: { Item } })),
    ...deleted.map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } })),
  ];
  for (let from = 0; from < writes.length; from += mostWrites)
    await client.send(
      new BatchWriteCommand({ RequestItems: { [name]: writes.slice(from, from + mostWrites) } }),
    );
}
