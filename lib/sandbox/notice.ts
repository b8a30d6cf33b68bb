import type { SandboxDeps } from './deps.ts';
import { hasReference, type Order } from './order.ts';
import { signatureHeader, signatureOf } from './secret.ts';
import { behaviourOf } from './test-values.ts';

/** The payer waits for this call, so it times out soon. */
const timeoutMs = 2000;

type Deps = Pick<SandboxDeps, 'secret' | 'fetch' | 'manners'>;

/**
 * Notifies the merchant that the payer's step changed the order. It is sent before the payer gets an answer, because a
 * Lambda does not run after its response. Some test cards and manners send it twice or never. It is not retried.
 */
export async function notify(deps: Deps, order: Order): Promise<void> {
  if (!['authorised', 'captured', 'declined'].includes(order.state)) return;
  const copies = behaviourOf(order.cardOutcome).notices ?? copiesBy(deps);
  await send(
    deps,
    order.notifyUrl,
    Array.from({ length: copies }, () => noticeOf(order, order.state)),
  );
}

const copiesBy = ({ manners: { notices } }: Deps): number => {
  if (notices === 'lost') return 0;
  return notices === 'doubled' ? 2 : 1;
};

/** With early notices, tells the merchant of a call of its own before the call is answered. */
export const notifyEarly = async (deps: Deps, order: Order): Promise<void> =>
  deps.manners.notices === 'early' ? send(deps, order.notifyUrl, [noticeOf(order, order.state)]) : undefined;

/** With forged notices, tells the merchant of a capture that never was, and of one of an order that does not exist. */
export async function forge(deps: Deps, order: Order): Promise<void> {
  if (deps.manners.notices !== 'forged') return;
  const unknown = { ...order, reference: `${order.reference}x`, paymentId: `${order.paymentId}x` };
  await send(
    deps,
    order.notifyUrl,
    [order, unknown].map((about) => noticeOf(about, 'captured')),
  );
}

const noticeOf = (order: Order, state: Order['state']): object => ({
  paymentId: order.paymentId,
  ...(hasReference(order) && { reference: order.reference }),
  state,
});

async function send({ secret, fetch }: Deps, url: string, notices: readonly object[]): Promise<void> {
  const key = await secret();
  await Promise.all(
    notices.map((notice) => {
      const body = JSON.stringify(notice);
      return post(fetch, url, body, signatureOf(body, key));
    }),
  );
}

async function post(call: typeof fetch, url: string, body: string, signature: string): Promise<void> {
  try {
    const answer = await call(url, {
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
