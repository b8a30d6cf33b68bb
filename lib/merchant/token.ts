import { createHash } from 'node:crypto';
import { base62 } from '../base62.ts';

/** Secret scanners know a token by its prefix and tell a real one from a look-alike by its checksum. */
const tokenKinds = ['live', 'test'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** Bytes from a source that nobody can guess. */
export type Random = (bytes: number) => Uint8Array;

const secretLength = 43;
const checksumLength = 6;
const shape = /^pl_(?:live|test)_[0-9A-Za-z]{49}$/;

/** A new API token: 256 random bits and a checksum, all base62. */
export function newToken(random: Random, kind: TokenKind): string {
  const body = `pl_${kind}_${base62(numberOf(random(32)), secretLength)}`;
  return body + checksumOf(body);
}

/** What a token is looked up by. 256 random bits need no salt and no slow hash. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Looks like a token of this service, by its prefix alone. */
export const isOurs = (token: string): boolean => token.startsWith('pl_');

/** Whether the text may be one of our tokens at all; says nothing about whether it was ever issued. */
export const hasValidChecksum = (token: string): boolean =>
  shape.test(token) && checksumOf(token.slice(0, -checksumLength)) === token.slice(-checksumLength);

const checksumOf = (body: string): string =>
  base62(numberOf(createHash('sha256').update(body).digest().subarray(0, 4)), checksumLength);

/** The bytes as one number: 32 bytes fit 43 digits, 4 bytes fit 6. */
const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
