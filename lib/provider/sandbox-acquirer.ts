import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { Defect } from '../defect.ts';
import { largestAmount } from '../money/money.ts';
import type {
  Acquirer,
  AcquirerView,
  Acted,
  FoundOrder,
  Hint,
  KnownOrder,
  MethodTerms,
  Order,
  PaymentMethod,
  RefundView,
  StartRequest,
} from '../payment/acquirer.ts';
import type { StatementLine } from '../provider-port.ts';
import { kindManners, type SandboxManners } from '../sandbox/manners.ts';
import type { Credentials } from './credentials.ts';
import {
  credentialsOf,
  isNotFound,
  sandboxClient,
  type SandboxAccess,
  type SandboxAnswer,
} from './sandbox-client.ts';
import { outcomeIn } from './sandbox-declines.ts';

type Manners = Pick<
  SandboxManners,
  'steps' | 'endsOpenOrders' | 'payableMinutes' | 'failureIsFinal' | 'feeBasisPoints'
>;
type Options = SandboxAccess & { readonly manners?: Manners };

const minor = z.pipe(
  z.int(),
  z.transform((value: number) => BigInt(value)),
);
const fee = z.optional(minor);
const account = {
  card: z.exactOptional(z.string().check(z.regex(/^\d{6}\*+\d{4}$/))),
  bank: z.exactOptional(z.string().check(z.maxLength(100))),
};
const view = z.discriminatedUnion('state', [
  z.object({ state: z.literal('pending') }),
  z.object({ state: z.literal('authorised'), amountMinor: minor, ...account }),
  z.object({
    state: z.literal('captured'),
    amountMinor: minor,
    refundedMinor: z._default(minor, 0n),
    feeMinor: fee,
    ...account,
  }),
  z.object({ state: z.literal('declined'), outcome: z.string(), ...account }),
  z.object({ state: z.literal('voided'), ...account }),
  // An order of an earlier version that was refunded whole.
  z.object({ state: z.literal('refunded'), amountMinor: minor, ...account }),
]);
const named = z.object({ paymentId: z.string(), reference: z.optional(z.string()) });
const opened = z.object({
  reference: z.string(),
  pageUrl: z.optional(z.url({ protocol: /^https?$/ })),
});
const page = z.object({ orders: z.array(z.unknown()), next: z.optional(z.string()) });
const refusal = z.object({ error: z.string() });
const refundAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['pending', 'succeeded']) }),
  z.object({ state: z.literal('rejected'), outcome: z.string(), accountEmpty: z.boolean() }),
]);
const refundList = z.object({ refunds: z.array(refundAnswer) });
const statementAnswer = z.object({
  lines: z.array(
    z.object({
      kind: z.enum(['payment', 'refund']),
      reference: z.string(),
      ourId: z.optional(z.string()),
      orderReference: z.optional(z.string()),
      amountMinor: minor,
      feeMinor: fee,
      currency: z.string(),
      at: z.iso.datetime(),
    }),
  ),
});

const longestDescription = 1000;
const hourMs = 3_600_000;
const ordersPerPage = 50;

const any = { minMinor: 1n, maxMinor: largestAmount };

/** What the sandbox promises, by its manners. SBP has no hold, and takes rubles as the real one does: up to 700,000 at a time. */
export function sandboxMethods(manners: Manners): Readonly<Record<PaymentMethod, MethodTerms>> {
  const { endsOpenOrders, payableMinutes, failureIsFinal } = manners;
  const promised = { endsOpenOrders, payableMinutes, failureIsFinal, reportsFee: manners.feeBasisPoints > 0 };
  return {
    card: {
      ...promised,
      holds: manners.steps === 'two',
      limits: { RUB: any, USD: any, EUR: any, KZT: any },
    },
    sbp: { ...promised, holds: false, limits: { RUB: { minMinor: 100n, maxMinor: 70_000_000n } } },
  };
}

/** The sandbox as an acquirer, which promises what its manners let it keep. */
export function sandboxAcquirer({ manners = kindManners, ...access }: Options): Acquirer {
  const call = sandboxClient(access);
  const at = ({ reference }: Pick<KnownOrder, 'reference'>, verb = '') =>
    `acquirer/orders/${encodeURIComponent(reference)}${verb && `/${verb}`}`;
  const get = (path: string) => call(path, { method: 'GET' });

  return {
    name: 'sandbox',
    methods: sandboxMethods(manners),
    pageSource: new URL(access.url).origin,
    receipts: undefined,

    async start(request) {
      const answer = await call('acquirer/orders', { body: bodyOf(request), key: request.key });
      if (answer.status === 422) return { kind: 'refused', outcome: refusalIn(answer) };
      if (answer.status !== 200) throw notUnderstood(refusalIn(answer));
      const { reference, pageUrl } = opened.parse(answer.body);
      return { kind: 'opened', reference, pageUrl, view: viewOf(request, answer.body) };
    },

    async get(order) {
      const answer = await get(at(order));
      if (answer.status !== 200)
        throw new Defect('SANDBOX_ORDER_UNKNOWN', 'the sandbox does not know the order');
      return viewOf(order, answer.body);
    },

    async look(reference) {
      const answer = await get(at({ reference }));
      return isNotFound(answer) ? undefined : foundIn(answer.body);
    },

    async find(order) {
      const found: FoundOrder[] = [];
      for await (const orders of pagesAround(get, order)) {
        found.push(...orders.map(foundIn).filter(({ paymentId }) => paymentId === order.paymentId));
      }
      return found.toSorted((one, other) => weight(other.view) - weight(one.view))[0] ?? 'absent';
    },

    capture: async (order, { key, amountMinor }) =>
      acted(order, await call(at(order, 'capture'), { body: { amountMinor: Number(amountMinor) }, key })),
    cancel: async (order, { key }) => acted(order, await call(at(order, 'cancel'), { key })),

    async refund(order, { key, refundId, amountMinor }) {
      const body = { refundId, amountMinor: Number(amountMinor) };
      const answer = await call(at(order, 'refunds'), { body, key });
      if (answer.status === 200) return refundIn(refundAnswer.parse(answer.body));
      return { state: 'rejected', outcome: refusalIn(answer), providerEmpty: false };
    },

    async findRefund(order, refundId) {
      const query = new URLSearchParams({ refundId });
      const { refunds } = refundList.parse((await get(`${at(order, 'refunds')}?${query.toString()}`)).body);
      // Under a key whose life was over there may be two.
      const last = refunds.findLast(({ state }) => state !== 'rejected') ?? refunds.at(-1);
      return last && refundIn(last);
    },

    async statement({ from, to }) {
      const query = new URLSearchParams({ from: from.toISOString(), to: to.toISOString() });
      const { lines } = statementAnswer.parse((await get(`statement?${query.toString()}`)).body);
      return lines.map(
        (line): StatementLine => ({
          ...line,
          ourId: line.ourId,
          orderReference: line.orderReference,
          feeMinor: line.feeMinor,
          at: new Date(line.at),
        }),
      );
    },

    async readNotification(headers, body) {
      const hint = hintIn(body);
      return hint && (await isSigned(headers, body, credentialsOf(access))) ? hint : undefined;
    },
  };
}

/** Everything but the times of the calls: the body of a repeated call is equal. */
const bodyOf = (request: StartRequest): object => ({
  paymentId: request.paymentId,
  method: request.method,
  steps: request.holds ? 'two' : 'one',
  amountMinor: Number(request.amountMinor),
  currency: request.currency,
  description: shortened(request.description),
  returnUrl: request.returnUrl,
  notifyUrl: request.notifyUrl,
});

/** Cuts to the sandbox's maximum length without splitting a surrogate pair. */
const shortened = (description: string): string =>
  description.slice(0, longestDescription).replace(/[\uD800-\uDBFF]$/, '');

/** Every page of the list, from an hour before the first call to an hour after the last. */
async function* pagesAround(
  get: (path: string) => Promise<SandboxAnswer>,
  { firstCallAt, lastCallAt }: Order,
): AsyncGenerator<readonly unknown[]> {
  const query = new URLSearchParams({
    from: new Date(firstCallAt.getTime() - hourMs).toISOString(),
    to: new Date(lastCallAt.getTime() + hourMs).toISOString(),
    limit: `${ordersPerPage}`,
  });
  for (;;) {
    const { orders, next } = page.parse((await get(`acquirer/orders?${query.toString()}`)).body);
    yield orders;
    if (next === undefined) return;
    query.set('cursor', next);
  }
}

/** Of two orders for one payment, which a key after its life can make, the one with money matters. */
const weight = ({ state }: AcquirerView): number =>
  ['declined', 'cancelled', 'voided', 'pending', 'authorised', 'captured'].indexOf(state);

/** Why nothing was done. A key that was used with another body says nothing of that call. */
function refusalIn({ body }: SandboxAnswer): string {
  const { error } = refusal.parse(body);
  if (error === 'idempotency_key_reused')
    throw new Defect('SANDBOX_KEY_REUSED', 'the idempotency key was used with another body');
  return error;
}

const notUnderstood = (error: string): Defect =>
  new Defect('SANDBOX_CALL_REFUSED', `the sandbox refused a call about an order: ${error}`);

/** A 409 says that the call is not possible in the order's state, with that state. */
function acted(order: KnownOrder, answer: SandboxAnswer): Acted {
  if (answer.status !== 200 && answer.status !== 409) throw notUnderstood(refusalIn(answer));
  return { view: viewOf(order, answer.body), refused: answer.status === 409 };
}

function foundIn(body: unknown): FoundOrder {
  const { paymentId, reference = paymentId } = named.parse(body);
  return { reference, paymentId, view: viewIn(body) };
}

/** The view of the order that was asked for. An order of another payment is not believed. */
function viewOf({ paymentId }: Order, body: unknown): AcquirerView {
  const found = foundIn(body);
  if (found.paymentId !== paymentId)
    throw new Defect('SANDBOX_ORDER_OF_ANOTHER', 'the reference is of the order of another payment');
  return found.view;
}

function viewIn(body: unknown): AcquirerView {
  const { card: fromCard, bank, ...seen } = { card: undefined, bank: undefined, ...view.parse(body) };
  const shown = { ...(fromCard && { fromCard }), ...(bank && { bank }) };
  if (seen.state === 'declined') return outcomeIn(seen.outcome, shown);
  if (seen.state !== 'captured' && seen.state !== 'refunded') return { ...seen, ...shown };
  const { amountMinor, refundedMinor, feeMinor } = {
    refundedMinor: seen.amountMinor,
    feeMinor: undefined,
    ...seen,
  };
  return { state: 'captured', amountMinor, refundedMinor, feeMinor, receipt: undefined, ...shown };
}

const refundIn = (answer: z.infer<typeof refundAnswer>): RefundView =>
  answer.state === 'rejected'
    ? { state: 'rejected', outcome: answer.outcome, providerEmpty: answer.accountEmpty }
    : answer.state === 'succeeded'
      ? { state: 'succeeded', receipt: undefined }
      : { state: 'pending' };

/** With a value that counts, or with the one that the secret was replaced by after this process read it. */
async function isSigned(
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  credentials: Credentials<string>,
): Promise<boolean> {
  const given = headers['sandbox-signature'];
  if (given === undefined) return false;
  const isOf = (secret: string) =>
    timingSafeEqual(sha256(given), sha256(createHmac('sha256', secret).update(body).digest('hex')));
  return (await credentials()).some(isOf) || (await credentials({ renewed: true })).some(isOf);
}

/** Makes both inputs equally long, as a constant-time comparison needs. */
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Orders of earlier versions have no reference of their own: they are known by the payment's id. */
function hintIn(body: string): Hint | undefined {
  try {
    const { paymentId, reference = paymentId } = named.parse(JSON.parse(body));
    return { about: 'payment', reference, paymentId };
  } catch {
    return undefined;
  }
}
