import { randomBytes } from 'node:crypto';

const epoch = Date.UTC(2000, 0, 1);
const hex = (digits: number): string =>
  randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits);

/** An id in the vendor's form: 36 characters, the first eight are the seconds since the year 2000. */
function newId(kind: string, now: number): string {
  const seconds = Math.floor((now - epoch) / 1000)
    .toString(16)
    .padStart(8, '0');
  return `${seconds}-${kind}-5${hex(3)}-8${hex(3)}-${hex(12)}`;
}

export const newPaymentId = (now: number): string => newId('000f', now);
export const newRefundId = (now: number): string => newId('0015', now);
export const newPayoutId = (now: number): string => `po-${newId('0025', now)}`;

/** The id of an operation in the fast payment system: 32 upper-case characters. */
export const newSbpOperationId = (): string => hex(32).toUpperCase();

/** A retrieval reference number: twelve digits. */
export const newRrn = (): string => digits(12);
export const newAuthCode = (): string => digits(6);

const digits = (count: number): string =>
  Array.from(randomBytes(count), (byte) => String(byte % 10)).join('');

/** A secret key in the form of the vendor's test keys. */
export const newSecretKey = (): string => `test_${randomBytes(32).toString('base64url')}`;
