import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { listen } from '../../infra/local/http-server.ts';
import { accessKeyOf } from '../../lib/installation/local-caller.ts';
import { clientConfig } from '../../lib/installation/local-endpoints.ts';
import { namesOf } from '../../lib/installation/names.ts';
import { invokeFunction } from '../../lib/provider/lambda-function.ts';
import { synthesize } from '../../infra/synth.ts';
import { get, newBill, post } from '../support/merchant-calls.ts';
import {
  aDataFolder,
  interrupt,
  nothingListensAt,
  paylinkProcess,
  payProcess,
  startProcess,
} from '../support/start-process.ts';

let assemblies: string;
let assembly: string;
let folder: string;

// Synthesized for another address: the start gives the functions the emulator's own.
beforeAll(async () => {
  assemblies = await mkdtemp(join(tmpdir(), 'paylink-yookassa-'));
  const context = { yookassaUrl: 'http://127.0.0.1:1/v3' };
  assembly = await synthesize({ environment: 'local', outdir: join(assemblies, 'assembly'), context });
}, 120_000);
afterAll(() => rm(assemblies, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await aDataFolder();
});

const start = (...options: readonly string[]) =>
  startProcess(folder, assembly, ['--provider', 'yookassa', ...options]);

const demo = async () => JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
const yookassa = async () => (await demo()).yookassa;

type Keys = { readonly shopId: string; readonly secretKey: string };
const authorized = ({ shopId, secretKey }: Keys) => ({
  authorization: `Basic ${btoa(`${shopId}:${secretKey}`)}`,
});
const confirmation = { type: 'redirect', return_url: 'https://shop.example/return' };

const paid = z.object({ status: z.string(), paymentId: z.string() });
const exchange = z.object({ method: z.string(), path: z.string(), status: z.number(), answer: z.unknown() });

/** Invokes a function of the service, as its schedule does. */
async function invokeHere(name: string): Promise<void> {
  const { endpoints } = JSON.parse(await readFile(join(folder, 'runtime.json'), 'utf8'));
  const accessKeyId = accessKeyOf({ role: 'administrator', by: 'schedule' });
  const config = { ...clientConfig(endpoints.AWS_ENDPOINT_URL_LAMBDA) };
  const lambda = new LambdaClient({ ...config, credentials: { accessKeyId, secretAccessKey: 'local' } });
  await invokeFunction(lambda, namesOf('local').function(name), {});
  lambda.destroy();
}

const registered = z.object({ receipt_registration: z.literal('succeeded') });
const isRegistered = (answer: unknown): boolean => registered.safeParse(answer).success;

/** The exchanges between the service and the emulator. */
const exchanged = async () =>
  (await readFile((await yookassa()).journal, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => exchange.parse(JSON.parse(line)));

/** The emulator's process: the child that runs its script. */
async function emulatorOf(pid: number | undefined): Promise<number> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8')),
  );
  for (const child of lists.join(' ').split(' ').filter(Boolean)) {
    if ((await readFile(`/proc/${child}/cmdline`, 'utf8')).includes('yookassa-emulator'))
      return Number(child);
  }
  throw new Error('The emulator does not run.');
}

describe('npm start -- --provider yookassa', () => {
  it('records the emulator’s address and keys, its journal, and gives it the notification address', async () => {
    const { baseUrl } = await start('--port', '0').ready();

    const { apiUrl, shopId, secretKey, gatewayId, gatewaySecretKey, journal, ...others } = await yookassa();
    expect(others).toEqual({});
    for (const [id, key] of [
      [shopId, secretKey],
      [gatewayId, gatewaySecretKey],
    ]) {
      const authorization = `Basic ${btoa(`${id}:${key}`)}`;
      const me = await fetch(`${apiUrl}/me`, { headers: { authorization } });
      expect(await me.json()).toMatchObject({ account_id: id, status: 'enabled' });
    }
    const [line = ''] = (await readFile(journal, 'utf8')).split('\n');
    expect(JSON.parse(line)).toMatchObject({ method: 'GET', path: '/v3/me', status: 200 });
    const notifications = await fetch(apiUrl.replace('/v3', '/control/notifications'));
    expect(await notifications.json()).toMatchObject({
      url: expect.stringMatching(new RegExp(`^${baseUrl}/acquirer/yookassa/\\S{20,}$`)),
    });
  });

  it('ends both with Ctrl-C, and keeps the emulator’s keys for the next run', async () => {
    const first = start('--port', '0');
    const { baseUrl } = await first.ready();
    const before = await yookassa();
    interrupt(first.child);
    expect(await first.ended).toBe(0);
    await nothingListensAt([baseUrl, before.apiUrl]);

    await start('--port', '0').ready();
    const { apiUrl: _, ...kept } = await yookassa();
    expect(before).toMatchObject(kept);
  });

  it('begins with new keys, empty books and a new journal after --reset', async () => {
    const first = start('--port', '0');
    await first.ready();
    const before = await yookassa();
    const created = await fetch(`${before.apiUrl}/payments`, {
      method: 'POST',
      headers: { ...authorized(before), 'content-type': 'application/json', 'idempotence-key': 'key-1' },
      body: JSON.stringify({ amount: { value: '1000.00', currency: 'RUB' }, confirmation }),
    });
    expect(created.status).toBe(200);
    interrupt(first.child);
    await first.ended;

    await start('--port', '0', '--reset').ready();
    const after = await yookassa();
    expect(after.secretKey).not.toBe(before.secretKey);
    expect(after.gatewaySecretKey).not.toBe(before.gatewaySecretKey);
    expect(await readFile(after.journal, 'utf8')).toBe('');
    const payments = await fetch(`${after.apiUrl}/payments`, { headers: authorized(after) });
    expect(await payments.json()).toMatchObject({ items: [] });
  });

  it('leaves nothing running when it is killed', async () => {
    const { child, ready } = start('--port', '0');
    const { baseUrl } = await ready();
    const { apiUrl } = await yookassa();
    child.kill('SIGKILL');
    await nothingListensAt([baseUrl, apiUrl]);
  });

  it('says in words that the emulator has ended', async () => {
    const { child, ended, text, ready } = start('--port', '0');
    await ready();
    process.kill(await emulatorOf(child.pid), 'SIGKILL');
    expect(await ended).toBe(1);
    expect(text()).toContain('The process of the YooKassa emulator has exited');
  });

  it('says in words that a port of the emulator is taken', async () => {
    const server = createServer();
    const port = await listen(server, 0);
    onTestFinished(() => void server.close());
    const { ended, text } = start('--port', String(port - 1));
    expect(await ended).toBe(1);
    expect(text()).toContain(`Port ${port} is in use, so the YooKassa emulator cannot listen on it.`);
  });
});

describe('the operator’s commands about the provider', () => {
  it('check it, replace a key while the old one counts, and give it a new notification address', async () => {
    const service = start('--port', '0');
    const { baseUrl } = await service.ready();
    const { apiUrl, shopId, secretKey, gatewayId } = await yookassa();
    const control = (path: string, method: string, body: object) =>
      fetch(apiUrl.replace('/v3', `/control/${path}`), {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const check = () => paylinkProcess(folder, ['provider', 'check', 'yookassa']);

    const asRecorded = {
      accounts: [
        { role: 'payments', state: 'known', id: shopId, live: false, methods: ['card', 'sbp'] },
        { role: 'payouts', id: gatewayId, balances: [{ currency: 'RUB', amount: '1000000.00' }] },
      ],
      notifications: { status: 200 },
      problems: [],
    };
    expect(await check()).toMatchObject(asRecorded);
    // The daily function is another process with the payout gateway's secret alone.
    expect(await paylinkProcess(folder, ['banks', 'refresh'])).toMatchObject({
      outcome: 'refreshed',
      rail: 'yookassa',
      gone: [],
    });
    expect(await paylinkProcess(folder, ['banks', 'list'])).toMatchObject({ source: 'yookassa' });

    await control('accounts/gateway', 'PUT', { balance: '99999.99' });
    await invokeHere('provider-balance');
    const log = () => readFile(join(folder, 'functions.log'), 'utf8');
    await expect.poll(log).toMatch(/"level":"alarm","event":"provider_balance_low",.*"provider":"yookassa"/);
    expect(await check()).toMatchObject({ problems: [{ key: 'balance_low', about: '99999.99 RUB' }] });
    await control('accounts/gateway', 'PUT', { balance: '1000000.00' });

    // The cabinet has issued a new key, and the old one no longer counts there.
    const newKey = 'test_Rxq2mVbe7Wl9sKd3Fh8t';
    await control('settings', 'PATCH', { shopSecretKeys: [newKey] });
    await paylinkProcess(
      folder,
      ['provider', 'set', 'yookassa'],
      JSON.stringify({ shopId, secretKey: newKey }),
    );
    const address = async (...options: readonly string[]) =>
      z
        .object({ address: z.string() })
        .parse(await paylinkProcess(folder, ['provider', 'address', 'yookassa', ...options])).address;
    const old = await address();
    const current = await address('--rotate');
    expect(current.startsWith(`${baseUrl}/acquirer/yookassa/`)).toBe(true);

    const statusAt = async (url: string) => {
      const object = { id: '1da5c87d-0984-50e8-a7f3-8de646dd9ec9' };
      const body = JSON.stringify({ type: 'notification', event: 'payment.succeeded', object });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    await expect.poll(() => statusAt(current), { timeout: 30_000, interval: 1000 }).toBe(200);
    expect(await statusAt(old)).toBe(200);
    expect(await statusAt(`${current.slice(0, -1)}_`)).toBe(404);
    expect(await statusAt(`${baseUrl}/acquirer/sandbox/${current.split('/').at(-1)}`)).toBe(404);
    expect(await check()).toMatchObject(asRecorded);

    const logged = await log();
    for (const secret of [secretKey, newKey, old.split('/').at(-1), current.split('/').at(-1)])
      expect(logged.includes(String(secret))).toBe(false);
    expect(service.text()).not.toContain('AccessDenied');
  });
});

describe('the service with the YooKassa emulator, by its processes', () => {
  it('with receipts is paid by card with 3-D Secure and by SBP, fails with a refused card, and pays out by SBP', {
    timeout: 120_000,
  }, async () => {
    await start('--port', '0', '--receipts').ready();
    const merchant = await demo();
    const statusOf = async (paymentId: string) =>
      (await get(merchant, 'payment/status', { id: paymentId })).body;
    const pay = async (amount: string, ...means: readonly string[]) => {
      const { billId } = await newBill(merchant, { amount });
      const { exitCode, stdout, stderr } = await payProcess(folder, [billId, ...means]);
      if (stdout === '') throw new Error(stderr);
      return { exitCode, ...paid.parse(JSON.parse(stdout)) };
    };

    const card = await pay('1000', '--card', '5555555555554477');
    const refused = await pay('300', '--card', '5555555555554592');
    const sbp = await pay('2000', '--sbp');

    expect([card, refused, sbp]).toMatchObject([
      { exitCode: 0, status: 'SUCCESS' },
      { exitCode: 2, status: 'FAIL' },
      { exitCode: 0, status: 'SUCCESS' },
    ]);
    expect(await statusOf(card.paymentId)).toMatchObject({ status: 'SUCCESS', amount_received: 1000 });
    expect(await statusOf(sbp.paymentId)).toMatchObject({ status: 'SUCCESS', amount_received: 2000 });
    const exchanges = await exchanged();
    expect(exchanges.filter(({ path }) => /^\/v3\/payments\/[^/]+\/capture$/.test(path))).toHaveLength(1);
    expect(JSON.stringify(exchanges)).toContain('3d_secure_failed');
    expect(exchanges.filter(({ answer }) => isRegistered(answer)).length).toBeGreaterThan(0);

    const fields = { amount: '500', currency: 'RUB', order_id: 'payout-1', account_type: 'sbp' };
    const account = { account_identifier: '79000000000', account_bank: '100000000111' };
    await post(merchant, 'payout/regular/create', { ...fields, ...account });
    const payout = async () => (await get(merchant, 'payout/status', { order_id: 'payout-1' })).body;
    await paylinkProcess(folder, ['payouts', 'approve', String((await payout())['id'])]);
    await expect.poll(payout, { timeout: 90_000, interval: 1000 }).toMatchObject({ status: 'SUCCESS' });

    // 3.5 % of 3000.00 is 105.00.
    const books = await fetch((await yookassa()).apiUrl.replace('/v3', '/control/books'));
    expect(await books.json()).toMatchObject({
      shop: { balance: '2895.00' },
      gateway: { postings: [{ what: 'top_up' }, { what: 'payout', amount: '-500.00' }] },
    });
    expect(await paylinkProcess(folder, ['audit'])).toMatchObject({ agrees: true, differences: [] });
  });
});
