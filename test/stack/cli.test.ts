import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRecordingReceiver, type Received } from '../support/receiver.ts';
import { type Stack, startStack } from '../support/stack.ts';

type Ran = { readonly code: number; readonly out: string; readonly err: string };

let stack: Stack;
let folder: string;

beforeAll(async () => {
  stack = await startStack();
  folder = await mkdtemp(join(tmpdir(), 'paylink-cli-'));
  const { baseUrl, endpointsForPeople: endpoints, demo } = stack;
  const runtime = {
    pid: process.pid,
    port: Number(new URL(baseUrl).port),
    baseUrl,
    environment: 'local',
    endpoints,
  };
  await writeFile(join(folder, 'runtime.json'), JSON.stringify(runtime));
  await writeFile(join(folder, 'demo.json'), JSON.stringify(demo));
});

afterAll(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (script: string, ...words: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const command = [`lib/cli/${script}.ts`, '--folder', folder, ...words];
    const child = execFile(process.execPath, command, (error, out, err) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err });
    });
    child.stdin?.end();
  });

const paylink = (...words: readonly string[]) => run('paylink', ...words);
const pay = (...words: readonly string[]) => run('pay', ...words);

async function json(...words: readonly string[]) {
  const { code, out, err } = await paylink(...words, '--json', '--yes');
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
}

const answer = z.looseObject({
  bill_id: z._default(z.string(), ''),
  data: z._default(z.array(z.object({ id: z.string() })), []),
});

async function api(path: string, fields: Record<string, string>, token = stack.demo.apiToken) {
  const response = await fetch(`${stack.baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, body: answer.parse(await response.json()) };
}

async function billOf(
  shopId = stack.demo.shopId,
  fields: Record<string, string> = {},
  token?: string,
): Promise<string> {
  const { body } = await api('/bill/create', { shop_id: shopId, amount: '100.50', ...fields }, token);
  return body.bill_id;
}

describe('npm run pay', () => {
  it('pays a bill and ends on the service’s own page, which gets only the payment’s id, where the shop has none', async () => {
    const bill = await billOf(undefined, { order_id: 'order-7', custom: 'a & b' });

    const { code, out } = await pay(bill, '--json');

    expect(code).toBe(0);
    const { paymentId, ...told } = JSON.parse(out);
    expect(paymentId).toMatch(new RegExp(`^${bill}`));
    expect(told).toEqual({
      status: 'SUCCESS',
      said: 'We are notifying the shop.',
      billId: bill,
      sentTo: `${stack.baseUrl}/redirect/payment/success`,
      fields: { TrsId: paymentId },
      shopAnswered: 200,
    });
  });

  it('takes a link as well as an id, and prints lines for people', async () => {
    const bill = await billOf();
    const { code, out } = await pay(`${stack.baseUrl}/link/${bill}`);
    expect(code).toBe(0);
    expect(out).toMatch(/^status +SUCCESS$/m);
    expect(out).toMatch(/^sent to +http/m);
  });

  it('exits with 2 when the card is declined, and the next attempt can succeed through 3-D Secure', async () => {
    const bill = await billOf();
    const declined = await pay(bill, '--card', '4000000000000002', '--json');
    expect(declined.code).toBe(2);
    expect(JSON.parse(declined.out)).toMatchObject({
      status: 'FAIL',
      said: 'The bank declined the payment. It can tell you why. You were not charged. You can try again.',
      sentTo: `${stack.baseUrl}/redirect/payment/fail`,
    });

    const paid = await pay(bill, '--card', '4000000000003220', '--json');
    expect(paid.code).toBe(0);
    expect(JSON.parse(paid.out)).toMatchObject({ status: 'SUCCESS' });
  });

  it('tells an underpaid and an overpaid bill apart from an exact one', async () => {
    const under = await pay(await billOf(), '--card', '4000000000110009', '--json');
    const over = await pay(await billOf(), '--card', '4000000000110017', '--json');
    expect([under, over].map(({ code, out }) => [code, JSON.parse(out).status])).toEqual([
      [0, 'UNDERPAID'],
      [0, 'OVERPAID'],
    ]);
  });

  it('waits through the waiting page', async () => {
    const { code, out } = await pay(await billOf(), '--card', '4000000000110033', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ status: 'SUCCESS' });
  });

  it('posts to the shop as a browser would', async () => {
    await using shop = await aRecordingReceiver();
    const { shopId } = await json('shop', 'create', stack.demo.merchantId, '--success-url', shop.url);

    const { code, out } = await pay(await billOf(shopId, { order_id: '9', custom: 'a & b' }), '--json');

    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      sentTo: shop.url,
      fields: { InvId: '9', OutSum: '100.50', CurrencyIn: 'RUB', custom: 'a & b' },
      shopAnswered: 200,
    });
    const [post] = shop.received;
    expect(post?.headers).toMatchObject({ origin: stack.baseUrl, 'sec-fetch-site': 'same-site' });
    expect(Object.fromEntries(new URLSearchParams(post?.body))).toEqual(JSON.parse(out).fields);
  });

  it.each([
    [
      'is paid already',
      async () => {
        const bill = await billOf();
        await pay(bill);
        return bill;
      },
      'paid',
    ],
    [
      'is switched off',
      async () => {
        const bill = await billOf();
        await api('/bill/toggle_activity', { id: bill, active: '0' });
        return bill;
      },
      'switched_off',
    ],
    ['is unknown', async () => 'NoSuchBillAtAll0', 'not_found'],
    ['has a link that leads elsewhere', async () => `${stack.baseUrl}/api/v1/nothing`, 'strange_page'],
    ['has a link to where nothing answers', async () => 'http://127.0.0.1:9/transfer/x', 'no_answer'],
  ])('exits with 1 and one sentence when the bill %s', async (_what, bill, word) => {
    const { code, out, err } = await pay(await bill(), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ error: word, message: err.trim() });
    expect(err.trim()).toMatch(/^[^\n]+\.$/);
  });

  it.each([[[]], [['one', 'two']], [['one', '--curd', '4111']]])(
    'tells scripts in one document that it was used wrongly: %j',
    async (words) => {
      const { code, out } = await pay(...words, '--json');
      expect(code).toBe(1);
      expect(JSON.parse(out)).toEqual({ error: 'usage', message: expect.stringMatching(/\w/) });
    },
  );

  it('says what is wrong with a card, without repeating it', async () => {
    const { code, err } = await pay(await billOf(), '--card', '4111111111111112');
    expect(code).toBe(1);
    expect(err).toContain('refuses this card');
    expect(err).not.toContain('4111');
  });
});

describe('npm run paylink', () => {
  it('makes a merchant and a shop that take a payment, and refreshes the token', async () => {
    const { merchantId, apiToken } = await json('merchant', 'create', 'Corner Cafe');
    const { shopId } = await json('shop', 'create', merchantId);
    const bill = await billOf(shopId, {}, apiToken);
    expect(bill).toMatch(/^[0-9A-Za-z]{16}$/);

    const { apiToken: next } = await json('token', 'refresh', merchantId);

    expect((await api('/bill/create', { shop_id: shopId, amount: '1' }, apiToken)).status).toBe(401);
    expect((await api('/bill/create', { shop_id: shopId, amount: '1' }, next)).status).toBe(200);
    await json('merchant', 'set', merchantId, '--enabled', 'no');
    expect(await api('/bill/create', { shop_id: shopId, amount: '1' }, next)).toMatchObject({
      status: 403,
      body: { message: 'api:error.shop_not_enabled' },
    });
  });

  it('puts the new token of the demo merchant into demo.json', async () => {
    const { apiToken } = await json('token', 'refresh', stack.demo.merchantId);
    const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
    expect(demo).toEqual({ ...stack.demo, apiToken });
    stack = { ...stack, demo };
  });

  it('approves and declines payouts, with matching postbacks and traces and a clean audit', {
    timeout: 120_000,
  }, async () => {
    await using webhook = await aRecordingReceiver();
    const { merchantId } = stack.demo;
    await json('merchant', 'set', merchantId, '--payout-webhook-url', webhook.url);
    await pay(await billOf(undefined, { amount: '5000' }));
    const ask = async (amount: string): Promise<string> => {
      const fields = {
        amount,
        currency: 'RUB',
        account_type: 'credit_card',
        account_identifier: '4111111111111111',
        card_holder: 'IVAN PETROV',
      };
      const { body } = await api('/payout/regular/create', fields);
      return body.data[0]?.id ?? '';
    };
    const [sent, stopped] = [await ask('1000'), await ask('500')];
    const waiting: readonly { id: string }[] = await json('payouts', 'list', '--moderating');
    expect(waiting.map(({ id }) => id).toSorted()).toEqual([sent, stopped].toSorted());

    await json('payouts', 'approve', sent);
    await json('payouts', 'decline', stopped, '--reason', 'not today');
    await arrived(webhook, 2);

    const told = webhook.received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(told.map(({ TrsId, Status }) => `${TrsId} ${Status}`).toSorted()).toEqual(
      [`${sent} SUCCESS`, `${stopped} DECLINED`].toSorted(),
    );
    const webhooks = new Webhook(stack.demo.webhookSecret);
    for (const { body, headers } of webhook.received) webhooks.verify(body, headers, { jsonParse: false });
    const { subjects } = await json('trace', sent);
    expect(subjects).toMatchObject([{ status: 'SUCCESS' }, { is: 'postback' }]);
    expect(await json('audit')).toMatchObject({ agrees: true });
  });

  it('replaces a webhook secret, and the next postback verifies with both', async () => {
    await using shop = await aRecordingReceiver();
    const made = await json('shop', 'create', stack.demo.merchantId, '--result-url', shop.url);
    const { webhookSecret: next } = await json('webhook-secret', 'rotate', made.shopId);

    await pay(await billOf(made.shopId));
    await arrived(shop, 1);

    const { body = '', headers = {} } = shop.received[0] ?? {};
    for (const secret of [next, made.webhookSecret])
      new Webhook(secret).verify(body, { ...headers }, { jsonParse: false });
  });

  it('puts the new webhook secrets of the demo into demo.json', async () => {
    const { shopId, merchantId, webhookSecret: first } = stack.demo;
    const demo = async () => JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));

    const { webhookSecret } = await json('webhook-secret', 'rotate', shopId);
    expect(await demo()).toEqual({ ...stack.demo, webhookSecret, payoutWebhookSecret: first });
    const { webhookSecret: payoutWebhookSecret } = await json('webhook-secret', 'rotate', merchantId);
    expect(await demo()).toEqual({ ...stack.demo, webhookSecret, payoutWebhookSecret });
  });

  it('replays a postback under the same id', async () => {
    await using shop = await aRecordingReceiver();
    const { shopId } = await json('shop', 'create', stack.demo.merchantId, '--result-url', shop.url);
    const { out } = await pay(await billOf(shopId), '--json');
    await arrived(shop, 1);
    const id = `pay.${JSON.parse(out).paymentId}.SUCCESS`;

    await json('postbacks', 'replay', id);
    await arrived(shop, 2);

    const ids = shop.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
  });

  it('asks for --yes without a terminal', async () => {
    const { code, err } = await paylink('token', 'refresh', stack.demo.merchantId);
    expect(code).toBe(1);
    expect(err).toContain('add --yes');
  });

  it('says in one sentence that the service is not running', async () => {
    const nowhere = ['--folder', join(folder, 'empty')];
    for (const ran of [await paylink('merchant', 'list', ...nowhere), await pay('SomeBill', ...nowhere)]) {
      expect(ran).toMatchObject({
        code: 1,
        out: '',
        err: 'The local service is not running: start it with npm start.\n',
      });
    }
  });

  it('knows the environments by name', async () => {
    const { code, err } = await paylink('--env', 'mars', 'merchant', 'list');
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('local, dev, staging, prod'),
    });
  });
});

/** Settles when the receiver has been called this often. */
async function arrived(target: { readonly received: readonly Received[] }, count: number): Promise<void> {
  await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(count);
}

describe('page-secret rotate', () => {
  it('makes a new secret current and keeps the old one as previous, printing neither', async () => {
    const client = new SecretsManagerClient(stack.client('SECRETS_MANAGER'));
    const version = async (VersionStage: string) => {
      const input = { SecretId: 'paylink/local/page', VersionStage };
      return (await client.send(new GetSecretValueCommand(input))).SecretString;
    };
    const old = await version('AWSCURRENT');

    const { code, out } = await paylink('page-secret', 'rotate', '--yes');

    expect(code).toBe(0);
    expect(await version('AWSPREVIOUS')).toBe(old);
    const current = await version('AWSCURRENT');
    expect(current).toMatch(/^[0-9A-Za-z]{64}$/);
    expect(current).not.toBe(old);
    expect(out).not.toContain(current);
    client.destroy();
  });
});
