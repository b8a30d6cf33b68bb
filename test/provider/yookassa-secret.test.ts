import { describe, expect, it } from 'vitest';
import type { Credentials } from '../../lib/provider/credentials.ts';
import { isCurrentSecret, isOneOfSecrets } from '../../lib/provider/notification-address.ts';
import { readGatewaySecret, readShopSecret } from '../../lib/provider/yookassa/secret.ts';

const shop = (n: number) => JSON.stringify({ shopId: '100500', secretKey: `shop-${n}` });
const gateway = (n: number) => JSON.stringify({ gatewayId: '500100', secretKey: `gateway-${n}` });

describe('the secrets of YooKassa', () => {
  it('are one for the shop and one for the payout gateway, each current and previous', () => {
    expect(readShopSecret([shop(2), shop(1)])).toEqual([
      { id: '100500', secretKey: 'shop-2' },
      { id: '100500', secretKey: 'shop-1' },
    ]);
    expect(readGatewaySecret([gateway(2), gateway(1)])).toEqual([
      { id: '500100', secretKey: 'gateway-2' },
      { id: '500100', secretKey: 'gateway-1' },
    ]);
  });

  it('are a defect with another value; a previous one of another shape does not count', () => {
    expect(() => readShopSecret(['random text'])).toThrow(/provider set/);
    expect(() => readGatewaySecret([shop(1)])).toThrow(/yookassa-payouts/);
    expect(readShopSecret([shop(1), 'random text'])).toHaveLength(1);
  });
});

describe('the secret part of a notification address', () => {
  const current = 'Rxq2mVbe7Wl9sKd3';
  const previous = 'Zn4tYp8cHg1uJf6a';
  it.each([
    ['the current secret', current, true],
    ['the previous secret', previous, true],
    ['another', 'Rxq2mVbe7Wl9sKd4', false],
    ['the beginning of it', 'Rxq2mVbe7Wl9sKd', false],
    ['more than it', `${current}3`, false],
    ['nothing', '', false],
  ])('is good when it is %s: %s -> %s', (_case, given, isGood) => {
    expect(isOneOfSecrets(given, [current, previous])).toBe(isGood);
  });

  it.each(['', 'short'])('is never good when the secret is "%s"', (secret) => {
    expect(isOneOfSecrets(secret, [secret])).toBe(false);
    expect(isOneOfSecrets(secret, [])).toBe(false);
  });

  it('is read again when the one that this process has read was replaced', async () => {
    const secrets: Credentials<string> = async (how) => (how?.renewed ? [current, previous] : [previous]);
    expect(await isCurrentSecret(current, secrets)).toBe(true);
    expect(await isCurrentSecret(previous, secrets)).toBe(true);
    expect(await isCurrentSecret('Rxq2mVbe7Wl9sKd4', secrets)).toBe(false);
  });
});
