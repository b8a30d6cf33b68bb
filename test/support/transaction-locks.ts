/** One item of one table. */
export type ItemName = string;

export const itemName = (
  table: string,
  { PK, SK }: { readonly PK: unknown; readonly SK: unknown },
): ItemName => JSON.stringify([table, PK, SK]);

/** The items that transactions hold until they are committed; conflicting requests are refused meanwhile, as on AWS. */
export class TransactionLocks {
  readonly #held = new Set<ItemName>();

  isHeld(item: ItemName): boolean {
    return this.#held.has(item);
  }

  /** Locks all items and returns the function that releases them; returns undefined and locks none if one is held. */
  take(items: readonly ItemName[]): (() => void) | undefined {
    if (items.some((item) => this.#held.has(item))) return undefined;
    for (const item of items) this.#held.add(item);
    return () => {
      for (const item of items) this.#held.delete(item);
    };
  }
}
