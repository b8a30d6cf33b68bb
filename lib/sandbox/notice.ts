import type { SandboxDeps } from './deps.ts';
import type { Order } from './order.ts';
import { signatureHeader, signatureOf } from './secret.ts';
import { behaviourOf } from './test-values.ts';

/** The payer waits for this call, so it times out soon. */
const timeoutMs = 2000;

type Deps = Pick<SandboxDeps, 'secret' | 'fetch'>;

/**
 * Notifies the merchant that the payer's step changed the order. It is sent before the payer gets an answer, because a
 * Lambda does not run after its response. Some test cards send it twice or never. It is not retried.
 */
export async function notify(deps: Deps, order: Order): Promise<void> {
  if (!['authorised', 'captured', 'declined'].includes(order.state)) return;
  const body = JSON.stringify({ paymentId: order.paymentId, state: order.state });
  const signature = signatureOf(body, await deps.secret());
  const copies = Array.from({ length: behaviourOf(order.cardOutcome).notices ?? 1 });
  await Promise.all(copies.map(() => post(deps.fetch, order.notifyUrl, body, signature)));
}

async function post(send: typeof fetch, url: string, body: string, signature: string): Promise<void> {
  try {
    const answer = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [signatureHeader]: signature },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
  } catch {
    // Real acquirers lose notifications too: the service polls.
  }
}
