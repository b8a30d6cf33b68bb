import { randomUUID } from 'node:crypto';

const answerWithinMs = 20_000;

/**
 * Posts a notification about a payment that does not exist to our own address, as the provider does. Returns the status of the
 * answer; undefined without one. A redirect is an answer: the provider follows none, and the address is a secret.
 */
export async function notifyAbout(address: string): Promise<number | undefined> {
  const object = { id: randomUUID(), status: 'waiting_for_capture' };
  try {
    const { status } = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'notification', event: 'payment.waiting_for_capture', object }),
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return status;
  } catch {
    return undefined;
  }
}
