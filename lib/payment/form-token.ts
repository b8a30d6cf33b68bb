import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BillId } from '../ids.ts';

/** What the payment page's form carries: which payment it starts, for how much the payer agreed, and in which browser. */
export type PaymentForm = {
  readonly nonce: string;
  readonly chargeMinor: bigint;
  /** Of the number that the browser was given with the page. */
  readonly browserHash: string;
};

const livesMinutes = 30;
const shape = /^(([0-9A-Za-z]{8})\.(\d{1,12})\.(\d{10})\.([\w-]{43}))\.([0-9a-f]{64})$/;

/** A one-time token: its nonce becomes part of the payment's id, so a form that is sent twice is one payment. */
export function formToken(
  secret: string,
  billId: BillId,
  { nonce, chargeMinor, browserHash }: PaymentForm,
  now: Date,
): string {
  const until = Math.floor(now.getTime() / 1000) + livesMinutes * 60;
  const open = `${nonce}.${chargeMinor}.${until}.${browserHash}`;
  return `${open}.${mac(secret, billId, open)}`;
}

/** The form of this bill, signed by us and not too old; undefined otherwise. */
export function readFormToken(
  secret: string,
  billId: BillId,
  token: string,
  now: Date,
): PaymentForm | undefined {
  const [, open = '', nonce = '', charge = '', until = '', browserHash = '', signature = ''] =
    shape.exec(token) ?? [];
  if (open === '') return undefined;
  const genuine = timingSafeEqual(Buffer.from(signature), Buffer.from(mac(secret, billId, open)));
  return genuine && Number(until) * 1000 > now.getTime()
    ? { nonce, chargeMinor: BigInt(charge), browserHash }
    : undefined;
}

const mac = (secret: string, billId: BillId, open: string): string =>
  createHmac('sha256', secret).update(`payment-form:${billId}:${open}`).digest('hex');
