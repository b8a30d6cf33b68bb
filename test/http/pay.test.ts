import { createHash, createHmac } from 'node:crypto';
import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import * as acquirerNotification from '../../functions/acquirer-notification.ts';
import * as payPage from '../../functions/pay-page.ts';
import * as paySubmit from '../../functions/pay-submit.ts';
import * as redirectPage from '../../functions/redirect-page.ts';
import * as resultPage from '../../functions/result-page.ts';
import { apiEvent, type Sent } from '../support/api-event.ts';
import { billId } from '../support/builders.ts';
import { type PaymentHarness, paymentHarness, publicUrl, stateOf } from '../support/payment-harness.ts';
import { twoGaveTheirCard } from '../support/payment-situations.ts';
import { aCard, sandboxSecret } from '../support/sandbox.ts';

const declinedCard = '4000000000000002';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

type Query = Readonly<Record<string, string>>;

/** The payer's pages over one harness, as a browser uses them. */
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
  const at =
    (handler: ReturnType<typeof payPage.create>, id?: string) =>
    async (method: 'GET' | 'POST', sent: Sent = {}) => {
      const answer = await handler({
        ...apiEvent(method, sent),
        pathParameters: id === undefined ? null : { id },
      });
      return { status: answer.statusCode, location: answer.headers?.['Location'], page: parse(answer.body) };
    };
  const transfer = at(payPage.create(deps), billId);
  const submit = at(paySubmit.create(deps), billId);
  return {
    harness,
    deps,
    logged,
    transfer: (query: Query = {}) => transfer('GET', { query }),
    submit: (token: string, headers: Readonly<Record<string, string>> = {}, query: Query = {}) =>
      submit('POST', {
        headers: { ...form, ...headers },
        query,
        body: new URLSearchParams({ token }).toString(),
      }),
    submitRaw: (sent: Sent) => submit('POST', sent),
    result: (id: string) => at(resultPage.create(deps), id)('GET'),
    redirect: (body: string) => at(redirectPage.create(deps))('POST', { headers: form, body }),
  };
}

type Visited = Awaited<ReturnType<typeof visited>>;

const tokenOn = (page: ReturnType<typeof parse>): string =>
  page.querySelector('input[name=token]')?.getAttribute('value') ?? '';

/** Opens the page, presses the button and pays; comes back with the address that the acquirer sends the payer to. */
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

const idIn = (url: string): string => url.split('/').at(-1) ?? '';
const inputs = (page: ReturnType<typeof parse>) =>
  Object.fromEntries(
    page
      .querySelectorAll('input[type=hidden]')
      .map((input) => [input.getAttribute('name'), input.getAttribute('value')]),
  );

describe('a payer', () => {
  it('pays: from the page to the card, back, and on to the shop with signed fields', async () => {
    const visit = await visited({ shop: { successUrl: 'https://shop.example/thanks' } });
    const back = await payAt(visit, aCard.number);
    expect(back).toMatch(`${publicUrl}/result/${billId}`);

    const { status, page } = await visit.result(idIn(back));
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
    const { page } = await visit.result(idIn(back));
    expect(page.querySelector('form')?.getAttribute('action')).toBe(`${publicUrl}/redirect/payment/fail`);
    const shown = await visit.redirect(new URLSearchParams({ TrsId: idIn(back) }).toString());
    expect(shown.page.querySelector('a')?.getAttribute('href')).toContain(`/transfer/${billId}`);

    const again = await payAt(visit, aCard.number);
    await visit.result(idIn(again));
    expect(await stateOf(visit.harness)).toMatchObject({ bill: { status: 'SUCCESS' }, charged: 10_050 });

    const stale = (await visit.result(idIn(back))).page;
    expect(stale.querySelector('main')?.getAttribute('data-outcome')).toBe('paid');
    expect(stale.querySelector('form')).toBeNull();
  });

  it('whose money goes back is told so here, and not sent to the shop as if nothing had been taken', async () => {
    const visit = await visited({ steps: 'one', shop: { failUrl: 'https://shop.example/sorry' } });
    const { first, second } = await twoGaveTheirCard(visit.harness);
    await visit.result(first.id);

    const { page } = await visit.result(second.id);
    expect(page.querySelector('form')?.getAttribute('action')).toBe(`${publicUrl}/redirect/payment/fail`);
    const shown = await visit.redirect(new URLSearchParams({ TrsId: second.id }).toString());
    expect(shown.page.querySelector('main')?.getAttribute('data-outcome')).toBe('refunded');
  });

  it('keeps the language that they chose, on the way back too', async () => {
    const visit = await visited();
    const { page } = await visit.transfer({ lang: 'en' });
    const { location } = await visit.submit(tokenOn(page), {}, { lang: 'en' });
    const back = await visit.harness.sandbox.pay(String(location), aCard);
    expect(back.location).toMatch(/\?lang=en$/);
  });

  it('who presses the button twice pays once', async () => {
    const visit = await visited();
    const token = tokenOn((await visit.transfer()).page);
    const [first, second] = await Promise.all([visit.submit(token), visit.submit(token)]);
    expect(first?.location).toBe(second?.location);
    expect(Object.keys((await stateOf(visit.harness)).payments)).toHaveLength(1);
  });

  it('who opens the link while somebody pays is led to the same card page', async () => {
    const visit = await visited();
    const { location } = await visit.submit(tokenOn((await visit.transfer()).page));
    expect(await visit.transfer()).toMatchObject({ status: 303, location });
  });

  it('who comes back before the acquirer knows is told to wait, then handed on', async () => {
    const visit = await visited();
    const back = await payAt(visit, '4000000000110033');
    for (const _ of [1, 2]) {
      const { page } = await visit.result(idIn(back));
      expect(page.querySelector('form')).toBeNull();
    }
    expect((await visit.result(idIn(back))).page.querySelector('form')).not.toBeNull();
  });

  it('is answered a page when the acquirer or the store cannot be reached', async () => {
    const visit = await visited();
    const token = tokenOn((await visit.transfer()).page);
    visit.harness.line.cut = 'calls';
    expect((await visit.submit(token)).status).toBe(503);
    expect((await visit.transfer()).status).toBe(503);
    visit.harness.line.cut = undefined;
    expect((await visit.submit(token)).status).toBe(303);

    Object.assign(visit.deps.bills, { find: async () => Promise.reject(new Error('no table')) });
    expect((await visit.transfer()).page.querySelector('h1')?.text).not.toBe('');
    expect(JSON.stringify(visit.logged)).not.toContain('no table');
  });

  it('with too many failed tries is told to wait', async () => {
    const visit = await visited({ limits: { failuresPerTenMinutes: 1 } });
    await visit.result(idIn(await payAt(visit, declinedCard)));
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

describe('a form that is not the page’s own', () => {
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
  ])('of %s is as good as none', async (_case, body) => {
    const visit = await visited();
    const answer = await visit.submitRaw({ headers: form, body });
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

  it('answers as the store knows the bill and asks the acquirer nothing, whoever is paying', async () => {
    const visit = await visited();
    const { id, pay } = await visit.harness.begun('p1');
    await pay();
    visit.harness.line.cut = 'calls';
    const before = await stateOf(visit.harness);

    expect(await head(visit)).toMatchObject({ statusCode: 200, body: '' });
    expect(await stateOf(visit.harness)).toEqual(before);
    expect(visit.logged).toEqual([]);

    visit.harness.line.cut = undefined;
    await visit.result(id);
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

  it('settles what the payer never came back from', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    expect((await noticed(harness, JSON.stringify({ paymentId: id, state: 'captured' }))).statusCode).toBe(
      200,
    );
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' }, charged: 10_050 });
  });

  it('is not believed, but asked about', async () => {
    const harness = await paymentHarness();
    const { id } = await harness.begun('p1');
    expect((await noticed(harness, JSON.stringify({ paymentId: id, state: 'captured' }))).statusCode).toBe(
      200,
    );
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' }, entries: [] });
  });

  it('of a payment that is not ours is accepted and changes nothing', async () => {
    const harness = await paymentHarness();
    for (const paymentId of ['', 'x', `${billId}00NotAtAll`, '../../B#1', 'я'.repeat(26)])
      expect((await noticed(harness, JSON.stringify({ paymentId }))).statusCode).toBe(200);
    expect((await stateOf(harness)).payments).toEqual({});
  });

  it('that cannot be worked on fails, so that it comes again, and the log names its payment', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    Object.assign(harness.payments, { fence: async () => Promise.reject(new TypeError('no right')) });
    await expect(noticed(harness, JSON.stringify({ paymentId: id }))).rejects.toThrow('no right');
    expect(harness.logged).toEqual([['error', 'payment_not_resolved', { error: 'TypeError', payment: id }]]);
  });

  it('from anybody else is answered 404', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    const body = JSON.stringify({ paymentId: id });
    for (const signature of ['', 'x', sign(`${body} `)])
      expect((await noticed(harness, body, signature)).statusCode).toBe(404);
    expect((await noticed(harness, '')).statusCode).toBe(404);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' } });
  });
});
