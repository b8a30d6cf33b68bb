import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refundUrlIdOf, toRefundId } from '../../../lib/ids.ts';
import { type PostbackEvent, refundEventId } from '../../../lib/postback/event.ts';
import { replaySince } from '../../../lib/postback/replay-postback.ts';
import { resumeEndpoint } from '../../../lib/postback/replay-postbacks.ts';
import { chargebackEvent } from '../../../lib/payment/chargeback-postback.ts';
import { merchantId, shopId } from '../../support/builders.ts';
import { aChargeback, aPaidPayment } from '../../support/chargebacks.ts';
import { aDelivery, apiToken, shopSecret } from '../../support/delivery.ts';
import { afterNoon, anEvent, given, noon, stored } from '../../support/postbacks.ts';
import { countMessages } from '../../support/queue.ts';
import { aRecordingReceiver } from '../../support/receiver.ts';

const minute = 60_000;
const md5 = (text: string) => createHash('md5').update(text).digest('hex').toUpperCase();
const refundUrl = refundUrlIdOf(shopId);
const payment = anEvent();
const refundId = toRefundId('bill0000bill000000nonce123refund');

/** A postback of a refund of 40.00, which waits for its payment's own. */
const aRefundEvent = (changes: Partial<PostbackEvent> = {}): PostbackEvent =>
  anEvent({
    id: refundEventId(refundId, 'SUCCESS'),
    kind: 'refund',
    sentAfter: payment.id,
    fields: {
      Id: refundId,
      PaymentId: 'bill0000bill000000nonce123',
      BillId: 'bill0000bill0000',
      Amount: '40.00',
      Currency: 'RUB',
      Status: 'SUCCESS',
    },
    ...changes,
  });

/** A shop with a server for each of its two URLs. */
async function aShopWithTwoUrls() {
  const answers = { result: 200, refund: 200 };
  const [result, refund] = await Promise.all([
    aRecordingReceiver(() => answers.result),
    aRecordingReceiver(() => answers.refund),
  ]);
  onTestFinished(async () => {
    await Promise.all([result[Symbol.asyncDispose](), refund[Symbol.asyncDispose]()]);
  });
  const delivery = await aDelivery({ shops: [{ resultUrl: result.url, refundUrl: refund.url }] });
  return { ...delivery, answers, result, refund };
}

const bodyOf = (received: readonly { readonly body: string }[]) =>
  Object.fromEntries(new URLSearchParams(received[0]?.body));

describe('a postback of a refund', () => {
  it('reaches the shop’s refund URL with both signatures', async () => {
    const { table, deliver, clock, deps, result, refund } = await aShopWithTwoUrls();
    // The independent library checks the timestamp against this machine's clock.
    clock.now = new Date();
    const { id, fields } = await given(table, aRefundEvent({ sentAfter: undefined, nextAt: clock.now }));

    expect(await deliver(id)).toEqual({ batchItemFailures: [] });

    const signed = `40.00:RUB:bill0000bill0000:bill0000bill000000nonce123:${fields['Id']}`;
    expect(bodyOf(refund.received)).toEqual({ ...fields, SignatureValue: md5(`${signed}:${apiToken}`) });
    const [post] = refund.received;
    expect(() =>
      new Webhook(shopSecret).verify(post?.body ?? '', { ...post?.headers }, { jsonParse: false }),
    ).not.toThrow();
    expect(result.received).toEqual([]);
    expect(await deps.events.find(id)).toMatchObject({ state: 'DELIVERED', tries: 1 });
  });

  it('of a chargeback is signed over its ids', async () => {
    const { table, deliver, refund } = await aShopWithTwoUrls();
    const chargeback = aChargeback({
      status: 'CONFIRMED',
      decision: {
        id: 'd',
        proposedBy: 'olga',
        approvedBy: 'petr',
        reason: 'case',
        at: noon,
        bearer: 'merchant',
        posted: true,
      },
    });
    const event = chargebackEvent(chargeback, aPaidPayment());
    await deliver((await given(table, event!)).id);
    const { id, paymentId } = chargeback;
    expect(bodyOf(refund.received)).toEqual({
      Id: id,
      PaymentId: paymentId,
      BillId: 'BillBillBillBill',
      Amount: '40.00',
      Currency: 'RUB',
      SignatureValue: md5(`BillBillBillBill:${paymentId}:${id}:${apiToken}`),
    });
  });
});

describe('the order of a payment’s postback and its refund’s', () => {
  it('is kept: while the payment’s is to be sent, the refund’s waits without using up a try', async () => {
    const { table, queue, clock, deliver, deps, answers, refund } = await aShopWithTwoUrls();
    answers.result = 500;
    await given(table, payment);
    const { id } = await given(table, aRefundEvent());
    await deliver(id);
    expect(await deps.events.find(id)).toMatchObject({
      state: 'RETRY',
      tries: 0,
      attempts: [{ outcome: 'awaits_payment' }],
      nextAt: afterNoon(7_500),
    });
    expect(await countMessages(queue)).toEqual({ waiting: 0, delayed: 1 });

    // The payment's first attempt fails: its next is in five seconds, and the refund's is after that.
    await deliver(payment.id);
    clock.now = afterNoon(7_500);
    await deliver(id);
    expect(await deps.events.find(id)).toMatchObject({ tries: 0, attempts: [{ outcome: 'awaits_payment' }] });
    expect(refund.received).toEqual([]);

    answers.result = 200;
    await deliver(payment.id);
    clock.now = afterNoon(minute);
    await deliver(id);
    expect(refund.received).toHaveLength(1);
    expect(await deps.events.find(id)).toMatchObject({ state: 'DELIVERED', tries: 1 });
  });

  it('waits at most ten minutes at a time, because the payment’s may be replayed before it is due', async () => {
    const { table, deliver, deps } = await aShopWithTwoUrls();
    await given(table, { ...payment, state: 'RETRY', nextAt: afterNoon(24 * 60 * minute) });
    const { id } = await given(table, aRefundEvent());
    await deliver(id);
    expect(await deps.events.find(id)).toMatchObject({ nextAt: afterNoon(10 * minute + 2_500) });
  });

  it.each(['DELIVERED', 'SUPERSEDED', 'PAUSED', 'DEAD'] as const)(
    'does not hold up the refund’s when the payment’s is %s',
    async (state) => {
      const { table, deliver, refund } = await aShopWithTwoUrls();
      await given(table, { ...payment, state });
      await deliver((await given(table, aRefundEvent())).id);
      expect(refund.received).toHaveLength(1);
    },
  );

  it('does not hold up the refund’s when the payment has no postback', async () => {
    const { table, deliver, refund } = await aShopWithTwoUrls();
    await deliver((await given(table, aRefundEvent())).id);
    expect(refund.received).toHaveLength(1);
  });
});

describe('a refund URL', () => {
  it('that fails opens a breaker of its own: the Result URL is called as before', async () => {
    const { table, deliver, deps, answers, result, refund } = await aShopWithTwoUrls();
    answers.refund = 500;
    const refunds = [0, 1, 2, 3, 4, 5].map((at) =>
      aRefundEvent({ id: refundEventId(toRefundId(`${refundId.slice(0, -1)}${at}`), 'SUCCESS') }),
    );
    for (const event of refunds) await deliver((await given(table, event)).id);
    expect(refund.received).toHaveLength(5);
    expect(await deps.endpoints.find(refundUrl)).toMatchObject({ id: refundUrl, openings: 1 });
    expect(await deps.endpoints.find(shopId)).toBeUndefined();
    await deliver((await given(table, payment)).id);
    expect(result.received).toHaveLength(1);
  });

  it('that answers 410 is paused alone, and resumed alone', async () => {
    const { table, clock, notices, deliver, deps, answers } = await aShopWithTwoUrls();
    answers.refund = 410;
    const { id } = await given(table, aRefundEvent());
    await deliver(id);
    expect(notices).toEqual([{ kind: 'endpoint_paused', endpointId: refundUrl, why: 'gone' }]);
    expect(await deps.events.find(id)).toMatchObject({ state: 'PAUSED' });
    expect(await resumeEndpoint(deps, shopId)).toEqual({ replayed: 0 });
    expect(await resumeEndpoint(deps, refundUrl)).toEqual({ replayed: 1 });
    answers.refund = 200;
    clock.now = afterNoon(minute);
    await deliver(id);
    expect(await deps.events.find(id)).toMatchObject({ state: 'DELIVERED' });
  });

  it('is one of the shop’s when its postbacks are sent again', async () => {
    const { table, deliver, deps, answers } = await aShopWithTwoUrls();
    answers.refund = 500;
    await deliver((await given(table, aRefundEvent())).id);
    const ports = { ...deps, postbackQueue: deps.queue };
    const since = afterNoon(-minute);
    expect(await replaySince(ports, { whose: { shopId }, since })).toMatchObject({ replayed: 1 });
    expect(await replaySince(ports, { whose: { merchantId }, since })).toMatchObject({ replayed: 1 });
  });

  it('has its postbacks on a list of its own, which a version before refunds does not read', async () => {
    const { table, deps } = await aShopWithTwoUrls();
    const { id } = await given(table, aRefundEvent());
    expect(await stored(table, id)).toMatchObject({ workList: 'W#PB#RF' });
    expect(await deps.events.due(afterNoon(minute))).toMatchObject([
      { id, endpointId: refundUrl, first: true },
    ]);
  });
});
