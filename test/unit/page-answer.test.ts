import { describe, expect, it } from 'vitest';
import { beingPaidPage } from '../../lib/page/being-paid-page.ts';
import { handOffPage } from '../../lib/page/hand-off-page.ts';
import { messagePage } from '../../lib/page/message-page.ts';
import { paymentPage } from '../../lib/page/payment-page.ts';
import { isFromOwnPage, type PageEvent, readRequest } from '../../lib/page/request.ts';
import { respond, seeOther } from '../../lib/page/respond.ts';
import { waitingPage } from '../../lib/page/waiting-page.ts';
import { sampleBill } from '../browser/sample-pages.ts';

const reader = { language: 'en', languageChosen: false, nonce: 'NONCE' } as const;
const headersOf = (page: Parameters<typeof respond>[0]) => respond(page, reader.nonce).headers ?? {};
const bodyOf = (page: Parameters<typeof respond>[0]) => respond(page, reader.nonce).body;
const directivesOf = (page: Parameters<typeof respond>[0]) =>
  String(headersOf(page)['Content-Security-Policy']).split('; ');

const payment = () =>
  paymentPage(reader, {
    ...sampleBill,
    forms: [{ method: 'card', token: 't' }],
    notice: undefined,
    acquirerSources: ['https://cards.example'],
  });
const handOff = (plainHttp: boolean) =>
  handOffPage(reader, {
    url: 'https://shop.example/',
    isShops: true,
    outcome: 'success',
    fields: {},
    plainHttp,
  });

describe('the response with a page', () => {
  it('protects the payer by its headers', () => {
    expect(headersOf(messagePage(reader, 'not_found'))).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'strict-origin',
      'Strict-Transport-Security': 'max-age=31536000',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Permissions-Policy': 'payment=()',
    });
  });

  it('does not isolate the page from a shop that opened it in a window', () => {
    expect(headersOf(messagePage(reader, 'not_found'))).not.toHaveProperty('Cross-Origin-Opener-Policy');
  });

  it('allows the payment form to post to itself and the acquirer, and no script', () => {
    expect(directivesOf(payment())).toEqual([
      `default-src 'none'`,
      `style-src 'nonce-NONCE'`,
      `img-src 'self' data:`,
      `form-action 'self' https://cards.example`,
      `base-uri 'none'`,
      `frame-ancestors 'none'`,
    ]);
  });

  it('allows the hand-off form to post to any https shop, and its one script', () => {
    expect(directivesOf(handOff(false))).toContain(`form-action 'self' https:`);
    expect(directivesOf(handOff(false))).toContain(`script-src 'nonce-NONCE'`);
  });

  it('allows plain http shops only where the environment does', () => {
    expect(directivesOf(handOff(true))).toContain(`form-action 'self' https: http:`);
  });

  it.each([
    ['not_found', 404],
    ['no_page', 404],
    ['paid', 409],
    ['switched_off', 410],
    ['expired', 410],
    ['too_many_failures', 410],
    ['too_many_attempts', 429],
    ['too_large', 413],
    ['unavailable', 503],
    ['error', 500],
  ] as const)('answers %s with %i and a machine-readable outcome', (end, status) => {
    const answer = respond(messagePage(reader, end), 'n');
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toContain(`<main data-page="message" data-outcome="${end}">`);
  });

  it('has Retry-After where a retry makes sense', () => {
    expect(headersOf(messagePage(reader, 'unavailable'))).toMatchObject({ 'Retry-After': '60' });
  });

  it('makes the waiting browser reload with backoff, and not for ever', () => {
    const refreshes = [0, 1, 5, 22, 23].map(
      (checks) => headersOf(waitingPage(reader, { checks, key: 'k', displaced: undefined }))['Refresh'],
    );
    expect(refreshes).toEqual([
      '2;url=?key=k&check=1',
      '3;url=?key=k&check=2',
      '30;url=?key=k&check=6',
      '300;url=?key=k&check=23',
      undefined,
    ]);
  });

  it('says whether it reloads by itself', () => {
    const texts = [0, 23].map((checks) =>
      bodyOf(waitingPage(reader, { checks, key: 'k', displaced: undefined })),
    );
    expect(texts[0]).toContain('The page reloads by itself.');
    expect(texts[1]).toContain('The page no longer reloads by itself.');
  });

  it('makes a visitor of a bill that is being paid reload for as long as a payment’s page is open', () => {
    const now = new Date('2026-11-21T12:00:00Z');
    const refreshAfter = (checks: number, until?: Date) =>
      headersOf(beingPaidPage(reader, { ...sampleBill, until }, { now, checks }))['Refresh'];
    expect([0, 1, 17, 18].map((checks) => refreshAfter(checks))).toEqual([
      '30;url=?check=1',
      '60;url=?check=2',
      '300;url=?check=18',
      undefined,
    ]);
    expect(refreshAfter(0, new Date('2026-11-21T12:00:07Z'))).toBe('7;url=?check=1');
    expect(refreshAfter(0, new Date('2026-11-21T11:59:00Z'))).toBe('30;url=?check=1');
  });

  it('redirects the browser by 303, without caching or referrer', () => {
    expect(seeOther('https://cards.example/pay/1')).toMatchObject({
      statusCode: 303,
      headers: {
        Location: 'https://cards.example/pay/1',
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'strict-origin',
      },
    });
  });
});

const event = (over: Partial<PageEvent> = {}): PageEvent => ({
  httpMethod: 'GET',
  headers: {},
  pathParameters: { bill: 'aB3dE6gH9jK2mN5p' },
  queryStringParameters: null,
  body: null,
  isBase64Encoded: false,
  requestContext: { identity: { sourceIp: '192.0.2.7' } },
  ...over,
});

describe('the request for a page', () => {
  it('has an id and an address when it has nothing else', () => {
    expect(readRequest(event())).toEqual({
      id: 'aB3dE6gH9jK2mN5p',
      method: 'GET',
      query: {},
      form: {},
      headers: {},
      sourceIp: '192.0.2.7',
    });
  });

  it('is read in any case of its headers and any encoding of its form', () => {
    const body = Buffer.from('token=a%2Bb&x=%D1%8F').toString('base64');
    const headers = { 'Accept-LANGUAGE': 'en' };
    const request = readRequest(event({ httpMethod: 'POST', headers, body, isBase64Encoded: true }));

    expect(request.headers['accept-language']).toBe('en');
    expect(request.form).toEqual({ token: 'a+b', x: 'я' });
  });

  it('tolerates a missing path, a body that is not a form and a broken escape', () => {
    const body = '%E0%A4%A{"a":1}';
    expect(readRequest(event({ httpMethod: 'POST', pathParameters: null, body }))).toMatchObject({ id: '' });
  });

  it.each([
    ['of a GET', { httpMethod: 'GET' }],
    ['of a HEAD', { httpMethod: 'HEAD' }],
    ['posted to an invalid id', { httpMethod: 'POST', pathParameters: { bill: 'x' } }],
  ])('has no form: %s', (_case, over) => {
    expect(readRequest(event({ ...over, body: 'token=a' })).form).toEqual({});
  });

  const pay = (headers: Record<string, string>) =>
    isFromOwnPage(readRequest(event({ headers })), 'https://pay.example/prod');

  it.each([
    [{}],
    [{ 'Sec-Fetch-Site': 'same-origin' }],
    [{ 'Sec-Fetch-Site': 'none' }],
    [{ Origin: 'https://pay.example' }],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }],
  ])('counts as same-origin with %j', (headers) => {
    expect(pay(headers)).toBe(true);
  });

  it.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://pay.example' }],
    [{ Origin: 'https://evil.example' }],
    [{ Origin: 'null' }],
    [{ Origin: 'https://pay.example.evil.example' }],
  ])('counts as cross-site with %j', (headers) => {
    expect(pay(headers)).toBe(false);
  });
});
