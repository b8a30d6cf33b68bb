import { describe, expect, it } from 'vitest';
import { hasValidChecksum, tokenHash } from '../../lib/merchant/token.ts';
import { itemsOf } from '../support/items-of.ts';
import { operatorHarness } from '../support/operator.ts';

describe('merchant create', () => {
  it('creates a merchant who can accept payments, and shows the secrets once', async () => {
    const { json, merchants } = await operatorHarness();

    const made = await json('merchant create "Corner Cafe"');

    expect(made).toMatchObject({
      name: 'Corner Cafe',
      enabled: true,
      banned: false,
      verified: false,
      regularPayouts: false,
      subscription: 'active',
    });
    expect(hasValidChecksum(made.apiToken)).toBe(true);
    expect(made.payoutWebhookSecret).toMatch(/^whsec_/);
    expect(await merchants.findByTokenHash(tokenHash(made.apiToken))).toMatchObject({
      merchantId: made.merchantId,
      enabled: true,
    });
    const shown = await json(`merchant show ${made.merchantId}`);
    expect(Object.keys(shown)).not.toContain('apiToken');
  });

  it('stores neither the token nor the secret in plaintext', async () => {
    const { json, table } = await operatorHarness();
    const { apiToken, payoutWebhookSecret } = await json('merchant create Cafe');
    const lying = JSON.stringify(await itemsOf(table), (_, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    expect(lying).not.toContain(apiToken);
    expect(lying).not.toContain(payoutWebhookSecret);
  });

  it('seals the token for this merchant and version only', async () => {
    const { json, merchants, destinationOpener } = await operatorHarness();
    const { merchantId, apiToken } = await json('merchant create Cafe');
    const sealed = (await merchants.find(merchantId))?.sealedToken ?? '';
    const context = { use: 'api-token', merchant: merchantId, version: '1' };
    expect(await destinationOpener.open(sealed, context)).toBe(apiToken);
    await expect(destinationOpener.open(sealed, { ...context, version: '2' })).rejects.toThrow();
  });
});

describe('merchant set', () => {
  it('changes flags for the authorizer too, effective at the next request', async () => {
    const { json, merchants } = await operatorHarness();
    const { merchantId, apiToken } = await json('merchant create Cafe');

    await json(`merchant set ${merchantId} --verified yes --regular-payouts yes --subscription inactive`);

    const flags = { verified: true, regularPayouts: true, subscription: 'inactive', banned: false };
    expect(await merchants.findByTokenHash(tokenHash(apiToken))).toMatchObject(flags);
    expect(await merchants.find(merchantId)).toMatchObject(flags);
  });

  it('bans and lifts a ban', async () => {
    const { json } = await operatorHarness();
    const { merchantId } = await json('merchant create Cafe');
    expect(await json(`merchant ban ${merchantId}`)).toMatchObject({ banned: true });
    expect(await json(`merchant set ${merchantId} --banned no`)).toMatchObject({ banned: false });
  });

  it('ties the token to addresses and lifts that again', async () => {
    const { json, merchants } = await operatorHarness();
    const { merchantId, apiToken } = await json('merchant create Cafe');
    const list = '203.0.113.7,198.51.100.0/24,::ffff:203.0.113.7';
    expect(await json(`merchant set ${merchantId} --api-addresses ${list}`)).toMatchObject({
      apiAddresses: '203.0.113.7,198.51.100.0/24',
    });
    expect(await merchants.findByTokenHash(tokenHash(apiToken))).toMatchObject({
      apiAddresses: ['203.0.113.7', '198.51.100.0/24'],
    });
    expect(await json(`merchant set ${merchantId} --api-addresses any`)).toMatchObject({
      apiAddresses: 'any',
    });
    expect((await merchants.findByTokenHash(tokenHash(apiToken)))?.apiAddresses).toBeUndefined();
    expect(await json(`merchant show ${merchantId}`)).toMatchObject({ apiAddresses: 'any' });
  });

  it('sets and removes the payout webhook', async () => {
    const { json, merchants, now } = await operatorHarness();
    const { merchantId } = await json('merchant create Cafe');
    await json(`merchant set ${merchantId} --payout-webhook-url http://127.0.0.1:9000/payouts`);
    expect(await merchants.find(merchantId)).toMatchObject({
      payoutWebhookUrl: 'http://127.0.0.1:9000/payouts',
      payoutWebhookSince: now(),
    });
    expect(await json(`merchant set ${merchantId} --payout-webhook-url ""`)).toMatchObject({
      payoutWebhookUrl: null,
    });
    expect(await merchants.find(merchantId)).not.toHaveProperty('payoutWebhookSince');
  });

  it.each([
    ['a merchant that is not there', 'merchant set nobody --verified yes', 'There is no such merchant'],
    ['nothing named', 'merchant set nobody', 'Name a setting to change'],
    ['a flag that is neither yes nor no', 'merchant set nobody --verified maybe', 'Give yes or no.'],
    ['an address that is none', 'merchant set nobody --api-addresses 203.0.113.7,x', '“x” is not an address'],
    ['no address', 'merchant set nobody --api-addresses ""', '“” is not an address'],
    ['every address', 'merchant set nobody --api-addresses 0.0.0.0/0', 'Give any to lift'],
    [
      'more addresses than a request can carry',
      `merchant set nobody --api-addresses ${Array.from({ length: 33 }, (_, n) => `203.0.113.${n}`).join(',')}`,
      'Give at most 32',
    ],
    ['an unknown subscription', 'merchant set nobody --subscription gold', 'Allowed choices are'],
    [
      'a webhook on a private name',
      'merchant set nobody --payout-webhook-url http://10.0.0.1/',
      'is refused',
    ],
  ])('refuses %s', async (_what, line, sentence) => {
    const { type } = await operatorHarness();
    const { exitCode, complained, said } = await type(line);
    expect(exitCode).toBe(1);
    expect(complained).toContain(sentence);
    expect(said).toBe('');
  });
});

describe('shop create and shop set', () => {
  it('creates a shop with its own webhook secret', async () => {
    const { json, shops, destinationOpener } = await operatorHarness();
    const { merchantId } = await json('merchant create "Corner Cafe"');

    const made = await json(`shop create ${merchantId} --result-url http://127.0.0.1:9000/result`);

    expect(made).toMatchObject({ merchantId, name: 'Corner Cafe', enabled: true, postbackFormat: 'form' });
    const sealed = (await shops.find(made.shopId))?.webhookSecrets.current ?? '';
    const context = { use: 'webhook-secret', shop: made.shopId };
    expect(await destinationOpener.open(sealed, context)).toBe(made.webhookSecret);
    expect(await json(`shop list ${merchantId}`)).toMatchObject([{ shopId: made.shopId }]);
  });

  it('changes only the given settings', async () => {
    const { json } = await operatorHarness();
    const { merchantId } = await json('merchant create Cafe');
    const { shopId } = await json(`shop create ${merchantId} --success-url https://cafe.example/thanks`);

    const set = `shop set ${shopId} --enabled no --default-currency kzt --postback-format json --bill-lifetime-minutes 60`;
    expect(await json(set)).toMatchObject({
      enabled: false,
      defaultCurrency: 'KZT',
      postbackFormat: 'json',
      billLifetimeMinutes: 60,
      successUrl: 'https://cafe.example/thanks',
    });
    const listed = await json(`shop set ${shopId} --hosts "Pay.Cafe.example, чай.рф,pay.cafe.example"`);
    expect(listed).toMatchObject({ hosts: 'pay.cafe.example,xn--80as4b.xn--p1ai', enabled: false });
    expect(await json(`shop set ${shopId} --hosts ""`)).toMatchObject({ hosts: null });
    const unset = `shop set ${shopId} --success-url "" --default-currency "" --no-bill-lifetime`;
    expect(await json(unset)).toMatchObject({
      successUrl: null,
      defaultCurrency: null,
      billLifetimeMinutes: null,
    });
  });

  it('records since when the shop has a Result URL', async () => {
    const { json, shops, pass, now } = await operatorHarness();
    const { merchantId } = await json('merchant create Cafe');
    const { shopId } = await json(`shop create ${merchantId} --result-url https://cafe.example/a`);
    const first = now();
    pass(60);
    await json(`shop set ${shopId} --result-url https://cafe.example/b`);
    expect(await shops.find(shopId)).toMatchObject({ resultUrlSince: first });
    await json(`shop set ${shopId} --result-url ""`);
    pass(60);
    await json(`shop set ${shopId} --result-url https://cafe.example/c`);
    expect(await shops.find(shopId)).toMatchObject({ resultUrlSince: now() });
  });

  it('has no refund URL until one is set, and records since when', async () => {
    const { json, shops, pass, now } = await operatorHarness();
    const { merchantId } = await json('merchant create Cafe');
    const { shopId, refundUrl } = await json(`shop create ${merchantId} --result-url https://cafe.example/a`);
    expect(refundUrl).toBeNull();
    const created = now();
    pass(60);
    const set = await json(`shop set ${shopId} --refund-url https://cafe.example/refunds`);
    expect(set).toMatchObject({
      refundUrl: 'https://cafe.example/refunds',
      resultUrl: 'https://cafe.example/a',
    });
    const since = now();
    expect(await shops.find(shopId)).toMatchObject({ refundUrlSince: since, resultUrlSince: created });
    pass(60);
    await json(`shop set ${shopId} --refund-url https://cafe.example/other`);
    expect(await shops.find(shopId)).toMatchObject({ refundUrlSince: since });
    await json(`shop set ${shopId} --refund-url ""`);
    expect(await shops.find(shopId)).not.toHaveProperty('refundUrlSince');
  });

  it.each([
    ['of a merchant that is not there', 'shop create nobody', 'There is no such merchant'],
    ['that is not there', 'shop set nothing --enabled yes', 'There is no such shop'],
    [
      'with a URL of a private host',
      'shop set nothing --result-url https://db.internal/',
      'The Result URL is refused',
    ],
    ['with a private host', 'shop set nothing --hosts db.internal', 'The host db.internal is refused'],
    ['with a URL as a host', 'shop set nothing --hosts https://cafe.example', 'names of hosts'],
    ['with every host', 'shop set nothing --hosts *.example', 'The host *.example is refused'],
    [
      'with a refund URL of a private host',
      'shop set nothing --refund-url https://db.internal/',
      'The refund URL',
    ],
    [
      'with an unknown currency',
      'shop set nothing --default-currency GBP',
      'Choose one of RUB, USD, EUR, KZT.',
    ],
  ])('refuses a shop %s', async (_what, line, sentence) => {
    const { type } = await operatorHarness();
    const { exitCode, complained } = await type(line);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining(sentence),
    });
  });
});

describe('token refresh', () => {
  it('invalidates the old token and seals the new one under the next version', async () => {
    const { json, merchants, destinationOpener, refreshed } = await operatorHarness();
    const { merchantId, apiToken: old } = await json('merchant create Cafe');

    const { apiToken } = await json(`token refresh ${merchantId}`);

    expect(await merchants.findByTokenHash(tokenHash(old))).toBeUndefined();
    expect(await merchants.findByTokenHash(tokenHash(apiToken))).toMatchObject({ merchantId });
    const sealed = (await merchants.find(merchantId))?.sealedToken ?? '';
    const context = { use: 'api-token', merchant: merchantId, version: '2' };
    expect(await destinationOpener.open(sealed, context)).toBe(apiToken);
    expect(refreshed).toEqual([merchantId]);
  });

  it('asks for confirmation and does nothing without it', async () => {
    const { json, type, asked, merchants } = await operatorHarness();
    const { merchantId, apiToken } = await json('merchant create Cafe');
    const { exitCode, complained } = await type(`token refresh ${merchantId}`, false);
    expect(asked).toEqual(['Replace the token of Cafe? The old one stops working at once.']);
    expect({ exitCode, complained }).toEqual({ exitCode: 1, complained: 'Nothing was done.' });
    expect(await merchants.findByTokenHash(tokenHash(apiToken))).toBeDefined();
  });

  it('replaces the token after confirmation', async () => {
    const { json, type, merchants } = await operatorHarness();
    const { merchantId, apiToken } = await json('merchant create Cafe');
    expect(await type(`token refresh ${merchantId}`, true)).toMatchObject({ exitCode: 0 });
    expect(await merchants.findByTokenHash(tokenHash(apiToken))).toBeUndefined();
  });

  it('requires --yes without a terminal', async () => {
    const { json, type, merchants } = await operatorHarness();
    const { merchantId, apiToken } = await json('merchant create Cafe');
    const { exitCode, complained } = await type(`token refresh ${merchantId}`);
    expect(exitCode).toBe(1);
    expect(complained).toContain('add --yes');
    expect(await merchants.findByTokenHash(tokenHash(apiToken))).toBeDefined();
  });
});

describe('the message of a failed command', () => {
  it.each([
    ['an unknown command', 'merchant invent --json'],
    ['an unknown option', 'merchant show nobody --loud --json'],
    ['an option without its value', 'payouts decline somebody --yes --json'],
    ['a value that is none', 'merchant set nobody --banned maybe --json'],
  ])('tells a script of %s in one JSON document', async (_what, line) => {
    const { type } = await operatorHarness();
    const { exitCode, said, complained } = await type(line);
    const { error, message } = JSON.parse(said);
    expect({ exitCode, error }).toEqual({ exitCode: 1, error: 'usage' });
    expect(complained).toContain(message);
  });

  it('is one sentence, or JSON for scripts', async () => {
    const { type } = await operatorHarness();
    const { exitCode, said, complained } = await type('merchant show nobody --json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(said)).toEqual({ error: 'merchant_not_found', message: complained });
  });

  it('points to the help for an unknown command', async () => {
    const { type } = await operatorHarness();
    for (const line of ['merchant', 'merchant create', 'nonsense', 'merchant list --nonsense']) {
      const { exitCode, complained } = await type(line);
      expect(exitCode, line).toBe(1);
      expect(complained, line).toContain('help');
    }
  });

  it('has an example in every help', async () => {
    const { type } = await operatorHarness();
    const commands = [
      'merchant create',
      'shop set',
      'terms set',
      'account add',
      'payouts approve',
      'rates set',
      'trace',
      'audit',
    ];
    for (const command of commands) {
      const { exitCode, said } = await type(`${command} --help`);
      expect(exitCode, command).toBe(0);
      expect(said, command).toContain(`npm run paylink -- ${command}`);
      expect(said, command).toContain('--json');
    }
  });
});
