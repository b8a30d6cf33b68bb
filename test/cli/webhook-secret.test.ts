import { describe, expect, it } from 'vitest';
import { findWebhookOwner, rotateWebhookSecret } from '../../lib/merchant/rotate-webhook-secret.ts';
import { itemsOf } from '../support/items-of.ts';
import { operatorHarness } from '../support/operator.ts';

const hours = 60 * 60;

/** A merchant and its shop, and their stored webhook secrets. */
async function aCafe() {
  const harness = await operatorHarness();
  const { json, shops, merchants, destinationOpener } = harness;
  const { merchantId, payoutWebhookSecret } = await json('merchant create Cafe');
  const { shopId, webhookSecret } = await json(`shop create ${merchantId} --name Terrace`);
  const ids: Readonly<Record<string, string>> = { shop: shopId, merchant: merchantId };
  const firsts: Readonly<Record<string, string>> = { shop: webhookSecret, merchant: payoutWebhookSecret };
  const secretsOf = async (id: string) => (await findWebhookOwner({ shops, merchants }, id))!.webhookSecrets;
  return {
    ...harness,
    id: (what: string) => ids[what] ?? '',
    first: (what: string) => firsts[what] ?? '',
    secretsOf,
    /** The secrets, opened with the encryption context of the first. */
    opened: async (what: 'shop' | 'merchant') => {
      const { current, previous } = await secretsOf(ids[what] ?? '');
      const context = { use: 'webhook-secret', [what]: ids[what] ?? '' };
      return Promise.all(
        [current, ...(previous ? [previous.sealed] : [])].map((each) =>
          destinationOpener.open(each, context),
        ),
      );
    },
  };
}

describe.each(['shop', 'merchant'] as const)('webhook-secret rotate of a %s', (what) => {
  it('shows the new secret once, and until when the old one signs too', async () => {
    const { json, id, first, opened, secretsOf, now, refreshed } = await aCafe();

    const made = await json(`webhook-secret rotate ${id(what)}`);

    const until = new Date(now().getTime() + 24 * hours * 1000);
    expect(made).toEqual({
      [`${what}Id`]: id(what),
      webhookSecret: expect.stringMatching(/^whsec_/),
      previousUntil: until.toISOString(),
    });
    expect(await opened(what)).toEqual([made.webhookSecret, first(what)]);
    expect(await secretsOf(id(what))).toMatchObject({ previous: { until } });
    expect(refreshed).toEqual([id(what)]);
  });

  it('shows the new secret when the response was lost but it was replaced, otherwise nothing', async () => {
    const harness = await aCafe();
    const { shops, merchants, id, opened, first } = harness;
    const owner = await findWebhookOwner(harness, id(what));
    if (!owner) throw new Error('no owner');
    const silent = (replaces: boolean) => {
      const over =
        <A extends readonly unknown[]>(replace: (...given: A) => Promise<unknown>) =>
        async (...given: A): Promise<never> => {
          if (replaces) await replace(...given);
          throw new Error('no answer');
        };
      return {
        ...harness,
        shops: { ...shops, replaceWebhookSecrets: over(shops.replaceWebhookSecrets) },
        merchants: { ...merchants, replaceWebhookSecrets: over(merchants.replaceWebhookSecrets) },
      };
    };
    await expect(rotateWebhookSecret(silent(false), { owner })).rejects.toThrow('no answer');
    expect(await opened(what)).toEqual([first(what)]);
    const made = await rotateWebhookSecret(silent(true), { owner });
    expect(made.ok && [made.value.webhookSecret, first(what)]).toEqual(await opened(what));
  });

  it('stores the newest two', async () => {
    const { json, id, opened } = await aCafe();
    await json(`webhook-secret rotate ${id(what)}`);
    const { webhookSecret: second } = await json(`webhook-secret rotate ${id(what)}`);
    const { webhookSecret: third } = await json(`webhook-secret rotate ${id(what)}`);
    expect(await opened(what)).toEqual([third, second]);
  });

  it('stores only the new secret after a leak', async () => {
    const { json, id, opened } = await aCafe();
    await json(`webhook-secret rotate ${id(what)}`);
    const made = await json(`webhook-secret rotate ${id(what)} --at-once`);
    expect(made).toMatchObject({ previousUntil: null });
    expect(await opened(what)).toEqual([made.webhookSecret]);
  });

  it('stores no secret in plaintext, and shows none again', async () => {
    const { json, table, id, first, secretsOf } = await aCafe();
    const { webhookSecret } = await json(`webhook-secret rotate ${id(what)}`);
    const text = (value: unknown) =>
      JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each));
    expect(text(await itemsOf(table))).not.toContain(webhookSecret);
    expect(text(await itemsOf(table))).not.toContain(first(what));

    const { current, previous } = await secretsOf(id(what));
    const lines = [`${what} show ${id(what)}`, `trace ${id(what)}`];
    for (const line of lines) {
      const shown = text(await json(line));
      for (const hidden of [webhookSecret, first(what), current, previous!.sealed])
        expect(shown, line).not.toContain(hidden);
    }
  });

  it('is counted in the trace', async () => {
    const { json, id } = await aCafe();
    await json(`webhook-secret rotate ${id(what)}`);
    const { subjects } = await json(`trace ${id(what)}`);
    expect(subjects).toContainEqual(expect.objectContaining({ id: id(what), 'webhook secret rotations': 1 }));
  });

  it('asks for confirmation and does nothing without it', async () => {
    const { type, asked, id, first, opened } = await aCafe();
    const { exitCode, complained } = await type(`webhook-secret rotate ${id(what)}`, false);
    const postbacks = { shop: 'payment postbacks of Terrace', merchant: 'payout postbacks of Cafe' };
    expect(asked).toEqual([`Replace the secret of the ${postbacks[what]}? The old one stops in 24 hours.`]);
    expect({ exitCode, complained }).toEqual({ exitCode: 1, complained: 'Nothing was done.' });
    expect(await opened(what)).toEqual([first(what)]);
  });

  it('succeeds for one of several concurrent rotations, and its secret is stored', async () => {
    const { context, id, first, opened } = await aCafe();
    const owner = (await findWebhookOwner(context, id(what)))!;

    const raced = await Promise.all(Array.from({ length: 8 }, () => rotateWebhookSecret(context, { owner })));

    const shown = raced.flatMap((each) => (each.ok ? [each.value.webhookSecret] : []));
    const refused = raced.flatMap((each) => (each.ok ? [] : [each.error]));
    expect(refused).toEqual(Array.from({ length: 7 }, () => 'webhook_secret_replaced_meanwhile'));
    expect(await opened(what)).toEqual([...shown, first(what)]);
  });

  it('loses no secret to a concurrent change of another setting', async () => {
    const { json, id, opened } = await aCafe();
    const changes = {
      shop: `shop set ${id('shop')} --success-url https://cafe.example/thanks`,
      merchant: `merchant set ${id('merchant')} --verified yes --name Bar`,
    };
    const [{ webhookSecret }] = await Promise.all([
      json(`webhook-secret rotate ${id(what)}`),
      json(changes[what]),
    ]);
    expect((await opened(what))[0]).toBe(webhookSecret);
  });
});

describe('webhook-secret rotate', () => {
  it('says what else stops working', async () => {
    const { type, json, asked, pass, id } = await aCafe();
    const line = `webhook-secret rotate ${id('shop')}`;
    await json(line);
    await type(line, false);
    await type(`${line} --at-once`, false);
    pass(24 * hours);
    await type(line, false);
    expect(asked.map((question) => question.replace(/^[^?]+\? /, ''))).toEqual([
      'The one before it still signs and stops now; the current one stops in 24 hours.',
      'Only the new one signs from now on.',
      'The old one stops in 24 hours.',
    ]);
  });

  it('requires --yes without a terminal', async () => {
    const { type, id, first, opened } = await aCafe();
    const { exitCode, complained } = await type(`webhook-secret rotate ${id('shop')}`);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining('add --yes'),
    });
    expect(await opened('shop')).toEqual([first('shop')]);
  });

  it('refuses an id that is neither a shop’s nor a merchant’s', async () => {
    const { type, asked } = await aCafe();
    const { exitCode, said, complained } = await type('webhook-secret rotate nobody --json', true);
    expect(exitCode).toBe(1);
    expect(JSON.parse(said)).toEqual({ error: 'shop_or_merchant_not_found', message: complained });
    expect(asked).toEqual([]);
  });

  it('has an example in its help', async () => {
    const { type } = await aCafe();
    const { said } = await type('webhook-secret rotate --help');
    expect(said).toContain('npm run paylink -- webhook-secret rotate');
    expect(said).toContain('--at-once');
  });
});
