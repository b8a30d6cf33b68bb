import { describe, expect, it } from 'vitest';
import { checkProvider } from '../../lib/provider-account/check-provider.ts';
import type { AccountView } from '../../lib/provider-port.ts';
import { operatorHarness, terminal } from '../support/operator.ts';

const shop = { shopId: '100500', secretKey: 'live_Rxq2mVbe7Wl9sKd3Fh8t' };
const newer = { ...shop, secretKey: 'live_Zn4tYp8cHg1uJf6aVbe7' };
const another = { ...newer, shopId: '100501' };
const noKeys = JSON.stringify({ shopId: '', secretKey: 'random' });

type Input = { readonly hidden?: readonly string[]; readonly piped?: unknown };

/** The operator's terminal at production, whose secrets have these values. */
async function at(secrets: Readonly<Record<string, string>>, { hidden = [], piped }: Input = {}) {
  const harness = await operatorHarness();
  Object.assign(harness.providerSecrets, secrets);
  let stored = 0;
  const { providerSecrets: kept } = harness.context;
  const providerSecrets = {
    ...kept,
    replace: async (name: string, value: string) => {
      stored += 1;
      await kept.replace(name, value);
    },
  };
  const input = { hidden, piped: typeof piped === 'string' ? piped : JSON.stringify(piped) };
  return {
    ...terminal({ ...harness.context, providerSecrets, environment: 'prod' }, input),
    stores: () => stored,
    secrets: harness.providerSecrets,
  };
}

describe('provider set', () => {
  it('stores the keys from standard input, and says nothing of them', async () => {
    const { type, secrets } = await at({ yookassa: noKeys }, { piped: shop });
    const { exitCode, said } = await type('provider set yookassa --yes');
    expect(exitCode).toBe(0);
    expect(secrets).toEqual({ yookassa: JSON.stringify(shop) });
    expect(said).toContain('Next: provider check yookassa --env prod');
    expect(said).not.toContain(shop.secretKey);
  });

  it('asks for them at a terminal without showing them, and confirms the account by its id', async () => {
    const { type, asked, secrets } = await at(
      { 'yookassa-payouts': '{"gatewayId":"","secretKey":"random"}' },
      { hidden: ['500100', newer.secretKey] },
    );
    expect(await type('provider set yookassa --payouts', true)).toMatchObject({ exitCode: 0 });
    expect(asked).toEqual([
      'gatewayId (it is not shown):',
      'secretKey (it is not shown):',
      'Store the keys of gatewayId 500100 as yookassa-payouts of prod?',
    ]);
    expect(secrets).toEqual({
      'yookassa-payouts': JSON.stringify({ gatewayId: '500100', secretKey: newer.secretKey }),
    });
  });

  it('replaces the key of the same account', async () => {
    const { json, secrets } = await at({ yookassa: JSON.stringify(shop) }, { piped: newer });
    expect(await json('provider set yookassa')).toEqual({
      provider: 'yookassa',
      secret: 'yookassa',
      id: '100500',
      replaced: '100500',
    });
    expect(secrets['yookassa']).toBe(JSON.stringify(newer));
  });

  it('does not store the same keys again: the previous ones would stop counting', async () => {
    const before = { yookassa: JSON.stringify(shop) };
    const { type, secrets, stores } = await at(before, { piped: shop });
    expect(await type('provider set yookassa --yes')).toMatchObject({
      exitCode: 1,
      complained: 'Nothing was stored: prod has these keys.',
    });
    expect([secrets, stores()]).toEqual([before, 0]);
  });

  it('refuses another account, unless it is said in words that nothing is open', async () => {
    const before = { yookassa: JSON.stringify(shop) };
    for (const words of ['', '--another-account yes']) {
      const { type, secrets } = await at(before, { piped: another });
      const { exitCode, complained } = await type(`provider set yookassa --yes ${words}`);
      expect(exitCode).toBe(1);
      expect(complained).toContain('prod has shopId 100500, and this is 100501');
      expect(complained).toContain('--another-account "no payment or payout is open"');
      expect(secrets).toEqual(before);
    }
    const { type, secrets } = await at(before, { piped: another });
    await type('provider set yookassa --yes --another-account "no payment or payout is open"');
    expect(secrets).toEqual({ yookassa: JSON.stringify(another) });
  });

  it.each([
    ['no JSON', 'secret live_Rxq2mVbe7Wl9sKd3Fh8t', 'standard input must be one JSON object'],
    ['the keys of the other gateway', { gatewayId: '1', secretKey: shop.secretKey }, '{"shopId": "…"'],
    ['an id that is none', { ...shop, shopId: 'my-shop' }, 'shopId must be digits'],
    [
      'an id that JSON cannot hold',
      '{"shopId": 12345678901234567890, "secretKey": "live_Rxq2mVbe7Wl9sKd3Fh8t"}',
      'as text',
    ],
    ['a key that is none', { ...shop, secretKey: 'two words here and more' }, 'secretKey must be 20 or more'],
    ['a test key in production', { ...shop, secretKey: 'test_Rxq2mVbe7Wl9sKd3Fh8t' }, 'begin with live_'],
  ])('stores nothing of %s', async (_what, piped, sentence) => {
    const { type, secrets } = await at({ yookassa: noKeys }, { piped });
    const { exitCode, complained } = await type('provider set yookassa --yes');
    expect(exitCode).toBe(1);
    expect(complained).toContain(`Nothing was stored: `);
    expect(complained).toContain(sentence);
    expect(complained).not.toContain('Rxq2mVbe7Wl9sKd3Fh8t');
    expect(secrets).toEqual({ yookassa: noKeys });
  });

  it('has nothing to set at the sandbox, or at a provider that does not exist', async () => {
    const { type } = await at({}, { piped: shop });
    expect(await type('provider set sandbox --yes')).toMatchObject({ exitCode: 1 });
    const { complained } = await type('provider set yokassa --yes');
    expect(complained).toContain('There is no provider "yokassa"');
  });
});

describe('provider address', () => {
  const current = 'Rxq2mVbe7Wl9sKd3';

  it('shows the address for the cabinet', async () => {
    const { json } = await at({ 'yookassa-notifications': current });
    expect(await json('provider address yookassa')).toEqual({
      provider: 'yookassa',
      address: `https://pay.example/acquirer/yookassa/${current}`,
      rotated: false,
    });
  });

  it('with --rotate creates a new one', async () => {
    const { json, secrets } = await at({ 'yookassa-notifications': current });
    const { address } = await json('provider address yookassa --rotate');
    expect(secrets['yookassa-notifications']).toMatch(/^[0-9A-Za-z]{64}$/);
    expect(address).toBe(`https://pay.example/acquirer/yookassa/${secrets['yookassa-notifications']}`);
  });
});

describe('provider check', () => {
  const known: AccountView = {
    state: 'known',
    id: '100500',
    live: true,
    enabled: true,
    methods: ['card', 'sbp'],
    receipts: false,
    balances: [{ currency: 'RUB', minor: 289_500n }],
  };
  type Changed = { readonly shop?: AccountView; readonly gateway?: AccountView; readonly status?: number };

  async function checked({ shop: atShop = known, gateway = known, status = 200 }: Changed = {}) {
    const { context } = await operatorHarness();
    const report = await checkProvider({
      live: true,
      accounts: [
        {
          role: 'payments',
          at: { account: async () => atShop },
          expected: { methods: ['card', 'sbp'], receipts: false, alarmBelow: {} },
        },
        {
          role: 'payouts',
          at: { account: async () => gateway },
          expected: { methods: ['sbp'], receipts: undefined, alarmBelow: { RUB: 200_000n } },
        },
      ],
      notify: async () => (status === 0 ? undefined : status),
    });
    const { type } = terminal({ ...context, environment: 'prod', checkProvider: async () => report });
    const { said: json } = await type('provider check yookassa --json');
    return { ...(await type('provider check yookassa')), json, report };
  }

  it('shows account, money, methods, receipts, balance and our address, and that all is as the record says', async () => {
    const { exitCode, said } = await checked();
    expect(exitCode).toBe(0);
    expect(said.replaceAll(/ +/g, ' ')).toBe(
      `shop 100500
keys accepted
money real
enabled yes
methods card, sbp
receipts off
receipts in the record off

payout gateway 100500
keys accepted
money real
enabled yes
methods card, sbp
balance 2895.00 RUB

notification address answered 200

yookassa in prod is as its record says.`,
    );
  });

  it.each<[string, Changed, string]>([
    [
      'keys that are not set',
      { shop: { state: 'not_set' } },
      'The keys of the shop are not set: provider set yookassa.',
    ],
    [
      'keys of the gateway that are not set',
      { gateway: { state: 'not_set' } },
      'The keys of the payout gateway are not set: provider set yookassa --payouts.',
    ],
    [
      'keys that the provider refuses',
      { shop: { state: 'refused', id: '100500', reason: 'invalid_credentials' } },
      'refuses the keys of the shop (invalid_credentials)',
    ],
    ['a shop for tests', { shop: { ...known, live: false } }, 'The shop is for tests'],
    [
      'an account that is switched off',
      { gateway: { ...known, enabled: false } },
      'payout gateway is switched off',
    ],
    [
      'a method that the shop lacks',
      { shop: { ...known, methods: ['card'] } },
      'limits for sbp, which the shop',
    ],
    ['receipts that the record lacks', { shop: { ...known, receipts: true } }, 'set receipts in the record'],
    [
      'a low balance',
      { gateway: { ...known, balances: [{ currency: 'RUB', minor: 199_999n }] } },
      'The payout account has 1999.99 RUB, less than payoutBalanceAlarm',
    ],
    ['an address that answers 404', { status: 404 }, 'The notification address answered 404 in place of 200'],
    ['an address that does not answer', { status: 0 }, 'The notification address did not answer'],
  ])('says what to do about %s, and ends with 1', async (_what, changed, sentence) => {
    const { exitCode, said, report } = await checked(changed);
    expect(exitCode).toBe(1);
    expect(said).toContain(sentence);
    expect(report.problems).toHaveLength(1);
  });

  it('does not take what the provider does not tell for a problem', async () => {
    const silent = { live: undefined, enabled: undefined, methods: undefined, receipts: undefined } as const;
    expect(await checked({ shop: { ...known, ...silent } })).toMatchObject({ exitCode: 0 });
  });

  it('says that an environment does not have the provider', async () => {
    const { context } = await operatorHarness();
    const { complained } = await terminal({ ...context, environment: 'prod' }).type(
      'provider check yookassa',
    );
    expect(complained).toBe('prod does not have yookassa: add it to providers in its record, and deploy.');
  });

  it('is shown without what would steer the terminal, whatever the provider answers', async () => {
    const hostile = '\u001b]0;owned\u0007\u009b2J\u202eBUR\r\nall is well';
    const { said, json } = await checked({
      shop: { ...known, methods: ['card', 'sbp', hostile] },
      gateway: { ...known, balances: [{ currency: hostile, minor: -1n }] },
    });
    expect(said).toContain('The payout account has -0.01 ');
    expect(said).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(said).not.toContain('\nall is well');
    expect(json).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(JSON.parse(json)).toMatchObject({ accounts: [{ methods: ['card', 'sbp', hostile] }, {}] });
  });
});
