import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import type { PaymentMethod } from '../../lib/payment/acquirer.ts';
import { sandboxAcquirer } from '../../lib/provider/sandbox-acquirer.ts';
import { aSandbox, sandboxSecret } from '../support/sandbox.ts';
import { startRequest } from '../support/sandbox-orders.ts';
import { violationsOn } from './accessibility.ts';
import { browserAndShop } from './browser-and-shop.ts';

const { shopUrl, open } = browserAndShop();
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** An order at a sandbox that listens on a port of its own. */
async function anOrder(method: PaymentMethod) {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  const origin = `http://127.0.0.1:${address.port}`;
  let clock = new Date('2030-06-15T12:00:00Z').getTime();
  const url = `${origin}/sandbox`;
  const sandbox = await aSandbox({ url, now: () => new Date(clock) });
  server.on('request', (request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method: verb = 'GET', url: path = '', headers } = request;
    const form = await text(request);
    const sent = { 'accept-language': headers['accept-language'] ?? 'en' };
    const body = verb === 'POST' ? new URLSearchParams(form) : null;
    const shown = await sandbox.send(`${origin}${path}`, { method: verb, headers: sent, body });
    response.writeHead(shown.status, Object.fromEntries(shown.headers)).end(await shown.text());
  };
  const acquirer = sandboxAcquirer({ url, secret: sandboxSecret, fetch: sandbox.send });
  const request = startRequest({
    method,
    holds: method === 'card',
    amountMinor: 123_450n,
    returnUrl: shopUrl(),
  });
  const started = await acquirer.start(request);
  if (started.kind !== 'opened') throw new Error(started.outcome);
  const { reference, pageUrl = '' } = started;
  return {
    pageUrl,
    view: () => acquirer.get({ ...request, reference }),
    pass: (minutes: number) => void (clock += minutes * 60_000),
  };
}

const violations = async (page: Page) => (await violationsOn(page)).map(({ id }) => id);

describe('the SBP page of the sandbox, without JavaScript', () => {
  it('leads by its button to the shop, and the money is taken', async () => {
    const { pageUrl, view } = await anOrder('sbp');
    const page = await open(pageUrl, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Pay ₽1,234.50' }).click();
    await page.waitForURL(shopUrl());
    expect(await view()).toMatchObject({ state: 'captured', amountMinor: 123_450n });
  });

  it('leads by the other button to the shop, and nothing is taken', async () => {
    const { pageUrl, view } = await anOrder('sbp');
    const page = await open(pageUrl, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Cancel and go back' }).click();
    await page.waitForURL(shopUrl());
    expect(await view()).toMatchObject({ state: 'cancelled', reason: 'canceled_by_payer' });
  });
});

describe.each(['card', 'sbp'] as const)('an expired %s page of the sandbox', (method) => {
  it('says so, and leads back to the shop', async () => {
    const { pageUrl, pass } = await anOrder(method);
    pass(60);
    const page = await open(pageUrl, { javaScriptEnabled: false });
    expect(await page.locator('h1').textContent()).toBe('The time to pay is over');
    await page.getByRole('button', { name: 'Back to the shop' }).click();
    await page.waitForURL(shopUrl());
  });
});

describe.each([
  ['en', { colorScheme: 'light', viewport: { width: 320, height: 640 } }],
  ['ru', { colorScheme: 'dark', viewport: { width: 1280, height: 800 } }],
] as const)('the pages of the sandbox in %s', (locale, look) => {
  it.each(['card', 'sbp'] as const)('break no rule of accessibility: %s', async (method) => {
    const { pageUrl, pass } = await anOrder(method);
    const page = await open(pageUrl, { ...look, locale });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    pass(60);
    await page.reload();
    expect(await violations(page)).toEqual([]);
  });
});
