import { describe, expect, it } from 'vitest';
import { create } from '../../functions/payout-dispatch.ts';
import { dispatchPayout } from '../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../lib/payout/moderate.ts';
import type { Payout } from '../../lib/payout/payout.ts';
import { sweepPayouts } from '../../lib/payout/sweep-payouts.ts';
import {
  balanceOf,
  created,
  journalOf,
  type PayoutHouse,
  payoutHouse,
  reread,
  toCard,
  toPhone,
} from '../support/payout-house.ts';
import { itemsOf } from '../support/items-of.ts';
import type { RailView } from '../../lib/payout/rail.ts';
import type { RailAct } from '../support/rail.ts';

/** Approved and queued, not yet sent. */
async function approved(house: PayoutHouse, given: Parameters<typeof created>[1] = {}): Promise<Payout> {
  const payout = await created(house, given);
  await approvePayout(house, { payoutId: payout.id, revision: 1, by: 'olga' });
  return reread(house, payout);
}

/** Sent, with the rail's first word as told. */
async function sent(house: PayoutHouse, act: RailAct): Promise<Payout> {
  const payout = await approved(house);
  house.rail.will(act);
  await dispatchPayout(house, payout.id);
  return reread(house, payout);
}

/** Time passes, and the dispatcher hears of the payout again. */
async function later(
  house: PayoutHouse,
  payout: Payout,
  seconds: number,
  ...acts: RailAct[]
): Promise<Payout> {
  house.pass(seconds);
  house.rail.will(...acts);
  await dispatchPayout(house, payout.id);
  return reread(house, payout);
}

describe('the dispatcher', () => {
  it.each([
    ['a card', toCard],
    ['a phone', toPhone],
  ])('sends to %s what the merchant asked for, under the key of the payout', async (_where, destination) => {
    const house = await payoutHouse();
    const payout = await approved(house, { destination });
    await dispatchPayout(house, payout.id);
    expect(house.rail.destinations).toEqual([destination]);
    expect(house.rail.calls).toEqual([`send ${payout.id}`]);
    expect(house.rail.books).toEqual(new Map([[payout.id, 100_000n]]));
    expect(await reread(house, payout)).toMatchObject({ status: 'SUCCESS', reference: `ref-${payout.id}` });
  });

  it('sends what a rule let go without a moderator', async () => {
    const house = await payoutHouse({ terms: { autoApproveUpToMinor: 100_000n } });
    const payout = await created(house);
    await dispatchPayout(house, payout.id);
    expect(await reread(house, payout)).toMatchObject({ status: 'SUCCESS' });
  });

  it('sends less the fee where the recipient pays it', async () => {
    const house = await payoutHouse({ terms: { commissionPayer: 'recipient' } });
    const payout = await approved(house);
    await dispatchPayout(house, payout.id);
    expect(house.rail.books.get(payout.id)).toBe(99_000n);
  });

  it('has written its key before the rail hears of it', async () => {
    const house = await payoutHouse();
    const payout = await approved(house);
    let seen: Payout | undefined;
    const send: typeof house.rail.send = async (order) => {
      seen = await reread(house, payout);
      return house.rail.send(order);
    };
    await dispatchPayout({ ...house, rail: { ...house.rail, send } }, payout.id);
    expect(seen).toMatchObject({ status: 'PROCESS', phase: 'SENT', providerKey: payout.id });
  });

  it.each(['MODERATING', 'SUCCESS'] as const)('leaves a %s payout alone', async (status) => {
    const house = await payoutHouse();
    const payout = status === 'SUCCESS' ? await sent(house, 'paid') : await created(house);
    house.rail.calls.length = 0;
    house.pass(3600);
    await dispatchPayout(house, payout.id);
    expect(house.rail.calls).toEqual([]);
    expect(await reread(house, payout)).toEqual(payout);
  });

  it('fails over a payout that does not exist, without a call', async () => {
    const house = await payoutHouse();
    const asked = dispatchPayout(house, `${'0'.repeat(20)}01`);
    await expect(asked).rejects.toThrow('does not exist');
    expect(house.rail.calls).toEqual([]);
  });

  it('twice at once pays once', async () => {
    const house = await payoutHouse();
    const payout = await approved(house);
    await Promise.all(Array.from({ length: 5 }, () => dispatchPayout(house, payout.id)));
    expect(house.rail.calls).toEqual([`send ${payout.id}`]);
    expect((await journalOf(house.table)).map(({ kind }) => kind).toSorted()).toEqual(['RESERVE', 'SETTLE']);
  });

  it('that cannot open a destination leaves the payout queued', async () => {
    const house = await payoutHouse();
    const payout = await approved(house);
    const destinationOpener = { open: () => Promise.reject(new Error('no key')) };
    await expect(dispatchPayout({ ...house, destinationOpener }, payout.id)).rejects.toThrow('no key');
    expect(await reread(house, payout)).toEqual(payout);
    expect(house.rail.calls).toEqual([]);
  });
});

describe('an unknown outcome', () => {
  it.each(['lost_before', 'lost_after', 'accepted', 'unknown'] as const)(
    '(%s) is no failure: the payout stays in PROCESS, the money locked',
    async (act) => {
      const house = await payoutHouse();
      const payout = await sent(house, act);
      expect(payout).toMatchObject({ status: 'PROCESS', phase: 'SENT' });
      expect(await balanceOf(house.table)).toMatchObject({ locked: 100_000n, held: 1_000n });
      expect(house.queued.at(-1)).toEqual({ id: payout.id, delaySeconds: 11 });
    },
  );

  it('is asked about after 10 s, 30 s, 2 min, 10 min, then hourly, and never before', async () => {
    const house = await payoutHouse();
    let payout = await sent(house, 'accepted');
    for (const wait of [10, 30, 120, 600, 3600, 3600]) {
      house.rail.calls.length = 0;
      payout = await later(house, payout, wait - 1);
      expect(house.rail.calls).toEqual([]);
      payout = await later(house, payout, 1, 'accepted');
      expect(house.rail.calls).toEqual([`get ${payout.id}`]);
    }
    expect(payout.status).toBe('PROCESS');
  });

  it('of an answer that was lost is found out: paid once', async () => {
    const house = await payoutHouse();
    const lost = await sent(house, 'lost_after');
    expect(await later(house, lost, 10)).toMatchObject({ status: 'SUCCESS' });
    expect(house.rail.calls).toEqual([`send ${lost.id}`, `get ${lost.id}`]);
    expect(house.rail.books.size).toBe(1);
  });

  it('that the rail never heard of is sent again under the same key', async () => {
    const house = await payoutHouse();
    const lost = await sent(house, 'lost_before');
    expect(await later(house, lost, 10)).toMatchObject({ status: 'SUCCESS' });
    expect(house.rail.calls).toEqual([`send ${lost.id}`, `get ${lost.id}`, `send ${lost.id}`]);
    expect(house.rail.destinations).toEqual([toCard, toCard]);
  });

  it('that is paid later becomes SUCCESS, refused later becomes FAIL', async () => {
    const house = await payoutHouse();
    const first = await sent(house, 'accepted');
    const paid = { state: 'paid', reference: `ref-${first.id}` } as const;
    expect(await later(house, first, 10, paid)).toMatchObject({ status: 'SUCCESS' });
    const second = await sent(house, 'accepted');
    const refused = { state: 'refused', reference: `ref-${second.id}`, reason: 'closed account' } as const;
    expect(await later(house, second, 10, refused)).toMatchObject({
      status: 'FAIL',
      reason: 'closed account',
    });
  });

  it('of a dispatcher that died before it called is found by the sweep', async () => {
    const house = await payoutHouse();
    const payout = await approved(house);
    const send = () => new Promise<never>(() => undefined);
    void dispatchPayout({ ...house, rail: { ...house.rail, send } }, payout.id);
    while ((await reread(house, payout)).phase !== 'SENT') await new Promise(setImmediate);
    expect(await later(house, payout, 10)).toMatchObject({ status: 'SUCCESS' });
  });

  it('that is paid while two ask is settled once', async () => {
    const house = await payoutHouse();
    const lost = await sent(house, 'lost_after');
    house.pass(10);
    await Promise.all([dispatchPayout(house, lost.id), dispatchPayout(house, lost.id)]);
    expect((await journalOf(house.table)).filter(({ kind }) => kind === 'SETTLE')).toHaveLength(1);
    expect(house.notified).toHaveLength(1);
  });
});

describe('an empty account of ours at the provider', () => {
  it('is no failure of the payout: it waits its turn again, and somebody is told', async () => {
    const house = await payoutHouse();
    const payout = await sent(house, 'provider_empty');
    expect(payout).toMatchObject({ status: 'PROCESS', phase: 'QUEUED', providerKey: payout.id });
    expect(house.alarms).toEqual([`provider_empty ${payout.id}`]);
    expect(await later(house, payout, 599)).toMatchObject({ phase: 'QUEUED' });
    expect(await later(house, payout, 1)).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('a person is asked', () => {
  it('after a day without an answer, not before', async () => {
    const house = await payoutHouse();
    let payout = await sent(house, 'accepted');
    payout = await later(house, payout, 24 * 3600 - 1, 'lost_before');
    expect(payout.status).toBe('PROCESS');
    payout = await later(house, payout, 3600, 'accepted');
    expect(payout).toMatchObject({ status: 'ERROR', reason: 'no answer for a day' });
    expect(house.alarms).toEqual([`payout_error ${payout.id}`]);
    expect(house.notified).toEqual([]);
    expect(await balanceOf(house.table)).toMatchObject({ locked: 100_000n, held: 1_000n });
  });

  it('even if the dispatcher dies over writing it down', async () => {
    const house = await payoutHouse();
    const payout = await sent(house, 'accepted');
    const move = () => Promise.reject(new Error('gone'));
    house.pass(10);
    house.rail.will('unknown');
    const dying = dispatchPayout({ ...house, payouts: { ...house.payouts, move } }, payout.id);
    await expect(dying).rejects.toThrow('gone');
    expect(house.alarms).toEqual([`payout_error ${payout.id}`]);
  });

  it.each([
    ['no longer knows what it accepted', { state: 'unknown' }],
    ['names it differently', { state: 'paid', reference: 'another' }],
  ] as const)('at once when the rail %s', async (_how, view) => {
    const house = await payoutHouse();
    const payout = await sent(house, 'accepted');
    expect(await later(house, payout, 10, view)).toMatchObject({
      status: 'ERROR',
      reason: 'the rail contradicts itself',
    });
  });
});

describe('what the rail once accepted', () => {
  const unnamed = { state: 'accepted' } as const;
  const locked = { locked: 100_000n, held: 1_000n };

  it.each([
    ['ten seconds', 10],
    ['a day', 24 * 3600],
  ])('without a name is a case for a person if it is unknown %s later', async (_when, seconds) => {
    const house = await payoutHouse();
    const payout = await sent(house, unnamed);
    const lost = await later(house, payout, seconds, 'unknown');
    expect(lost).toMatchObject({ status: 'ERROR', reason: 'the rail contradicts itself' });
    expect(house.rail.calls).toEqual([`send ${payout.id}`, `get ${payout.id}`]);
    expect(await balanceOf(house.table)).toMatchObject(locked);
  });

  it('when it was asked is held against it just the same', async () => {
    const house = await payoutHouse();
    const payout = await sent(house, 'lost_before');
    expect(await later(house, payout, 10, unnamed)).toMatchObject({ status: 'PROCESS', accepted: true });
    expect(await later(house, payout, 30, 'unknown')).toMatchObject({ status: 'ERROR' });
  });

  it.each([
    ['when it was asked for the last time', [unnamed]],
    ['when it was to bury it', ['unknown', unnamed]],
  ] as const)('%s stays written when the questions end', async (_when, acts) => {
    const house = await payoutHouse();
    const payout = await sent(house, 'lost_before');
    expect(await later(house, payout, 24 * 3600, ...acts)).toMatchObject({
      status: 'ERROR',
      reason: 'no answer for a day',
      accepted: true,
    });
  });

  it('keeps the first name that it got', async () => {
    const house = await payoutHouse();
    const payout = await sent(house, unnamed);
    expect(await later(house, payout, 10, 'accepted')).toMatchObject({ reference: `ref-${payout.id}` });
    const renamed = { state: 'accepted', reference: 'another' } as const;
    const confused = await later(house, payout, 30, renamed);
    expect(confused).toMatchObject({ status: 'ERROR', reference: `ref-${payout.id}` });
  });

  it('and sends again under another name, because its account was empty, is a case for a person', async () => {
    const house = await payoutHouse();
    const payout = await sent(house, 'accepted');
    await later(house, payout, 10, 'provider_empty');
    expect(await later(house, payout, 600, { state: 'paid', reference: 'another' })).toMatchObject({
      status: 'ERROR',
    });
  });

  /** The rail takes so long to answer that another dispatcher asks about the payout meanwhile. */
  async function slowly(
    house: PayoutHouse,
    view: RailView,
    { seconds = 10, meanwhile }: { readonly seconds?: number; readonly meanwhile: readonly RailAct[] },
  ) {
    const payout = await approved(house);
    house.rail.will(view, ...meanwhile);
    const send: typeof house.rail.send = async (order) => {
      const answer = await house.rail.send(order);
      house.pass(seconds);
      await dispatchPayout(house, payout.id);
      return answer;
    };
    await dispatchPayout({ ...house, rail: { ...house.rail, send } }, payout.id);
    return reread(house, payout);
  }

  it('is remembered although the payout moved on before the answer came', async () => {
    const house = await payoutHouse();
    const payout = await slowly(house, unnamed, { meanwhile: ['unknown', 'lost_before'] });
    expect(payout).toMatchObject({ status: 'PROCESS', accepted: true, checks: 1 });
    expect(await later(house, payout, 30, 'unknown')).toMatchObject({ status: 'ERROR' });
  });

  it('is remembered although a person has the payout by then', async () => {
    const house = await payoutHouse();
    const payout = await slowly(house, unnamed, { seconds: 24 * 3600, meanwhile: ['lost_before'] });
    expect(payout).toMatchObject({ status: 'ERROR', accepted: true });
  });

  it('and pays although the payout has failed by then, is told', async () => {
    const house = await payoutHouse();
    const payout = await slowly(house, { state: 'paid' }, { meanwhile: ['refused'] });
    expect(payout.status).toBe('FAIL');
    expect(house.alarms).toEqual([`payout_error ${payout.id}`]);
  });
});

describe('what the rail has not heard of for a day', () => {
  it('is buried there, and only then it has failed', async () => {
    const house = await payoutHouse();
    const payout = await sent(house, 'lost_before');
    const failed = await later(house, payout, 24 * 3600, 'unknown', 'unknown');
    expect(house.rail.calls).toEqual([`send ${payout.id}`, `get ${payout.id}`, `cancel ${payout.id}`]);
    expect(failed.status).toBe('FAIL');
    expect(await balanceOf(house.table)).toMatchObject({ available: 1_000_000n, locked: 0n });
  });

  it('and cannot be buried, because it was paid after all, is paid', async () => {
    const house = await payoutHouse();
    const payout = await sent(house, 'lost_before');
    expect(await later(house, payout, 24 * 3600, 'unknown', 'paid')).toMatchObject({ status: 'SUCCESS' });
  });

  it('and gives no answer to the burial, needs a person', async () => {
    const house = await payoutHouse();
    const payout = await sent(house, 'lost_before');
    expect(await later(house, payout, 24 * 3600, 'unknown', 'lost_before')).toMatchObject({
      status: 'ERROR',
    });
  });
});

describe('the sweep', () => {
  it('queues what is due, and leaves it to the dispatcher for five minutes', async () => {
    const house = await payoutHouse();
    const payout = await approved(house);
    house.queued.length = 0;
    await sweepPayouts(house);
    await sweepPayouts(house);
    expect(house.queued.map(({ id }) => id)).toEqual([payout.id]);
    house.pass(300);
    await sweepPayouts(house);
    expect(house.queued).toHaveLength(2);
  });

  it('does not queue what is not due, waits for a person or is final', async () => {
    const house = await payoutHouse({ availableMinor: 10_000_000n });
    await sent(house, 'accepted');
    await sent(house, 'paid');
    await created(house);
    house.queued.length = 0;
    await sweepPayouts(house);
    expect(house.queued).toEqual([]);
  });

  it('moves nothing but its place in the list', async () => {
    const house = await payoutHouse();
    const payout = await approved(house);
    await sweepPayouts(house);
    expect(await reread(house, payout)).toEqual(payout);
  });

  it('keeps its hands off a payout that moved just then', async () => {
    const house = await payoutHouse();
    const payout = await approved(house);
    const [due] = await house.payouts.due(house.clock.at);
    await dispatchPayout(house, payout.id);
    await house.payouts.postpone(due!, new Date('2030-01-01'));
    const item = (await itemsOf(house.table)).find((each) => each['id'] === payout.id);
    expect(Object.keys(item ?? {})).not.toContain('workDue');
  });
});

describe('the messages of the queue', () => {
  const record = (messageId: string, body: string) => ({ messageId, body });

  it('fail one by one', async () => {
    const house = await payoutHouse();
    const payout = await approved(house);
    const Records = [
      record('good', JSON.stringify({ payoutId: payout.id })),
      record('strange', JSON.stringify({ payoutId: 'no id' })),
      record('broken', '{'),
    ];
    const { batchItemFailures } = await create(house)({ Records });
    expect(batchItemFailures).toEqual([{ itemIdentifier: 'strange' }, { itemIdentifier: 'broken' }]);
    expect(await reread(house, payout)).toMatchObject({ status: 'SUCCESS' });
  });
});
