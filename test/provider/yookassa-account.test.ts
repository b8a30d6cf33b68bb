import { describe, expect, it } from 'vitest';
import { watchBalances } from '../../lib/provider-account/watch-balances.ts';
import { yookassaGatewayAccount, yookassaShopAccount } from '../../lib/provider/yookassa/account.ts';
import { notifyAbout } from '../../lib/provider/yookassa/own-notification.ts';
import { answering, apiUrl as url, type Canned, errorOf, shop as keys } from '../support/yookassa-answers.ts';
import { aReceiver } from '../support/receiver.ts';
import { anEmulator } from '../support/yookassa-emulator.ts';

const shopAnswering = (...answers: readonly Canned[]) => {
  const { send, asked } = answering(...answers);
  return { at: yookassaShopAccount({ apiUrl: url, credentials: async () => [keys], fetch: send }), asked };
};

describe('an account at YooKassa', () => {
  it('is a shop with its methods and whether it takes receipts', async () => {
    const { apiUrl, shopId: id, secretKey } = await anEmulator({ receipts: true });
    const shop = yookassaShopAccount({ apiUrl, credentials: async () => [{ id, secretKey }] });
    expect(await shop.account()).toEqual({
      state: 'known',
      id,
      live: false,
      enabled: true,
      methods: ['card', 'sbp'],
      receipts: true,
      balances: [],
    });
  });

  it('is a payout gateway with its balance', async () => {
    const { apiUrl, gatewayId: id, gatewaySecretKey: secretKey } = await anEmulator();
    const gateway = yookassaGatewayAccount({ apiUrl, credentials: async () => [{ id, secretKey }] });
    expect(await gateway.account()).toMatchObject({
      state: 'known',
      id,
      methods: ['credit_card', 'yoo_money', 'sbp'],
      receipts: undefined,
      balances: [{ currency: 'RUB', minor: 100_000_000n }],
    });
  });

  it('is refused with keys that do not count, also when the previous ones do', async () => {
    const { apiUrl, shopId: id, secretKey } = await anEmulator();
    const wrong = { id, secretKey: 'test_wrong' };
    const shop = yookassaShopAccount({ apiUrl, credentials: async () => [wrong, { id, secretKey }] });
    expect(await shop.account()).toMatchObject({
      state: 'refused',
      id,
      reason: expect.stringMatching(/^invalid_credentials/),
    });
  });

  it('is not set while no id is stored, and the provider is not called', async () => {
    const shop = yookassaShopAccount({
      apiUrl: url,
      credentials: async () => [{ id: '', secretKey: 'random' }],
      fetch: () => Promise.reject(new Error('called')),
    });
    expect(await shop.account()).toEqual({ state: 'not_set' });
  });

  it('of a shop that may not read its settings is known by its payments', async () => {
    const payments = { type: 'list', items: [{ test: false }] };
    const { at, asked } = shopAnswering([403, errorOf('forbidden')], [200, payments]);
    expect(await at.account()).toMatchObject({
      state: 'known',
      id: '100500',
      live: true,
      methods: undefined,
    });
    expect(asked).toMatchObject([{ path: '/v3/me' }, { path: '/v3/payments', query: { limit: '1' } }]);
    const empty = shopAnswering([403, errorOf('forbidden')], [200, { type: 'list', items: [] }]);
    expect(await empty.at.account()).toMatchObject({ state: 'known', live: undefined });
  });
});

describe('the balance of the payout account', () => {
  async function alarmsAt(balance: string, alarmBelow: Readonly<Record<string, bigint>>) {
    const {
      apiUrl,
      gatewayId: id,
      gatewaySecretKey: secretKey,
    } = await anEmulator({ payoutBalance: balance });
    const at = yookassaGatewayAccount({ apiUrl, credentials: async () => [{ id, secretKey }] });
    const [raised, logged]: [string[], string[]] = [[], []];
    await watchBalances({
      watched: [{ provider: 'yookassa', at, alarmBelow }],
      alarm: (event, { provider }) => void raised.push(`${event} ${provider}`),
      log: (level, event) => void logged.push(`${level} ${event}`),
    });
    return { raised, logged };
  }

  it('raises an alarm below the amount of the record, and not at it', async () => {
    const alarmBelow = { RUB: 5_000_000n };
    expect(await alarmsAt('49999.99', alarmBelow)).toEqual({
      raised: ['provider_balance_low yookassa'],
      logged: [],
    });
    expect(await alarmsAt('50000.00', alarmBelow)).toEqual({ raised: [], logged: [] });
  });

  it('that cannot be read is logged, and read again with the next run', async () => {
    const logged: unknown[] = [];
    await watchBalances({
      watched: [
        {
          provider: 'yookassa',
          at: { account: () => Promise.reject(new TypeError('fetch')) },
          alarmBelow: {},
        },
        { provider: 'yookassa', at: { account: async () => ({ state: 'not_set' }) }, alarmBelow: {} },
      ],
      alarm: () => expect.unreachable(),
      log: (...line) => void logged.push(line),
    });
    expect(logged).toMatchObject([
      ['error', 'provider_balance_unknown', { provider: 'yookassa', error: 'TypeError' }],
      ['error', 'provider_balance_unknown', { provider: 'yookassa', why: 'not_set' }],
    ]);
  });
});

describe('a notification to our own address', () => {
  it('does not follow a redirect: the provider follows none, and no other host may receive it', async () => {
    const asked: string[] = [];
    await using receiver = await aReceiver((request, answer) => {
      asked.push(`${request.method} ${request.url}`);
      answer.writeHead(request.url === '/elsewhere' ? 200 : 308, { location: '/elsewhere' }).end();
    });
    expect(await notifyAbout(receiver.url)).toBe(308);
    expect(asked).toEqual(['POST /result']);
  });
});
