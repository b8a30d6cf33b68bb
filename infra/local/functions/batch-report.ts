import type { Message } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { EventSource } from './event-sources.ts';
import type { InvocationOutcome } from './worker-messages.ts';

const reportSchema = z.nullish(
  z.object({
    batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string().check(z.minLength(1)) }))),
  }),
);

/** Returns the ids of the failed messages. As on Lambda, an error, an invalid report or an unknown id fails the whole batch. */
export function failedIds(
  outcome: InvocationOutcome,
  { reportsItemFailures }: Pick<EventSource, 'reportsItemFailures'>,
  messages: readonly Pick<Message, 'MessageId'>[],
): ReadonlySet<string> {
  const all = new Set(messages.map(({ MessageId = '' }) => MessageId));
  if (!outcome.ok) return all;
  if (!reportsItemFailures) return new Set();
  const report = reportSchema.safeParse(outcome.payload);
  if (!report.success) return all;
  const named = (report.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return named.every((id) => all.has(id)) ? new Set(named) : all;
}
