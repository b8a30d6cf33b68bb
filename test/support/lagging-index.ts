import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Table, tableSchema } from '../../lib/store/table.ts';

const timed = z.looseObject({ at: z.string() });

/** A table whose TIMELINE lists an item only so long after its time, while items by key are current. */
export function withLaggingTimeline(table: Table, lagMs: number): Table {
  const send = table.client.send.bind(table.client);
  const client = Object.assign(Object.create(table.client), {
    async send(command: QueryCommand) {
      const answer = await send(command);
      if (!(command instanceof QueryCommand) || command.input.IndexName !== tableSchema.timeline.name)
        return answer;
      const before = new Date(Date.now() - lagMs).toISOString();
      return { ...answer, Items: (answer.Items ?? []).filter((item) => timed.parse(item).at <= before) };
    },
  });
  return { ...table, client };
}
