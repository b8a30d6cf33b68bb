import * as z from 'zod/mini';
import type { EndpointId } from '../postback/event.ts';
import type { EndpointHealth } from '../postback/ports.ts';
import { orAbsent } from './attributes.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';

/** Health of an endpoint: a shop's Result URL, its refund URL, or a merchant's payout webhook. Absent while the endpoint is healthy. */
export const endpointKey = (id: EndpointId) => ({ PK: `EP#${id}`, SK: 'EP' }) as const;

const item = z.object({
  PK: z.string(),
  failuresInARow: z._default(z.number(), 0),
  failingSince: orAbsent(moment),
  failedTries: z._default(z.number(), 0),
  openUntil: orAbsent(moment),
  openings: z._default(z.number(), 0),
  nextProbeAt: orAbsent(moment),
  paused: z._default(z.boolean(), false),
  slowUntil: orAbsent(moment),
  waits: z._default(z.number(), 0),
} satisfies Record<'PK' | Exclude<keyof EndpointHealth, 'id'>, z.ZodMiniType>);

/** Parses the stored health of an endpoint. */
export function toEndpointHealth(raw: unknown): EndpointHealth {
  const { PK, ...health } = item.parse(raw);
  return { ...health, id: storedId<EndpointId>().parse(PK.slice('EP#'.length)) };
}

/** The step that fails when the operator has resumed the endpoint. */
export const endpointIsPaused = ({ name: TableName }: Table, id: EndpointId): TransactionStep => ({
  write: {
    ConditionCheck: {
      TableName,
      Key: endpointKey(id),
      ConditionExpression: 'paused = :yes',
      ExpressionAttributeValues: { ':yes': true },
    },
  },
});
