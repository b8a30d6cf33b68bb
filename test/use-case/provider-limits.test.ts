import { describe, expect, it } from 'vitest';
import { create as paymentCheck } from '../../functions/payment-check.ts';
import { create as payoutDispatch } from '../../functions/payout-dispatch.ts';
import type { Faults } from '../../infra/yookassa-emulator/faults.ts';
import type { PaymentId } from '../../lib/ids.ts';
import { approvePayout } from '../../lib/payout/moderate.ts';
import type { OpenPayout } from '../../lib/payout/payout.ts';
import { limitedFetch } from '../../lib/provider/limited-fetch.ts';
import { dynamoProviderCalls } from '../../lib/store/provider-calls.ts';
import type { Table } from '../../lib/store/table.ts';
import { created, reread, toPhone } from '../support/payout-harness.ts';
import { yookassaPayments, yookassaPayouts } from '../support/yookassa-harness.ts';

type Place = { readonly table: Table; readonly clock: { at: Date } };
type Limits = { readonly atOnce: number; readonly perSecond: number };

/** The limiter of one function: its own memory, and the table that all functions share. */
const limiterOf = ({ table, clock }: Place, limits: Limits = { atOnce: 10, perSecond: 100 }): typeof fetch =>
  limitedFetch({
    provider: 'yookassa',
    limits,
    calls: dynamoProviderCalls(table),
    now: () => clock.at,
    delay: async (ms) => void (clock.at = new Date(clock.at.getTime() + ms)),
    log: () => undefined,
    fetch,
  });

const batch = (bodies: readonly object[]) => ({
  Records: bodies.map((body, place) => ({ messageId: `${place}`, body: JSON.stringify(body) })),
});

/** The first object is for the first function alone: it is the one that learns of the 429. The others are shared out. */
const shares = <T>([first, ...others]: readonly T[]): readonly (readonly T[])[] => [
  first === undefined ? [] : [first],
  others.filter((_, n) => n % 2 === 0),
  others.filter((_, n) => n % 2 === 1),
];

const busyOnce = (faults: Faults, method: 'GET' | 'POST') =>
  faults.add({
    match: { method, path: '^/v3/(payments|payouts)', nth: undefined },
    times: 1,
    do: { kind: 'too_many_requests', retryAfterMs: 30_000 },
  });

describe('the workers of two functions, after one 429 of their provider', () => {
  it('check no payment at the provider until its pause is over, fail no message, and then settle each', async () => {
    const service = await yookassaPayments({ bill: { type: 'MULTI' } });
    const ids: PaymentId[] = [];
    for (const name of ['p1', 'p2', 'p3', 'p4']) {
      const { id } = await service.starts(name, 'card');
      service.paysByCard(id);
      ids.push(id);
    }
    const workers = [service.throughFetch(limiterOf(service)), service.throughFetch(limiterOf(service))];
    const bothCheck = async () => {
      for (const [place, own] of shares(ids).entries()) {
        const check = paymentCheck(workers[place % 2]!);
        const answer = await check(batch(own.map((paymentId) => ({ paymentId }))));
        expect(answer).toEqual({ batchItemFailures: [] });
      }
    };
    const statuses = () => Promise.all(ids.map(async (id) => (await service.payment(id))?.status));

    service.pass(1);
    busyOnce(service.world.faults, 'GET');
    const before = service.emulator.exchanges().length;
    await bothCheck();
    expect(service.emulator.exchanges().slice(before)).toMatchObject([{ method: 'GET', status: 429 }]);
    expect(await statuses()).toEqual(['PROCESS', 'PROCESS', 'PROCESS', 'PROCESS']);

    service.pass(0.5);
    await bothCheck();
    expect(await statuses()).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS', 'SUCCESS']);
  });

  it('send no payout until its pause is over, fail no message, and then pay each once under its first key', async () => {
    const service = await yookassaPayouts();
    const payouts: OpenPayout[] = [];
    for (const amount of ['1000', '1100', '1200']) {
      const payout = await created(service, { destination: toPhone, amount });
      await approvePayout(service, { payoutId: payout.id, revision: 1, by: 'olga' });
      payouts.push(payout);
    }
    const workers = [service.throughFetch(limiterOf(service)), service.throughFetch(limiterOf(service))];
    const bothDispatch = async () => {
      for (const [place, own] of shares(payouts).entries()) {
        const dispatch = payoutDispatch({ ...workers[place % 2]!, log: () => undefined });
        const answer = await dispatch(batch(own.map(({ id }) => ({ payoutId: id }))));
        expect(answer).toEqual({ batchItemFailures: [] });
      }
    };
    const states = () => Promise.all(payouts.map((payout) => reread(service, payout)));

    busyOnce(service.world.faults, 'POST');
    await bothDispatch();
    expect([...service.world.state.payouts.values()]).toEqual([]);
    expect(await states()).toMatchObject(
      payouts.map(() => ({ status: 'PROCESS', phase: 'QUEUED', attempt: 1 })),
    );

    service.pass(30);
    await bothDispatch();
    service.pass(15);
    await bothDispatch();
    expect(await states()).toMatchObject(payouts.map(() => ({ status: 'SUCCESS', attempt: 1 })));
    const sent = [...service.world.state.payouts.values()].map(({ metadata }) => metadata['payout_id']);
    expect(sent).toHaveLength(payouts.length);
    expect(new Set(sent)).toEqual(new Set(payouts.map(({ id }) => id)));
  });
});

describe('the calls of two functions to one provider', () => {
  it('are together no more in a second than the record allows, and no payment is left out', async () => {
    const service = await yookassaPayments({ bill: { type: 'MULTI' } });
    const ids: PaymentId[] = [];
    for (const name of ['p1', 'p2', 'p3', 'p4']) ids.push((await service.starts(name, 'card')).id);
    service.pass(1);
    const second = { atOnce: 10, perSecond: 1 };
    const sentAt: number[] = [];
    const counted =
      (send: typeof fetch): typeof fetch =>
      async (...request) => {
        const answer = await send(...request);
        sentAt.push(Math.floor(service.clock.at.getTime() / 1000));
        return answer;
      };
    const workers = [1, 2].map(() => service.throughFetch(counted(limiterOf(service, second))));
    for (const [place, id] of ids.entries()) {
      const worker = workers[place % 2]!;
      expect(await paymentCheck(worker)(batch([{ paymentId: id }]))).toEqual({ batchItemFailures: [] });
    }
    expect(sentAt).toHaveLength(ids.length);
    expect(new Set(sentAt).size).toBe(ids.length);
  });
});
