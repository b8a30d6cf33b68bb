import { describe, expect, it } from 'vitest';
import { type EventState, endpointIdOf } from '../../lib/postback/event.ts';
import type { DeliveryOutcome } from '../../lib/postback/ports.ts';
import { nextAttemptAfter } from '../../lib/postback/schedule.ts';
import { putEvent } from '../../lib/store/event-item.ts';
import { dynamoEndpoints } from '../../lib/store/endpoints.ts';
import { dynamoEvents } from '../../lib/store/events.ts';
import { transact } from '../../lib/store/transact.ts';
import { freshTable } from '../support/dynamo.ts';
import { afterNoon, anAttempt, anEvent, given, noon, stored } from '../support/postbacks.ts';
import { shopId } from '../support/builders.ts';

const lease = afterNoon(60_000);
const outcome = (state: EventState, more: Partial<DeliveryOutcome> = {}): DeliveryOutcome => ({
  state,
  attempt: anAttempt({ ms: 12 }),
  counts: true,
  nextAttempt: undefined,
  ...more,
});
const again = (delayMs: number) => outcome('RETRY', { nextAttempt: nextAttemptAfter(noon, delayMs) });

async function aStore(...events: ReturnType<typeof anEvent>[]) {
  const table = await freshTable();
  for (const event of events) await given(table, event);
  return { table, events: dynamoEvents(table) };
}

/** An event leased by a worker, whose endpoint is paused afterwards. */
async function claimed(event = anEvent()) {
  const store = await aStore(event);
  await dynamoEndpoints(store.table).pause(endpointIdOf(event));
  const mine = await store.events.claim(event.id, noon, lease);
  if (!mine) throw new Error('the event could not be claimed');
  return { ...store, mine };
}

describe('an event that is written with its payment', () => {
  it('is read back unchanged, with its fields in the contract’s order', async () => {
    const event = anEvent({
      fields: { ...anEvent().fields, custom: 'ü', AAA: 'first by name, last by place' },
    });
    const table = await freshTable();
    await transact(table, [putEvent(table, event)]);
    const found = await dynamoEvents(table).find(event.id);
    expect(found).toEqual(event);
    expect(Object.keys(found?.fields ?? {})).toEqual(Object.keys(event.fields));
  });

  it('is written once', async () => {
    const { table } = await aStore(anEvent());
    await expect(transact(table, [putEvent(table, anEvent({ status: 'other' }))])).rejects.toThrow();
    expect(await dynamoEvents(table).find(anEvent().id)).toMatchObject({ status: 'SUCCESS' });
  });

  it('is due for the sweeper one minute later', async () => {
    const { events } = await aStore(anEvent());
    expect(await events.due(afterNoon(59_999))).toEqual([]);
    expect(await events.due(afterNoon(60_000))).toEqual([
      { id: anEvent().id, endpointId: shopId, first: true, due: afterNoon(60_000) },
    ]);
  });

  it('that does not exist is not found', async () => {
    const { events } = await aStore();
    expect(await events.find('pay.none.SUCCESS')).toBeUndefined();
    await expect(events.claim('pay.none.SUCCESS', noon, lease)).rejects.toThrow('does not exist');
    expect(await events.replay('pay.none.SUCCESS', noon)).toBeUndefined();
  });
});

describe('a claim', () => {
  it('succeeds for one of many workers', async () => {
    const { events } = await aStore(anEvent());
    const workers = Array.from({ length: 20 }, () => events.claim(anEvent().id, noon, lease));
    const through = (await Promise.all(workers)).filter((event) => event !== undefined);
    expect(through).toEqual([{ ...anEvent(), leaseUntil: lease }]);
  });

  it('shows the attempt as in progress', async () => {
    const { events, mine } = await claimed();
    expect(mine.attempts).toEqual([]);
    expect(await events.find(mine.id)).toMatchObject({ attempts: [{ at: noon }], tries: 0 });
  });

  it('fails before the event is due', async () => {
    const { events } = await aStore(anEvent({ nextAt: afterNoon(5_000) }));
    expect(await events.claim(anEvent().id, afterNoon(4_999), lease)).toBeUndefined();
    expect(await events.claim(anEvent().id, afterNoon(5_000), lease)).toBeDefined();
  });

  it.each<EventState>(['DELIVERED', 'SUPERSEDED', 'PAUSED', 'DEAD'])('fails for %s', async (state) => {
    const { events } = await aStore(anEvent({ state }));
    expect(await events.claim(anEvent().id, noon, lease)).toBeUndefined();
  });

  it('of a crashed worker passes to another after a minute, and its attempt is recorded', async () => {
    const { events, mine } = await claimed();
    expect(await events.claim(mine.id, lease, afterNoon(120_000))).toBeUndefined();
    const later = afterNoon(60_001);
    expect(await events.claim(mine.id, later, afterNoon(120_001))).toMatchObject({
      attempts: [{ at: noon, outcome: 'interrupted' }],
      tries: 0,
    });
  });
});

describe('a release', () => {
  it('ends the lease and leaves the event unchanged; without a lease it does nothing', async () => {
    const { events, mine } = await claimed();
    expect(await events.release(mine)).toBe('released');
    expect(await events.find(mine.id)).toEqual(anEvent());
    expect(await events.claim(mine.id, noon, afterNoon(61_000))).toBeDefined();
    expect(await events.release(mine)).toBe('lease_lost');
  });
});

describe('an outcome', () => {
  it.each<EventState>(['DELIVERED', 'SUPERSEDED'])(
    '%s removes the event from the work index',
    async (state) => {
      const { table, events, mine } = await claimed();
      await events.finish(mine, outcome(state));
      expect(await events.find(mine.id)).toMatchObject({
        state,
        tries: 1,
        attempts: [{ outcome: '500', ms: 12 }],
      });
      expect(await stored(table, mine.id)).not.toHaveProperty('workDue');
      expect(await events.listUndelivered()).toEqual([]);
    },
  );

  it('RETRY soon is due for the sweeper two minutes after its message', async () => {
    const { events, mine } = await claimed();
    await events.finish(mine, again(5_000));
    expect(await events.find(mine.id)).toMatchObject({ state: 'RETRY', nextAt: afterNoon(5_000) });
    expect(await events.due(afterNoon(124_999))).toEqual([]);
    expect(await events.due(afterNoon(125_000))).toMatchObject([{ id: mine.id, first: false }]);
    expect(await events.claim(mine.id, afterNoon(5_000), afterNoon(65_000))).toMatchObject({ tries: 1 });
  });

  it('RETRY late is due for the sweeper at its time', async () => {
    const { events, mine } = await claimed();
    await events.finish(mine, again(3_600_000));
    expect(await events.due(afterNoon(3_599_999))).toEqual([]);
    expect(await events.due(afterNoon(3_600_000))).toHaveLength(1);
  });

  it('that does not count leaves the number of tries unchanged', async () => {
    const { events, mine } = await claimed();
    await events.finish(mine, { ...again(5_000), counts: false });
    expect(await events.find(mine.id)).toMatchObject({ tries: 0, attempts: [{ outcome: '500' }] });
  });

  it.each<EventState>(['PAUSED', 'DEAD'])(
    '%s hides the event from the sweeper, not from the operator',
    async (state) => {
      const { events, mine } = await claimed();
      await events.finish(mine, outcome(state));
      expect(await events.due(afterNoon(1e12))).toEqual([]);
      expect(await events.listUndelivered()).toMatchObject([{ id: mine.id, state }]);
    },
  );

  it('PAUSED is written only while the endpoint is paused', async () => {
    const { table, events, mine } = await claimed();
    await dynamoEndpoints(table).resume(shopId);
    expect(await events.finish(mine, outcome('PAUSED'))).toBe('endpoint_resumed');
    expect(await events.find(mine.id)).toMatchObject({ state: 'PENDING', tries: 0 });
    expect(await events.finish(mine, again(0))).toBe('finished');
  });

  it('DEAD is retained for 90 days', async () => {
    const { table, events, mine } = await claimed();
    await events.finish(mine, outcome('DEAD'));
    const ninetyDays = 90 * 24 * 3600;
    expect(await stored(table, mine.id)).toMatchObject({ ttl: noon.getTime() / 1000 + ninetyDays });
  });

  it.each<EventState>(['DELIVERED', 'SUPERSEDED'])(
    '%s retains a payout’s postback, and the phone number in it, for 90 days; a payment’s for 180',
    async (state) => {
      const ofPayout = anEvent({ id: 'po.payout-1.SUCCESS', kind: 'payout', shopId: undefined });
      for (const event of [ofPayout, anEvent()]) {
        const { table, events, mine } = await claimed(event);
        await events.finish(mine, outcome(state));
        const item = (await stored(table, mine.id)) ?? {};
        const ninetyDays = 90 * 24 * 3600;
        expect(item['ttl']).toBe(noon.getTime() / 1000 + (event === ofPayout ? 1 : 2) * ninetyDays);
      }
    },
  );

  it('of a worker whose lease expired changes nothing', async () => {
    const { events, mine } = await claimed();
    const second = await events.claim(mine.id, afterNoon(60_001), afterNoon(120_001));
    expect(await events.finish(mine, again(5_000))).toBe('lease_lost');
    expect(await events.finish(mine, outcome('PAUSED'))).toBe('lease_lost');
    expect(await events.find(mine.id)).toMatchObject({ state: 'PENDING', tries: 0 });
    await events.finish(second!, outcome('DELIVERED'));
    await events.finish(mine, again(5_000));
    expect(await events.find(mine.id)).toMatchObject({ state: 'DELIVERED', tries: 1 });
  });

  it('is one of at most twelve recorded attempts', async () => {
    const attempts = Array.from({ length: 12 }, () => anAttempt());
    const { events, mine } = await claimed(anEvent({ attempts }));
    await events.finish(mine, outcome('DELIVERED', { attempt: anAttempt({ outcome: '200', ms: 1 }) }));
    const found = await events.find(mine.id);
    expect(found?.attempts).toHaveLength(12);
    expect(found?.attempts.at(-1)).toMatchObject({ outcome: '200' });
  });
});

describe('the sweeper', () => {
  it('finds exactly what is due on all 64 shards', async () => {
    const due = Array.from({ length: 200 }, (_, index) => anEvent({ id: `pay.p${index}.SUCCESS` }));
    const later = anEvent({ id: 'pay.later.SUCCESS', nextAt: afterNoon(600_000) });
    const { events } = await aStore(...due, later);
    const seen = await events.due(afterNoon(60_000));
    expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(due.map(({ id }) => id)));
  });

  it('postpones an event that it queued', async () => {
    const { events } = await aStore(anEvent());
    await events.postpone(anEvent().id, afterNoon(60_000), afterNoon(360_000));
    expect(await events.due(afterNoon(359_999))).toEqual([]);
    expect(await events.due(afterNoon(360_000))).toHaveLength(1);
  });

  it('does not postpone an event that changed since it was listed', async () => {
    const { table, events, mine } = await claimed();
    await events.finish(mine, again(5_000));
    await events.postpone(mine.id, afterNoon(60_000), afterNoon(360_000));
    expect(await events.due(afterNoon(125_000))).toHaveLength(1);
    const delivered = (await events.claim(mine.id, afterNoon(5_000), lease))!;
    await events.finish(delivered, outcome('DELIVERED'));
    await events.postpone(mine.id, afterNoon(125_000), afterNoon(360_000));
    expect(await stored(table, mine.id)).not.toHaveProperty('workDue');
  });
});

describe('a replay', () => {
  it.each<EventState>(['DELIVERED', 'DEAD', 'PAUSED'])(
    'of %s starts again under the same id',
    async (state) => {
      const { table, events, mine } = await claimed(anEvent({ tries: 10 }));
      await events.finish(mine, outcome(state));
      const later = afterNoon(86_400_000);
      expect(await events.replay(mine.id, later)).toMatchObject({
        id: mine.id,
        state: 'RETRY',
        tries: 0,
        nextAt: later,
        attempts: [{ outcome: '500' }, { at: later, outcome: 'replay' }],
      });
      expect(await stored(table, mine.id)).not.toHaveProperty('ttl');
      expect(await events.claim(mine.id, later, afterNoon(86_460_000))).toMatchObject({ tries: 0 });
    },
  );

  it('fails while a worker holds the lease', async () => {
    const { events, mine } = await claimed();
    expect(await events.replay(mine.id, afterNoon(1_000))).toBeUndefined();
  });
});
