import type { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../lib/payment/payment.ts';
import { returnOfPayer } from '../../lib/payment/return-of-payer.ts';
import type { Table } from '../../lib/store/table.ts';
import { type PaymentHouse, paymentHouse, stateOf } from '../support/payment-house.ts';
import { aCard } from '../support/sandbox.ts';

const opener = { open: async () => 'pl_test_token' };
const paid = {
  bill: { status: 'SUCCESS', paidBy: 'p1' },
  payments: { p1: 'SUCCESS/DONE' },
  entries: ['CAPTURE p1'],
  events: ['p1 SUCCESS PENDING'],
  charged: 10_050,
  waiting: 0,
};

/** The minutes pass as they do with a schedule, until nothing waits any more. */
async function swept(house: PaymentHouse, minutes: number) {
  for (let minute = 0; minute < minutes; minute += 1) {
    house.pass(1);
    await house.sweep();
  }
  return stateOf(house);
}

describe('an acquirer that cannot be reached', () => {
  it('leaves nothing half done at the start; the same form opens the page when it is back', async () => {
    const house = await paymentHouse();
    house.line.cut = 'calls';
    const form = house.form('000000p1');
    expect(await house.start(form)).toMatchObject({ kind: 'unavailable' });
    expect(await house.open()).toMatchObject({ kind: 'unavailable' });
    expect(await swept(house, 3)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' }, waiting: 1 });
    house.line.cut = undefined;
    expect(await house.start(form)).toMatchObject({ kind: 'started' });
  });

  it.each(['calls', 'answers'] as const)(
    'with lost %s for ten minutes: the sweep finishes the payment',
    async (cut) => {
      const house = await paymentHouse();
      const { id, pay } = await house.begun('p1');
      await pay();
      house.line.cut = cut;
      await expect(house.resolve(id)).rejects.toThrow();
      expect(await returnOfPayer({ ...house, opener }, { paymentId: id })).toMatchObject({ kind: 'waiting' });
      expect(await swept(house, 10)).toMatchObject({ waiting: 1, entries: [] });
      house.line.cut = undefined;
      expect(await swept(house, 60)).toMatchObject(paid);
    },
  );

  it('asks ever less often: after 10 s, 30 s, 2 min, 10 min, then hourly', async () => {
    const house = await paymentHouse();
    await house.begun('p1');
    house.line.cut = 'calls';
    const pauses: number[] = [];
    const real = { ...house.payments };
    Object.assign(house.payments, {
      async postponeCheck(payment: Payment, next: Date) {
        pauses.push((next.getTime() - house.clock.at.getTime()) / 1000);
        await real.postponeCheck(payment, next);
      },
    });
    for (const seconds of [10, 30, 120, 600, 3600, 3600]) {
      house.pass((seconds - 1) / 60);
      await house.sweep();
      house.pass(1 / 60);
      await house.sweep();
    }
    expect(pauses).toEqual([30, 120, 600, 3600, 3600, 3600]);
  });

  it.each([
    ['before it did anything', '4000000000110066'],
    ['after it was done', '4000000000110074'],
  ])('breaks at the capture, %s: captured once', async (_case, number) => {
    const house = await paymentHouse();
    const { id, pay } = await house.begun('p1');
    await pay(number);
    await expect(house.resolve(id)).rejects.toThrow('500');
    expect(await stateOf(house)).toMatchObject({
      payments: { p1: 'PROCESS/CAPTURING' },
      bill: { fenced: true },
    });
    house.pass(1);
    await house.sweep();
    expect(await stateOf(house)).toMatchObject(paid);
  });

  it('keeps no other payment waiting in the sweep', async () => {
    const house = await paymentHouse({ bill: { type: 'MULTI' } });
    const first = await house.begun('p1');
    const second = await house.begun('p2');
    await first.pay();
    await second.pay();
    house.line.fails = (call, about) => call === 'get' && about === first.id;
    house.pass(1);
    expect(await house.sweep()).toEqual({ asked: 2, finished: 1, failed: 1 });
    expect((await stateOf(house)).payments).toEqual({ p1: 'PROCESS/AUTHORIZING', p2: 'SUCCESS/DONE' });
  });

  it('is no secret: the sweep names the error, and after a day the operator is told at each check', async () => {
    const house = await paymentHouse();
    const { id, pay } = await house.begun('p1');
    await pay();
    Object.assign(house.payments, { settle: async () => Promise.reject(new TypeError('no right')) });
    house.pass(1);
    await house.sweep();
    expect([house.unresolved, house.alarms]).toEqual([['TypeError'], []]);
    for (let hour = 0; hour < 25; hour += 1) {
      house.pass(60);
      await house.sweep();
    }
    expect(house.alarms).toEqual(['payment_stuck p1', 'payment_stuck p1']);
    expect(await house.payment(id)).toMatchObject({ status: 'PROCESS', phase: 'CAPTURING' });
  });

  it('does not keep the sweep from the others either when a check cannot be put off', async () => {
    const house = await paymentHouse({ bill: { type: 'MULTI' } });
    const first = await house.begun('p1');
    const second = await house.begun('p2');
    await second.pay();
    Object.assign(house.payments, { postponeCheck: async () => Promise.reject(new Error('throttled')) });
    house.pass(1);
    expect(await house.sweep()).toEqual({ asked: 2, finished: 1, failed: 1 });
    expect(first.id).not.toBe(second.id);
  });
});

describe('a queue that cannot be reached', () => {
  it('changes nothing of what was settled', async () => {
    const house = await paymentHouse();
    Object.assign(house.postbackQueue, { send: async () => Promise.reject(new Error('no queue')) });
    const { id, pay } = await house.begun('p1');
    await pay();
    expect((await house.resolve(id))?.payment.status).toBe('SUCCESS');
    expect(await stateOf(house)).toMatchObject(paid);
  });
});

/** A table whose nth request (reads and writes alike) fails before it is sent, or after it was done. */
function failingAt(nth: number, when: 'before' | 'after', count: { sent: number }) {
  return ({ client, name }: Table): Table => {
    const send = client.send.bind(client);
    const line = Object.assign(Object.create(client), {
      async send(command: TransactWriteCommand) {
        count.sent += 1;
        const breaks = count.sent === nth;
        if (breaks && when === 'before') throw new Error('the process died');
        const answer = await send(command);
        if (breaks) throw new Error('the process died');
        return answer;
      },
    });
    return { client: line, name };
  };
}

const swallow = async (work: Promise<unknown>) => work.catch(() => undefined);

describe('a process that dies at any request to the table', () => {
  it.each([
    ['before', 'two'],
    ['after', 'two'],
    ['before', 'one'],
    ['after', 'one'],
  ] as const)('%s it, with a %s-step acquirer: nothing is lost and nothing is twice', async (when, steps) => {
    let died = 0;
    for (let nth = 1; ; nth += 1) {
      const count = { sent: 0 };
      const house = await paymentHouse({ steps, between: failingAt(nth, when, count) });
      const form = house.form('000000p1');
      const started = await house.start(form).catch(() => house.start(form));
      if (started.kind !== 'started') throw new Error(`the payer was left with ${started.kind}`);
      await house.sandbox.pay(started.pageUrl, aCard);
      await swallow(house.resolve('BillBillBillBill00000000p1'));
      if (count.sent < nth) break;
      died += 1;

      expect(await swept(house, 3), `the request ${nth}`).toMatchObject(paid);
      expect(await house.available()).toMatchObject({ RUB: 9_849n });
    }
    // As many as a whole payment makes: each of them was the last of its process once.
    expect(died).toBeGreaterThan(10);
  });
});
