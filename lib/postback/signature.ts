import { createHash, createHmac } from 'node:crypto';

/**
 * Returns `SignatureValue` of the contract (6.1 to 6.3): upper-case hexadecimal MD5 of the parts joined by colons.
 * The parts are the texts exactly as sent; the API token is the last one.
 */
export const md5Signature = (...parts: readonly string[]): string =>
  createHash('md5').update(parts.join(':'), 'utf8').digest('hex').toUpperCase();

type Message = {
  /** The same at every attempt, so that a receiver can detect duplicates. */
  readonly id: string;
  readonly timestamp: Date;
  readonly body: string;
  /** Each is `whsec_` followed by the key in base64; two while the secret is rotated. */
  readonly secrets: readonly string[];
};

/**
 * Returns the headers of Standard Webhooks. Unlike SignatureValue they sign the whole body, including Status, so a
 * payer who has seen the signature of a Fail redirect cannot turn it into a SUCCESS.
 */
export function webhookHeaders({ id, timestamp, body, secrets }: Message): Readonly<Record<string, string>> {
  const seconds = Math.floor(timestamp.getTime() / 1000).toString();
  const signatures = secrets.map((secret) => webhookSignature(secret, `${id}.${seconds}.${body}`));
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}

function webhookSignature(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(signed, 'utf8').digest('base64')}`;
}
