import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, vi } from 'vitest';
import type { DemoUrls } from '../../infra/start/demo.ts';
import { aRecordingReceiver, type Received } from '../support/receiver.ts';
import type { Stack } from '../support/stack.ts';

export type Shop = AsyncDisposable & {
  readonly urls: DemoUrls;
  readonly pageUrl: (name: 'success' | 'fail') => string;
  /** The form fields that browsers posted to its Success or Fail URL for this order. */
  readonly visits: (name: 'success' | 'fail', orderId: string) => readonly Fields[];
  /** Waits until `count` postbacks for this order have arrived; returns them. */
  readonly postbacks: (orderId: string, count: number) => Promise<readonly Received[]>;
};

export type Fields = Readonly<Record<string, string>>;

/** A merchant's server: a URL for postbacks, and the two pages to which payers return. */
export async function aShop(): Promise<Shop> {
  const receiver = await aRecordingReceiver();
  const url = (name: string) => `http://127.0.0.1:${receiver.port}/${name}`;
  const arrived = (name: string, orderId: string) =>
    receiver.received.filter(({ path, body }) => path === `/${name}` && fieldsOf(body)['InvId'] === orderId);
  return {
    urls: { resultUrl: url('result'), successUrl: url('success'), failUrl: url('fail') },
    pageUrl: url,
    visits: (name, orderId) => arrived(name, orderId).map(({ body }) => fieldsOf(body)),
    postbacks: (orderId, count) =>
      vi.waitFor(
        () => {
          const found = arrived('result', orderId);
          expect(found.length).toBeGreaterThanOrEqual(count);
          return found;
        },
        { timeout: 15_000, interval: 50 },
      ),
    [Symbol.asyncDispose]: receiver[Symbol.asyncDispose].bind(receiver),
  };
}

const fieldsOf = (body: string): Fields => Object.fromEntries(new URLSearchParams(body));

/** The signature that the contract tells merchants to compute (6.1, 6.3), implemented without the service's own code. */
export const expectedSignature = ({ OutSum, InvId }: Fields, apiToken: string): string =>
  createHash('md5').update(`${OutSum}:${InvId}:${apiToken}`).digest('hex').toUpperCase();

/** Checks both signatures of a postback as a merchant would; returns its fields. */
export function genuine({ body, headers }: Received, { apiToken, webhookSecret }: Stack['demo']): Fields {
  new Webhook(webhookSecret).verify(body, headers, { jsonParse: false });
  const fields = fieldsOf(body);
  expect(fields['SignatureValue']).toBe(expectedSignature(fields, apiToken));
  return fields;
}
