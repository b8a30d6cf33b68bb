import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../support/stack.ts';
import { launchBrowser } from './browser.ts';
import { ask, confirm, createBill, enterCard, goToCardPage, outcomeOf } from './payer.ts';
import { aShop, genuine, type Shop, expectedSignature } from './shop.ts';

const paysAtOnce = '4111 1111 1111 1111';
const isDeclined = '4000 0000 0000 0002';
const asksFor3ds = '4000 0000 0000 3220';
const timesOut = '4000 0000 0011 0025';
const answersLate = '4000 0000 0011 0033';

let browser: Browser;
let shop: Shop;
let stack: Stack;

beforeAll(async () => {
  [browser, shop] = await Promise.all([launchBrowser(), aShop()]);
  stack = await startStack({ urls: shop.urls });
}, 120_000);

afterAll(async () => {
  await browser.close();
  await stack.stop();
  await shop[Symbol.asyncDispose]();
});

const open = async (url: string, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await (await browser.newContext({ locale: 'en-GB', ...options })).newPage();
  await page.goto(url);
  return page;
};

describe('a payer', () => {
  it('pays through 3-D Secure and returns to the shop, which can verify the outcome', async () => {
    const { linkUrl, billId } = await createBill(stack.demo, { order_id: '3ds', custom: '{"a": "б&в"}' });
    const page = await open(linkUrl);

    await page.getByRole('link', { name: 'Go to payment' }).click();
    await goToCardPage(page);
    await enterCard(page, asksFor3ds);
    await confirm(page);
    await page.waitForURL(shop.pageUrl('success'));

    const [visit] = shop.visits('success', '3ds');
    expect(Object.entries(visit ?? {})).toEqual([
      ['InvId', '3ds'],
      ['OutSum', '1250.00'],
      ['CurrencyIn', 'RUB'],
      ['custom', '{"a": "б&в"}'],
      ['SignatureValue', expectedSignature({ OutSum: '1250.00', InvId: '3ds' }, stack.demo.apiToken)],
    ]);
    const [postback] = await shop.postbacks('3ds', 1);
    const fields = genuine(postback!, stack.demo);
    expect(fields).toMatchObject({ Status: 'SUCCESS', OutSum: '1250.00', custom: '{"a": "б&в"}' });
    expect(await ask(stack.demo, `bill/status?id=${billId}`)).toMatchObject({ status: 'SUCCESS' });
    expect(await ask(stack.demo, `payment/status?id=${fields['TrsId']}`)).toMatchObject({
      status: 'SUCCESS',
      from_card: '400000******3220',
    });
  });

  it('whose card is declined returns to the Fail URL and can pay with another card', async () => {
    const { payUrl } = await createBill(stack.demo, { order_id: 'declined' });
    const page = await open(payUrl);

    await goToCardPage(page);
    await enterCard(page, isDeclined);
    await page.waitForURL(shop.pageUrl('fail'));

    const [visit] = shop.visits('fail', 'declined');
    expect(visit?.['SignatureValue']).toBe(expectedSignature(visit ?? {}, stack.demo.apiToken));
    const [postback] = await shop.postbacks('declined', 1);
    expect(genuine(postback!, stack.demo)).toMatchObject({ Status: 'FAIL', OutSum: '1250.00' });

    await page.goto(payUrl);
    expect(await page.getByRole('status').textContent()).toContain('you were not charged');
    await goToCardPage(page);
    await enterCard(page, paysAtOnce);
    await page.waitForURL(shop.pageUrl('success'));
    const [, second] = await shop.postbacks('declined', 2);
    expect(genuine(second!, stack.demo)).toMatchObject({ Status: 'SUCCESS' });
  });

  it('needs no JavaScript anywhere', async () => {
    const { linkUrl } = await createBill(stack.demo, { order_id: 'no-script' });
    const page = await open(linkUrl, { javaScriptEnabled: false });

    await page.getByRole('link', { name: 'Go to payment' }).click();
    await goToCardPage(page);
    await enterCard(page, paysAtOnce);
    await page.getByRole('button', { name: 'Back to the shop' }).click();
    await page.waitForURL(shop.pageUrl('success'));

    expect(shop.visits('success', 'no-script')).toHaveLength(1);
  });

  it('pays by SBP by the second button, without JavaScript', async () => {
    const { payUrl } = await createBill(stack.demo, { order_id: 'sbp' });
    const page = await open(payUrl, { javaScriptEnabled: false });

    await page.getByRole('button', { name: 'by SBP' }).click();
    await page.locator('button[value=pay]').click();
    await page.getByRole('button', { name: 'Back to the shop' }).click();
    await page.waitForURL(shop.pageUrl('success'));

    expect(shop.visits('success', 'sbp')).toHaveLength(1);
  });

  it('whose amount only cards take sees no other button', async () => {
    const { payUrl } = await createBill(stack.demo, { amount: '700000.01' });
    const page = await open(payUrl);
    expect(await page.locator('main button').allTextContents()).toEqual(['Pay ₽700,000.01']);
  });

  it('waits on a page that says not to pay again until the acquirer answers, and is then redirected', async () => {
    const { payUrl } = await createBill(stack.demo, { order_id: 'late' });
    const page = await open(payUrl);

    await goToCardPage(page);
    await enterCard(page, answersLate);
    await page.locator('main[data-page=waiting]').waitFor();
    expect(await page.textContent('main')).toContain('Do not pay again.');

    await page.waitForURL(shop.pageUrl('success'));
    expect(shop.visits('success', 'late')).toHaveLength(1);
  });

  it('whose card page failed returns by its button and has paid', async () => {
    const { payUrl } = await createBill(stack.demo, { order_id: 'broken' });
    const page = await open(payUrl);

    await goToCardPage(page);
    await enterCard(page, timesOut);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.waitForURL(shop.pageUrl('success'));

    expect(shop.visits('success', 'broken')).toHaveLength(1);
  });

  it('who pays the fee sees it separately and pays it', async () => {
    const { payUrl } = await createBill(stack.demo, { order_id: 'fee', payer_pays_commission: '1' });
    const page = await open(payUrl);

    expect(await page.locator('dd').allTextContents()).toEqual(['₽1,250.00', '₽25.00', '₽1,275.00']);
    await goToCardPage(page);
    await enterCard(page, paysAtOnce);
    await page.waitForURL(shop.pageUrl('success'));

    const [postback] = await shop.postbacks('fee', 1);
    expect(genuine(postback!, stack.demo)).toMatchObject({ OutSum: '1250.00', Commission: '25.00' });
  });

  it('who opens the bill in a second tab is redirected to the same card page', async () => {
    const { payUrl } = await createBill(stack.demo, { order_id: 'twice' });
    const first = await open(payUrl);
    const waiting = await first.context().newPage();
    await waiting.goto(payUrl);
    await goToCardPage(first);

    const second = await first.context().newPage();
    await second.goto(payUrl);
    await goToCardPage(waiting);

    expect(second.url()).toBe(first.url());
    expect(waiting.url()).toBe(first.url());
  });

  it('is recognised by a cookie that no script can read, stored for an hour', async () => {
    const { payUrl } = await createBill(stack.demo);
    const page = await open(payUrl);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'paylink-browser', httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  it('whose browser stores no cookies can pay', async () => {
    const { payUrl } = await createBill(stack.demo, { order_id: 'bare' });
    const page = await open(payUrl);
    await page.context().clearCookies();

    await goToCardPage(page);
    await enterCard(page, paysAtOnce);
    await page.waitForURL(shop.pageUrl('success'));

    expect(shop.visits('success', 'bare')).toHaveLength(1);
  });

  it('who presses the button twice starts one payment', async () => {
    const { payUrl, billId } = await createBill(stack.demo, { order_id: 'double' });
    const page = await open(payUrl);
    const token = await page.locator('input[name=token]').first().getAttribute('value');
    const press = () =>
      fetch(payUrl, {
        method: 'POST',
        body: new URLSearchParams({ token: token ?? '' }),
        redirect: 'manual',
      });

    const answers = await Promise.all([press(), press(), press()]);

    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
    expect((await ask(stack.demo, `bill/payments?id=${billId}`))['data']).toHaveLength(1);
  });

  it('who tries to pay a paid bill reads that it is paid', async () => {
    const { payUrl } = await createBill(stack.demo, { order_id: 'again' });
    const page = await open(payUrl);
    await goToCardPage(page);
    await enterCard(page, paysAtOnce);
    await page.waitForURL(shop.pageUrl('success'));

    const answer = await page.goto(payUrl);

    expect(answer?.status()).toBe(409);
    expect(await outcomeOf(page)).toBe('paid');
  });
});

describe('a shop that opens the link in a window of its own', () => {
  /** The shop's window polls `closed`; its page in the popup uses `opener`. */
  const connection = async (opener: Page, popup: Page) => ({
    closed: await opener.evaluate('popup.closed'),
    opener: await popup.evaluate('window.opener !== null'),
  });

  it('stays connected to that window, and the window to it, from the link to the shop’s own page', async () => {
    const { linkUrl } = await createBill(stack.demo, { order_id: 'popup' });
    const context = await browser.newContext({ locale: 'en-GB' });
    await context.route('https://checkout.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<button onclick="popup = window.open(link)">Pay</button>',
      }),
    );
    const opener = await context.newPage();
    await opener.goto('https://checkout.example/');
    await opener.evaluate(`link = '${linkUrl}'`);
    const opened = opener.waitForEvent('popup');
    await opener.getByRole('button').click();
    const popup = await opened;

    await popup.getByRole('link', { name: 'Go to payment' }).waitFor();
    expect(await connection(opener, popup)).toEqual({ closed: false, opener: true });
    await popup.getByRole('link', { name: 'Go to payment' }).click();
    await popup.locator('main[data-page=payment]').waitFor();
    expect(await connection(opener, popup)).toEqual({ closed: false, opener: true });
    await goToCardPage(popup);
    expect(await connection(opener, popup)).toEqual({ closed: false, opener: true });
    await enterCard(popup, asksFor3ds);
    await confirm(popup);
    await popup.waitForURL(shop.pageUrl('success'));
    expect(await connection(opener, popup)).toEqual({ closed: false, opener: true });
  });
});

describe('another browser that opens the link', () => {
  it.each([
    ['ru-RU', 'Этот счёт сейчас оплачивают', 'Проверить сейчас'],
    ['en-GB', 'This bill is being paid right now', 'Check now'],
  ])(
    'shows that a payment is in progress, without its URL (%s, without JavaScript)',
    async (locale, heading, check) => {
      const { payUrl } = await createBill(stack.demo, { name: 'Two cups of tea' });
      const first = await open(payUrl);
      await goToCardPage(first);
      await enterCard(first, asksFor3ds);
      await first.locator('[autocomplete=one-time-code]').waitFor();

      const second = await open(payUrl, { locale, javaScriptEnabled: false });

      const words = (await second.textContent('main')) ?? '';
      expect(words).toContain(heading);
      for (const shown of ['Demo shop', 'Two cups of tea', '15']) expect(words).toContain(shown);
      expect(words).toMatch(/1.?250[.,]00/);
      expect(await second.content()).not.toMatch(/\/card\/|\/3ds\/|3220|\/result\//);
      await second.getByRole('link', { name: check }).click();
      expect(second.url().split('?')[0]).toBe(payUrl);
      expect(await outcomeOf(second)).toBe('being_paid');
      expect(await second.locator('form').count()).toBe(0);

      await confirm(first);
      await first.waitForURL(shop.pageUrl('success'));
      await second.goto(payUrl);
      expect(await outcomeOf(second)).toBe('paid');
    },
  );

  it('gets the button as soon as the payer has cancelled, because the page reloads itself', async () => {
    const { payUrl } = await createBill(stack.demo, { order_id: 'given-up' });
    const first = await open(payUrl);
    await goToCardPage(first);
    const second = await open(payUrl, { javaScriptEnabled: false });
    expect(await outcomeOf(second)).toBe('being_paid');
    const reloaded = await fetch(payUrl);
    expect(reloaded.headers.get('refresh')).toBe('30;url=?check=1');

    await first.locator('button[value=abandon]').click();
    await first.waitForURL(shop.pageUrl('fail'));
    await second.reload();
    await goToCardPage(second);
    await enterCard(second, paysAtOnce);
    await second.getByRole('button', { name: 'Back to the shop' }).click();
    await second.waitForURL(shop.pageUrl('success'));
  });
});

describe('a form from another origin', () => {
  it('starts no payment and shows the bill again', async () => {
    const { payUrl, billId } = await createBill(stack.demo);
    const page = await open(payUrl);
    const token = await page.locator('input[name=token]').first().getAttribute('value');

    const answer = await fetch(payUrl, {
      method: 'POST',
      body: new URLSearchParams({ token: token ?? '' }),
      headers: { Origin: 'https://evil.example' },
    });

    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('data-notice="foreign_form"');
    expect((await ask(stack.demo, `bill/payments?id=${billId}`))['data']).toEqual([]);
  });

  it.each([
    ['none', ''],
    ['a short one', 'x'],
    ['one that we did not sign', `AAAAAAAA.125000.9999999999.${'0'.repeat(64)}`],
  ])('with a wrong token, %s, starts nothing either', async (_case, token) => {
    const { payUrl } = await createBill(stack.demo);
    const answer = await fetch(payUrl, { method: 'POST', body: new URLSearchParams({ token }) });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain('data-notice="form_too_old"');
  });
});

describe('an unknown id', () => {
  const odd = [
    ['too short', 'x'],
    ['unknown', 'A'.repeat(16)],
    ['far too long', 'A'.repeat(3000)],
    ['NUL', '%00'],
    ['a way upwards', '..%2F..'],
    ['Cyrillic', '%D0%BA%D0%BB%D1%8E%D1%87'],
    ['markup', '%3Cscript%3E'],
  ] as const;

  it.each(odd)('of a bill that is %s shows a page that says so', async (_case, id) => {
    for (const path of ['link', 'transfer', 'result']) {
      const answer = await fetch(`${stack.baseUrl}/${path}/${id}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await answer.text()).toContain('data-outcome="not_found"');
    }
  });

  it.each(odd)('of a payment that is %s shows the unknown-outcome page', async (_case, id) => {
    const answer = await fetch(`${stack.baseUrl}/redirect/payment/success`, {
      method: 'POST',
      body: `TrsId=${id}&OutSum=1.00`,
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('data-outcome="unknown"');
  });
});

describe('a bill that is switched off', () => {
  it('accepts no payment on any of its pages', async () => {
    const { billId, linkUrl, payUrl } = await createBill(stack.demo);
    await fetch(`${stack.baseUrl}/api/v1/bill/toggle_activity`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${stack.demo.apiToken}` },
      body: new URLSearchParams({ id: billId, active: '0' }),
    });

    for (const url of [linkUrl, payUrl]) {
      const answer = await fetch(url);
      expect(answer.status).toBe(410);
      expect(await answer.text()).toContain('data-outcome="switched_off"');
    }
  });
});

describe('a shop without its own pages, and an acquirer on another origin', () => {
  let elsewhere: Stack;
  beforeAll(async () => {
    elsewhere = await startStack({ sandboxElsewhere: true });
  }, 60_000);
  afterAll(() => elsewhere.stop());

  it.each([
    [paysAtOnce, 'success', 'paid'],
    [isDeclined, 'fail', 'failed'],
  ])('a payer with %s can pay and sees the actual outcome', async (card, path, outcome) => {
    const { payUrl } = await createBill(elsewhere.demo);
    const page = await open(payUrl);

    await goToCardPage(page);
    expect(new URL(page.url()).origin).toBe(elsewhere.sandboxOrigin);
    expect(elsewhere.sandboxOrigin).not.toBe(elsewhere.baseUrl);
    await enterCard(page, card);
    await page.waitForURL(`${elsewhere.baseUrl}/redirect/payment/${path}`);

    expect(await outcomeOf(page)).toBe(outcome);
  });

  it('shows the stored outcome, whatever is posted to its result page', async () => {
    const { payUrl } = await createBill(elsewhere.demo);
    const page = await open(payUrl);
    await goToCardPage(page);
    await enterCard(page, isDeclined);
    await page.waitForURL(`${elsewhere.baseUrl}/redirect/payment/fail`);
    const reference = /[0-9A-Za-z]{26}/.exec((await page.textContent('main')) ?? '')?.[0] ?? '';

    const forged = await fetch(`${elsewhere.baseUrl}/redirect/payment/success`, {
      method: 'POST',
      body: new URLSearchParams({ TrsId: reference, OutSum: '1250.00', Status: 'SUCCESS' }),
    });

    expect(await forged.text()).toContain('data-outcome="failed"');
  });
});

describe('a notification that the acquirer did not sign', () => {
  it.each(['', '{}', '{"paymentId":"AAAAAAAAAAAAAAAA00BBBBBBBB","state":"captured"}', '\u0000'])(
    'is not found: %j',
    async (body) => {
      const answer = await fetch(`${stack.baseUrl}/acquirer/notification`, { method: 'POST', body });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ success: false, message: 'Not found.' });
    },
  );
});

describe('the pages’ functions', () => {
  it('make no call that their roles do not allow', () => {
    expect(stack.refusals()).toEqual([]);
  });
});
