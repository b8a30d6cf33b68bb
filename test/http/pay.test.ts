import { createHash, createHmac } from 'node:crypto';
import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import * as acquirerNotification from '../../functions/acquirer-notification.ts';
import * as linkPage from '../../functions/link-page.ts';
import * as payPage from '../../functions/pay-page.ts';
import * as paySubmit from '../../functions/pay-submit.ts';
import * as redirectPage from '../../functions/redirect-page.ts';
import * as resultPage from '../../functions/result-page.ts';
import { type PaymentId, toPaymentId } from '../../lib/ids.ts';
import type { NormalBill } from '../../lib/bill/bill.ts';
import { noContact, openContact, sealContact } from '../../lib/bill/contact.ts';
import { type Askable, type BillOptions, noOptions } from '../../lib/bill/options.ts';
import type { StartRequest } from '../../lib/payment/acquirer.ts';
import { acquirersOf } from '../../lib/payment/acquirers.ts';
import { apiEvent, type Sent } from '../support/api-event.ts';
import { billId, merchantId, shopId } from '../support/builders.ts';
import { returnKey } from '../../lib/payment/return-key.ts';
import { itemsOf } from '../support/items-of.ts';
import { type PaymentHarness, paymentHarness, publicUrl, stateOf } from '../support/payment-harness.ts';
import { twoGaveTheirCard } from '../support/payment-situations.ts';
import { putContact } from '../../lib/store/contact-item.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import { transact } from '../../lib/store/transact.ts';
import { aCard, sandboxSecret } from '../support/sandbox.ts';

const declinedCard = '4000000000000002';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

type Query = Readonly<Record<string, string>>;

/** The payer's pages over one harness, used like a browser does. */
async function visited(given: Parameters<typeof paymentHarness>[0] = {}) {
  const harness = await paymentHarness({ bill: { orderId: 'Order 7', custom: 'a&b' }, ...given });
  const logged: unknown[] = [];
  const deps = {
    ...harness,
    publicUrl,
    plainHttp: false,
    nonce: () => 'NONCE',
    log: (...line: unknown[]) => void logged.push(line),
    opener: { open: async () => 'pl_test_token' },
  };
  /** A browser that stores cookies, or one that does not. */
  function browser({ keepsCookies = true } = {}) {
    const jar = { cookie: '' };
    const at =
      (handler: ReturnType<typeof payPage.create>, id?: string) =>
      async (method: 'GET' | 'POST' | 'HEAD', { headers, ...sent }: Sent = {}) => {
        const cookie = jar.cookie === '' ? undefined : { Cookie: jar.cookie };
        const event = apiEvent(method === 'HEAD' ? 'GET' : method, {
          ...sent,
          headers: { ...cookie, ...headers },
        });
        const answer = await handler({
          ...event,
          httpMethod: method,
          pathParameters: id === undefined ? null : { id },
        });
        const set = answer.headers?.['Set-Cookie'];
        if (keepsCookies && set !== undefined) jar.cookie = String(set).split(';')[0] ?? '';
        return {
          status: answer.statusCode,
          location: answer.headers?.['Location'],
          refresh: answer.headers?.['Refresh'],
          cookie: set === undefined ? undefined : String(set),
          text: answer.body,
          page: parse(answer.body),
        };
      };
    const transfer = at(payPage.create(deps), billId);
    const submit = at(paySubmit.create(deps), billId);
    return {
      jar,
      transfer: (query: Query = {}, headers: Query = {}) => transfer('GET', { query, headers }),
      head: () => transfer('HEAD'),
      submit: (token: string, headers: Readonly<Record<string, string>> = {}, query: Query = {}) =>
        submit('POST', {
          headers: { ...form, ...headers },
          query,
          body: new URLSearchParams({ token }).toString(),
        }),
      submitRaw: (sent: Sent) => submit('POST', sent),
      result(back: string) {
        const { searchParams } = new URL(back);
        return at(resultPage.create(deps), idIn(back))('GET', { query: Object.fromEntries(searchParams) });
      },
      redirect: (body: string) => at(redirectPage.create(deps))('POST', { headers: form, body }),
    };
  }
  return { harness, deps, logged, browser, ...browser() };
}

type Visited = Awaited<ReturnType<typeof visited>>;

const tokenOn = (page: Pick<ReturnType<typeof parse>, 'querySelector'>): string =>
  page.querySelector('input[name=token]')?.getAttribute('value') ?? '';

/** Opens the page, presses the button and pays; returns the URL to which the acquirer redirects the payer. */
async function payAt({ transfer, submit, harness }: Visited, number: string): Promise<string> {
  const { page } = await transfer();
  const { status, location } = await submit(tokenOn(page));
  expect(status).toBe(303);
  const back = await harness.sandbox.pay(location === undefined ? '' : String(location), {
    ...aCard,
    number,
  });
  return back.location ?? '';
}

const idIn = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? '';
const pageIn = (page: ReturnType<typeof parse>) => page.querySelector('main')?.getAttribute('data-page');
/** The return URL that the acquirer was given. */
const backOf = (paymentId: string): string =>
  `${publicUrl}/result/${paymentId}?key=${returnKey('the secret of the forms', toPaymentId(paymentId))}`;
const inputs = (page: ReturnType<typeof parse>) =>
  Object.fromEntries(
    page
      .querySelectorAll('input[type=hidden]')
      .map((input) => [input.getAttribute('name'), input.getAttribute('value')]),
  );

describe('a payer', () => {
  it('pays: from the page to the card page, back, and on to the shop with signed fields', async () => {
    const visit = await visited({ shop: { successUrl: 'https://shop.example/thanks' } });
    const back = await payAt(visit, aCard.number);
    expect(back).toMatch(`${publicUrl}/result/${billId}`);

    const { status, page } = await visit.result(back);
    expect(status).toBe(200);
    expect(page.querySelector('form')?.getAttribute('action')).toBe('https://shop.example/thanks');
    const signed = ['100.50', 'Order 7', 'pl_test_token'].join(':');
    expect(inputs(page)).toEqual({
      InvId: 'Order 7',
      OutSum: '100.50',
      CurrencyIn: 'RUB',
      custom: 'a&b',
      SignatureValue: createHash('md5').update(signed).digest('hex').toUpperCase(),
    });
    expect(await stateOf(visit.harness)).toMatchObject({
      bill: { status: 'SUCCESS' },
      charged: 10_050,
      waiting: 0,
    });
    expect((await visit.transfer()).status).toBe(409);
  });

  it('whose card is declined is handed to the Fail page, and may try another card', async () => {
    const visit = await visited();
    const back = await payAt(visit, declinedCard);
    const { page } = await visit.result(back);
    expect(page.querySelector('form')?.getAttribute('action')).toBe(`${publicUrl}/redirect/payment/fail`);
    const shown = await visit.redirect(new URLSearchParams({ TrsId: idIn(back) }).toString());
    expect(shown.page.querySelector('a')?.getAttribute('href')).toContain(`/transfer/${billId}`);

    const again = await payAt(visit, aCard.number);
    await visit.result(again);
    expect(await stateOf(visit.harness)).toMatchObject({ bill: { status: 'SUCCESS' }, charged: 10_050 });

    const stale = (await visit.result(back)).page;
    expect(stale.querySelector('main')?.getAttribute('data-outcome')).toBe('paid');
    expect(stale.querySelector('form')).toBeNull();
  });

  it.each([
    ['paid', aCard.number, 'success'],
    ['declined', declinedCard, 'fail'],
  ])(
    'whose shop has no page of its own is redirected without the merchant’s token: %s',
    async (_what, number, page) => {
      const visit = await visited();
      const back = await payAt(visit, number);
      const asked: string[] = [];
      Object.assign(visit.deps, {
        merchants: { find: async () => asked.push('merchant') },
        opener: { open: async () => asked.push('token') },
      });
      const shown = (await visit.result(back)).page;
      expect(shown.querySelector('form')?.getAttribute('action')).toBe(
        `${publicUrl}/redirect/payment/${page}`,
      );
      expect(inputs(shown)).toEqual({ TrsId: idIn(back) });
      expect(asked).toEqual([]);
    },
  );

  it('whose payment is refunded sees that here, and is not sent to the shop as if it had failed', async () => {
    const visit = await visited({ steps: 'one', shop: { failUrl: 'https://shop.example/sorry' } });
    const { first, second } = await twoGaveTheirCard(visit.harness);
    // The start of the second payment checked the first with the acquirer.
    visit.harness.pass(2 / 60);
    await visit.result(backOf(first.id));

    const { page } = await visit.result(backOf(second.id));
    expect(page.querySelector('form')?.getAttribute('action')).toBe(`${publicUrl}/redirect/payment/fail`);
    const shown = await visit.redirect(new URLSearchParams({ TrsId: second.id }).toString());
    expect(shown.page.querySelector('main')?.getAttribute('data-outcome')).toBe('refunded');
  });

  it('keeps the language that they chose, also when they return', async () => {
    const visit = await visited();
    const { page } = await visit.transfer({ lang: 'en' });
    const { location } = await visit.submit(tokenOn(page), {}, { lang: 'en' });
    const back = await visit.harness.sandbox.pay(String(location), aCard);
    expect(back.location).toMatch(/&lang=en$/);
  });

  it('who presses the button twice pays once', async () => {
    const visit = await visited();
    const token = tokenOn((await visit.transfer()).page);
    const [first, second] = await Promise.all([visit.submit(token), visit.submit(token)]);
    expect(first?.location).toBe(second?.location);
    expect(Object.keys((await stateOf(visit.harness)).payments)).toHaveLength(1);
  });

  it('who opens the link again while they pay is redirected to the same card page, in every tab', async () => {
    const visit = await visited();
    const { location } = await visit.submit(tokenOn((await visit.transfer()).page));
    expect(await visit.transfer()).toMatchObject({ status: 303, location });
  });

  it('whose second tab still has its form open is redirected by it to the same card page', async () => {
    const visit = await visited();
    const [one, two] = [(await visit.transfer()).page, (await visit.transfer()).page];
    const { location } = await visit.submit(tokenOn(one));
    expect(await visit.submit(tokenOn(two))).toMatchObject({ status: 303, location });
    expect(Object.keys((await stateOf(visit.harness)).payments)).toHaveLength(1);
  });

  it('who returns before the acquirer knows the outcome waits, then is handed on', async () => {
    const visit = await visited();
    const back = await payAt(visit, '4000000000110033');
    for (const _ of [1, 2]) {
      const { page } = await visit.result(back);
      expect(page.querySelector('form')).toBeNull();
      visit.harness.pass(2 / 60);
    }
    expect((await visit.result(back)).page.querySelector('form')).not.toBeNull();
  });

  it('gets a page when the acquirer or the store cannot be reached', async () => {
    const visit = await visited();
    const token = tokenOn((await visit.transfer()).page);
    visit.harness.line.cut = 'calls';
    expect((await visit.submit(token)).status).toBe(503);
    expect((await visit.transfer()).status).toBe(503);
    expect(pageIn((await visit.browser().transfer()).page)).toBe('being-paid');
    visit.harness.line.cut = undefined;
    expect((await visit.submit(token)).status).toBe(303);

    Object.assign(visit.deps.bills, { find: async () => Promise.reject(new Error('no table')) });
    expect((await visit.transfer()).page.querySelector('h1')?.text).not.toBe('');
    expect(JSON.stringify(visit.logged)).not.toContain('no table');
  });

  it('with too many failed attempts is told to wait', async () => {
    const visit = await visited({ limits: { failuresPerTenMinutes: 1 } });
    await visit.result(await payAt(visit, declinedCard));
    const { status } = await visit.submit(tokenOn((await visit.transfer()).page));
    expect(status).toBe(429);
  });
});

it.each([
  [{ name: 'Two\u202e cups\n' }, 'Two cups'],
  [{ name: '\u202e', description: 'of\ttea' }, 'of tea'],
  [{ name: undefined, orderId: '\u2066Order 7' }, 'Order 7'],
  [{ name: undefined, orderId: undefined }, billId],
])('the acquirer’s page is told of %j as one line that turns nothing around', async (bill, told) => {
  const visit = await visited({ bill });
  const { location } = await visit.submit(tokenOn((await visit.transfer()).page));
  const { page } = await visit.harness.sandbox.pay(String(location));
  expect(page.querySelector('bdi')?.text).toBe(told);
});

describe('a payer who left the acquirer’s page without paying', () => {
  /** A payer whose bill can be paid by card and by SBP, on the acquirer's page of one of them. */
  async function left(method: 'card' | 'sbp') {
    const visit = await visited({ manners: { endsOpenOrders: false } });
    const { harness } = visit;
    const routes = { card: { RUB: 'sandbox' }, sbp: { RUB: 'sandbox' } } as const;
    Object.assign(harness.acquirers, acquirersOf([harness.acquirer], routes));
    const { page } = await visit.transfer();
    const tokens = Object.fromEntries(
      page
        .querySelectorAll('form')
        .map((each) => [each.querySelector('button')?.getAttribute('value'), tokenOn(each)]),
    );
    const { location } = await visit.submit(tokens[method] ?? '');
    const bill = await harness.bill();
    const current = bill.type === 'NORMAL' ? bill.current : undefined;
    return { visit, tokens, cardPage: String(location), back: backOf(current ?? '') };
  }
  const linksIn = (page: ReturnType<typeof parse>) =>
    page.querySelectorAll('main a.button').map((link) => link.getAttribute('href'));
  const outcomeIn = (page: ReturnType<typeof parse>) =>
    page.querySelector('main')?.getAttribute('data-outcome');

  it('sees that nothing was paid, until when they may go on, and the other way', async () => {
    const { visit, cardPage, back } = await left('card');
    visit.harness.pass(5);
    const { status, page, refresh } = await visit.result(`${back}&lang=en`);
    expect([status, outcomeIn(page)]).toEqual([200, 'unpaid']);
    expect(linksIn(page)).toEqual([cardPage, `${publicUrl}/transfer/${billId}?lang=en&another=1`]);
    const words = page.querySelector('main')?.text ?? '';
    for (const shown of ['has not received your money', 'Do not pay again', '55 min', '10 min'])
      expect(words).toContain(shown);
    expect(String(refresh)).toMatch(/^2;url=\?key=/);
  });

  it('finds the buttons by the other way, without a new payment, and pays by the other', async () => {
    const { visit } = await left('card');
    const { page } = await visit.transfer({ another: '1', lang: 'en' });
    expect(page.querySelector('main')?.getAttribute('data-notice')).toBe('other_way');
    expect(page.querySelector('footer a')?.getAttribute('href')).toBe('?another=1&lang=ru');
    const sbp = page.querySelectorAll('form').find((each) => each.querySelector('button[value=sbp]'));
    expect(Object.keys((await stateOf(visit.harness)).payments)).toHaveLength(1);
    expect((await visit.submit(tokenOn(sbp ?? page))).location).toMatch('https://sandbox.test/');
    expect(Object.values((await stateOf(visit.harness)).payments)).toEqual([
      'PROCESS/AUTHORIZING',
      'PROCESS/AUTHORIZING',
    ]);
  });

  it('by SBP is offered no other way, and is led to its page by every link', async () => {
    const { visit, cardPage, back, tokens } = await left('sbp');
    const { page } = await visit.result(`${back}&lang=en`);
    expect(linksIn(page)).toEqual([cardPage]);
    expect(page.querySelector('main')?.text).toContain('in 60 min at the latest');
    expect((await visit.transfer({ another: '1' })).location).toBe(cardPage);
    expect((await visit.submit(tokens['card'] ?? '')).location).toBe(back);
  });

  it('is alone in this: another visitor who asks for the other way sees that the bill is being paid', async () => {
    const { visit } = await left('card');
    expect(pageIn((await visit.browser().transfer({ another: '1' })).page)).toBe('being-paid');
  });

  it('may start again once the lock is over', async () => {
    const { visit, back } = await left('card');
    visit.harness.pass(15);
    const again = `${publicUrl}/transfer/${billId}`;
    expect(linksIn((await visit.result(back)).page)).toContain(again);
    expect(pageIn((await visit.transfer()).page)).toBe('payment');
  });
});

describe('a bill with options of its own', () => {
  const [paidUrl, failedUrl, returnUrl] = ['paid', 'failed', 'cart'].map(
    (page) => `https://shop.example/${page}`,
  );
  const options: BillOptions = {
    ...noOptions,
    successUrl: paidUrl,
    failUrl: failedUrl,
    returnUrl,
    locale: 'en',
  };
  const own = { successUrl: 'https://other.example/thanks', failUrl: 'https://other.example/sorry' };
  const withOptions = (more: Partial<BillOptions> = {}) =>
    visited({ bill: { orderId: 'Order 7', options: { ...options, ...more } }, shop: own });
  const actionIn = (page: ReturnType<typeof parse>) => page.querySelector('form')?.getAttribute('action');
  const backIn = (page: ReturnType<typeof parse>) => page.querySelector('p.back a')?.getAttribute('href');
  const languageIn = (page: ReturnType<typeof parse>) => page.querySelector('html')?.getAttribute('lang');

  it.each([
    ['paid', aCard.number, paidUrl, own.successUrl],
    ['declined', declinedCard, failedUrl, own.failUrl],
  ])(
    'hands a payer who %s to its own page, while the host is the shop’s',
    async (_what, number, url, shops) => {
      const visit = await withOptions();
      const back = await payAt(visit, number);
      const { page } = await visit.result(back);
      expect(actionIn(page)).toBe(url);
      expect(Object.keys(inputs(page))).toEqual(['InvId', 'OutSum', 'CurrencyIn', 'SignatureValue']);
      await dynamoShops(visit.harness.table).set(shopId, { resultUrl: undefined });
      expect(actionIn((await visit.result(back)).page)).toBe(shops);
    },
  );

  it('links back to the shop from every page, while the host is the shop’s', async () => {
    const visit = await withOptions();
    const { bills, pass, table } = visit.harness;
    const link = linkPage.create(visit.deps);
    const pages = async () => [
      parse((await link({ ...apiEvent('GET', {}), pathParameters: { id: billId } })).body),
      (await visit.transfer()).page,
      (await visit.browser().transfer()).page,
    ];
    expect((await pages()).map(backIn)).toEqual([returnUrl, returnUrl, returnUrl]);
    const [, { page }] = [
      await visit.submit(tokenOn((await visit.transfer()).page)),
      await visit.browser().transfer(),
    ];
    expect([pageIn(page), backIn(page)]).toEqual(['being-paid', returnUrl]);
    pass(60);
    await bills.setActive({ merchantId, billId, active: false });
    const closed = (await visit.browser().transfer()).page;
    expect([pageIn(closed), backIn(closed)]).toEqual(['message', returnUrl]);
    await dynamoShops(table).set(shopId, { resultUrl: 'https://moved.example/result' });
    expect(backIn((await visit.browser().transfer()).page)).toBeUndefined();
  });

  it('is shown in its language, in the nearest without pages in it, and always in the one that the payer chose', async () => {
    const starts: StartRequest[] = [];
    const visit = await withOptions();
    const { acquirer } = visit.harness;
    const { start } = acquirer;
    Object.assign(acquirer, { start: async (sent: StartRequest) => (starts.push(sent), start(sent)) });
    const russian = { 'Accept-Language': 'ru' };
    const { page } = await visit.transfer({}, russian);
    expect(languageIn(page)).toBe('en');
    expect(languageIn((await visit.transfer({ lang: 'ru' })).page)).toBe('ru');
    const { location } = await visit.submit(tokenOn(page), russian);
    const back = await visit.harness.sandbox.pay(String(location), aCard);
    expect(back.location).not.toContain('lang=');
    expect(languageIn((await visit.result(String(back.location))).page)).toBe('en');
    expect(languageIn((await visit.transfer({}, russian)).page)).toBe('en');
    expect(starts.map(({ language }) => language)).toEqual(['en']);

    const kazakh = await withOptions({ locale: 'kk' });
    expect(languageIn((await kazakh.transfer({}, { 'Accept-Language': 'en' })).page)).toBe('ru');
    expect(languageIn((await kazakh.transfer({ lang: 'en' })).page)).toBe('en');
    expect((await kazakh.harness.bill()).options?.locale).toBe('kk');
  });

  it('offers its way to pay first, and the others too', async () => {
    const { harness, transfer } = await withOptions({ method: 'sbp' });
    const routes = { card: { RUB: 'sandbox' }, sbp: { RUB: 'sandbox' } } as const;
    Object.assign(harness.acquirers, acquirersOf([harness.acquirer], routes));
    const buttons = (await transfer()).page.querySelectorAll('button[name=method]');
    expect(buttons.map((each) => each.getAttribute('value'))).toEqual(['sbp', 'card']);
  });
});

describe('a bill that has the payer asked', () => {
  const answers = {
    email: ' Ivan@Example.ru',
    phone: '8 912 345 67 12',
    name: ' Иван  Петров ',
    comment: 'Позвоните\r\nзаранее',
  };
  const asked = (asks: readonly Askable[], bill: Partial<NormalBill> = {}) =>
    visited({ bill: { options: { ...noOptions, asks }, ...bill } });
  /** Presses the button of the form that the page shows, with these answers. */
  async function answered({ transfer, submitRaw }: Visited, typed: Query) {
    const token =
      (await transfer()).page.querySelector('input[name=token-card]')?.getAttribute('value') ?? '';
    const body = new URLSearchParams({ 'token-card': token, method: 'card', ...typed }).toString();
    return submitRaw({ headers: form, body });
  }
  const idOf = async ({ harness }: Visited) => {
    const bill = await harness.bill();
    return bill.type === 'NORMAL' ? bill.current : undefined;
  };
  const storedFor = async (visit: Visited) => {
    const sealed = await visit.harness.contacts.find(billId, await idOf(visit));
    return sealed && openContact(visit.harness.contactOpener, sealed, billId);
  };

  it('stores the answers sealed with the payment, and nothing of them in the clear', async () => {
    const visit = await asked(['email', 'phone', 'name', 'comment']);
    const { page } = await visit.transfer();
    expect(page.querySelectorAll('form').length).toBe(1);
    expect((await answered(visit, answers)).status).toBe(303);
    expect(await storedFor(visit)).toEqual({
      email: 'Ivan@example.ru',
      phone: '79123456712',
      name: 'Иван Петров',
      comment: 'Позвоните\nзаранее',
    });
    const items = await itemsOf(visit.harness.table);
    expect(items.find(({ PK, SK }) => PK === `CONTACT#${billId}` && SK !== 'bill')).toMatchObject({
      emailMask: 'I***@e***.ru',
      phoneMask: '+7 *** ***-**-12',
      nameMask: 'И*** П***',
      commentMask: '***',
    });
    expect(JSON.stringify([items, visit.logged])).not.toMatch(/ivan@|9123456712|Петров|Позвоните/i);
  });

  it.each<[string, readonly Askable[], Query, readonly string[]]>([
    ['nothing', ['email', 'phone', 'name', 'comment'], {}, ['email', 'phone', 'name']],
    ['what cannot be read', ['email', 'phone'], { email: 'ivan@', phone: '112' }, ['email', 'phone']],
    [
      'too much',
      ['name', 'comment'],
      { name: 'x'.repeat(129), comment: 'y'.repeat(501) },
      ['name', 'comment'],
    ],
    ['a zero byte', ['name'], { name: 'Ivan\0' }, ['name']],
  ])(
    'starts no payment for %s, marks the fields and keeps what was typed',
    async (_what, asks, typed, wrong) => {
      const visit = await asked(asks);
      const { status, page } = await answered(visit, typed);
      expect([status, pageIn(page)]).toEqual([422, 'payment']);
      expect(page.querySelectorAll('[aria-invalid]').map(({ id }) => id)).toEqual(wrong);
      expect(page.querySelector('[autofocus]')?.id).toBe(wrong[0]);
      expect(page.querySelector('[name=email]')?.getAttribute('value') ?? '').toBe(typed['email'] ?? '');
      expect(await stateOf(visit.harness)).toMatchObject({ payments: {} });
      expect((await itemsOf(visit.harness.table)).filter(({ PK }) => /^(?:RL|CONTACT)#/.test(PK))).toEqual(
        [],
      );
      expect((await answered(visit, answers)).status).toBe(303);
    },
  );

  it('asks nothing that the bill came with, and stores the rest of its contact with the answers', async () => {
    const visit = await asked(['email', 'name', 'comment'], { hasContact: true });
    const { table, contactSealer } = visit.harness;
    const known = { ...noContact, email: 'ivan@example.ru', name: 'Ivan' };
    const until = new Date(visit.harness.now().getTime() + 3600_000);
    const sealed = await sealContact(contactSealer, known, { billId, until });
    await transact(table, [putContact(table, { billId }, sealed)]);
    const { page, text } = await visit.transfer();
    expect(page.querySelectorAll('label').map((each) => each.getAttribute('for'))).toEqual(['comment']);
    expect(text).not.toContain('ivan@example.ru');
    expect((await answered(visit, { ...answers, email: 'evil@example.com' })).status).toBe(303);
    expect(await storedFor(visit)).toEqual({ ...known, comment: 'Позвоните\nзаранее' });
  });

  it('needs no comment, and stores no contact when there is none', async () => {
    const visit = await asked(['comment']);
    expect((await answered(visit, { email: 'evil@example.com', comment: ' ' })).status).toBe(303);
    expect(await storedFor(visit)).toBeUndefined();
    expect((await itemsOf(visit.harness.table)).filter(({ PK }) => PK.startsWith('CONTACT#'))).toEqual([]);
  });
});

describe('another visitor with the link', () => {
  /** One browser on the card page, and another that opens the link. */
  async function beside(card?: string) {
    const visit = await visited({ bill: { name: 'Two cups', orderId: 'Order 7' } });
    const { location = '' } = await visit.submit(tokenOn((await visit.transfer()).page));
    if (card !== undefined) await visit.harness.sandbox.pay(String(location), { ...aCard, number: card });
    return { visit, cardPage: String(location), other: visit.browser() };
  }
  /** Shows nothing of the payment: no URL, no id, no card digit. */
  const showsNothing = ({ text, location, refresh }: Awaited<ReturnType<Visited['transfer']>>) => {
    expect(location).toBeUndefined();
    expect(`${text} ${refresh}`).not.toMatch(/sandbox\.test|BillBillBillBill00|\d{6}\*+|\*{4}\d{4}/);
  };

  it('sees that the bill is being paid, to whom, for what, how much and until when; never the card page', async () => {
    const { visit, other } = await beside();
    visit.harness.pass(5);
    const seen = await other.transfer({ lang: 'en' });
    expect(seen.status).toBe(200);
    expect(pageIn(seen.page)).toBe('being-paid');
    const words = seen.page.querySelector('main')?.text ?? '';
    for (const shown of ['Tea house', 'Two cups', '100.50', '10 min']) expect(words).toContain(shown);
    expect(seen.page.querySelector('time')?.getAttribute('datetime')).toBe('2026-11-21T12:49:56.789Z');
    expect(seen.refresh).toBe('30;url=?lang=en&check=1');
    expect(seen.page.querySelector('form')).toBeNull();
    showsNothing(seen);
  });

  it('gets the button when the lock expires, by a Refresh header for that moment', async () => {
    const { visit, other } = await beside();
    visit.harness.pass(14.8);
    expect((await other.transfer()).refresh).toBe('12;url=?check=1');
    visit.harness.pass(0.2);
    const { page } = await other.transfer();
    expect(pageIn(page)).toBe('payment');
    expect((await other.submit(tokenOn(page))).status).toBe(303);
  });

  it('does not learn the outcome of a payment whose capture is in progress', async () => {
    const { visit, other } = await beside('4000000000110082');
    await visit.harness.sweep();
    const seen = await other.transfer({ lang: 'en' });
    expect(pageIn(seen.page)).toBe('being-paid');
    expect(seen.page.querySelector('time')).toBeNull();
    showsNothing(seen);
    expect((await visit.transfer()).location).toMatch(`${publicUrl}/result/`);
  });

  it('who sends their own form meanwhile sees the same', async () => {
    const visit = await visited();
    const other = visit.browser();
    const [mine, theirs] = [tokenOn((await visit.transfer()).page), tokenOn((await other.transfer()).page)];
    await visit.submit(mine);
    const seen = await other.submit(theirs);
    expect(pageIn(seen.page)).toBe('being-paid');
    showsNothing(seen);
    expect(Object.keys((await stateOf(visit.harness)).payments)).toHaveLength(1);
  });

  it.each([
    ['before it was sent', false],
    ['after it was sent', true],
  ])('is refused with a copy of the form, %s', async (_case, isSent) => {
    const visit = await visited();
    const token = tokenOn((await visit.transfer()).page);
    const other = visit.browser();
    await other.transfer();
    if (isSent) await visit.submit(token);
    const seen = await other.submit(token);
    showsNothing(seen);
    expect(pageIn(seen.page)).toBe(isSent ? 'being-paid' : 'payment');
    expect(Object.keys((await stateOf(visit.harness)).payments)).toHaveLength(isSent ? 1 : 0);
    const withoutCookies = await visit.browser({ keepsCookies: false }).submit(token);
    if (isSent) showsNothing(withoutCookies);
  });

  it('finds nothing under a payment’s id alone, which merchants and their support know', async () => {
    const { visit, other } = await beside(aCard.number);
    const [id = ''] = (await itemsOf(visit.harness.table)).flatMap(({ SK }) =>
      SK.startsWith('P#') ? [SK.slice(2)] : [],
    );
    for (const key of [
      '',
      '?key=',
      `?key=${'A'.repeat(22)}`,
      `?key=${returnKey('another', toPaymentId(id))}`,
    ])
      expect((await other.result(`${publicUrl}/result/${id}${key}`)).status).toBe(404);
    expect(await stateOf(visit.harness)).toMatchObject({
      payments: { [id.slice(-2)]: 'PROCESS/AUTHORIZING' },
    });
    expect((await other.result(backOf(id))).status).toBe(200);
  });

  it.each([
    ['a cookie of another service', 'paylink-browser=', true],
    ['a cookie without a signature', '__Host-paylink-browser=', false],
  ])('is not mistaken for the payer because of %s', async (_case, name, isWhole) => {
    const { visit } = await beside();
    const [, value = ''] = visit.jar.cookie.split('=');
    const other = visit.browser();
    other.jar.cookie = name + (isWhole ? value : value.split('.')[0]);
    expect(pageIn((await other.transfer()).page)).toBe('being-paid');
  });
});

describe('the browser cookie', () => {
  it('lasts an hour, for this host only, over https and hidden from scripts', async () => {
    const visit = await visited();
    const { cookie } = await visit.transfer();
    expect(cookie).toMatch(
      /^__Host-paylink-browser=\w{22}\.\d{10}\.[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('stays the same from page to page, and lasts an hour from the last', async () => {
    const visit = await visited();
    const number = ({ cookie }: { readonly cookie: string | undefined }) =>
      cookie?.split('=')[1]?.split('.')[0];
    const first = number(await visit.transfer());
    visit.harness.pass(59);
    const { page, ...second } = await visit.transfer();
    expect(number(second)).toBe(first);
    expect(number(await visit.submit(tokenOn(page)))).toBe(first);
    visit.harness.pass(59);
    visit.harness.pass(1);
    await visit.harness.sweep();
    expect(number(await visit.transfer())).not.toBe(first);
  });

  it('has a name without prefix over plain http', async () => {
    const visit = await visited();
    Object.assign(visit.deps, { publicUrl: 'http://127.0.0.1:3000' });
    const { cookie, page } = await visit.transfer();
    expect(cookie).toMatch(/^paylink-browser=\S+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
    const { location } = await visit.submit(tokenOn(page));
    expect(await visit.transfer()).toMatchObject({ status: 303, location });
  });

  it('is not set by HEAD', async () => {
    const visit = await visited();
    expect(await visit.head()).toMatchObject({ status: 200, cookie: undefined });
  });
});

describe('a browser that keeps no cookies', () => {
  it('can pay and return without one', async () => {
    const visit = await visited();
    const bare = visit.browser({ keepsCookies: false });
    const back = await payAt({ ...visit, ...bare }, aCard.number);
    await bare.result(back);
    expect(await stateOf(visit.harness)).toMatchObject({ bill: { status: 'SUCCESS' } });
  });

  it('is redirected again by the same form for ten seconds: a double tap', async () => {
    const visit = await visited();
    const bare = visit.browser({ keepsCookies: false });
    const token = tokenOn((await bare.transfer()).page);
    const { location } = await bare.submit(token);
    visit.harness.pass(9.9 / 60);
    expect(await bare.submit(token)).toMatchObject({ status: 303, location });
    visit.harness.pass(0.1 / 60);
    expect(pageIn((await bare.submit(token)).page)).toBe('being-paid');
    expect(pageIn((await bare.transfer()).page)).toBe('being-paid');
  });
});

/** The calls to the acquirer from now on. */
function watched({ acquirer }: PaymentHarness) {
  const asked: string[] = [];
  const before = { ...acquirer };
  Object.assign(acquirer, {
    async get(order: Parameters<typeof before.get>[0]) {
      asked.push('get');
      return before.get(order);
    },
    async start(order: Parameters<typeof before.start>[0]) {
      asked.push('start');
      return before.start(order);
    },
  });
  return { asked };
}

describe('a bill that is being paid', () => {
  it('causes one query to the acquirer in two seconds, however many visitors there are', async () => {
    const visit = await visited();
    await visit.submit(tokenOn((await visit.transfer()).page));
    const { asked } = watched(visit.harness);
    const look = () =>
      Promise.all(Array.from({ length: 10 }, (_, at) => (at % 2 ? visit : visit.browser()).transfer()));
    await look();
    expect(asked).toEqual(['get']);
    visit.harness.pass(1.9 / 60);
    await look();
    expect(asked).toEqual(['get']);
    visit.harness.pass(0.1 / 60);
    await look();
    expect(asked).toEqual(['get', 'get']);
  });

  it('stores the URL of its card page encrypted, and removes it with the first step after AUTHORIZING', async () => {
    const visit = await visited();
    const { location } = await visit.submit(tokenOn((await visit.transfer()).page));
    const kept = async () => {
      const items = await itemsOf(visit.harness.table);
      expect(JSON.stringify(items)).not.toContain('sandbox.test');
      return items.some((item) => 'cardPage' in item);
    };
    expect(await kept()).toBe(true);
    const back = await visit.harness.sandbox.pay(String(location), aCard);
    await visit.result(back.location ?? '');
    expect(await kept()).toBe(false);
  });

  it('gets the card page from the acquirer when the URL was not stored, or under another secret', async () => {
    const visit = await visited();
    Object.assign(visit.harness.payments, {
      storeCardPage: async () => Promise.reject(new Error('no table')),
    });
    const { location } = await visit.submit(tokenOn((await visit.transfer()).page));
    expect(await visit.transfer()).toMatchObject({ status: 303, location });
  });
});

describe('a form that is not from the page', () => {
  it.each([
    ['old', '', {}, 409],
    ['of another site', undefined, { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['of another origin', undefined, { origin: 'https://evil.example' }, 403],
  ] as const)('%s shows the bill once more and starts nothing', async (_case, token, headers, status) => {
    const visit = await visited();
    const own = tokenOn((await visit.transfer()).page);
    const answer = await visit.submit(token ?? own, headers);
    expect(answer.status).toBe(status);
    expect(tokenOn(answer.page)).not.toBe('');
    expect((await stateOf(visit.harness)).payments).toEqual({});
  });

  it.each([
    ['nothing', undefined],
    ['bytes', Buffer.from([0xff, 0xfe, 0, 1])],
    ['a broken escape', 'token=%E0%A4%A'],
    ['many tokens', 'token=a&token=b&token[]=c'],
    ['8 KB', `token=${'a'.repeat(8 * 1024 - 6)}`],
    ['JSON', '{"token":{"$gt":""}}'],
  ])('of %s is treated as missing', async (_case, body) => {
    const visit = await visited();
    const answer = await visit.submitRaw({ headers: form, ...(body !== undefined && { body }) });
    expect(answer.status).toBe(409);
    expect((await stateOf(visit.harness)).payments).toEqual({});
  });
});

describe('HEAD of the payment page', () => {
  const head = async (visit: Visited) =>
    payPage.create(visit.deps)({
      ...apiEvent('GET'),
      httpMethod: 'HEAD',
      pathParameters: { bill: billId },
    });

  it('answers from the stored bill and does not query the acquirer, even during a payment', async () => {
    const visit = await visited();
    const { id, pay } = await visit.harness.begun('p1');
    await pay();
    visit.harness.line.cut = 'calls';
    const before = await stateOf(visit.harness);

    expect(await head(visit)).toMatchObject({ statusCode: 200, body: '' });
    expect(await stateOf(visit.harness)).toEqual(before);
    expect(visit.logged).toEqual([]);

    visit.harness.line.cut = undefined;
    await visit.result(backOf(id));
    expect(await head(visit)).toMatchObject({ statusCode: 409, body: '' });
  });
});

describe('the acquirer’s notification', () => {
  const noticed = (harness: PaymentHarness, body: string, signature = sign(body)) =>
    acquirerNotification.create(harness)(
      apiEvent('POST', {
        headers: { 'Sandbox-Signature': signature, 'content-type': 'application/json' },
        body,
      }),
    );
  const sign = (body: string) => createHmac('sha256', sandboxSecret).update(body).digest('hex');

  const notice = async (harness: PaymentHarness, id: PaymentId) =>
    JSON.stringify({ paymentId: id, reference: (await harness.payment(id))?.reference, state: 'captured' });

  it('settles a payment whose payer did not return', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    expect((await noticed(harness, await notice(harness, id))).statusCode).toBe(200);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' }, charged: 10_050 });
  });

  it('is not trusted: the payment is queried', async () => {
    const harness = await paymentHarness();
    const { id } = await harness.begun('p1');
    expect((await noticed(harness, await notice(harness, id))).statusCode).toBe(200);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' }, entries: [] });
  });

  it('of an unknown payment is accepted and changes nothing', async () => {
    const harness = await paymentHarness();
    for (const paymentId of ['x', `${billId}00NotAtAll`, '../../B#1', 'я'.repeat(26)])
      expect((await noticed(harness, JSON.stringify({ paymentId }))).statusCode).toBe(200);
    expect((await stateOf(harness)).payments).toEqual({});
  });

  it('that cannot be processed fails, so that it is sent again, and the log names its payment', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    Object.assign(harness.payments, { fence: async () => Promise.reject(new TypeError('no right')) });
    await expect(noticed(harness, await notice(harness, id))).rejects.toThrow('no right');
    expect(harness.logged).toEqual([['error', 'payment_not_resolved', { error: 'TypeError', payment: id }]]);
  });

  it('from anyone else gets 404', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    const body = await notice(harness, id);
    for (const signature of ['', 'x', sign(`${body} `)])
      expect((await noticed(harness, body, signature)).statusCode).toBe(404);
    expect((await noticed(harness, '')).statusCode).toBe(404);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' } });
  });
});
