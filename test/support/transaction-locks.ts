/** One item of one table. */
export type ItemName = string;

export const itemName = (
  table: string,
  { PK, SK }: { readonly PK: unknown; readonly SK: unknown },
): ItemName => JSON.stringify([table, PK, SK]);

/** Which items a transaction holds until it is committed; whoever wants one meanwhile is refused, as on AWS. */
export class TransactionLocks {
  readonly #held = new Set<ItemName>();

  isHeld(item: ItemName): boolean {
    return this.#held.has(item);
  }

  /** Takes all of them, or none and answers undefined. What it answers lets them go. */
  take(items: readonly ItemName[]): (() => void) | undefined {
    if (items.some((item) => this.#held.has(item))) return undefined;
    for (const item of items) this.#held.add(item);
    return () => {
      for (const item of items) this.#held.delete(item);
    };
  }
}
