import * as z from 'zod/mini';
import { json, notFound, refused, type SandboxResponse } from './answer.ts';
import { movements } from './books.ts';
import type { SandboxDeps } from './deps.ts';
import type { Request } from './request.ts';
import { instant } from './wire.ts';

const period = z.object({ from: instant, to: instant });
const kinds = { captured: 'payment', refunded: 'refund' } as const;

/**
 * GET statement: what was captured and refunded in [from, to), oldest first. A change of the captured amount is a line of its own;
 * its amount is negative when less was captured in the end.
 */
export async function statementApi(
  { table }: SandboxDeps,
  { method, path, query }: Request,
): Promise<SandboxResponse> {
  if (method !== 'GET' || path.length > 1) return notFound();
  const asked = period.safeParse(query);
  if (!asked.success) return refused(422, 'invalid_request');
  const { from, to } = asked.data;
  const lines = (await movements(table))
    .filter(({ at }) => at >= from && at < to)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .flatMap(({ kind, subject, named, amountMinor, currency, feeMinor, at }) => {
      if (kind === 'paid_out') return [];
      // Orders of earlier versions are known by the client's id.
      const { reference, ourId, order = subject } = named ?? { reference: subject, ourId: subject };
      const line = { kind: kinds[kind], reference, ourId, orderReference: order, amountMinor, currency, at };
      return [{ ...line, ...(feeMinor !== undefined && { feeMinor }) }];
    });
  return json(200, { lines });
}
