import { createHash } from 'node:crypto';
import { base62 } from '../base62.ts';

/** Secret scanners recognise a token by its prefix and rule out look-alikes by its checksum. */
const tokenKinds = ['live', 'test'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** Returns cryptographically secure random bytes. */
export type Random = (bytes: number) => Uint8Array;

const secretLength = 43;
const checksumLength = 6;
const shape = /^pl_(?:live|test)_[0-9A-Za-z]{49}$/;

/** Returns a new API token: a prefix, 256 random bits and a checksum in base62. */
export function newToken(random: Random, kind: TokenKind): string {
  const body = `pl_${kind}_${base62(numberOf(random(32)), secretLength)}`;
  return body + checksumOf(body);
}

/** Returns the hash that a token is looked up by. 256 random bits need no salt and no slow hash. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Whether the text has the prefix of a Paylink token. */
export const isOurs = (token: string): boolean => token.startsWith('pl_');

/** Whether the text has the shape and the checksum of a Paylink token; it may still never have been issued. */
export const hasValidChecksum = (token: string): boolean =>
  shape.test(token) && checksumOf(token.slice(0, -checksumLength)) === token.slice(-checksumLength);

const checksumOf = (body: string): string =>
  base62(numberOf(createHash('sha256').update(body).digest().subarray(0, 4)), checksumLength);

/** Reads the bytes as one big-endian number: 32 bytes fit in 43 base62 digits, 4 bytes in 6. */
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
