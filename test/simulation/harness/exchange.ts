import type { GatewayEvent } from '../../../lib/sandbox/request.ts';
import type { Answer } from './attempts.ts';
import type { CallKind } from './faults.ts';

/** A request of a handler to a provider. */
export type Sent = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export const headersOf = (init: RequestInit | undefined) => Object.fromEntries(new Headers(init?.headers));

export const textOf = (init: RequestInit | undefined): string =>
  typeof init?.body === 'string' ? init.body : '';

export const sentBy = (init: RequestInit): Sent => ({
  method: init.method ?? 'GET',
  headers: headersOf(init),
  body: typeof init.body === 'string' ? init.body : null,
});

export function eventOf(url: string, { method, headers, body }: Sent): GatewayEvent {
  const { pathname, searchParams } = new URL(url);
  return {
    httpMethod: method,
    pathParameters: { proxy: pathname.replace('/sandbox/', '') },
    headers: { ...headers },
    queryStringParameters: Object.fromEntries(searchParams),
    body,
    isBase64Encoded: false,
    requestContext: { domainName: 'sandbox.test', stage: 'test' },
  };
}

/** A real Response reads its body asynchronously, at a time that no seed decides. */
export const responseOf = (status: number, body: string, headers: Record<string, string> = {}): Response =>
  Object.assign(new Response(null, { status, headers }), { text: async () => body });

/** Names a call by its URL: `acquirer capture`, `rail get`. */
export function nameOf(url: string, method: string): { readonly name: string; readonly kind: CallKind } {
  const [kind, , id, verb] = new URL(url).pathname.replace('/sandbox/', '').split('/');
  const isList = kind === 'acquirer' && id === undefined && method === 'GET';
  const what = isList ? 'list' : (verb ?? (id === undefined ? 'open' : method.toLowerCase()));
  return { name: `${kind} ${what}`, kind: kind === 'rail' ? 'rail' : 'acquirer' };
}

/** What a call to the acquirer's API is about: an order by its reference, and the verb; `start` opens one. */
export function verbOf(
  url: string,
  method: string,
): { readonly reference: string; readonly verb: string } | undefined {
  if (method !== 'POST') return undefined;
  const path = new URL(url).pathname;
  if (path.endsWith('/acquirer/orders')) return { reference: '', verb: 'start' };
  const [, reference, verb] = /orders\/(\w+)\/(\w+)$/.exec(path) ?? [];
  return reference !== undefined && verb !== undefined ? { reference, verb } : undefined;
}

/** Whether a handler knows from this answer that its call was not carried out. A refund may be rejected for our empty account. */
export function answerIn(status: number, body: string): Answer {
  if (status === 429) return 'busy';
  if (status === 409 || status === 422) return 'refused';
  return status === 200 && body.includes('"accountEmpty":true') ? 'refused' : 'done';
}
