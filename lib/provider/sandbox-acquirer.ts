import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { Defect } from '../defect.ts';
import type { Acquirer, AcquirerView } from '../payment/ports.ts';
import { isNotFound, sandboxClient, type SandboxAccess, type SandboxAnswer } from './sandbox-client.ts';

type Options = SandboxAccess & { readonly steps?: 'one' | 'two' };

const minor = z.pipe(
  z.int(),
  z.transform((value: number) => BigInt(value)),
);
const card = z.exactOptional(z.string().check(z.regex(/^\d{6}\*+\d{4}$/)));
const view = z.discriminatedUnion('state', [
  z.object({ state: z.literal('pending') }),
  z.object({ state: z.enum(['authorised', 'captured']), amountMinor: minor, card }),
  z.object({ state: z.literal('declined'), outcome: z.string(), card }),
  z.object({ state: z.enum(['voided', 'refunded']), card }),
]);
const longestDescription = 1000;
const opened = z.object({ pageUrl: z.url({ protocol: /^https?$/ }) });
const notification = z.object({ paymentId: z.string() });

/** The sandbox as an acquirer: `two` steps authorise and capture, `one` step captures at once. */
export function sandboxAcquirer({ steps = 'two', ...access }: Options): Acquirer {
  const call = sandboxClient(access);
  const order = (paymentId: string, verb = '') =>
    `acquirer/orders/${encodeURIComponent(paymentId)}${verb && `/${verb}`}`;

  return {
    name: 'sandbox',
    origin: new URL(access.url).origin,
    async start({ amountMinor, description, ...rest }) {
      const body = { ...rest, description: shortened(description), amountMinor: Number(amountMinor), steps };
      const answer = await call('acquirer/orders', { body });
      if (answer.status !== 200)
        throw new Defect('SANDBOX_ORDER_REFUSED', 'the sandbox refused to open the order');
      return { pageUrl: opened.parse(answer.body).pageUrl };
    },
    get: async (paymentId) => read(await call(order(paymentId), { method: 'GET' })),
    capture: async (paymentId, amountMinor, key) =>
      read(await call(order(paymentId, 'capture'), { body: { amountMinor: Number(amountMinor) }, key })),
    cancel: async (paymentId) => read(await call(order(paymentId, 'cancel'))),
    refund: async (paymentId, key) => read(await call(order(paymentId, 'refund'), { key })),
    readNotification: (headers, body) =>
      isSigned(headers, body, access.secret) ? paymentOf(body) : undefined,
  };
}

/** Cuts to the sandbox's maximum length without splitting a surrogate pair. */
const shortened = (description: string): string =>
  description.slice(0, longestDescription).replace(/[\uD800-\uDBFF]$/, '');

/** Reads the state of the order, also from a 409, which says that an operation was not possible in that state. */
function read(answer: SandboxAnswer): AcquirerView {
  if (isNotFound(answer)) return { state: 'unknown' };
  const { card: fromCard, ...seen } = { card: undefined, ...view.parse(answer.body) };
  return {
    ...(isCancelledByPayer(seen) ? { ...seen, state: 'cancelled' } : seen),
    ...(fromCard && { fromCard }),
  };
}

/** The payer pressed Cancel; no card was declined. */
const isCancelledByPayer = (seen: AcquirerView): seen is Extract<AcquirerView, { outcome: string }> =>
  seen.state === 'declined' && seen.outcome === 'abandoned_by_payer';

function isSigned(
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  secret: string,
): boolean {
  const given = headers['sandbox-signature'] ?? '';
  const due = createHmac('sha256', secret).update(body).digest('hex');
  return timingSafeEqual(sha256(given), sha256(due));
}

/** Makes both inputs equally long, as a constant-time comparison needs. */
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

function paymentOf(body: string): string | undefined {
  try {
    return notification.parse(JSON.parse(body)).paymentId;
  } catch {
    return undefined;
  }
}
