import type { EndpointId } from '../../../lib/postback/event.ts';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findWebhookOwner, rotateWebhookSecret } from '../../../lib/merchant/rotate-webhook-secret.ts';
import { aDelivery, merchantSecret, sealer, shopSecret } from '../../support/delivery.ts';
import { afterNoon, anEvent, given } from '../../support/postbacks.ts';
import { aRecordingReceiver, aReceiver, type Received } from '../../support/receiver.ts';
import { shopId, merchantId, otherShopId } from '../../support/builders.ts';

const hours = 60 * 60_000;

/** The signature with a secret as an independent library computes it, independent of this machine's clock. */
function signatureOf(secret: string, { headers, body }: Received): string {
  const { 'webhook-id': id = '', 'webhook-timestamp': seconds } = headers;
  return new Webhook(secret).sign(id, new Date(Number(seconds) * 1000), body);
}

/** Rotates secrets as the operator does; each new one is different. */
function rotating(deps: Awaited<ReturnType<typeof aDelivery>>['deps']) {
  let made = 100;
  const random = (bytes: number) => Buffer.alloc(bytes, (made += 1));
  return async (id: string, atOnce = false): Promise<string> => {
    const owner = (await findWebhookOwner(deps, id))!;
    const rotated = await rotateWebhookSecret({ ...deps, sealer, random }, { owner, atOnce });
    return rotated.ok ? rotated.value.webhookSecret : rotated.error;
  };
}

/** Two shops and a merchant with one server, and the secrets that sign each new postback of theirs. */
async function someEndpoints() {
  const receiver = await aRecordingReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const delivery = await aDelivery({
    shops: [{ resultUrl: receiver.url }, { id: otherShopId, resultUrl: receiver.url }],
    merchant: { payoutWebhookUrl: receiver.url },
  });
  const { deps, table, clock, deliver } = delivery;
  let events = 0;
  async function signed(
    to: EndpointId,
  ): Promise<{ readonly header: string; readonly by: (s: string) => string }> {
    events += 1;
    const about =
      to === shopId || to === otherShopId
        ? { id: `pay.p${events}.SUCCESS`, shopId: to }
        : {
            id: `po.po${events}.SUCCESS`,
            kind: 'payout' as const,
            shopId: undefined,
            fields: { TrsId: 'po1', Amount: '1000.00', IsAuto: 'false', Status: 'SUCCESS' },
          };
    await given(table, anEvent({ ...about, nextAt: clock.now }));
    await deliver(about.id);
    const post = receiver.received.at(-1)!;
    return {
      header: post.headers['webhook-signature'] ?? '',
      by: (secret) => signatureOf(secret, post),
    };
  }
  return { ...delivery, rotate: rotating(deps), signed };
}

describe.each([
  ['shop', shopId, shopSecret],
  ['merchant', merchantId, merchantSecret],
])('the webhook secret of a %s', (_what, id, first) => {
  it('signs alone until it is rotated', async () => {
    const { signed } = await someEndpoints();
    const { header, by } = await signed(id);
    expect(header).toBe(by(first));
  });

  it('signs beside the new one for a day, then no longer', async () => {
    const { clock, rotate, signed } = await someEndpoints();
    const second = await rotate(id);

    const soon = await signed(id);
    expect(soon.header).toBe(`${soon.by(second)} ${soon.by(first)}`);
    clock.now = afterNoon(24 * hours - 1);
    const late = await signed(id);
    expect(late.header).toBe(`${late.by(second)} ${late.by(first)}`);
    clock.now = afterNoon(24 * hours);
    const after = await signed(id);
    expect(after.header).toBe(after.by(second));
  });

  it('no longer signs once it is replaced immediately, even if the worker has decrypted it', async () => {
    const { rotate, signed } = await someEndpoints();
    await signed(id);
    const second = await rotate(id, true);
    const { header, by } = await signed(id);
    expect(header).toBe(by(second));
  });

  it('is dropped when two newer ones are live', async () => {
    const { clock, rotate, signed } = await someEndpoints();
    const second = await rotate(id);
    clock.now = afterNoon(12 * hours);
    const third = await rotate(id);
    const both = await signed(id);
    expect(both.header).toBe(`${both.by(third)} ${both.by(second)}`);
    clock.now = afterNoon(36 * hours);
    const one = await signed(id);
    expect(one.header).toBe(one.by(third));
  });

  it('is dropped with the one before it when a leak ends both', async () => {
    const { rotate, signed } = await someEndpoints();
    await rotate(id);
    const third = await rotate(id, true);
    const { header, by } = await signed(id);
    expect(header).toBe(by(third));
  });
});

describe('the rotation of a webhook secret', () => {
  it('does not affect the secrets of others', async () => {
    const { rotate, signed } = await someEndpoints();
    await rotate(shopId);
    const [shop, merchant] = [await signed(otherShopId), await signed(merchantId)];
    expect(shop.header).toBe(shop.by(shopSecret));
    expect(merchant.header).toBe(merchant.by(merchantSecret));
  });

  it('applies to a postback that is retried', async () => {
    const receiver = await aRecordingReceiver(() => 500);
    onTestFinished(() => receiver[Symbol.asyncDispose]());
    const { deps, table, clock, deliver } = await aDelivery({ shops: [{ resultUrl: receiver.url }] });
    const { id } = await given(table, anEvent());
    await deliver(id);
    await rotating(deps)(shopId);
    clock.now = afterNoon(10_000);
    await deliver(id);
    const counts = receiver.received.map(({ headers }) => headers['webhook-signature']?.split(' ').length);
    expect(counts).toEqual([1, 2]);
  });

  it('stores neither signature when the receiver echoes one', async () => {
    const heard: string[] = [];
    const receiver = await aReceiver((request, response) => {
      const [one = '', two = ''] = String(request.headers['webhook-signature']).split(' ');
      heard.push(one, two);
      response.writeHead(500).end(`saw ${two} and ${encodeURIComponent(one)}`);
    });
    onTestFinished(() => receiver[Symbol.asyncDispose]());
    const { deps, table, deliver } = await aDelivery({ shops: [{ resultUrl: receiver.url }] });
    await rotating(deps)(shopId);
    const { id } = await given(table, anEvent());

    await deliver(id);

    expect(heard.filter((signature) => signature.startsWith('v1,'))).toHaveLength(2);
    expect(await deps.events.find(id)).toMatchObject({
      attempts: [{ answer: 'saw [not kept] and [not kept]' }],
    });
  });
});
