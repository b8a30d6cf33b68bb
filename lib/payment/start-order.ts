import * as z from 'zod/mini';
import { Defect } from '../defect.ts';
import type { Bill } from '../bill/bill.ts';
import type { PaymentId } from '../ids.ts';
import { ProviderBusy } from '../provider-port.ts';
import type { Acquirer, AcquirerView, KnownOrder, Order, StartRequest } from './acquirer.ts';
import { type CallKind, callKey, isRefused, isSendable, nextCall } from './call.ts';
import { descriptionOf } from './description.ts';
import { type PageSecrets, readUnderAny } from './page-secrets.ts';
import { chargeMinor, type Payment } from './payment.ts';
import type { Payments } from './ports.ts';
import { returnKey } from './return-key.ts';
import { open, seal } from './sealed.ts';
import { amountsAsText, storedReceipt } from './stored-receipt.ts';

/** Where the payer returns to from the acquirer's page. */
export type ReturnAddress = {
  readonly publicUrl: string;
  /** The query string of the payer's language, including the question mark. */
  readonly returnQuery?: string;
};

export type OrderPorts = {
  readonly payments: Pick<Payments, 'beginCall' | 'callAnswered' | 'storeOrder'>;
  /** The secrets that sign payment forms, browser cookies and return URLs. */
  readonly pageSecrets: () => Promise<PageSecrets>;
  readonly now: () => Date;
  readonly alarm: (alarm: 'reference_conflict', about: { readonly payment: string }) => void;
};

/** The order as it was, or may have been, sent. */
export const orderOf = (payment: Payment): Order => ({
  paymentId: payment.id,
  method: payment.method,
  holds: payment.holds,
  amountMinor: chargeMinor(payment),
  currency: payment.amount.currency,
  reference: payment.reference,
  firstCallAt: payment.startCall.firstAt,
  lastCallAt: payment.startCall.lastAt,
});

/** The order of a payment whose reference is stored. */
export function knownOrderOf(payment: Payment): KnownOrder {
  const { reference } = payment;
  if (reference === undefined)
    throw new Defect('PAYMENT_WITHOUT_REFERENCE', 'A payment without the reference of its order');
  return { ...orderOf(payment), reference };
}

/** Absent in requests stored before receipts existed. */
const receipt: z.ZodMiniType<StartRequest['receipt']> = z.optional(storedReceipt);
const details = z.object({
  description: z.string(),
  returnUrl: z.string(),
  language: z.enum(['ru', 'en']),
  notifyUrl: z.string(),
  receipt,
});
/** What `start` sends and the stored payment does not say. */
export type StartDetails = z.infer<typeof details>;

/** Returns what is sent for a payment of this bill. */
export const startDetails = (
  secrets: PageSecrets,
  { bill, paymentId }: { readonly bill: Bill; readonly paymentId: PaymentId },
  { language, receipt: sent, ...address }: ReturnAddress & Pick<StartDetails, 'language' | 'receipt'>,
): StartDetails => ({
  description: descriptionOf(bill),
  returnUrl: resultUrl(secrets, paymentId, address),
  language,
  notifyUrl: `${address.publicUrl}/acquirer/notification`,
  receipt: sent,
});

export const sealStartRequest = ([secret]: PageSecrets, paymentId: PaymentId, said: StartDetails): string =>
  seal({ secret, use: 'start-request', paymentId }, JSON.stringify(said, amountsAsText));

/** Returns the stored request; undefined when the page secret that encrypted it is gone. */
function startRequestOf(payment: Payment, secrets: PageSecrets): StartRequest | undefined {
  const { id: paymentId, startRequest: sealed, startCall, merchantId, shopId, billId, orderId } = payment;
  if (sealed === undefined) return undefined;
  const text = readUnderAny(secrets, (secret) => open({ secret, use: 'start-request', paymentId }, sealed));
  if (text === undefined) return undefined;
  return {
    ...orderOf(payment),
    ...details.parse(JSON.parse(text)),
    key: callKey(paymentId, 'start', startCall),
    about: { merchantId, shopId, billId, orderId },
  };
}

export type OrderStart =
  | {
      readonly kind: 'opened';
      readonly view: AcquirerView;
      readonly pageUrl: string | undefined;
      /** False: the store could not be reached, and the next visit or check asks for the order again. */
      readonly isStored: boolean;
    }
  | { readonly kind: 'refused' }
  /** Not sent: the request cannot be opened, the key has expired, or another caller was first. */
  | { readonly kind: 'not_sent' };

/**
 * Opens the order at the acquirer and stores its reference and page. The call is recorded already: with the payment itself.
 * Throws when the acquirer does not answer.
 */
export async function startOrder(
  ports: OrderPorts,
  acquirer: Acquirer,
  payment: Payment,
): Promise<OrderStart> {
  const secrets = await ports.pageSecrets();
  const request = startRequestOf(payment, secrets);
  if (!request) return { kind: 'not_sent' };
  const started = await unlessBusy(ports, payment, 'start', () => acquirer.start(request));
  if (started.kind === 'refused') {
    const { outcome } = started;
    const { attempt } = payment.startCall;
    await ports.payments.callAnswered(payment, 'start', { attempt, answer: 'refused', outcome });
    return { kind: 'refused' };
  }
  const isStored = await storeOrder(ports, payment, started, secrets).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ReferenceConflict) throw error;
      return false;
    },
  );
  return { ...started, isStored };
}

/** The same call again, recorded before it is made. It creates nothing new while the acquirer keeps its key. */
export async function startOrderAgain(
  ports: OrderPorts,
  acquirer: Acquirer,
  payment: Payment,
): Promise<OrderStart> {
  const now = ports.now();
  const isPossible = isSendable(payment.startCall, now) && !isRefused(payment.startCall);
  if (!isPossible || !startRequestOf(payment, await ports.pageSecrets())) return { kind: 'not_sent' };
  const startCall = nextCall(payment.startCall, { now });
  if (!(await ports.payments.beginCall(payment, 'start', startCall))) return { kind: 'not_sent' };
  return startOrder(ports, acquirer, { ...payment, startCall });
}

/** Stores the reference of an order that the acquirer's list or a notification named. */
export const storeReference = async (ports: OrderPorts, payment: Payment, reference: string): Promise<void> =>
  storeOrder(ports, payment, { reference, pageUrl: undefined }, await ports.pageSecrets());

type Opened = { readonly reference: string; readonly pageUrl: string | undefined };

async function storeOrder(
  { payments, alarm }: OrderPorts,
  payment: Payment,
  { reference, pageUrl }: Opened,
  [secret]: PageSecrets,
): Promise<void> {
  const { id: paymentId, phase } = payment;
  const cardPage =
    pageUrl !== undefined && phase === 'AUTHORIZING'
      ? seal({ secret, use: 'card-page', paymentId }, pageUrl)
      : undefined;
  const stored = await payments.storeOrder(payment, { reference, cardPage });
  if (stored.ok) return;
  alarm('reference_conflict', { payment: paymentId });
  throw new ReferenceConflict();
}

/** The acquirer names another order than before: nothing of it is believed. */
export class ReferenceConflict extends Error {
  constructor() {
    super('The acquirer names two orders for one payment');
    this.name = 'ReferenceConflict';
  }
}

/** Makes a recorded call. One that was not carried out is not an unanswered one. */
export async function unlessBusy<T>(
  { payments }: Pick<OrderPorts, 'payments'>,
  payment: Payment,
  kind: CallKind,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const attempt = payment[`${kind}Call`]?.attempt;
    if (error instanceof ProviderBusy && attempt !== undefined)
      await payments.callAnswered(payment, kind, { attempt, answer: undefined, outcome: undefined });
    throw error;
  }
}

/** Returns the stored URL of the payment's page; undefined when there is none, or its secret is gone. */
export function storedPage(
  { id: paymentId, cardPage: sealed }: Payment,
  secrets: PageSecrets,
): string | undefined {
  if (sealed === undefined) return undefined;
  return readUnderAny(secrets, (secret) => open({ secret, use: 'card-page', paymentId }, sealed));
}

/** Returns the URL to which the acquirer redirects the payer, which shows the outcome of the payment. */
export const resultUrl = (
  [secret]: PageSecrets,
  paymentId: PaymentId,
  { publicUrl, returnQuery = '' }: ReturnAddress,
): string =>
  `${publicUrl}/result/${paymentId}?key=${returnKey(secret, paymentId)}${returnQuery.replace('?', '&')}`;
