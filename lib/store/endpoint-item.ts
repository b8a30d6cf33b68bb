import * as z from 'zod/mini';
import type { EndpointHealth } from '../postback/ports.ts';

/** Health of an endpoint: of a shop's Result URL or a merchant's payout webhook. Absent while all is well. */
export const endpointKey = (id: string) => ({ PK: `EP#${id}`, SK: 'EP' }) as const;

const item = z.object({
  PK: z.string(),
  failuresInARow: z._default(z.number(), 0),
  failingSince: z.optional(z.string()),
  openUntil: z.optional(z.string()),
  openings: z._default(z.number(), 0),
  probeLeaseUntil: z.optional(z.string()),
  paused: z._default(z.boolean(), false),
});

const date = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

export function toEndpointHealth(raw: unknown): EndpointHealth {
  const { PK, failingSince, openUntil, probeLeaseUntil, ...rest } = item.parse(raw);
  return {
    ...rest,
    id: PK.slice('EP#'.length),
    failingSince: date(failingSince),
    openUntil: date(openUntil),
    probeLeaseUntil: date(probeLeaseUntil),
  };
}
