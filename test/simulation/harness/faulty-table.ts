import { type GetCommand, type QueryCommandInput, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { retryingClient } from '../../../lib/store/retrying-client.ts';
import type { BackOff, Table } from '../../../lib/store/table.ts';
import { nameOfCommand } from './call-names.ts';
import type { FilledLists } from './filled-lists.ts';
import type { HeldItems } from './held-items.ts';
import type { IndexLag } from './index-lag.ts';
import type { Invocation } from './invocation.ts';
import type { Scheduler } from './scheduler.ts';
import type { Watch } from './watch.ts';

/** How often a call is attempted before its retries are exhausted; in a run the attempts are limited by count, not by time. */
export const triesOfOneCall = 6;

/** The store of one world, and what the harness places between it and the handlers. */
type Store = {
  readonly table: Table;
  readonly scheduler: Scheduler;
  readonly watch: Watch;
  readonly indexLag: IndexLag;
  readonly filledLists: FilledLists;
  /** Present when transactions hold their items for some steps. */
  readonly heldItems: HeldItems | undefined;
};

/** The table as one handler sees it: every `send` waits for its turn and may meet a fault. */
export function faultyTable(
  { table: { client, name }, scheduler, watch, indexLag, filledLists, heldItems }: Store,
  by: Invocation,
): Table {
  const applied = new WeakSet<object>();
  const send = client.send.bind(client);
  // Typed as one command, though it passes every command on.
  const through = (command: GetCommand): Promise<unknown> => {
    const { name: what, kind, ...writes } = nameOfCommand(command);
    const site = `${by.useCase}: ${what}`;
    const apply = async (): Promise<unknown> => {
      const answer = await send(command);
      // A transaction repeated under its token is not applied again.
      if (!applied.has(command)) watch.committed(command, scheduler);
      applied.add(command);
      return answer;
    };
    const given: unknown = command;
    if (heldItems && given instanceof TransactWriteCommand)
      return inTwoSteps(heldItems, given, { site, writes, apply });
    const act = async (): Promise<unknown> => {
      met(() => heldItems?.check(command));
      return kind === 'index' ? fromIndex(command.input, apply) : apply();
    };
    const isApplied = () => applied.has(command);
    const worse = kind === 'batch' ? { worse: partial(name) } : kind === 'index' ? { worse: stale } : {};
    const lag = (reads: number) => indexLag.begin(reads);
    return scheduler.call(by, { site, kind, ...writes, act, ...worse, isApplied, lag });
  };
  async function fromIndex(query: QueryCommandInput, apply: () => Promise<unknown>): Promise<unknown> {
    const outdated = indexLag.answer(query, scheduler.step);
    if (outdated) return outdated;
    return (await filledLists.areEmptyFor(query, scheduler.step)) ? { Items: [] } : apply();
  }
  /** Records a refusal by a held item as a conflict that the handler met. */
  function met<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      by.suffered.push('conflict');
      throw error;
    }
  }
  /** Locks the items of the transaction and commits some steps later; one applied under its token only repeats its answer. */
  async function inTwoSteps(
    held: HeldItems,
    command: TransactWriteCommand,
    {
      site,
      writes,
      apply,
    }: {
      readonly site: string;
      readonly writes: { readonly writes?: number };
      readonly apply: () => Promise<unknown>;
    },
  ): Promise<unknown> {
    const isApplied = () => applied.has(command);
    const act = async () => {
      if (!isApplied()) return met(() => held.begin(command, apply));
      // Awaited within the turn: an answer that arrives outside it would make the run depend on real time.
      const answer = await apply();
      return { committed: Promise.resolve(answer) };
    };
    const begun = await scheduler.call(by, { site, kind: 'transact', ...writes, act, isApplied });
    return begun.committed;
  }
  const pause = { site: `${by.useCase}: wait before a retry`, kind: 'pause', act: async () => {} } as const;
  const backOff: BackOff = () => async (retry) => {
    if (retry >= triesOfOneCall) return false;
    await scheduler.call(by, pause);
    return true;
  };
  const faulty = Object.assign(Object.create(client), { send: through });
  return { client: retryingClient(faulty, backOff), name, backOff };
}

const items = z.array(z.record(z.string(), z.unknown()));
const batch = z.object({ Responses: z.record(z.string(), items) });

/** A batch answer that leaves its first item unprocessed. */
const partial = (table: string) => (answer: unknown) => {
  const [first, ...others] = batch.parse(answer).Responses[table] ?? [];
  if (!first || others.length === 0) return answer;
  const left = { PK: first['PK'], SK: first['SK'] };
  return {
    Responses: { [table]: others },
    UnprocessedKeys: { [table]: { Keys: [left], ConsistentRead: true } },
  };
};

/** An index answer without its first item. */
const stale = (answer: unknown) => ({ Items: z.object({ Items: items }).parse(answer).Items.slice(1) });
