import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import type { DemoUrls } from '../../infra/start/demo.ts';
import { aReceiver, type Received } from './receiver.ts';

export type Fields = Readonly<Record<string, string>>;
/** A postback as the merchant parses it. */
export type Postback = Received & { readonly fields: Fields };

/** A merchant's server: a URL for each kind of postback, and the two pages to which payers return. */
export async function aMerchantServer(status: () => number = () => 200) {
  const received: Received[] = [];
  let turn = Promise.resolve();
  const receiver = await aReceiver((request, response) => {
    void text(request).then(async (body) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      received.push({ headers: Object.fromEntries(headers), body, path: request.url ?? '' });
      if (request.url === '/result') await turn;
      response.writeHead(status()).end('ok');
    });
  });
  const url = (name: string) => `http://127.0.0.1:${receiver.port}/${name}`;
  const postbacks = (kind: 'result' | 'payout', about: Fields) =>
    received
      .filter(({ path }) => path === `/${kind}`)
      .map((each) => ({ ...each, fields: fieldsOf(each) }))
      .filter(({ fields }) => Object.entries(about).every(([name, value]) => fields[name] === value));
  return {
    received,
    url,
    /** Accepts payment postbacks without answering until the returned function is called. */
    hang: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      turn = promise;
      return resolve;
    },
    urls: {
      resultUrl: url('result'),
      successUrl: url('success'),
      failUrl: url('fail'),
      payoutWebhookUrl: url('payout'),
    } satisfies DemoUrls,
    postbacks,
    /** Waits for and returns the first postback with these fields. */
    postback: (kind: 'result' | 'payout', about: Fields) =>
      vi.waitFor(
        () => {
          const [found] = postbacks(kind, about);
          expect(found).toBeDefined();
          return found!;
        },
        { timeout: 20_000, interval: 50 },
      ),
    close: () => receiver[Symbol.asyncDispose](),
  };
}

export type MerchantServer = Awaited<ReturnType<typeof aMerchantServer>>;

const fieldsOf = ({ headers, body }: Received): Fields =>
  headers['content-type'] === 'application/json'
    ? JSON.parse(body)
    : Object.fromEntries(new URLSearchParams(body));

/** The formulas of the contract (6.1 to 6.3), implemented without the service's own code. */
export const md5Of = (...parts: readonly (string | undefined)[]): string =>
  createHash('md5').update(parts.join(':')).digest('hex').toUpperCase();

/** Checks both signatures of a payment's postback. */
export function isGenuine({ fields, headers, body }: Postback, keys: Keys): void {
  new Webhook(keys.webhookSecret).verify(body, headers, { jsonParse: false });
  expect(fields['SignatureValue']).toBe(md5Of(fields['OutSum'], fields['InvId'], keys.apiToken));
}

type Keys = { readonly apiToken: string; readonly webhookSecret: string };
