import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';

/** What the harness notes of every transaction that was committed, whether or not its handler heard of it. */
export class Watch {
  /** The payment that a NORMAL bill waits for. */
  readonly holderOf = new Map<string, string>();
  /** The step in which a bill was finished, a token replaced. */
  readonly billPaidIn = new Map<string, number>();
  readonly tokenDiedIn = new Map<string, number>();
  /** Every key that the acquirer was ever given for a payment's capture or refund. */
  readonly providerKeys = new Map<string, Set<string>>();

  committed(command: object, step: number): void {
    if (!(command instanceof TransactWriteCommand)) return;
    for (const { Update, Delete } of command.input.TransactItems ?? []) {
      const paidBy = Update?.ExpressionAttributeValues?.[':paidBy'];
      const partition = String(Update?.Key?.['PK'] ?? '');
      const current = Update?.ExpressionAttributeValues?.[':current'];
      if (current !== undefined && partition.startsWith('B#'))
        this.holderOf.set(partition.slice(2), String(current));
      if (paidBy !== undefined && partition.startsWith('B#')) this.billPaidIn.set(partition.slice(2), step);
      const deleted = String(Delete?.Key?.['PK'] ?? '');
      if (deleted.startsWith('T#')) this.tokenDiedIn.set(deleted.slice(2), step);
    }
  }

  keyUsed(about: string, key: string): void {
    this.providerKeys.set(about, (this.providerKeys.get(about) ?? new Set()).add(key));
  }
}
