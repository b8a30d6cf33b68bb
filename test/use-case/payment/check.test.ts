import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { create } from '../../../functions/payment-check.ts';
import { toPaymentId } from '../../../lib/ids.ts';
import type { KnownOrder } from '../../../lib/payment/acquirer.ts';
import { sweepPayments } from '../../../lib/payment/sweep-payments.ts';
import { ProviderBusy } from '../../../lib/provider-port.ts';
import { paymentKey } from '../../../lib/store/payment-item.ts';
import { type PaymentHarness, paymentHarness, stateOf } from '../../support/payment-harness.ts';

/** Records the payments that the acquirer is queried about from now on, in order. */
function queriesOf({ line }: PaymentHarness) {
  const asked: string[] = [];
  line.fails = (call, about) => {
    if (call === 'get') asked.push(String(about).slice(-2));
    return false;
  };
  return asked;
}

/** A payment that is due. */
async function due() {
  const harness = await paymentHarness();
  const begun = await harness.begun('p1');
  harness.pass(1);
  return { harness, ...begun, asked: queriesOf(harness) };
}

describe('the sweep', () => {
  it('queues a payment again only after five minutes, not each minute', async () => {
    const { harness, id } = await due();
    expect(await sweepPayments(harness)).toEqual({ queued: 1 });
    for (let minute = 1; minute < 5; minute += 1) {
      harness.pass(1);
      expect(await sweepPayments(harness)).toEqual({ queued: 0 });
    }
    harness.pass(1);
    expect(await sweepPayments(harness)).toEqual({ queued: 1 });
    expect(harness.toCheck).toEqual([id, id]);
  });

  it('stops at a full queue: the rest stays due', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' } });
    for (const name of ['p1', 'p2', 'p3']) {
      await harness.begun(name);
      harness.pass(1);
    }
    Object.assign(harness.paymentQueue, { length: async () => 9_999 });
    expect(await sweepPayments(harness)).toEqual({ queued: 1 });
    expect(harness.toCheck.map((id) => id.slice(-2))).toEqual(['p1']);
    Object.assign(harness.paymentQueue, { length: async () => 10_050 });
    expect(await sweepPayments(harness)).toEqual({ queued: 0 });
    Object.assign(harness.paymentQueue, { length: async () => 0 });
    expect(await sweepPayments(harness)).toEqual({ queued: 2 });
    expect(harness.toCheck.map((id) => id.slice(-2))).toEqual(['p1', 'p2', 'p3']);
  });

  it('logs a payment that it could not queue, and queues the others', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' } });
    const [first] = [await harness.begun('p1'), await harness.begun('p2')];
    harness.pass(1);
    const queue = { ...harness.paymentQueue };
    Object.assign(harness.paymentQueue, {
      send: async (id: string) =>
        id === first.id ? Promise.reject(new TypeError('full')) : queue.send(toPaymentId(id), { group: '' }),
    });
    await expect(sweepPayments(harness)).rejects.toThrow('1 of 2 payments were not swept');
    expect(harness.toCheck.map((id) => id.slice(-2))).toEqual(['p2']);
    expect(harness.logged).toEqual([
      ['error', 'payment_not_swept', { error: 'TypeError', payment: first.id }],
    ]);
    expect(await harness.payments.due(harness.now())).toMatchObject([{ id: first.id }]);
  });

  it('does not defer a payment that moved since it was seen due', async () => {
    const { harness, id } = await due();
    const [seen] = await harness.payments.due(harness.now());
    await harness.check(id);
    const { nextCheck } = (await harness.payment(id)) ?? {};
    await harness.payments.postpone(seen!, new Date(harness.now().getTime() + 3_600_000));
    expect(await harness.payments.due(nextCheck!)).toMatchObject([{ id, seenDue: nextCheck }]);
  });
});

describe('a message about a payment', () => {
  it('that cannot be processed is returned to the queue, and its log line names the payment', async () => {
    const { harness, id } = await due();
    const find = async () => Promise.reject(new TypeError('no table'));
    const check = create({ ...harness, payments: { ...harness.payments, find } });
    const Records = [{ messageId: 'lost', body: JSON.stringify({ paymentId: id }) }];
    expect(await check({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: 'lost' }] });
    expect(harness.logged).toEqual([
      ['error', 'payment_not_checked', expect.objectContaining({ messageId: 'lost', payment: id })],
    ]);
  });

  it('that the acquirer answers with 429 is deferred for as long as it asks, and the others go on', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' } });
    const [first, second] = [await harness.begun('p1'), await harness.begun('p2')];
    await first.pay();
    await second.pay();
    harness.pass(1);
    const { get } = harness.acquirer;
    let refusals = 0;
    Object.assign(harness.acquirer, {
      get: async (order: KnownOrder) => {
        if (order.paymentId !== first.id || refusals > 0) return get(order);
        refusals += 1;
        throw new ProviderBusy(45_000);
      },
    });
    expect(await harness.sweep()).toMatchObject({ queued: 2, failed: 0 });
    const later = new Date(harness.now().getTime() + 45_000);
    expect(await harness.payment(first.id)).toMatchObject({ status: 'PROCESS', nextCheck: later });
    expect(await harness.payment(second.id)).toMatchObject({ status: 'SUCCESS' });

    harness.pass(1);
    await harness.sweep();
    expect(await harness.payment(first.id)).toMatchObject({ status: 'SUCCESS' });
  });

  it('causes one query to the acquirer, however often it is delivered', async () => {
    const { harness, id, asked } = await due();
    for (let time = 0; time < 3; time += 1) await harness.check(id);
    expect(asked).toEqual(['p1']);
    expect(await harness.payment(id)).toMatchObject({ checks: 1 });
  });

  it('that is delivered three times concurrently counts as one check', async () => {
    const { harness, id, pay } = await due();
    await harness.check(id);
    expect(await harness.payment(id)).toMatchObject({ checks: 1 });
    harness.pass(1);
    await Promise.all([harness.check(id), harness.check(id), harness.check(id)]);
    expect(await harness.payment(id)).toMatchObject({ checks: 2 });
    await pay();
    harness.pass(10);
    await Promise.all([harness.check(id), harness.check(id), harness.check(id)]);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' }, charged: 10_050 });
  });

  it('that loses a race with its duplicate after both saw the payment due counts as one check', async () => {
    const { harness, id } = await due();
    const seen = await harness.payment(id);
    await harness.check(id);
    const { nextCheck } = (await harness.payment(id)) ?? {};
    Object.assign(harness.payments, { find: async () => seen });
    harness.pass(0.1);
    await harness.check(id);
    expect(await harness.payment(id)).toMatchObject({ checks: 1, nextCheck });
  });

  it('that is done causes no query', async () => {
    const { harness, id, pay, asked } = await due();
    await pay();
    await harness.check(id);
    harness.pass(600);
    asked.splice(0);
    await harness.check(id);
    expect(asked).toEqual([]);
  });

  it('whose worker crashed comes again, and so does the payment, which is checked', async () => {
    const { harness, id, asked } = await due();
    await sweepPayments(harness);
    const message = harness.toCheck.splice(0);
    Object.assign(harness.payments, {
      find: async () => {
        Object.assign(harness.payments, { find: async () => harness.payment(id) });
        throw new Error('the worker crashed');
      },
    });
    await expect(harness.check(toPaymentId(message[0]!))).rejects.toThrow('crashed');
    harness.pass(5);
    await sweepPayments(harness);
    expect(harness.toCheck).toEqual(message);
    await Promise.all([...message, ...harness.toCheck].map((each) => harness.check(toPaymentId(each))));
    expect(new Set(asked)).toEqual(new Set(['p1']));
    expect(await harness.payment(id)).toMatchObject({ checks: 1 });
  });

  it('that was stored before nextCheck existed is checked when the work list says so', async () => {
    const { harness, id, asked } = await due();
    await harness.table.client.send(
      new UpdateCommand({
        TableName: harness.table.name,
        Key: paymentKey(id),
        UpdateExpression: 'REMOVE nextCheck',
      }),
    );
    await harness.sweep();
    expect(asked).toEqual(['p1']);
  });

  it('that does not exist is an error', async () => {
    const { harness, id } = await due();
    await expect(harness.check(toPaymentId(id.replace(/p1$/, 'p9')))).rejects.toThrow('does not exist');
  });
});
