import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BillId } from '../ids.ts';
import { type PaymentMethod, paymentMethods } from './acquirer.ts';

/**
 * The contents of a payment form's token: the payment that it starts, how it is paid, the charge that the payer saw, the browser.
 */
export type PaymentForm = {
  readonly nonce: string;
  readonly method: PaymentMethod;
  readonly chargeMinor: bigint;
  /** The hash of the number in the browser's cookie. */
  readonly browserHash: string;
};

const livesMinutes = 30;
/** Tokens of pages opened before methods could be chosen name none: they are for cards. */
const shape = /^(([0-9A-Za-z]{8})\.(\d{1,12})\.(\d{10})\.([\w-]{43})(?:\.([a-z]{1,10}))?)\.([0-9a-f]{64})$/;

/** Returns a one-time token: its nonce is part of the payment's id, so a form that is sent twice is one payment. */
export function formToken(
  secret: string,
  billId: BillId,
  { nonce, method, chargeMinor, browserHash }: PaymentForm,
  now: Date,
): string {
  const until = Math.floor(now.getTime() / 1000) + livesMinutes * 60;
  const open = `${nonce}.${chargeMinor}.${until}.${browserHash}.${method}`;
  return `${open}.${mac(secret, billId, open)}`;
}

/** Returns the form if the token was signed for this bill and has not expired; undefined otherwise. */
export function readFormToken(
  secret: string,
  billId: BillId,
  token: string,
  now: Date,
): PaymentForm | undefined {
  const [, open = '', nonce = '', charge = '', until = '', browserHash = '', named = 'card', signature = ''] =
    shape.exec(token) ?? [];
  const method = paymentMethods.find((each) => each === named);
  if (open === '' || !method) return undefined;
  const genuine = timingSafeEqual(Buffer.from(signature), Buffer.from(mac(secret, billId, open)));
  return genuine && Number(until) * 1000 > now.getTime()
    ? { nonce, method, chargeMinor: BigInt(charge), browserHash }
    : undefined;
}

const mac = (secret: string, billId: BillId, open: string): string =>
  createHmac('sha256', secret).update(`payment-form:${billId}:${open}`).digest('hex');
