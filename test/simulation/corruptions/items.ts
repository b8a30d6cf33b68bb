import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../lib/store/table.ts';
import { scan } from '../harness/scan.ts';
import type { Installation } from './installation.ts';

/** An item as the table has it. */
export type Item = Readonly<Record<string, unknown>> & { readonly PK: string; readonly SK: string };
type Line = { readonly account: string; readonly currency: string; readonly minor: number };

const keyOf = ({ PK, SK }: Pick<Item, 'PK' | 'SK'>): string => `${PK} ${SK}`;

/**
 * The items of an installation, which a corruption changes as a bug, a script or a thief with write access would. Keys are written
 * with the installation's names in place of its ids: `B#bill-plain P#plain`.
 */
export class Items {
  readonly #original: ReadonlyMap<string, Item>;
  readonly #items: Map<string, Item>;
  readonly #ids: ReadonlyMap<string, string>;

  constructor(items: readonly Item[], ids: ReadonlyMap<string, string>) {
    this.#original = new Map(items.map((item) => [keyOf(item), item]));
    this.#items = new Map(this.#original);
    this.#ids = ids;
  }

  /** The id that has this name. */
  id(name: string): string {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`The installation has no ${name}`);
    return id;
  }

  /** The text with ids in place of names. */
  text(named: string): string {
    return named.replaceAll(/[a-z][a-z0-9-]*[a-z0-9]/g, (word) => this.#ids.get(word) ?? word);
  }

  get(key: string): Item {
    const found = this.#items.get(this.text(key));
    if (!found) throw new Error(`The installation has no item ${key}`);
    return found;
  }

  all(): readonly Item[] {
    return [...this.#items.values()];
  }

  put(item: Item): void {
    this.#items.set(keyOf(item), item);
  }

  remove(key: string): Item {
    const item = this.get(key);
    this.#items.delete(keyOf(item));
    return item;
  }

  /** Writes an item in place of another; undefined removes it. */
  replace({ PK, SK }: Item, item: Item | undefined): void {
    this.#items.delete(`${PK} ${SK}`);
    if (item) this.put(item);
  }

  /** Changes attributes; `undefined` removes one. */
  change(key: string, change: Readonly<Record<string, unknown>> | ((item: Item) => object)): Item {
    const item = this.get(key);
    const changed: Item = { ...item, ...(typeof change === 'function' ? change(item) : change) };
    this.put(changed);
    return changed;
  }

  /** Writes the item under another key, in place of the old one. */
  move(key: string, to: string, change: Readonly<Record<string, unknown>> = {}): Item {
    const item = this.remove(key);
    const [PK = '', SK = ''] = this.text(to).split(' ');
    const moved: Item = { ...item, ...change, PK, SK };
    this.put(moved);
    return moved;
  }

  payment(name: string, change: Parameters<Items['change']>[1] = {}): Item {
    const id = this.id(name);
    const item = this.all().find(({ SK }) => SK === `P#${id}`);
    if (!item) throw new Error(`${name} is no payment`);
    return this.change(keyOf(item), change);
  }

  payout(name: string, change: Parameters<Items['change']>[1] = {}): Item {
    const id = this.id(name);
    return this.change(`G#${id.slice(0, -2)} PO#${id.slice(-2)}`, change);
  }

  /** Sets the lines of an entry by account; zero removes one. The currency is that of the account's line, or the one given. */
  lines(key: string, minors: Readonly<Record<string, number>>, currency?: string): Item {
    return this.change(key, ({ lines }) => {
      const before = linesOf(lines);
      const changed = before.map((line) => ({ ...line, minor: minors[line.account] ?? line.minor }));
      const added = Object.entries(minors)
        .filter(([account]) => !before.some((line) => line.account === account))
        .map(([account, minor]) => ({ account, minor, currency: currency ?? before[0]?.currency ?? 'RUB' }));
      return { lines: [...changed, ...added].filter(({ minor }) => minor !== 0) };
    });
  }

  /** Moves a merchant's balance, so that it is what the corrupted journal says. */
  balance(merchant: string, moved: Readonly<Record<string, number>>, currency = 'RUB'): Item {
    return this.change(`BAL#${merchant} A#${currency}`, (item) =>
      Object.fromEntries(
        Object.entries(moved).map(([account, minor]) => [account, Number(item[account] ?? 0) + minor]),
      ),
    );
  }

  /** Sets fields of an event. */
  fields(key: string, fields: Readonly<Record<string, string>>): Item {
    return this.change(key, (item) => ({
      fields: (Array.isArray(item['fields']) ? item['fields'] : []).map(([name, value]: [string, string]) => [
        name,
        fields[name] ?? value,
      ]),
    }));
  }

  /** What was written and what was deleted. */
  changes(): { readonly put: readonly Item[]; readonly deleted: readonly Item[] } {
    const put = this.all().filter((item) => this.#original.get(keyOf(item)) !== item);
    const deleted = [...this.#original.values()].filter((item) => !this.#items.has(keyOf(item)));
    return { put, deleted };
  }
}

/** The most of one BatchWriteItem. */
const mostWrites = 25;

const linesOf = (lines: unknown): readonly Line[] =>
  (Array.isArray(lines) ? lines : []).map(({ account, currency, minor }) => ({
    account: String(account),
    currency: String(currency),
    minor: Number(minor),
  }));

/** The table of an installation, which is corrupted and restored. */
export class CorruptibleTable {
  readonly table: Table;
  readonly #items: readonly Item[];
  readonly #ids: ReadonlyMap<string, string>;
  readonly #names: readonly (readonly [id: string, name: string])[];

  private constructor({ world, names }: Installation, items: readonly Item[]) {
    this.table = world.table;
    this.#items = items;
    this.#ids = new Map([...names].map(([id, name]) => [name, id]));
    // A payment's id begins with its bill's.
    this.#names = [...names].sort(([one], [other]) => other.length - one.length);
  }

  static async of(installation: Installation): Promise<CorruptibleTable> {
    const items = (await scan(installation.world.table)).map((item) => ({
      ...item,
      PK: String(item['PK']),
      SK: String(item['SK']),
    }));
    return new CorruptibleTable(installation, items);
  }

  /** The text with names in place of ids. */
  named(text: string): string {
    return this.#names.reduce((named, [id, name]) => named.replaceAll(id, name), text);
  }

  /** Calls `look` while the table is corrupted. */
  async while<T>(corrupt: (items: Items) => void, look: () => Promise<T>): Promise<T> {
    const items = new Items(this.#items, this.#ids);
    corrupt(items);
    const { put, deleted } = items.changes();
    const originals = new Map(this.#items.map((item) => [keyOf(item), item]));
    const before = [...put, ...deleted].flatMap((item) => originals.get(keyOf(item)) ?? []);
    const added = put.filter((item) => !originals.has(keyOf(item)));
    await this.#write(put, deleted);
    try {
      return await look();
    } finally {
      await this.#write(before, added);
    }
  }

  async #write(put: readonly Item[], deleted: readonly Item[]): Promise<void> {
    const { client, name } = this.table;
    const writes = [
      ...put.map((Item) => ({ PutRequest: { Item } })),
      ...deleted.map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } })),
    ];
    for (let from = 0; from < writes.length; from += mostWrites)
      await client.send(
        new BatchWriteCommand({ RequestItems: { [name]: writes.slice(from, from + mostWrites) } }),
      );
  }
}
