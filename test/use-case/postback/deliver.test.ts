import { createHash } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { toBillId } from '../../../lib/ids.ts';
import { create } from '../../../functions/postback-deliver.ts';
import { firstSecret } from '../../../lib/merchant/webhook-secret.ts';
import { paymentEventId } from '../../../lib/postback/event.ts';
import { replayPostback, resumeEndpoint } from '../../../lib/postback/replay-postbacks.ts';
import { merchantPost } from '../../../lib/provider/merchant-post.ts';
import { aBill, aPayment, merchantId, otherShopId, shopId, otherPaymentId } from '../../support/builders.ts';
import {
  aDelivery,
  apiToken,
  merchantSecret,
  putBill,
  putPayment,
  sealToken,
  shopSecret,
} from '../../support/delivery.ts';
import { afterNoon, anEvent, given, noon, stored } from '../../support/postbacks.ts';
import { batchOf, countMessages, freshQueue, takeMessages, work } from '../../support/queue.ts';
import { aRecordingReceiver, aReceiver } from '../../support/receiver.ts';

const minutes = 60_000;
const patient = { timeout: 20_000, interval: 50 };
const md5 = (text: string) => createHash('md5').update(text).digest('hex').toUpperCase();

/** A merchant's server that responds with `answers.status`. */
async function aShopServer(status = 200) {
  const answers = { status };
  const receiver = await aRecordingReceiver(() => answers.status);
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return { ...receiver, answers };
}

/** A delivery to one shop whose server responds with `status`. */
async function aShopThatAnswers(status: number) {
  const server = await aShopServer(status);
  return { server, ...(await aDelivery({ shops: [{ resultUrl: server.url }] })) };
}

const someEvents = (count: number) =>
  Array.from({ length: count }, (_, at) => anEvent({ id: `pay.p${at}.SUCCESS` }));

describe('a postback that is delivered', () => {
  it('reaches the shop’s Result URL with both signatures', async () => {
    const { server, clock, table, deliver, deps } = await aShopThatAnswers(200);
    // The independent library checks the timestamp against this machine's clock.
    clock.now = new Date();
    const event = await given(table, anEvent({ nextAt: clock.now }));

    expect(await deliver(event.id)).toEqual({ batchItemFailures: [] });

    const [post] = server.received;
    const fields = Object.fromEntries(new URLSearchParams(post?.body));
    expect(fields).toEqual({ ...event.fields, SignatureValue: md5(`100.50:order-1:${apiToken}`) });
    const headers = { ...post?.headers };
    expect(() =>
      new Webhook(shopSecret).verify(post?.body ?? '', headers, { jsonParse: false }),
    ).not.toThrow();
    expect(headers).toMatchObject({
      'webhook-id': event.id,
      'paylink-sequence': noon.getTime().toString(),
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(await deps.events.find(event.id)).toMatchObject({
      state: 'DELIVERED',
      tries: 1,
      attempts: [{ outcome: '200', answer: 'ok' }],
    });
    expect(await deps.endpoints.find(shopId)).toBeUndefined();
  });

  it('is JSON where the shop is set to JSON', async () => {
    const server = await aShopServer();
    const { table, deliver } = await aDelivery({
      shops: [{ resultUrl: server.url, postbackFormat: 'json' }],
    });
    const event = await given(table, anEvent());
    await deliver(event.id);
    expect(server.received[0]?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({
      ...event.fields,
      SignatureValue: md5(`100.50:order-1:${apiToken}`),
    });
  });

  it('of a payout reaches the merchant’s webhook URL, signed with the merchant’s own secret', async () => {
    const server = await aShopServer();
    const { clock, table, deliver } = await aDelivery({ merchant: { payoutWebhookUrl: server.url } });
    clock.now = new Date();
    const fields = { TrsId: 'po1', Amount: '1000.00', IsAuto: 'false', Status: 'SUCCESS' };
    const event = await given(
      table,
      anEvent({ id: 'po.po1.SUCCESS', kind: 'payout', shopId: undefined, fields, nextAt: clock.now }),
    );
    await deliver(event.id);
    const [post] = server.received;
    expect(Object.fromEntries(new URLSearchParams(post?.body))).toEqual({
      ...fields,
      SignatureValue: md5(`1000.00:po1:${apiToken}`),
    });
    const headers = { ...post?.headers };
    expect(() =>
      new Webhook(merchantSecret).verify(post?.body ?? '', headers, { jsonParse: false }),
    ).not.toThrow();
  });

  it('is signed with a token refreshed just before, and goes to a URL changed just before', async () => {
    const { server, clock, table, deliver, deps } = await aShopThatAnswers(500);
    const event = await given(table, anEvent());
    await deliver(event.id);
    const other = await aShopServer();
    const merchant = (await deps.merchants.find(merchantId))!;
    await deps.merchants.replaceToken(merchant, {
      tokenHash: 'f'.repeat(64),
      ...sealToken('pl_test_refreshed', 2),
    });
    await deps.shops.set(shopId, { resultUrl: other.url });
    clock.now = afterNoon(10_000);
    await deliver(event.id);
    const signatures = [...server.received, ...other.received].map(({ body }) =>
      new URLSearchParams(body).get('SignatureValue'),
    );
    expect(signatures).toEqual([md5(`100.50:order-1:${apiToken}`), md5('100.50:order-1:pl_test_refreshed')]);
  });

  it('is recorded on its payment with the first delivery time, which outlives the event', async () => {
    const { clock, table, queue, deliver, deps } = await aShopThatAnswers(200);
    const payment = aPayment();
    await putPayment(table, payment);
    const event = await given(table, anEvent({ id: paymentEventId(payment.id, 'SUCCESS') }));
    await deliver(event.id);
    expect(await deps.payments.find(payment.id)).toMatchObject({ id: payment.id, deliveredAt: noon });
    clock.now = afterNoon(minutes);
    await replayPostback(deps, event.id);
    await work(queue, create(deps));
    expect(await deps.payments.find(payment.id)).toMatchObject({ deliveredAt: noon });
  });

  it('is posted once, however often its message is received', async () => {
    const { server, table, deliver } = await aShopThatAnswers(200);
    const { id } = await given(table, anEvent());
    await Promise.all([deliver(id, id, id), deliver(id, id, id)]);
    await deliver(id);
    expect(server.received).toHaveLength(1);
  });

  it('leaves no secret in the log or in the queue', async () => {
    const { server, table, queue, lines, deliver, deps } = await aShopThatAnswers(500);
    const [one, two] = someEvents(2).map((event) => given(table, event));
    await deliver((await one!).id);
    deps.opener.open = async () => {
      throw new Error(`could not open ${apiToken} ${shopSecret}`);
    };
    await deliver((await two!).id);
    const recorded = JSON.stringify([lines, await takeMessages(queue), await deps.events.listUndelivered()]);
    expect(server.received).toHaveLength(1);
    const line = { error: 'Error', messageId: '0', postback: 'pay.p1.SUCCESS' };
    expect(lines).toEqual([['error', 'postback_not_worked_on', line]]);
    for (const secret of [apiToken, shopSecret, md5(`100.50:order-1:${apiToken}`)]) {
      expect(recorded).not.toContain(secret);
    }
  });
});

describe('a postback that is not accepted', () => {
  it('is retried on schedule: by a delayed message, with the sweeper as fallback', async () => {
    const { table, queue, deliver, deps } = await aShopThatAnswers(500);
    const { id } = await given(table, anEvent());
    await deliver(id);
    expect(await deps.events.find(id)).toMatchObject({
      state: 'RETRY',
      tries: 1,
      nextAt: afterNoon(5_000),
      attempts: [{ outcome: '500', answer: 'ok' }],
    });
    expect(await countMessages(queue)).toEqual({ waiting: 0, delayed: 1 });
    expect(await deps.events.due(afterNoon(5_000 + 2 * minutes))).toHaveLength(1);
  });

  it('is tried eleven times in 70 hours under one id, then stored as DEAD, with an alarm', async () => {
    const { server, clock, table, notices, deliver, deps } = await aShopThatAnswers(500);
    const { id } = await given(table, anEvent());
    for (let step = 0; step < 20; step += 1) {
      await deliver(id);
      const { state, nextAt } = (await deps.events.find(id))!;
      if (state === 'DEAD') break;
      clock.now = nextAt;
    }
    expect(await deps.events.find(id)).toMatchObject({ state: 'DEAD', tries: 11 });
    expect(server.received).toHaveLength(11);
    expect(new Set(server.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    expect(clock.now.getTime() - noon.getTime()).toBe(252_755_000);
    expect(notices).toEqual([{ kind: 'postback_dead', endpointId: shopId, eventId: id }]);
  });

  it('is retried even if the queue is down', async () => {
    const { table, deliver, deps } = await aShopThatAnswers(500);
    deps.queue.send = async () => {
      throw new Error('the queue is away');
    };
    const { id } = await given(table, anEvent());
    expect(await deliver(id)).toEqual({ batchItemFailures: [] });
    expect(await deps.events.due(afterNoon(5_000 + 2 * minutes))).toHaveLength(1);
  });

  it('is not posted before it is due', async () => {
    const { clock, server, table, deliver } = await aShopThatAnswers(500);
    const { id } = await given(table, anEvent());
    await deliver(id);
    clock.now = afterNoon(4_999);
    await deliver(id);
    expect(server.received).toHaveLength(1);
  });

  it('waits as long as Retry-After says', async () => {
    const receiver = await aReceiver((_request, response) =>
      response.writeHead(503, { 'retry-after': '7200' }).end(),
    );
    onTestFinished(() => receiver[Symbol.asyncDispose]());
    const { table, deliver, deps } = await aDelivery({ shops: [{ resultUrl: receiver.url }] });
    const { id } = await given(table, anEvent());
    await deliver(id);
    expect(await deps.events.find(id)).toMatchObject({ nextAt: afterNoon(120 * minutes) });
  });

  it('is not posted to a non-public address', async () => {
    const { table, deliver, deps } = await aDelivery({ shops: [{ resultUrl: 'http://169.254.169.254/' }] });
    const { id } = await given(table, anEvent());
    await deliver(id);
    expect(await deps.events.find(id)).toMatchObject({ state: 'RETRY', attempts: [{ outcome: 'bad_url' }] });
  });
});

describe('a postback that is not sent', () => {
  const fail = () =>
    anEvent({ id: 'pay.p1.FAIL', status: 'FAIL', supersededByBill: toBillId('bill0000bill0000') });

  it('is a FAIL whose NORMAL bill was paid meanwhile', async () => {
    const server = await aShopServer();
    const bill = aBill({ id: toBillId('bill0000bill0000') });
    const { clock, table, deliver, deps } = await aDelivery({
      shops: [{ resultUrl: server.url }],
      bills: [bill],
    });
    server.answers.status = 500;
    const { id } = await given(table, fail());
    await deliver(id);
    await putBill(table, { ...bill, paidBy: otherPaymentId });
    clock.now = afterNoon(5_000);
    await deliver(id);
    expect(server.received).toHaveLength(1);
    expect(await deps.events.find(id)).toMatchObject({
      state: 'SUPERSEDED',
      tries: 1,
      attempts: [{ outcome: '500' }, { outcome: 'superseded' }],
    });
  });

  it('is one whose URL was removed; it is retained for a replay, with an alarm', async () => {
    const { table, notices, deliver, deps } = await aDelivery();
    const { id } = await given(table, anEvent());
    await deliver(id);
    expect(notices).toEqual([{ kind: 'postback_dead', endpointId: shopId, eventId: id }]);
    expect(await deps.events.find(id)).toMatchObject({ state: 'DEAD', attempts: [{ outcome: 'no_url' }] });
  });

  it('waits for the operator after 410, as do all postbacks to that endpoint', async () => {
    const { server, table, notices, deliver, deps } = await aShopThatAnswers(410);
    const [first, second] = someEvents(2);
    await given(table, first!);
    await given(table, second!);
    await deliver(first!.id);
    await deliver(second!.id);
    expect(server.received).toHaveLength(1);
    expect(await deps.events.listUndelivered()).toMatchObject([{ state: 'PAUSED' }, { state: 'PAUSED' }]);
    expect(notices).toEqual([{ kind: 'endpoint_paused', endpointId: shopId, why: 'gone' }]);
  });
});

describe('a receiver that is down', () => {
  /** Five events have failed; five more wait. */
  async function aDeadReceiver() {
    const setting = await aShopThatAnswers(500);
    const events = someEvents(10);
    for (const event of events) await given(setting.table, event);
    for (const { id } of events.slice(0, 5)) await setting.deliver(id);
    return { ...setting, waiting: events.slice(5).map(({ id }) => id) };
  }

  it('is not called after five failures, and waiting events do not use up tries', async () => {
    const { server, queue, waiting, deliver, deps } = await aDeadReceiver();
    await deliver(...waiting);
    expect(server.received).toHaveLength(5);
    expect(await deps.events.find(waiting[0]!)).toMatchObject({
      state: 'RETRY',
      tries: 0,
      nextAt: afterNoon(7_500),
      attempts: [{ outcome: 'breaker_open' }],
    });
    expect(await countMessages(queue)).toEqual({ waiting: 0, delayed: 10 });
  });

  it('is probed by new events while the breaker is open, once in five seconds', async () => {
    const { server, clock, waiting, deliver, deps } = await aDeadReceiver();
    const [first, second, third] = waiting;
    clock.now = afterNoon(5_000);
    await deliver(first!, second!);
    expect(server.received).toHaveLength(6);
    clock.now = afterNoon(9_999);
    await deliver(third!);
    expect(server.received).toHaveLength(6);
    // A failed probe by a new event does not extend the opening.
    expect(await deps.endpoints.find(shopId)).toMatchObject({ openings: 1, openUntil: afterNoon(30_000) });
  });

  it('and has recovered gets a new order’s postback at once, and the breaker closes', async () => {
    const { server, clock, table, deliver, deps } = await aDeadReceiver();
    clock.now = afterNoon(10_000);
    server.answers.status = 200;
    const { id } = await given(table, anEvent({ id: 'pay.new.SUCCESS', nextAt: clock.now }));
    await deliver(id);
    expect(await deps.events.find(id)).toMatchObject({ state: 'DELIVERED', tries: 1 });
    expect((await deps.endpoints.find(shopId))?.openUntil).toBeUndefined();
  });

  it('is not probed early by events that were tried before', async () => {
    const { server, clock, deliver } = await aDeadReceiver();
    clock.now = afterNoon(10_000);
    await deliver('pay.p0.SUCCESS');
    expect(server.received).toHaveLength(5);
  });

  it('has a closed breaker when it is resumed, and the deferred events are sent', async () => {
    const { server, clock, queue, waiting, deliver, deps } = await aDeadReceiver();
    clock.now = afterNoon(1_000);
    await deliver(...waiting);
    server.answers.status = 200;
    expect(await resumeEndpoint(deps, shopId)).toEqual({ replayed: 5 });
    await work(queue, create(deps));
    expect(server.received).toHaveLength(10);
  });

  it('is probed by one event at a time', async () => {
    const { server, clock, waiting, deliver, deps } = await aDeadReceiver();
    clock.now = afterNoon(30_000);
    await deliver(...waiting);
    expect(server.received).toHaveLength(6);
    expect(await deps.endpoints.find(shopId)).toMatchObject({
      openings: 2,
      openUntil: afterNoon(90_000),
    });
  });

  it('gets its backlog as soon as a probe succeeds', async () => {
    const { server, clock, waiting, deliver, deps } = await aDeadReceiver();
    server.answers.status = 200;
    clock.now = afterNoon(30_000);
    await deliver(waiting[0]!);
    await deliver(...waiting.slice(1));
    expect(server.received).toHaveLength(10);
    expect(await deps.endpoints.find(shopId)).toMatchObject({ failuresInARow: 0, openings: 0 });
    const left = await deps.events.listUndelivered();
    expect(left.map(({ tries }) => tries)).toEqual([1, 1, 1, 1, 1]);
  });

  it('and refuses connections is not called either', async () => {
    const gone = await aReceiver(() => undefined);
    await gone[Symbol.asyncDispose]();
    const { table, deliver, deps } = await aDelivery({ shops: [{ resultUrl: gone.url }] });
    const events = someEvents(6);
    for (const event of events) await given(table, event);
    for (const { id } of events) await deliver(id);
    expect(await deps.endpoints.find(shopId)).toMatchObject({ failuresInARow: 5, openings: 1 });
    expect(await deps.events.find(events[5]!.id)).toMatchObject({ tries: 0 });
  });

  it('that rejects every event in time is still sent each of them', async () => {
    const { server, table, deliver, deps } = await aShopThatAnswers(404);
    const events = someEvents(8);
    for (const event of events) await given(table, event);
    for (const { id } of events) await deliver(id);
    expect(server.received).toHaveLength(8);
    expect(await deps.endpoints.find(shopId)).toMatchObject({ failuresInARow: 0, failingSince: noon });
  });

  it('does not affect another shop', async () => {
    const [dead, alive] = [await aShopServer(500), await aShopServer(200)];
    const { table, deliver } = await aDelivery({
      shops: [{ resultUrl: dead.url }, { id: otherShopId, resultUrl: alive.url }],
    });
    const ofShop1 = someEvents(10);
    for (const event of ofShop1) await given(table, event);
    for (const { id } of ofShop1) await deliver(id);
    expect(dead.received).toHaveLength(5);
    const other = await given(table, anEvent({ id: 'pay.other.SUCCESS', shopId: otherShopId }));
    await deliver(other.id);
    expect(alive.received).toHaveLength(1);
  });

  it('costs a shop that sells once a week one postback, with an alarm; the others wait', async () => {
    const { server, clock, table, notices, deliver, deps } = await aShopThatAnswers(500);
    const week = 7 * 24 * 60 * minutes;
    for (let sale = 0; sale < 6; sale += 1) {
      clock.now = afterNoon(sale * week);
      const { id } = await given(table, anEvent({ id: `pay.p${sale}.SUCCESS`, nextAt: clock.now }));
      for (let step = 0; step < 40; step += 1) {
        await deliver(id);
        const { state, nextAt } = (await deps.events.find(id))!;
        if (state === 'DEAD' || state === 'PAUSED') break;
        clock.now = nextAt;
      }
    }
    const states = (await deps.events.listUndelivered()).map(({ id, state }) => [id, state]);
    expect(Object.fromEntries(states)).toEqual({
      'pay.p0.SUCCESS': 'DEAD',
      ...Object.fromEntries([1, 2, 3, 4, 5].map((sale) => [`pay.p${sale}.SUCCESS`, 'PAUSED'])),
    });
    expect(notices.map(({ kind }) => kind)).toEqual(['postback_dead', 'endpoint_paused']);

    server.answers.status = 200;
    expect(await resumeEndpoint(deps, shopId)).toEqual({ replayed: 6 });
    await deliver(...states.map(([id = '']) => id));
    expect(await deps.events.listUndelivered()).toEqual([]);
  });

  it('after one failure months ago is not paused at the next', async () => {
    const { server, clock, table, notices, deliver, deps } = await aShopThatAnswers(404);
    await given(table, anEvent({ id: 'pay.old.SUCCESS' }));
    await deliver('pay.old.SUCCESS');
    server.answers.status = 503;
    clock.now = afterNoon(180 * 24 * 60 * minutes);
    await given(table, anEvent({ id: 'pay.new.SUCCESS' }));
    await deliver('pay.new.SUCCESS');
    expect(notices).toEqual([]);
    expect(await deps.endpoints.find(shopId)).toMatchObject({ failedTries: 2, paused: false });
  });

  it('for five days is paused; once the operator resumes it, everything is delivered', async () => {
    const { server, clock, table, notices, deliver, deps } = await aShopThatAnswers(404);
    await given(table, anEvent({ id: 'pay.first.SUCCESS' }));
    await given(table, anEvent({ id: 'pay.second.SUCCESS' }));
    for (let day = 0; day < 5; day += 1) {
      clock.now = afterNoon(day * 24 * 60 * minutes);
      await deliver('pay.first.SUCCESS', 'pay.second.SUCCESS');
    }
    expect(notices).toEqual([]);
    clock.now = afterNoon(5 * 24 * 60 * minutes);
    for (const event of someEvents(3)) await given(table, event);
    await deliver('pay.first.SUCCESS', 'pay.second.SUCCESS', 'pay.p0.SUCCESS', 'pay.p1.SUCCESS');
    await deliver('pay.p2.SUCCESS');
    await given(table, anEvent({ id: 'pay.new.SUCCESS', nextAt: afterNoon(10 * 24 * 60 * minutes) }));
    expect(notices[0]).toEqual({
      kind: 'endpoint_paused',
      endpointId: shopId,
      why: 'failing_for_days',
    });
    const undelivered = await deps.events.listUndelivered();
    const paused = undelivered.filter(({ state }) => state === 'PAUSED');

    server.answers.status = 200;
    expect(await resumeEndpoint(deps, shopId)).toEqual({ replayed: 5 });
    await deliver(...paused.map(({ id }) => id));
    expect(await deps.events.listUndelivered()).toMatchObject([{ id: 'pay.new.SUCCESS', state: 'PENDING' }]);
  });
});

describe('a receiver that keeps a worker waiting', () => {
  /** Shop-1’s server keeps three workers waiting until `go`; shop-2’s responds at once. */
  async function aSlowReceiver() {
    const go = Promise.withResolvers<void>();
    const slow = await aReceiver((_request, response) => void go.promise.then(() => response.end()));
    onTestFinished(() => slow[Symbol.asyncDispose]());
    const quick = await aShopServer();
    const setting = await aDelivery({
      shops: [{ resultUrl: slow.url }, { id: otherShopId, resultUrl: quick.url }],
    });
    const { deps, table } = setting;
    const limits = { totalMs: 60_000, connectMs: 60_000, bodyMs: 60_000, slowMs: 1 };
    deps.post = merchantPost({ policy: 'loopback', resolve: async () => [], now: deps.now, limits });
    const [second, ...first] = someEvents(4);
    for (const event of first) await given(table, event);
    const waiting = setting.deliver(...first.map(({ id }) => id));
    await vi.waitFor(
      async () => expect(await deps.endpoints.find(shopId)).toMatchObject({ waits: 3 }),
      patient,
    );
    await given(table, second!);
    return { ...setting, go, quick, waiting, first: first.map(({ id }) => id), second: second!.id };
  }

  it('is left to the retry workers from then on, while the first attempt still waits', async () => {
    const { table, queue, deps, go, waiting, first, second, deliver, retry } = await aSlowReceiver();
    await deliver(second);
    expect(await takeMessages(queue)).toEqual([JSON.stringify({ eventId: second })]);
    expect(await deps.events.find(second)).toMatchObject({ state: 'PENDING', tries: 0, attempts: [] });
    expect(await stored(table, second)).not.toHaveProperty('leaseUntil');
    const retried = retry(second);
    go.resolve();
    await Promise.all([waiting, retried]);
    for (const id of [...first, second])
      expect(await deps.events.find(id)).toMatchObject({ state: 'DELIVERED', tries: 1 });
  });

  it('does not delay the other records of its batch', async () => {
    const { table, deps, go, waiting, quick, second, retry } = await aSlowReceiver();
    const others = Array.from({ length: 9 }, (_, at) =>
      anEvent({ id: `pay.other${at}.SUCCESS`, shopId: otherShopId }),
    );
    for (const event of others) await given(table, event);
    const batch = retry(second, ...others.map(({ id }) => id));
    await vi.waitFor(
      async () =>
        expect((await deps.events.listUndelivered()).map((event) => event.shopId)).toEqual(
          Array(4).fill(shopId),
        ),
      patient,
    );
    expect(quick.received).toHaveLength(9);
    go.resolve();
    expect(await batch).toEqual({ batchItemFailures: [] });
    await waiting;
  });

  it('and responds in the end is treated like any endpoint again', async () => {
    const { deps, go, waiting, second, deliver } = await aSlowReceiver();
    go.resolve();
    await waiting;
    await deliver(second);
    expect(await deps.events.find(second)).toMatchObject({ state: 'DELIVERED' });
  });
});

describe('an endpoint that is resumed', () => {
  it('while a worker pauses an event gets that event, too', async () => {
    const { server, table, queue, deps, deliver } = await aShopThatAnswers(200);
    const { id } = await given(table, anEvent());
    await deps.endpoints.pause(shopId);
    const { events } = deps;
    deps.events = {
      ...events,
      async finish(event, outcome) {
        await resumeEndpoint(deps, shopId);
        return events.finish(event, outcome);
      },
    };
    await deliver(id);
    deps.events = events;
    await work(queue, create(deps));
    expect(server.received).toHaveLength(1);
    expect(await deps.events.find(id)).toMatchObject({ state: 'DELIVERED' });
  });
});

describe('a paused event', () => {
  it('that is paused between two pages of the index read is found by the second read', async () => {
    const { table, queue, deps, deliver } = await aShopThatAnswers(200);
    const { id } = await given(table, anEvent());
    await deps.endpoints.pause(shopId);
    await deliver(id);
    const { events } = deps;
    let looks = 0;
    const early = {
      ...events,
      // The first read returns its page before the event is on the index.
      listUndelivered: async () => ((looks += 1) === 1 ? [] : events.listUndelivered()),
    };
    expect(await resumeEndpoint({ ...deps, events: early }, shopId)).toEqual({ replayed: 1 });
    await work(queue, create(deps));
    expect(await events.find(id)).toMatchObject({ state: 'DELIVERED' });
  });

  it('is never paused after the endpoint was resumed, even by a worker that dies at once', async () => {
    const { table, clock, deps, deliver } = await aShopThatAnswers(200);
    const { id } = await given(table, anEvent());
    await deps.endpoints.pause(shopId);
    const { events } = deps;
    let finishes = 0;
    deps.events = {
      ...events,
      async finish(event, outcome) {
        if ((finishes += 1) > 1) throw new Error('gone');
        await resumeEndpoint(deps, shopId);
        return events.finish(event, outcome);
      },
    };
    await deliver(id);
    deps.events = events;
    clock.now = afterNoon(60_001);
    await deliver(id);
    expect(await events.find(id)).toMatchObject({ state: 'DELIVERED' });
  });
});

describe('a worker that dies', () => {
  it('after the POST sends it a second time, under the same id', async () => {
    const { server, clock, table, deliver, deps } = await aShopThatAnswers(200);
    const { id } = await given(table, anEvent());
    const { events } = deps;
    deps.events = {
      ...events,
      finish: async () => {
        throw new Error('gone');
      },
    };
    expect(await deliver(id)).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
    deps.events = events;
    clock.now = afterNoon(60_001);
    await deliver(id);
    expect(server.received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
    expect(await deps.events.find(id)).toMatchObject({
      state: 'DELIVERED',
      attempts: [{ outcome: 'interrupted' }, { outcome: '200' }],
    });
  });
});

describe('a batch', () => {
  it('reports only what failed', async () => {
    const { url: resultUrl } = await aShopServer();
    const { table, deliver, deps } = await aDelivery({
      shops: [{ resultUrl }, { id: otherShopId, resultUrl, webhookSecrets: firstSecret('{}') }],
    });
    const [good, alsoGood] = someEvents(2);
    const bad = anEvent({ id: 'pay.bad.SUCCESS', shopId: otherShopId });
    for (const event of [good!, alsoGood!, bad]) await given(table, event);
    expect(await deliver(good!.id, bad.id, alsoGood!.id)).toEqual({
      batchItemFailures: [{ itemIdentifier: '1' }],
    });
    expect((await deps.events.listUndelivered()).map(({ id }) => id)).toEqual(['pay.bad.SUCCESS']);
  });

  it.each(['', 'not json', '{}', '{"eventId":7}', '{"eventId":"../x"}', '[]', 'null'])(
    'with the malformed message %j delivers the rest',
    async (body) => {
      const { server, table, deps } = await aShopThatAnswers(200);
      const { id } = await given(table, anEvent());
      const messages = [
        { messageId: 'poison', body },
        { messageId: 'good', body: JSON.stringify({ eventId: id }) },
      ];
      expect(await create(deps)(batchOf(...messages))).toEqual({
        batchItemFailures: [{ itemIdentifier: 'poison' }],
      });
      expect(server.received).toHaveLength(1);
    },
  );

  it('with an event that does not exist is retried until it reaches the dead-letter queue', async () => {
    const { deliver } = await aDelivery();
    expect(await deliver('pay.nobody.SUCCESS')).toMatchObject({ batchItemFailures: [{}] });
  });

  it('with messages received three times in any order records each event once', async () => {
    const { server, clock, table, queue, deps } = await aShopThatAnswers(200);
    const events = someEvents(20);
    for (const event of events) await given(table, event);
    const shuffled = [0, 7, 13].flatMap((turn) => [...events.slice(turn), ...events.slice(0, turn)]);
    for (const { id } of shuffled) await deps.queue.send(id, { group: shopId });

    await Promise.all([work(queue, create(deps)), work(queue, create(deps)), work(queue, create(deps))]);

    const ids = events.map(({ id }) => id).sort();
    expect(server.received.map(({ headers }) => String(headers['webhook-id'])).sort()).toEqual(ids);
    clock.now = afterNoon(24 * 60 * minutes);
    expect(await deps.events.due(clock.now)).toEqual([]);
    for (const id of ids) expect(await deps.events.find(id)).toMatchObject({ state: 'DELIVERED', tries: 1 });
  });

  it('moves a malformed message to the dead-letter queue after five tries', async () => {
    const { deps } = await aDelivery();
    const dead = await freshQueue();
    const deadName = dead.url.split('/').at(-1);
    const queue = await freshQueue({
      VisibilityTimeout: '0',
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: `arn:aws:sqs:us-east-1:000000000000:${deadName}`,
        maxReceiveCount: 5,
      }),
    });
    await queue.client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: 'poison' }));
    let tries = 0;
    await work(queue, async (batch) => {
      tries += batch.Records.length;
      return create(deps)(batch);
    });
    expect(tries).toBe(5);
    expect(await takeMessages(dead)).toEqual(['poison']);
  });
});
