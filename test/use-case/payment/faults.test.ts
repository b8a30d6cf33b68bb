import type { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toPaymentId } from '../../../lib/ids.ts';
import type { Payment } from '../../../lib/payment/payment.ts';
import type { Table } from '../../../lib/store/table.ts';
import { type PaymentHarness, paymentHarness, stateOf } from '../../support/payment-harness.ts';
import { aCard } from '../../support/sandbox.ts';

const paid = {
  bill: { status: 'SUCCESS', paidBy: 'p1' },
  payments: { p1: 'SUCCESS/DONE' },
  entries: ['CAPTURE p1'],
  events: ['p1 SUCCESS PENDING'],
  charged: 10_050,
  waiting: 0,
};

/** Runs the sweep once a minute for that many minutes. */
async function swept(harness: PaymentHarness, minutes: number) {
  for (let minute = 0; minute < minutes; minute += 1) {
    harness.pass(1);
    await harness.sweep();
  }
  return stateOf(harness);
}

describe('an acquirer that cannot be reached', () => {
  it('leaves no half-started payment; the same form opens the card page when it is back', async () => {
    const harness = await paymentHarness();
    harness.line.cut = 'calls';
    const form = harness.form('000000p1');
    expect(await harness.start(form)).toMatchObject({ kind: 'not_responding' });
    expect(await harness.open()).toMatchObject({ kind: 'not_responding' });
    expect(await swept(harness, 3)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' }, waiting: 1 });
    harness.line.cut = undefined;
    expect(await harness.start(form)).toMatchObject({ kind: 'started' });
  });

  it.each(['calls', 'answers'] as const)(
    'with lost %s for ten minutes: the sweep finishes the payment',
    async (cut) => {
      const harness = await paymentHarness();
      const { id, pay } = await harness.begun('p1');
      await pay();
      harness.line.cut = cut;
      await expect(harness.resolve(id)).rejects.toThrow();
      expect(await harness.comesBack(id)).toMatchObject({
        kind: 'waiting',
      });
      expect(await swept(harness, 10)).toMatchObject({ waiting: 1, entries: [] });
      harness.line.cut = undefined;
      expect(await swept(harness, 60)).toMatchObject(paid);
    },
  );

  it('is queried with backoff: after 10 s, 30 s, 2 min, 10 min, then hourly', async () => {
    const harness = await paymentHarness();
    await harness.begun('p1');
    harness.line.cut = 'calls';
    const pauses: number[] = [];
    const real = { ...harness.payments };
    Object.assign(harness.payments, {
      async postponeCheck(payment: Payment, next: Date) {
        pauses.push((next.getTime() - harness.clock.at.getTime()) / 1000);
        return real.postponeCheck(payment, next);
      },
    });
    for (const seconds of [10, 30, 120, 600, 3600, 3600]) {
      harness.pass((seconds - 1) / 60);
      await harness.sweep();
      harness.pass(1 / 60);
      await harness.sweep();
    }
    expect(pauses).toEqual([30, 120, 600, 3600, 3600, 3600]);
  });

  it.each([
    ['before it did anything', '4000000000110066'],
    ['after it was done', '4000000000110074'],
  ])('fails at the capture, %s: captured once', async (_case, number) => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay(number);
    await expect(harness.resolve(id)).rejects.toThrow('500');
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'PROCESS/CAPTURING' },
      bill: { fenced: true },
    });
    harness.pass(1);
    await harness.sweep();
    expect(await stateOf(harness)).toMatchObject(paid);
  });

  it('delays no other payment in the sweep', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' } });
    const first = await harness.begun('p1');
    const second = await harness.begun('p2');
    await first.pay();
    await second.pay();
    harness.line.fails = (call, about) => call === 'get' && about === first.id;
    harness.pass(1);
    expect(await harness.sweep()).toEqual({ queued: 2, failed: 0 });
    expect((await stateOf(harness)).payments).toEqual({ p1: 'PROCESS/AUTHORIZING', p2: 'SUCCESS/DONE' });
  });

  it('is reported: the sweep logs the error, and after a day each check raises an alarm', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    Object.assign(harness.payments, { settle: async () => Promise.reject(new TypeError('no right')) });
    harness.pass(1);
    await harness.sweep();
    const line = ['error', 'payment_not_resolved', { error: 'TypeError', payment: id }];
    expect([harness.logged, harness.alarms]).toEqual([[line], []]);
    for (let hour = 0; hour < 25; hour += 1) {
      harness.pass(60);
      await harness.sweep();
    }
    expect(harness.alarms).toEqual(['payment_stuck p1', 'payment_stuck p1']);
    expect(await harness.payment(id)).toMatchObject({ status: 'PROCESS', phase: 'CAPTURING' });
  });

  it('delays no other payment when a check cannot be rescheduled: its message comes again', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' } });
    const first = await harness.begun('p1');
    const second = await harness.begun('p2');
    await second.pay();
    Object.assign(harness.payments, { postponeCheck: async () => Promise.reject(new Error('throttled')) });
    harness.pass(1);
    expect(await harness.sweep()).toEqual({ queued: 2, failed: 1 });
    expect((await stateOf(harness)).payments).toEqual({ p1: 'PROCESS/AUTHORIZING', p2: 'SUCCESS/DONE' });
    expect(first.id).not.toBe(second.id);
  });
});

describe('a queue that cannot be reached', () => {
  it('does not affect the settlement', async () => {
    const harness = await paymentHarness();
    Object.assign(harness.postbackQueue, { send: async () => Promise.reject(new Error('no queue')) });
    const { id, pay } = await harness.begun('p1');
    await pay();
    expect((await harness.resolve(id))?.payment.status).toBe('SUCCESS');
    expect(await stateOf(harness)).toMatchObject(paid);
  });
});

/** A table whose nth request (read or write) fails before it is sent, or after it was carried out. */
function failingAt(nth: number, when: 'before' | 'after', count: { sent: number }) {
  return ({ client, name, backOff }: Table): Table => {
    const send = client.send.bind(client);
    const line = Object.assign(Object.create(client), {
      async send(command: TransactWriteCommand) {
        count.sent += 1;
        const crashes = count.sent === nth;
        if (crashes && when === 'before') throw new Error('the process crashed');
        const answer = await send(command);
        if (crashes) throw new Error('the process crashed');
        return answer;
      },
    });
    return { client: line, name, backOff };
  };
}

const swallow = async (work: Promise<unknown>) => work.catch(() => undefined);

describe('a process that crashes at any request to the table', () => {
  it.each([
    ['before', 'two'],
    ['after', 'two'],
    ['before', 'one'],
    ['after', 'one'],
  ] as const)('%s it, with a %s-step acquirer: nothing is lost or doubled', async (when, steps) => {
    let crashes = 0;
    for (let nth = 1; ; nth += 1) {
      const count = { sent: 0 };
      const harness = await paymentHarness({ steps, between: failingAt(nth, when, count) });
      const form = harness.form('000000p1');
      const started = await harness.start(form).catch(() => harness.start(form));
      if (started.kind !== 'started') throw new Error(`the payer was left with ${started.kind}`);
      await harness.sandbox.pay(started.pageUrl, aCard);
      await swallow(harness.resolve(toPaymentId('BillBillBillBill00000000p1')));
      if (count.sent < nth) break;
      crashes += 1;

      expect(await swept(harness, 3), `the request ${nth}`).toMatchObject(paid);
      expect(await harness.available()).toMatchObject({ RUB: 9_849n });
    }
    // As many requests as a whole payment makes: each was once the last of its process.
    expect(crashes).toBeGreaterThan(10);
  });
});
