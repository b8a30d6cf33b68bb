import * as z from 'zod/mini';
import { balanceCurrencies } from '../money/money.ts';
import { json, notFound, refused, type SandboxResponse } from './answer.ts';
import { movements } from './books.ts';
import type { SandboxDeps } from './deps.ts';
import { jsonOf, type Request } from './request.ts';
import type { Revised } from './revise.ts';
import {
  askAbout,
  cancelTransfer,
  changeTransfer,
  destinationTypes,
  isSameTransfer,
  send,
  type Transfer,
  type TransferFault,
  type TransferRequest,
  type TransferStep,
} from './transfer.ts';
import { attemptsOf, moveReferred, moveTransfer, searchTransfers } from './transfers.ts';
import { clientId, idempotencyKey } from './wire.ts';

/** Longer than the timeout of the rail's client. */
const tooLateMs = 6000;
const retryAfterSeconds = '30';

const body = z.object({
  payoutId: z.optional(clientId),
  amountMinor: z.int().check(z.positive()),
  currency: z.enum(balanceCurrencies),
  destination: z.object({
    type: z.enum(destinationTypes),
    account: z.string().check(z.regex(/^\d{10,19}$/)),
  }),
});
const change = z.object({ state: z.enum(['paid', 'refused']) });
const period = z.object({ from: z.coerce.number(), to: z.coerce.number() });

/**
 * POST transfers, GET transfers/{reference or key}, POST transfers/{key}/cancel, GET payouts/{client's id}: the search,
 * GET paid/{from}/{to} in milliseconds since 1970, and for tests POST transfers/{reference}/becomes.
 */
export async function railApi(deps: SandboxDeps, request: Request): Promise<SandboxResponse> {
  const [, collection = '', id, verb] = request.path;
  const call = `${request.method} ${[collection, id && '{id}', verb && namedVerb(collection, verb)].filter(Boolean).join('/')}`;
  return (await calls[call]?.(deps, request, id ?? '')) ?? notFound();
}

const namedVerb = (collection: string, verb: string): string => (collection === 'paid' ? '{to}' : verb);

type Call = (deps: SandboxDeps, request: Request, id: string) => Promise<SandboxResponse>;
const calls: Readonly<Record<string, Call>> = {
  'POST transfers': sendTransfer,
  'GET transfers/{id}': showTransfer,
  'POST transfers/{id}/cancel': endTransfer,
  'POST transfers/{id}/becomes': turnTransfer,
  'GET payouts/{id}': showPayout,
  'GET paid/{id}/{to}': showPaid,
};

async function sendTransfer(deps: SandboxDeps, request: Request): Promise<SandboxResponse> {
  const key = idempotencyKey.safeParse(request.headers['idempotency-key']);
  const asked = body.safeParse(jsonOf(request));
  if (!key.success || !asked.success) return refused(422, 'invalid_request');

  const { amountMinor, payoutId, ...rest } = asked.data;
  const order: TransferRequest = { key: key.data, payoutId, amountMinor: BigInt(amountMinor), ...rest };
  const reference = `${ownReference}${Buffer.from(deps.random(8)).toString('hex')}`;
  const attempts = payoutId === undefined ? [] : await attemptsOf(deps, payoutId);
  const triedBefore = attempts.some((attempt) => attempt.key !== order.key);
  const circumstances = { reference, at: deps.now(), manners: deps.manners, triedBefore };
  const { is, step } = await moveTransfer(deps, order.key, (known) =>
    known && !isSameTransfer(known, order) ? undefined : send(known, order, circumstances),
  );
  if (!is || !isSameTransfer(is, order)) return refused(409, 'idempotency_key_reused');
  return step?.fault ? faulty(deps, step.fault) : json(200, view(is));
}

async function faulty({ delay }: SandboxDeps, fault: TransferFault): Promise<SandboxResponse> {
  switch (fault) {
    case 'fails':
      return refused(500, 'internal');
    case 'garbled':
      return { statusCode: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>200 OK' };
    case 'rejected':
      return refused(400, 'recipient_not_found');
    case 'forbidden':
      return refused(403, 'forbidden');
    case 'busy':
      return tooManyRequests();
    case 'times_out':
      await delay(tooLateMs);
      return refused(504, 'timed_out');
  }
}

function tooManyRequests(): SandboxResponse {
  const answer = refused(429, 'too_many_requests');
  return { ...answer, headers: { ...answer.headers, 'Retry-After': retryAfterSeconds } };
}

const ownReference = 'SBX-';

/** By the key only where tombstones make the key the transfer's name: other providers know their references alone. */
async function showTransfer(deps: SandboxDeps, _request: Request, id: string): Promise<SandboxResponse> {
  const { is } = await movedByName(deps, id);
  return is && (deps.manners.tombstones || is.state !== 'unknown') ? json(200, view(is)) : notFound();
}

async function movedByName(deps: SandboxDeps, id: string): Promise<Revised<Transfer, TransferStep>> {
  if (id.startsWith(ownReference)) return moveReferred(deps, id, askAbout);
  return deps.manners.tombstones
    ? moveTransfer(deps, id, (known) => known && askAbout(known))
    : { is: undefined };
}

async function showPayout(deps: SandboxDeps, _request: Request, id: string): Promise<SandboxResponse> {
  const found = await searchTransfers(deps, id);
  const moved = found.map(({ reference }) => moveReferred(deps, reference, askAbout));
  const transfers = (await Promise.all(moved)).flatMap(({ is }) => (is ? [view(is)] : []));
  return json(200, { transfers });
}

async function endTransfer(deps: SandboxDeps, _request: Request, key: string): Promise<SandboxResponse> {
  if (!deps.manners.tombstones) return notFound();
  if (!idempotencyKey.safeParse(key).success) return refused(422, 'invalid_request');
  const { is, step } = await moveTransfer(deps, key, (known) => cancelTransfer(known, key, deps.now()));
  if (!is) return notFound();
  return json(step || is.state === 'refused' ? 200 : 409, view(is));
}

async function turnTransfer(deps: SandboxDeps, request: Request, id: string): Promise<SandboxResponse> {
  const asked = change.safeParse(jsonOf(request));
  if (!asked.success) return refused(422, 'invalid_request');
  const { is } = await moveReferred(deps, id, (known) => changeTransfer(known, asked.data.state));
  return is ? json(200, view(is)) : notFound();
}

async function showPaid(deps: SandboxDeps, { path }: Request): Promise<SandboxResponse> {
  const asked = period.safeParse({ from: path[2], to: path[3] });
  if (!asked.success) return refused(422, 'invalid_request');
  const { from, to } = asked.data;
  const lines = (await movements(deps.table)).filter(
    ({ kind, at }) => kind === 'paid_out' && at.getTime() >= from && at.getTime() < to,
  );
  return json(200, {
    paid: lines.map(({ subject, named, amountMinor, currency, at }) => ({
      reference: named?.reference ?? subject,
      payoutId: named?.ourId,
      amountMinor,
      currency,
      at: at.toISOString(),
    })),
  });
}

/** `unknown` also for a transfer that was received but not acted upon. */
const view = ({ key, state, reference, reason }: Transfer) => ({
  key,
  state,
  ...(reference && state !== 'unknown' && { reference }),
  ...(reason && { reason }),
});
