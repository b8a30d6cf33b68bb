/** An item as the table has it. */
export type Item = Readonly<Record<string, unknown>> & { readonly PK: string; readonly SK: string };
type Line = { readonly account: string; readonly currency: string; readonly minor: number };

export const keyOf = ({ PK, SK }: Pick<Item, 'PK' | 'SK'>): string => `${PK} ${SK}`;

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

  /** Writes an item; attributes that are undefined are absent. Its keys of LIST follow its content, unless they are what is changed. */
  put(item: Item): void {
    const { PK, SK } = item;
    const before = this.#items.get(keyOf(item));
    const isMoved = before && (before['list'] !== item['list'] || before['listAt'] !== item['listAt']);
    const written = { ...item, ...(isMoved ? {} : listKeysOf(item)) };
    const there = Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined));
    this.#items.set(keyOf(item), { ...there, PK, SK });
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
  fields(
    key: string,
    fields: Readonly<Record<string, string>>,
    list: 'fields' | 'extended' = 'fields',
  ): Item {
    return this.change(key, (item) => ({
      [list]: (Array.isArray(item[list]) ? item[list] : []).map(([name, value]: [string, string]) => [
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

function listKeysOf({ list, listAt, ...item }: Item): Readonly<Record<string, string>> {
  const [, kind = '', , , shard = ''] = String(list).split('#');
  const { merchantId, createdAt, id } = item;
  if (shard === '' || listAt === undefined) return {};
  const month = String(createdAt).slice(0, 7).replace('-', '');
  return {
    list: `LIST#${kind}#${String(merchantId)}#${month}#${shard}`,
    listAt: `${String(createdAt)}#${String(id)}`,
  };
}

const linesOf = (lines: unknown): readonly Line[] =>
  (Array.isArray(lines) ? lines : []).map(({ account, currency, minor }) => ({
    account: String(account),
    currency: String(currency),
    minor: Number(minor),
  }));
