import type { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { retryingClient } from '../../../lib/store/retrying-client.ts';
import type { BackOff, Table } from '../../../lib/store/table.ts';
import { nameOfCommand } from './call-names.ts';
import type { Invocation } from './invocation.ts';
import type { Scheduler } from './scheduler.ts';
import type { Watch } from './watch.ts';

/** So often a call is made before its time is over: time passes by the fault, not by the second. */
export const triesOfOneCall = 6;

/** The table as one handler sees it: every `send` waits for its turn and may go wrong. */
export function faultyTable(
  { client, name }: Table,
  scheduler: Scheduler,
  watch: Watch,
  by: Invocation,
): Table {
  const applied = new WeakSet<object>();
  const send = client.send.bind(client);
  // Whatever the command is, it goes through unread.
  const through = (command: GetCommand): Promise<unknown> => {
    const { name: what, kind, writes } = nameOfCommand(command);
    const act = async (): Promise<unknown> => {
      const answer = await send(command);
      // Sent again under its token, it is not written again.
      if (!applied.has(command)) watch.committed(command, scheduler);
      applied.add(command);
      return answer;
    };
    const isApplied = () => applied.has(command);
    const worse = kind === 'batch' ? partial(name) : kind === 'index' ? stale : undefined;
    return scheduler.call(by, { site: `${by.useCase}: ${what}`, kind, writes, act, worse, isApplied });
  };
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

/** A busy table answers only a part and names the keys that it left out. */
const partial = (table: string) => (answer: unknown) => {
  const [first, ...others] = batch.parse(answer).Responses[table] ?? [];
  if (!first || others.length === 0) return answer;
  const left = { PK: first['PK'], SK: first['SK'] };
  return {
    Responses: { [table]: others },
    UnprocessedKeys: { [table]: { Keys: [left], ConsistentRead: true } },
  };
};

/** The index has not heard of the latest yet. */
const stale = (answer: unknown) => ({ Items: z.object({ Items: items }).parse(answer).Items.slice(1) });
