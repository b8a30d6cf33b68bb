import { assert as always, property, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasValidChecksum, newToken, tokenHash } from '../../lib/merchant/token.ts';
import { newWebhookSecret } from '../../lib/merchant/webhook-secret.ts';

const bytes = (fill: number) => (length: number) => new Uint8Array(length).fill(fill);
const random32 = uint8Array({ minLength: 32, maxLength: 32 });

describe('an API token', () => {
  it('shows by its prefix that it is a token, live or test', () => {
    expect(newToken(bytes(7), 'live')).toMatch(/^pl_live_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
    expect(newToken(bytes(7), 'test')).toMatch(/^pl_test_[0-9A-Za-z]{49}$/);
  });

  it('encodes every random bit, also at both ends of the range', () => {
    expect(newToken(bytes(0), 'test')).toContain(`pl_test_${'0'.repeat(43)}`);
    // The largest number in 32 bytes.
    expect(newToken(bytes(255), 'test').slice(8, 51)).toBe(base62(2n ** 256n - 1n));
    always(
      property(random32, random32, (a, b) => {
        const same = Buffer.from(a).equals(Buffer.from(b));
        return (newToken(() => a, 'test') === newToken(() => b, 'test')) === same;
      }),
    );
  });

  it('has a checksum that detects any single changed character', () => {
    const token = newToken(bytes(42), 'test');
    expect(hasValidChecksum(token)).toBe(true);
    for (let at = 8; at < token.length; at += 1) {
      const other = token[at] === 'x' ? 'y' : 'x';
      expect(hasValidChecksum(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
    }
    expect(hasValidChecksum(token.replace('pl_test_', 'pl_live_'))).toBe(false);
    expect(hasValidChecksum('')).toBe(false);
  });

  it('is looked up by its SHA-256', () => {
    expect(tokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

it('a webhook secret is 32 random bytes in the Standard Webhooks format', () => {
  expect(newWebhookSecret(bytes(1))).toBe(`whsec_${Buffer.alloc(32, 1).toString('base64')}`);
});

function base62(value: bigint): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return value === 0n ? '' : base62(value / 62n) + digits.charAt(Number(value % 62n));
}
