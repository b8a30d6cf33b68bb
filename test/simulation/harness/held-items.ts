import {
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, type TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { itemName, TransactionLocks } from '../../support/transaction-locks.ts';
import { injected } from './faults.ts';
import type { Scheduler } from './scheduler.ts';
import type { SeededRandom } from './seeded-random.ts';

const metadata = { $metadata: {}, message: 'injected' };
const mostSteps = 12;

/**
 * Models the transaction conflicts of DynamoDB in virtual time (`test/support/conflict-proxy.ts` does so in real time):
 * a transaction holds its items for some steps before it is committed, and other writes of them are refused meanwhile.
 * A transaction that holds its items is committed even if its handler has died.
 */
export class HeldItems {
  readonly #locks = new TransactionLocks();
  readonly #inProgress = new WeakSet<object>();
  readonly #random: SeededRandom;
  readonly #scheduler: Scheduler;
  refused = 0;

  constructor(random: SeededRandom, scheduler: Scheduler) {
    this.#random = random;
    this.#scheduler = scheduler;
  }

  /**
   * Locks the items of a transaction and schedules its commit; returns the promise of the commit's answer, which later
   * turns settle. Throws the store's error when another transaction holds one of the items.
   */
  begin(
    command: TransactWriteCommand,
    commit: () => Promise<unknown>,
  ): { readonly committed: Promise<unknown> } {
    if (this.#inProgress.has(command))
      throw injected(new TransactionInProgressException(metadata), 'transact');
    const items = itemsOf(command);
    const release = this.#locks.take(items);
    if (!release) throw this.#cancelled(items);
    this.#inProgress.add(command);
    const store = this.#scheduler.begin('store');
    const act = () =>
      commit().finally(() => {
        this.#inProgress.delete(command);
        release();
      });
    const notBefore = this.#scheduler.step + 1 + this.#random.below(mostSteps);
    const committed = this.#scheduler.call(store, { site: 'store: commit', kind: 'outside', act }, notBefore);
    committed.catch(() => undefined);
    return { committed };
  }

  /** Throws when a transaction holds the item of this plain write. */
  check(command: unknown): void {
    if (!isPlainWrite(command)) return;
    const { TableName = '' } = command.input;
    const key = command instanceof PutCommand ? command.input.Item : command.input.Key;
    if (!this.#locks.isHeld(itemName(TableName, { PK: key?.['PK'], SK: key?.['SK'] }))) return;
    this.refused += 1;
    throw injected(new TransactionConflictException(metadata), 'write');
  }

  #cancelled(items: readonly string[]): Error {
    this.refused += 1;
    const CancellationReasons = items.map((item) => ({
      Code: this.#locks.isHeld(item) ? 'TransactionConflict' : 'None',
    }));
    return injected(new TransactionCanceledException({ ...metadata, CancellationReasons }), 'transact');
  }
}

const isPlainWrite = (command: unknown): command is PutCommand | UpdateCommand | DeleteCommand =>
  [PutCommand, UpdateCommand, DeleteCommand].some((kind) => command instanceof kind);

const itemsOf = ({ input }: TransactWriteCommand): readonly string[] =>
  (input.TransactItems ?? []).map(({ Put, Update, Delete, ConditionCheck }) => {
    const { TableName = '' } = Put ?? Update ?? Delete ?? ConditionCheck ?? {};
    const key = Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key;
    return itemName(TableName, { PK: key?.['PK'], SK: key?.['SK'] });
  });
