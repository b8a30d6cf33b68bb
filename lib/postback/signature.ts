import { createHash, createHmac } from 'node:crypto';

/**
 * `SignatureValue` of the contract (6.1 to 6.3): upper-case hexadecimal MD5 of the parts joined by colons.
 * The parts are the very texts that go on the wire; the API token is the last one.
 */
export const md5Signature = (...parts: readonly string[]): string =>
  createHash('md5').update(parts.join(':'), 'utf8').digest('hex').toUpperCase();

type Message = {
  /** The same at every attempt, so a receiver can tell a repetition. */
  readonly id: string;
  readonly timestamp: Date;
  readonly body: string;
  /** `whsec_` and the key in base64. */
  readonly secret: string;
};

/**
 * The headers of Standard Webhooks. Unlike SignatureValue they cover the whole body, Status included, so a payer
 * who has seen the signature of a Fail redirect cannot turn it into a SUCCESS.
 */
export function webhookHeaders({ id, timestamp, body, secret }: Message): Readonly<Record<string, string>> {
  const seconds = Math.floor(timestamp.getTime() / 1000).toString();
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`, 'utf8').digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}
