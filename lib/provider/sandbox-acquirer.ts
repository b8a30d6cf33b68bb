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
const notice = z.object({ paymentId: z.string() });

/** The sandbox as an acquirer, with an authorisation before the capture or without. */
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

/** As long as the sandbox takes it; no surrogate pair is cut in two. */
const shortened = (description: string): string =>
  description.slice(0, longestDescription).replace(/[\uD800-\uDBFF]$/, '');

/** 409: it could not be done, and this is how the order stands. */
function read(answer: SandboxAnswer): AcquirerView {
  if (isNotFound(answer)) return { state: 'unknown' };
  const { card: fromCard, ...seen } = { card: undefined, ...view.parse(answer.body) };
  return { ...(isGivenUp(seen) ? { ...seen, state: 'cancelled' } : seen), ...(fromCard && { fromCard }) };
}

/** The payer pressed Cancel: no card was refused. */
const isGivenUp = (seen: AcquirerView): seen is Extract<AcquirerView, { outcome: string }> =>
  seen.state === 'declined' && seen.outcome === 'abandoned_by_payer';

function isSigned(
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  secret: string,
): boolean {
  const given =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'sandbox-signature')?.[1] ?? '';
  const due = createHmac('sha256', secret).update(body).digest('hex');
  return timingSafeEqual(sha256(given), sha256(due));
}

/** Equal lengths, which the comparison in constant time needs. */
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

function paymentOf(body: string): string | undefined {
  try {
    return notice.parse(JSON.parse(body)).paymentId;
  } catch {
    return undefined;
  }
}
