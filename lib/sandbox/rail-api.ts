import * as z from 'zod/mini';
import { balanceCurrencies } from '../money/money.ts';
import { json, notFound, refused, type SandboxResponse } from './answer.ts';
import type { SandboxDeps } from './deps.ts';
import { jsonOf, type Request } from './request.ts';
import {
  askAbout,
  cancelTransfer,
  destinationTypes,
  isSameTransfer,
  send,
  type Transfer,
  type TransferFault,
  type TransferRequest,
} from './transfer.ts';
import { moveTransfer } from './transfers.ts';
import { idempotencyKey } from './wire.ts';

/** Longer than the timeout of the rail's client. */
const tooLateMs = 6000;

const body = z.object({
  amountMinor: z.int().check(z.positive()),
  currency: z.enum(balanceCurrencies),
  destination: z.object({
    type: z.enum(destinationTypes),
    account: z.string().check(z.regex(/^\d{10,19}$/)),
  }),
});

/** POST transfers, GET transfers/{key}, POST transfers/{key}/cancel. */
export async function railApi(deps: SandboxDeps, request: Request): Promise<SandboxResponse> {
  const [, collection, key, verb] = request.path;
  if (collection !== 'transfers') return notFound();
  const call = `${request.method} ${[key && '{key}', verb].filter(Boolean).join('/')}`;
  if (call === 'POST ') return sendTransfer(deps, request);
  if (call === 'GET {key}') return showTransfer(deps, key ?? '');
  if (call === 'POST {key}/cancel') return endTransfer(deps, key ?? '');
  return notFound();
}

async function sendTransfer(deps: SandboxDeps, request: Request): Promise<SandboxResponse> {
  const key = idempotencyKey.safeParse(request.headers['idempotency-key']);
  const asked = body.safeParse(jsonOf(request));
  if (!key.success || !asked.success) return refused(422, 'invalid_request');

  const { amountMinor, ...rest } = asked.data;
  const order: TransferRequest = { key: key.data, amountMinor: BigInt(amountMinor), ...rest };
  const reference = `SBX-${Buffer.from(deps.random(8)).toString('hex')}`;
  const { is, step } = await moveTransfer(deps, order.key, (known) =>
    known && !isSameTransfer(known, order) ? undefined : send(known, order, reference),
  );
  if (!is || !isSameTransfer(is, order)) return refused(409, 'idempotency_key_reused');
  return step?.fault ? faulty(deps, step.fault) : json(200, view(is));
}

async function faulty({ delay }: SandboxDeps, fault: TransferFault): Promise<SandboxResponse> {
  if (fault === 'fails') return refused(500, 'internal');
  if (fault === 'garbled')
    return { statusCode: 200, headers: { 'Content-Type': 'text/html' }, body: '<html>200 OK' };
  await delay(tooLateMs);
  return refused(504, 'timed_out');
}

async function showTransfer(deps: SandboxDeps, key: string): Promise<SandboxResponse> {
  const { is } = await moveTransfer(deps, key, (known) => known && askAbout(known));
  return is ? json(200, view(is)) : notFound();
}

async function endTransfer(deps: SandboxDeps, key: string): Promise<SandboxResponse> {
  if (!idempotencyKey.safeParse(key).success) return refused(422, 'invalid_request');
  const { is, step } = await moveTransfer(deps, key, (known) => cancelTransfer(known, key));
  if (!is) return notFound();
  return json(step || is.state === 'refused' ? 200 : 409, view(is));
}

/** `unknown` also for a transfer that was received but not acted upon. */
const view = ({ key, state, reference, reason }: Transfer) => ({
  key,
  state,
  ...(reference && state !== 'unknown' && { reference }),
  ...(reason && { reason }),
});
