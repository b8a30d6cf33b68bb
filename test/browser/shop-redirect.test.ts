import { createServer, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DocumentedShop, documentedShop, nodeShop } from '../support/documented-shops.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { launchBrowser } from './browser.ts';
import { createBill, enterCard, goToCardPage } from './payer.ts';

type Visit = {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly cookie: string;
};

let browser: Browser;
let shop: DocumentedShop;
let watched: Awaited<ReturnType<typeof watching>>;
let stack: Stack;

/** Forwards every request to the shop and records its cookie. */
async function watching(port: number) {
  const visits: Visit[] = [];
  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    visits.push({ method, path, cookie: headers.cookie ?? '' });
    const onward = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  // A name other than the service's 127.0.0.1 makes it another site.
  const origin = `http://localhost:${typeof address === 'object' ? address?.port : 0}`;
  return { visits, origin, close: () => server.close() };
}

beforeAll(async () => {
  const secrets = { token: '', shopSecret: 'whsec_', payoutSecret: 'whsec_' };
  [browser, shop] = await Promise.all([launchBrowser(), documentedShop(nodeShop, secrets)]);
  watched = await watching(shop.port);
  const [successUrl, failUrl] = [`${watched.origin}/thanks`, `${watched.origin}/sorry`];
  stack = await startStack({ urls: { successUrl, failUrl } });
}, 120_000);

afterAll(async () => {
  await browser.close();
  await stack.stop();
  watched.close();
  await shop[Symbol.asyncDispose]();
});

/** Opens a page as a payer who is signed in at the shop, with a session cookie that has SameSite=Lax. */
async function signedIn(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' });
  await context.addCookies([
    { name: 'session', value: 'of-the-payer', url: watched.origin, sameSite: 'Lax' },
  ]);
  return context.newPage();
}

describe('a payer who returns to a shop on another site', () => {
  it.each([
    ['/thanks', '4111 1111 1111 1111'],
    ['/sorry', '4000 0000 0000 0002'],
  ])(
    'sends no session cookie with the POST to %s, and sends it again after the 303 of docs/merchants.md',
    async (path, card) => {
      const { payUrl } = await createBill(stack.demo, { order_id: 'order-1' });
      const page = await signedIn();
      await page.goto(payUrl);
      await goToCardPage(page);
      await enterCard(page, card);
      await page.waitForURL((url) => url.origin === watched.origin);

      expect(watched.visits.filter((visit) => visit.path?.startsWith(path))).toEqual([
        { method: 'POST', path, cookie: '' },
        { method: 'GET', path, cookie: 'session=of-the-payer' },
      ]);
      expect(await page.textContent('body')).toContain('with your session');
    },
  );
});
