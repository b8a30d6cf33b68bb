import * as z from 'zod/mini';
import type { EndpointHealth } from '../postback/ports.ts';
import { moment } from './moment.ts';

/** Health of an endpoint: of a shop's Result URL or a merchant's payout webhook. Absent while all is well. */
export const endpointKey = (id: string) => ({ PK: `EP#${id}`, SK: 'EP' }) as const;

const item = z.object({
  PK: z.string(),
  failuresInARow: z._default(z.number(), 0),
  failingSince: z.optional(moment),
  lastFailedAt: z.optional(moment),
  openUntil: z.optional(moment),
  openings: z._default(z.number(), 0),
  probeLeaseUntil: z.optional(moment),
  paused: z._default(z.boolean(), false),
});

/** The health of an endpoint as it is stored. */
export function toEndpointHealth(raw: unknown): EndpointHealth {
  const { PK, ...health } = item.parse(raw);
  return { ...health, id: PK.slice('EP#'.length) };
}
