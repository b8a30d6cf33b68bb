import { describe, expect, it } from 'vitest';
import { isOneOfSecrets } from '../../lib/provider/notification-address.ts';
import { readYookassaSecret } from '../../lib/provider/yookassa/secret.ts';

const value = (n: number) =>
  JSON.stringify({
    shopId: '100500',
    secretKey: `shop-${n}`,
    gatewayId: '500100',
    gatewaySecretKey: `gateway-${n}`,
    notificationSecret: `notification-${n}`,
  });

describe('the secret of YooKassa', () => {
  it('has the shop, the payout gateway and the address of notifications, current and previous', () => {
    expect(readYookassaSecret([value(2), value(1)])).toEqual({
      shop: [
        { id: '100500', secretKey: 'shop-2' },
        { id: '100500', secretKey: 'shop-1' },
      ],
      gateway: [
        { id: '500100', secretKey: 'gateway-2' },
        { id: '500100', secretKey: 'gateway-1' },
      ],
      notifications: ['notification-2', 'notification-1'],
    });
  });

  it('without its JSON is a defect; a previous value without it does not count', () => {
    expect(() => readYookassaSecret(['random text'])).toThrow(/deploying\.md/);
    expect(readYookassaSecret([value(1), 'random text']).notifications).toEqual(['notification-1']);
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
});
