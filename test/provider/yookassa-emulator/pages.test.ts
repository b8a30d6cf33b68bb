import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import { testCards } from '../../../infra/yookassa-emulator/test-cards.ts';
import { aShop, returnUrl } from '../../support/yookassa-shop.ts';

const card = { method: 'bank_card', number: '5555 5555 5555 4444', expiry: '12/49', cvc: '123' };
const with3ds = { ...card, number: '5555555555554477' };

/** Sends one request, without following a redirect. */
async function request(url: string, form?: Readonly<Record<string, string>>, acceptLanguage = 'en') {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { 'accept-language': acceptLanguage },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  const text = await response.text();
  const location = response.headers.get('location');
  return { status: response.status, location, headers: response.headers, text, page: parse(text) };
}

/** Opens a page, over the redirects before the hosted page, or submits its form, without following a redirect. */
async function visit(...[url, form, acceptLanguage]: Parameters<typeof request>): ReturnType<typeof request> {
  const answer = await request(url, form, acceptLanguage);
  const { location } = answer;
  return form === undefined && location !== null && /\/visit\/|&visit=/.test(location)
    ? visit(location)
    : answer;
}

const kindOf = ({ page }: Awaited<ReturnType<typeof visit>>) =>
  page.querySelector('main')?.getAttribute('data-page');

describe('the confirmation URL', () => {
  it('leads to the hosted page over a redirect of a third origin', async () => {
    const { create, bankUrl } = await aShop();
    const { page } = await create();
    const first = await request(page);
    expect(first).toMatchObject({ status: 303, location: expect.stringContaining(`${bankUrl}/visit/`) });
    const second = await request(first.location ?? '');
    expect(second.status).toBe(303);
    expect(new URL(second.location ?? '').origin).toBe(new URL(page).origin);
    expect(kindOf(await request(second.location ?? ''))).toBe('card');
  });
});

describe('the hosted card page', () => {
  it.each([
    ['ru_RU', 'Номер карты', /1\s234,50\s₽/],
    ['en_US', 'Card number', /₽1,234\.50/],
    [undefined, 'Номер карты', /1\s234,50\s₽/],
  ])('is in the language of the payment’s locale, %s', async (locale, label, amount) => {
    const { create } = await aShop();
    const { page } = await create({ confirmation: { type: 'redirect', return_url: returnUrl, locale } });
    const shown = await visit(page);
    expect(shown.status).toBe(200);
    expect(shown.page.querySelector('label[for=number]')?.text).toBe(label);
    expect(shown.page.querySelector('.amount')?.text).toMatch(amount);
    expect(shown.page.querySelector('bdi')?.text).toBe('Two <b>cups</b>');
    expect(shown.page.querySelector('html')?.getAttribute('lang')).toBe(
      label === 'Card number' ? 'en' : 'ru',
    );
  });

  it('lists every test card with what it does', async () => {
    const { create } = await aShop();
    const { page } = await visit((await create()).page);
    const rows = page
      .querySelectorAll('tbody tr')
      .map((row) => row.querySelectorAll('td').map(({ text }) => text));
    expect(rows).toHaveLength(testCards.length);
    expect(rows).toContainEqual(['5555 5555 5555 4592', 'отклоняется: 3d_secure_failed']);
  });

  it('runs no script, and its form leads to itself, the bank and the shop only', async () => {
    const { create, bankUrl } = await aShop();
    const { headers, page } = await visit((await create()).page);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`form-action 'self' ${bankUrl} https://shop.example;`);
    expect(policy).not.toContain('unsafe');
    expect(page.querySelectorAll('script, [style], [onclick], link')).toEqual([]);
  });

  it.each([
    [true, 'succeeded'],
    [false, 'waiting_for_capture'],
  ])('takes a card and sends the payer back to the shop (capture: %s)', async (capture, status) => {
    const { create, get } = await aShop();
    const { id, page } = await create({ capture });
    expect(await visit(page, card)).toMatchObject({ status: 303, location: returnUrl });
    expect(await get(id)).toMatchObject({
      status,
      payment_method: { type: 'bank_card', card: { first6: '555555', last4: '4444', expiry_year: '2049' } },
    });
  });

  const refused = testCards.flatMap(({ number, outcome }) =>
    outcome.kind === 'refused' ? [[number, outcome.reason] as const] : [],
  );
  it.each(refused)('cancels the payment at once with the card %s: %s', async (number, reason) => {
    const { create, get } = await aShop();
    const { id, page } = await create();
    expect(await visit(page, { ...card, number })).toMatchObject({ status: 303, location: returnUrl });
    expect(await get(id)).toMatchObject({ status: 'canceled', cancellation_details: { reason } });
  });

  it('marks each invalid field, keeps the others except the CVC, and changes nothing', async () => {
    const { create, get } = await aShop();
    const { id, page } = await create();
    const wrong = { method: 'bank_card', number: '4242424242424242', expiry: '01/20', cvc: '987' };
    const shown = await visit(page, wrong);
    expect(shown.status).toBe(400);
    expect(shown.page.querySelector('#number-trouble')?.text).toContain('тестовые карты');
    expect(shown.page.querySelector('#expiry')?.getAttribute('aria-describedby')).toBe('expiry-trouble');
    expect(shown.page.querySelector('#cvc-trouble')).toBeNull();
    expect(shown.page.querySelector('#number')?.getAttribute('value')).toBe('4242424242424242');
    expect(shown.page.querySelector('#cvc')?.getAttribute('value')).toBe('');
    expect(await get(id)).toMatchObject({ status: 'pending' });
  });

  it('has a way back to the shop that leaves the payment payable, as the vendor’s has', async () => {
    const { create, get } = await aShop();
    const { id, page } = await create();
    expect((await visit(page)).page.querySelector(`a[href="${returnUrl}"]`)).not.toBeNull();
    expect(await get(id)).toMatchObject({ status: 'pending' });
    await visit(page, card);
    expect(await get(id)).toMatchObject({ status: 'succeeded' });
  });

  it('leads to the shop when the payment was paid or has expired', async () => {
    const { create, get, later } = await aShop();
    const [paid, expired] = [await create(), await create()];
    await visit(paid.page, card);
    await later(1);
    for (const { page } of [paid, expired])
      expect(await visit(page)).toMatchObject({ status: 303, location: returnUrl });
    expect(await visit(expired.page, card)).toMatchObject({ status: 303, location: returnUrl });
    expect(await get(expired.id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'expired_on_confirmation' },
    });
  });

  it.each([
    '/',
    '/checkout/payments/v2/contract',
    '/checkout/payments/v2/contract?orderId=x',
    '/v3/payments',
  ])('is not found at %s', async (path) => {
    const { pagesUrl } = await aShop();
    const shown = await visit(pagesUrl + path);
    expect(shown.status).toBe(404);
    expect(shown.text).toContain('There is no such payment');
  });
});

describe('the 3-D Secure page', () => {
  async function aChallenge() {
    const emulator = await aShop();
    const { id, page } = await emulator.create({
      confirmation: { type: 'redirect', return_url: returnUrl, locale: 'en_US' },
    });
    const { status, location } = await visit(page, with3ds);
    expect(status).toBe(303);
    return { ...emulator, id, page, challenge: location ?? '' };
  }

  it('is on a third origin and shows the amount and the card', async () => {
    const { challenge, apiUrl, pagesUrl, bankUrl } = await aChallenge();
    expect(new Set([new URL(apiUrl).origin, pagesUrl, bankUrl]).size).toBe(3);
    expect(new URL(challenge).origin).toBe(bankUrl);
    const shown = await visit(challenge);
    expect(shown.text).toContain('555555******4477');
    expect(shown.page.querySelector('.amount')?.text).toBe('₽1,234.50');
    expect(kindOf(shown)).toBe('challenge');
  });

  it.each([
    [{ answer: 'confirm' }, 'succeeded'],
    [{ answer: 'confirm', code: '0' }, 'succeeded'],
    [{ answer: 'refuse' }, 'canceled'],
  ])('leads over the hosted page to the shop after %j: %s', async (answer, status) => {
    const { challenge, page, get, id } = await aChallenge();
    expect(await visit(challenge, answer)).toMatchObject({ status: 303, location: page });
    expect(await visit(page)).toMatchObject({ status: 303, location: returnUrl });
    expect(await get(id)).toMatchObject(
      status === 'canceled' ? { status, cancellation_details: { reason: '3d_secure_failed' } } : { status },
    );
  });

  it('is linked on the hosted page until it is answered', async () => {
    const { challenge, page } = await aChallenge();
    const shown = await visit(page);
    expect(kindOf(shown)).toBe('to-bank');
    expect(shown.page.querySelector('a.button')?.getAttribute('href')).toBe(challenge);
  });

  it('leads back when nothing is left to confirm', async () => {
    const { challenge, page, id, get } = await aChallenge();
    await visit(challenge, { answer: 'confirm' });
    expect(await visit(challenge, { answer: 'refuse' })).toMatchObject({ status: 303, location: page });
    expect(await get(id)).toMatchObject({ status: 'succeeded' });
  });
});

describe('the SBP page', () => {
  async function aChoice(fields: object = {}) {
    const emulator = await aShop();
    const created = await emulator.create(fields);
    await visit(created.page, { method: 'sbp' });
    return { ...emulator, ...created, bank: `${emulator.bankUrl}/sbp/${created.id}` };
  }

  it('has a QR code and a button with the bank’s address, and reloads itself', async () => {
    const { page, bank } = await aChoice();
    const shown = await visit(page);
    expect(kindOf(shown)).toBe('sbp');
    expect(shown.page.querySelector('[role=img] svg path')).not.toBeNull();
    expect(shown.page.querySelector('a.button')?.getAttribute('href')).toBe(bank);
    expect(shown.headers.get('refresh')).toBe('5');
  });

  it('is paid at the bank, which leads back to the shop', async () => {
    const { page, bank, id, get } = await aChoice();
    expect(kindOf(await visit(bank))).toBe('sbp-bank');
    expect(await visit(bank, { answer: 'confirm' })).toMatchObject({ status: 303, location: page });
    expect(await visit(page)).toMatchObject({ status: 303, location: returnUrl });
    expect(await get(id)).toMatchObject({ status: 'succeeded', payment_method: { type: 'sbp' } });
  });

  it('stays payable, by card too, when the payer refuses at the bank', async () => {
    const { page, bank, id, get } = await aChoice();
    expect(await visit(bank, { answer: 'refuse' })).toMatchObject({ status: 303, location: page });
    expect(await get(id)).toMatchObject({ status: 'pending' });
    expect(kindOf(await visit(page))).toBe('sbp');
    expect(kindOf(await visit(`${page}&visit=1&method=bank_card`))).toBe('card');
    await visit(page, card);
    expect(await get(id)).toMatchObject({ status: 'succeeded', payment_method: { type: 'bank_card' } });
  });

  it('is the only page of a payment that the shop created for SBP', async () => {
    const { create } = await aShop();
    const { page } = await create({ payment_method_data: { type: 'sbp' } });
    expect(kindOf(await visit(page))).toBe('sbp');
    expect(kindOf(await visit(`${page}&visit=1&method=bank_card`))).toBe('sbp');
  });

  it.each([{ capture: false }, { payment_method_data: { type: 'bank_card' } }])(
    'is not offered for %j',
    async (fields) => {
      const { create, get } = await aShop();
      const { id, page } = await create(fields);
      expect((await visit(page)).page.querySelector('button[value=sbp]')).toBeNull();
      await visit(page, { method: 'sbp' });
      expect(await get(id)).toMatchObject({ status: 'pending' });
      expect(kindOf(await visit(page))).toBe('card');
    },
  );
});
