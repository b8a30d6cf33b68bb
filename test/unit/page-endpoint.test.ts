import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { messagePage } from '../../lib/page/message-page.ts';
import { type PageAnswer, pageEndpoint, type Visit } from '../../lib/page/page-endpoint.ts';
import { apiEvent } from '../support/api-event.ts';

/** The event that API Gateway passes for a payer, who has no token. */
function payerEvent(path: Readonly<Record<string, string>>): APIGatewayProxyEvent {
  const event = apiEvent('GET', { headers: { 'Accept-Language': 'en' } });
  Object.assign(event.requestContext, { identity: { sourceIp: '192.0.2.7' } });
  return { ...event, pathParameters: path };
}

const logged: unknown[] = [];
const deps = {
  log: (...line: unknown[]) => void logged.push(line),
  nonce: () => 'NONCE',
  publicUrl: undefined,
};
const visit = (answer: (visit: Visit) => Promise<PageAnswer>, path = { bill: 'aB3dE6gH9jK2mN5p' }) =>
  pageEndpoint('pay-page', deps, answer)(payerEvent(path));

describe('a page’s function', () => {
  it('returns the page, with the nonce of its policy in its styles', async () => {
    const answer = await visit(async ({ reader }) => messagePage(reader, 'expired'));

    expect(answer.statusCode).toBe(410);
    expect(answer.headers?.['Content-Security-Policy']).toContain(`style-src 'nonce-NONCE'`);
    expect(answer.body).toContain('<style nonce="NONCE">');
  });

  it('redirects the browser', async () => {
    const answer = await visit(async () => ({ goTo: 'https://cards.example/1' }));
    expect(answer).toMatchObject({ statusCode: 303, headers: { Location: 'https://cards.example/1' } });
  });

  it('derives its public URL from the request when none is configured', async () => {
    const answer = await visit(async ({ publicUrl }) => ({ goTo: publicUrl }));
    expect(answer.headers?.['Location']).toBe('https://api.example.test/v1');
  });

  it.each([
    ['aB3dE6gH9jK2mN5p', 'aB3dE6gH9jK2mN5p'],
    ['aB3dE6gH9jK2mN5p00aB3dE6gH', 'aB3dE6gH9jK2mN5p00aB3dE6gH'],
    ['aB3dE6gH9jK2mN5', ''],
    ['A'.repeat(65), ''],
    ['../etc', ''],
    ['a\u0000b', ''],
  ])('reads the store only for text with the shape of an id: %j', async (bill, asked) => {
    const answer = await visit(async ({ id }) => ({ goTo: `/${id}` }), { bill });
    expect(answer.headers?.['Location']).toBe(`/${asked}`);
  });

  it('shows an error page on an exception, and logs its type but not its message', async () => {
    const answer = await visit(() => Promise.reject(new TypeError('token pl_live_secret')));

    expect(answer.statusCode).toBe(500);
    expect(answer.body).toContain('data-outcome="error"');
    const ids = { requestId: 'request-1', bill: 'aB3dE6gH9jK2mN5p' };
    expect(logged).toEqual([['error', 'page_failed', { page: 'pay-page', error: 'TypeError', ...ids }]]);
  });

  it.each([
    ['a payment', 'aB3dE6gH9jK2mN5p00aB3dE6gH', { payment: 'aB3dE6gH9jK2mN5p00aB3dE6gH' }],
    ['a card’s number', '5213243715986404', {}],
    ['a token', 'plLiveaB3dE6gH9jK2mN5p00aB3dE6gH', {}],
  ])('logs %s only when the id has its shape', async (_what, bill, named) => {
    logged.length = 0;
    await visit(() => Promise.reject(new TypeError()), { bill });
    const ids = { requestId: 'request-1', ...named };
    expect(logged).toEqual([['error', 'page_failed', { page: 'pay-page', error: 'TypeError', ...ids }]]);
  });
});
