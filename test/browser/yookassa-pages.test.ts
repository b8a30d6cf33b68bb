import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { aShop } from '../support/yookassa-shop.ts';
import { violationsOn } from './accessibility.ts';
import { browserAndShop } from './browser-and-shop.ts';

const { shopUrl, open } = browserAndShop();

async function enterCard(page: Page, number: string): Promise<void> {
  await page.locator('[autocomplete=cc-number]').fill(number);
  await page.locator('[autocomplete=cc-exp]').fill('12/49');
  await page.locator('[autocomplete=cc-csc]').fill('123');
  await page.locator('button[value=bank_card]').click();
}

const confirmation = (locale: string) => ({
  confirmation: { type: 'redirect', return_url: shopUrl(), locale },
});

describe('the pages of the YooKassa emulator, without JavaScript', () => {
  it('lead over three origins from a card with 3-D Secure to the shop', async () => {
    const { create, get, pagesUrl, bankUrl } = await aShop();
    const { id, page: url } = await create(confirmation('en_US'));
    const page = await open(url, { javaScriptEnabled: false });

    await enterCard(page, '5555 5555 5555 4477');
    await page.waitForURL(`${bankUrl}/**`);
    expect(new URL(url).origin).toBe(pagesUrl);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(shopUrl());

    expect(await get(id)).toMatchObject({ status: 'succeeded' });
  });

  it('lead from a refused card straight to the shop', async () => {
    const { create, get } = await aShop();
    const { id, page: url } = await create(confirmation('ru_RU'));
    const page = await open(url, { javaScriptEnabled: false });

    await enterCard(page, '5555 5555 5555 4600');
    await page.waitForURL(shopUrl());

    expect(await get(id)).toMatchObject({ cancellation_details: { reason: 'insufficient_funds' } });
  });

  it('lead from SBP over the bank to the shop, also the browser that only waits', async () => {
    const { create, get } = await aShop();
    const { id, page: url } = await create(confirmation('en_US'));
    const page = await open(url, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Pay with SBP' }).click();
    const phone = await open((await page.locator('a.button').getAttribute('href')) ?? '');

    await phone.getByRole('button', { name: 'Confirm' }).click();
    await phone.waitForURL(shopUrl());
    await page.waitForURL(shopUrl());

    expect(await get(id)).toMatchObject({ status: 'succeeded', payment_method: { type: 'sbp' } });
  });
});

describe.each([
  ['a phone, in Russian, light', 'ru_RU', { width: 320, height: 640 }, 'light'],
  ['a wide screen, in English, dark', 'en_US', { width: 1280, height: 800 }, 'dark'],
] as const)('on %s, every page of the emulator', (_case, locale, viewport, colorScheme) => {
  it('is accessible, fits the screen and violates none of its own security policies', {
    timeout: 60_000,
  }, async () => {
    const { create, pagesUrl, bankUrl } = await aShop();
    const [card, challenged, sbp] = [
      await create(confirmation(locale)),
      await create(confirmation(locale)),
      await create({ ...confirmation(locale), payment_method_data: { type: 'sbp' } }),
    ];
    const page = await open(card.page, { viewport, colorScheme, locale: locale.replace('_', '-') });
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    const looksRight = async (kind: string) => {
      await page.locator(`main[data-page=${kind}]`).waitFor();
      const violations = await violationsOn(page);
      const wider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect({ kind, violations, wider }).toEqual({ kind, violations: [], wider: false });
    };

    await looksRight('card');
    await page.locator('summary').click();
    await enterCard(page, '1');
    await looksRight('card');
    await page.goto(challenged.page);
    await enterCard(page, '5555555555554477');
    await looksRight('challenge');
    await page.goto(challenged.page);
    await looksRight('to-bank');
    await page.goto(sbp.page);
    await looksRight('sbp');
    await page.goto(`${bankUrl}/sbp/${sbp.id}`);
    await looksRight('sbp-bank');
    await page.goto(`${pagesUrl}/nothing`);
    await looksRight('problem');
    expect(messages.filter((each) => /Content Security Policy|violat/i.test(each))).toEqual([]);
  });
});
