import type { Table } from '../../../lib/store/table.ts';
import { nameOfCommand } from './call-names.ts';
import type { Invocation } from './invocation.ts';
import type { Scheduler } from './scheduler.ts';
import type { Watch } from './watch.ts';

type Send = (command: object) => Promise<unknown>;

/** The table as one handler sees it: every `send` waits for its turn and may go wrong. */
export function faultyTable(
  { client, name }: Table,
  scheduler: Scheduler,
  watch: Watch,
  by: Invocation,
): Table {
  const applied = new WeakSet<object>();
  const send = client.send.bind(client) as unknown as Send;
  const through: Send = (command) => {
    const { name: what, kind, writes } = nameOfCommand(command);
    const act = async () => {
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
  return {
    client: { send: through } as unknown as Table['client'],
    name,
    backOff: () =>
      scheduler.call(by, { site: `${by.useCase}: wait before a retry`, kind: 'pause', act: async () => {} }),
  };
}

type BatchAnswer = {
  readonly Responses?: Record<string, Record<string, unknown>[]>;
  readonly UnprocessedKeys?: object;
};

/** A busy table answers only a part and names the keys that it left out. */
const partial = (table: string) => (answer: unknown) => {
  const { Responses = {} } = answer as BatchAnswer;
  const [first, ...others] = Responses[table] ?? [];
  if (!first || others.length === 0) return answer;
  const left = { PK: first['PK'], SK: first['SK'] };
  return {
    Responses: { [table]: others },
    UnprocessedKeys: { [table]: { Keys: [left], ConsistentRead: true } },
  };
};

/** The index has not heard of the latest yet. */
const stale = (answer: unknown) => {
  const { Items = [] } = answer as { readonly Items?: readonly unknown[] };
  return { Items: Items.slice(1) };
};
