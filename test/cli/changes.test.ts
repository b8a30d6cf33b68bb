import { describe, expect, it } from 'vitest';
import { aShop, merchantId, shopId } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { type OperatorHarness, operatorHarness } from '../support/operator.ts';
import { card } from '../support/payout-harness.ts';

const recordsIn = async ({ table }: OperatorHarness) =>
  (await itemsOf(table)).filter(({ PK }) => PK.startsWith('CHANGE#'));

/** The latest change of this merchant, shop or the rates. */
async function lastOf(harness: OperatorHarness, about: string = merchantId) {
  const { items } = await harness.changes.of(about, { before: new Date('2100-01-01'), limit: 30 });
  harness.pass(1);
  return items.at(-1);
}

describe('a change of a setting is recorded with its author and the values before and after', () => {
  it.each([
    [
      'terms set',
      `terms set ${merchantId} RUB --day-limit 300000 --by petr`,
      { dayLimitMinor: [null, '30000000'] },
    ],
    ['merchant set', `merchant set ${merchantId} --banned yes --by petr`, { banned: ['false', 'true'] }],
    [
      'merchant set',
      `merchant set ${merchantId} --payout-webhook-url http://127.0.0.1:1/x --by petr`,
      { payoutWebhookUrl: ['https://merchant.example/payouts', 'http://127.0.0.1:1/x'] },
    ],
    [
      'merchant set',
      `merchant set ${merchantId} --api-addresses 203.0.113.7,2001:DB8::/48 --by petr`,
      { apiAddresses: [null, '["203.0.113.7","2001:db8::/48"]'] },
    ],
    ['token refresh', `token refresh ${merchantId} --by petr`, { tokenVersion: ['1', '2'] }],
    [
      'webhook-secret rotate',
      `webhook-secret rotate ${merchantId} --by petr`,
      { webhookSecretRotations: ['0', '1'] },
    ],
  ] as const)('%s', async (what, line, fields) => {
    const harness = await operatorHarness();
    await harness.json(line);
    const change = await lastOf(harness);
    expect(change).toMatchObject({ by: 'petr', about: merchantId, what });
    for (const [name, [before, after]] of Object.entries(fields)) {
      if (name !== 'payoutWebhookUrl') expect(change?.before[name]).toBe(before);
      expect(change?.after[name]).toBe(after);
    }
    const { steps } = await harness.json(`trace ${merchantId}`);
    expect(steps.map((step: { what: string }) => step.what)).toContainEqual(
      expect.stringContaining(`${what} by petr: `),
    );
  });

  it('a second change starts from the value of the first', async () => {
    const harness = await operatorHarness();
    await harness.json(`terms set ${merchantId} RUB --day-limit 300000`);
    harness.pass(1);
    await harness.json(`terms set ${merchantId} RUB --day-limit 400000 --by petr`);
    expect(await lastOf(harness)).toMatchObject({
      before: { dayLimitMinor: '30000000' },
      after: { dayLimitMinor: '40000000' },
    });
    expect(await recordsIn(harness)).toHaveLength(2);
  });

  it('for accounts, automatic payouts, rates and a paused endpoint', async () => {
    const harness = await operatorHarness();
    const { id } = await harness.json(`account add ${merchantId} --type card --number ${card}`);
    harness.pass(1);
    await harness.json(`account set ${id} --merchant ${merchantId} --banned yes`);
    expect(await lastOf(harness)).toMatchObject({ before: { banned: 'false' }, after: { banned: 'true' } });
    await harness.json(`account set ${id} --merchant ${merchantId} --banned no --available yes`);
    harness.pass(1);
    await harness.json(`auto set ${merchantId} --account ${id} --threshold 1000 --day Mon --hour 9`);
    expect(await lastOf(harness)).toMatchObject({
      before: { hour: null },
      after: { hour: '9', accountId: id },
    });
    await harness.json(`auto stop ${merchantId}`);
    expect(await lastOf(harness)).toMatchObject({ before: { hour: '9' }, after: { hour: null } });
    await harness.endpoints.pause(merchantId);
    await harness.json(`endpoint resume ${merchantId} --by petr`);
    expect(await lastOf(harness)).toMatchObject({
      what: 'endpoint resume',
      by: 'petr',
      before: { paused: 'true' },
    });
    await harness.json('rates set KZT RUB 0.17 --by petr');
    expect((await harness.json('trace rates')).steps).toMatchObject([
      { what: 'rates set by petr: denominator - -> 100, numerator - -> 17' },
    ]);
  });

  it('for a shop: its URLs and the author', async () => {
    const harness = await operatorHarness();
    await harness.shops.create(aShop());
    harness.pass(1);
    await harness.json(`shop set ${shopId} --fail-url http://127.0.0.1:1/sorry --by petr`);
    expect(await lastOf(harness, shopId)).toMatchObject({
      by: 'petr',
      after: { failUrl: 'http://127.0.0.1:1/sorry' },
    });
    const { steps } = await harness.json(`trace ${shopId}`);
    expect(steps.at(-1).what).toContain('shop set by petr');
  });

  it('without any token, secret or account number, sealed or hashed', async () => {
    const harness = await operatorHarness();
    await harness.json(`token refresh ${merchantId}`);
    await harness.json(`webhook-secret rotate ${merchantId}`);
    await harness.json(`account add ${merchantId} --type card --number ${card}`);
    const items = await itemsOf(harness.table);
    const merchant = items.find(({ PK, SK }) => PK === `M#${merchantId}` && SK === 'M');
    const records = JSON.stringify(await recordsIn(harness));
    expect(records).toContain('tokenVersion');
    expect(records).not.toContain(card);
    for (const secret of ['tokenHash', 'sealedToken'] as const)
      expect(records).not.toContain(String(merchant?.[secret]));
    expect(records).not.toMatch(/sealed|numberHash|tokenHash|whsec/);
  });

  it('in the same transaction: a refused change is not recorded', async () => {
    const harness = await operatorHarness();
    await harness.type('merchant set nobody --banned yes');
    await harness.type('shop set nothing --fail-url http://127.0.0.1:1/x');
    expect(await recordsIn(harness)).toEqual([]);
  });

  it('each of many concurrent changes starts from the value of the one before', async () => {
    const harness = await operatorHarness();
    await Promise.all(
      [1, 2, 3, 4].map((limit) => harness.terms.set(merchantId, 'RUB', { dayLimitMinor: BigInt(limit) })),
    );
    const changes = (await recordsIn(harness)).map(({ before, after }) => [before, after]);
    const befores = changes.map(([before]) => Object.values(before ?? {})[0]);
    expect(new Set(befores).size).toBe(4);
  });
});
