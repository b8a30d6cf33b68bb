import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { aReceiver, type Receiver } from '../support/receiver.ts';
import { launchBrowser } from './browser.ts';

/** Starts a browser and a shop's server for the tests of a file, and ends both after them. */
export function browserAndShop() {
  let browser: Browser;
  let shop: Receiver;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([
      launchBrowser(),
      aReceiver((_request, response) => void response.end('the shop')),
    ]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await shop[Symbol.asyncDispose]();
  });
  return {
    shopUrl: (): string => shop.url,
    /** Opens the page in a browser of its own, without cookies of others. */
    open: async (url: string, options: BrowserContextOptions = {}): Promise<Page> => {
      const page = await (await browser.newContext(options)).newPage();
      await page.goto(url);
      return page;
    },
  };
}
