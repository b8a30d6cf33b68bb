import type { SandboxDeps } from './deps.ts';
import type { Order } from './order.ts';
import { signatureHeader, signatureOf } from './secret.ts';
import { behaviourOf } from './test-values.ts';

/** The payer waits meanwhile, so a receiver that does not answer is given up after this long. */
const timeoutMs = 2000;

type Deps = Pick<SandboxDeps, 'secret' | 'fetch'>;

/**
 * Tells the merchant that the payer's step changed the order, before the payer is answered: a Lambda does nothing
 * after its answer. Some cards send it twice or never; one that does not arrive is not repeated.
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
    // Real acquirers lose notices too: the service asks by itself.
  }
}
