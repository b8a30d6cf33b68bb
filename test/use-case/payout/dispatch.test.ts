import { describe, expect, it } from 'vitest';
import { type PayoutId, toPayoutId } from '../../../lib/ids.ts';
import { create } from '../../../functions/payout-dispatch.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout, declinePayout } from '../../../lib/payout/moderate.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import type { PayoutQueue } from '../../../lib/payout/ports.ts';
import { resolveError } from '../../../lib/payout/resolve-error.ts';
import { create as createSweep } from '../../../functions/payout-sweep.ts';
import { sweepPayouts } from '../../../lib/payout/sweep-payouts.ts';
import {
  balanceOf,
  card,
  created,
  journalOf,
  type PayoutHarness,
  payoutHarness,
  reread,
  toCard,
  toPhone,
} from '../../support/payout-harness.ts';
import { itemsOf } from '../../support/items-of.ts';
import type { RailView } from '../../../lib/payout/rail.ts';
import { type RailAct, testRail } from '../../support/rail.ts';
import { inStatus } from '../../support/payouts.ts';

/** Approved and queued, not yet sent. */
async function approved(harness: PayoutHarness, given: Parameters<typeof created>[1] = {}): Promise<Payout> {
  const payout = await created(harness, given);
  await approvePayout(harness, { payoutId: payout.id, revision: 1, by: 'olga' });
  return reread(harness, payout);
}

/** Sent, with the rail's first word as told. */
async function sent(harness: PayoutHarness, act: RailAct): Promise<Payout> {
  const payout = await approved(harness);
  harness.rail.will(act);
  await dispatchPayout(harness, payout.id);
  return reread(harness, payout);
}

/** Time passes, and the dispatcher hears of the payout again. */
async function later(
  harness: PayoutHarness,
  payout: Payout,
  seconds: number,
  ...acts: RailAct[]
): Promise<Payout> {
  harness.pass(seconds);
  harness.rail.will(...acts);
  await dispatchPayout(harness, payout.id);
  return reread(harness, payout);
}

describe('the dispatcher', () => {
  it.each([
    ['a card', toCard],
    ['a phone', toPhone],
  ])('sends to %s what the merchant asked for, under the key of the payout', async (_where, destination) => {
    const harness = await payoutHarness();
    const payout = await approved(harness, { destination });
    await dispatchPayout(harness, payout.id);
    expect(harness.rail.destinations).toEqual([destination]);
    expect(harness.rail.calls).toEqual([`send ${payout.id}`]);
    expect(harness.rail.books).toEqual(new Map([[payout.id, 100_000n]]));
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS', reference: `ref-${payout.id}` });
  });

  it('sends what a rule let go without a moderator', async () => {
    const harness = await payoutHarness({ terms: { autoApproveUpToMinor: 100_000n } });
    const payout = await created(harness);
    await dispatchPayout(harness, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS' });
  });

  it('sends less the fee where the recipient pays it', async () => {
    const harness = await payoutHarness({ terms: { commissionPayer: 'recipient' } });
    const payout = await approved(harness);
    await dispatchPayout(harness, payout.id);
    expect(harness.rail.books.get(payout.id)).toBe(99_000n);
  });

  it('has written its key before the rail hears of it', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    let seen: Payout | undefined;
    const send: typeof harness.rail.send = async (order) => {
      seen = await reread(harness, payout);
      return harness.rail.send(order);
    };
    await dispatchPayout({ ...harness, rail: { ...harness.rail, send } }, payout.id);
    expect(seen).toMatchObject({ status: 'PROCESS', phase: 'SENT', providerKey: payout.id, rail: 'test' });
  });

  it.each(['MODERATING', 'SUCCESS'] as const)('leaves a %s payout alone', async (status) => {
    const harness = await payoutHarness();
    const payout = status === 'SUCCESS' ? await sent(harness, 'paid') : await created(harness);
    harness.rail.calls.length = 0;
    harness.pass(3600);
    await dispatchPayout(harness, payout.id);
    expect(harness.rail.calls).toEqual([]);
    expect(await reread(harness, payout)).toEqual(payout);
  });

  it('fails over a payout that does not exist, without a call', async () => {
    const harness = await payoutHarness();
    const asked = dispatchPayout(harness, toPayoutId(`${'0'.repeat(20)}01`));
    await expect(asked).rejects.toThrow('does not exist');
    expect(harness.rail.calls).toEqual([]);
  });

  it('twice at once pays once', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    await Promise.all(Array.from({ length: 5 }, () => dispatchPayout(harness, payout.id)));
    expect(harness.rail.calls).toEqual([`send ${payout.id}`]);
    expect((await journalOf(harness.table)).map(({ kind }) => kind).toSorted()).toEqual([
      'RESERVE',
      'SETTLE',
    ]);
  });

  it('that cannot open a destination leaves the payout queued', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    const destinationOpener = { open: () => Promise.reject(new Error('no key')) };
    await expect(dispatchPayout({ ...harness, destinationOpener }, payout.id)).rejects.toThrow('no key');
    expect(await reread(harness, payout)).toEqual(payout);
    expect(harness.rail.calls).toEqual([]);
  });
});

describe('an unknown outcome', () => {
  it.each(['lost_before', 'lost_after', 'accepted', 'unknown'] as const)(
    '(%s) is no failure: the payout stays in PROCESS, the money locked',
    async (act) => {
      const harness = await payoutHarness();
      const payout = await sent(harness, act);
      expect(payout).toMatchObject({ status: 'PROCESS', phase: 'SENT' });
      expect(await balanceOf(harness.table)).toMatchObject({ locked: 100_000n, held: 1_000n });
      expect(harness.queued.at(-1)).toEqual({ id: payout.id, delaySeconds: 11 });
    },
  );

  it('is asked about after 10 s, 30 s, 2 min, 10 min, then hourly, and never before', async () => {
    const harness = await payoutHarness();
    let payout = await sent(harness, 'accepted');
    for (const wait of [10, 30, 120, 600, 3600, 3600]) {
      harness.rail.calls.length = 0;
      payout = await later(harness, payout, wait - 1);
      expect(harness.rail.calls).toEqual([]);
      payout = await later(harness, payout, 1, 'accepted');
      expect(harness.rail.calls).toEqual([`get ${payout.id}`]);
    }
    expect(payout.status).toBe('PROCESS');
  });

  it('of an answer that was lost is found out: paid once', async () => {
    const harness = await payoutHarness();
    const lost = await sent(harness, 'lost_after');
    expect(await later(harness, lost, 10)).toMatchObject({ status: 'SUCCESS' });
    expect(harness.rail.calls).toEqual([`send ${lost.id}`, `get ${lost.id}`]);
    expect(harness.rail.books.size).toBe(1);
  });

  it('that the rail never heard of is sent again under the same key', async () => {
    const harness = await payoutHarness();
    const lost = await sent(harness, 'lost_before');
    expect(await later(harness, lost, 10)).toMatchObject({ status: 'SUCCESS' });
    expect(harness.rail.calls).toEqual([`send ${lost.id}`, `get ${lost.id}`, `send ${lost.id}`]);
    expect(harness.rail.destinations).toEqual([toCard, toCard]);
  });

  it('that is paid later becomes SUCCESS, refused later becomes FAIL', async () => {
    const harness = await payoutHarness();
    const first = await sent(harness, 'accepted');
    const paid = { state: 'paid', reference: `ref-${first.id}` } as const;
    expect(await later(harness, first, 10, paid)).toMatchObject({ status: 'SUCCESS' });
    const second = await sent(harness, 'accepted');
    const refused = { state: 'refused', reference: `ref-${second.id}`, reason: 'closed account' } as const;
    expect(await later(harness, second, 10, refused)).toMatchObject({
      status: 'FAIL',
      reason: 'closed account',
    });
  });

  it('of a dispatcher that died before it called is found by the sweep', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    const send = () => new Promise<never>(() => undefined);
    void dispatchPayout({ ...harness, rail: { ...harness.rail, send } }, payout.id);
    while (inStatus(await reread(harness, payout), 'PROCESS').phase !== 'SENT')
      await new Promise(setImmediate);
    expect(await later(harness, payout, 10)).toMatchObject({ status: 'SUCCESS' });
  });

  it('that is paid while two ask is settled once', async () => {
    const harness = await payoutHarness();
    const lost = await sent(harness, 'lost_after');
    harness.pass(10);
    await Promise.all([dispatchPayout(harness, lost.id), dispatchPayout(harness, lost.id)]);
    expect((await journalOf(harness.table)).filter(({ kind }) => kind === 'SETTLE')).toHaveLength(1);
    expect(harness.notified).toHaveLength(1);
  });
});

describe('an empty account of ours at the provider', () => {
  it('is no failure of the payout: it waits its turn again, and the operator is told', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'provider_empty');
    expect(payout).toMatchObject({ status: 'PROCESS', phase: 'QUEUED', providerKey: payout.id });
    expect(harness.alarms).toEqual([`provider_empty ${payout.id}`]);
    expect(await later(harness, payout, 599)).toMatchObject({ phase: 'QUEUED' });
    expect(await later(harness, payout, 1)).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('a person is asked', () => {
  it('after a day without an answer, not before', async () => {
    const harness = await payoutHarness();
    let payout = await sent(harness, 'accepted');
    payout = await later(harness, payout, 24 * 3600 - 1, 'lost_before');
    expect(payout.status).toBe('PROCESS');
    payout = await later(harness, payout, 3600, 'accepted');
    expect(payout).toMatchObject({ status: 'ERROR', reason: 'no answer for a day' });
    expect(harness.alarms).toEqual([`payout_error ${payout.id}`]);
    expect(harness.notified).toEqual([]);
    expect(await balanceOf(harness.table)).toMatchObject({ locked: 100_000n, held: 1_000n });
  });

  it('and has a payout that the rail never had sent, however long ago it was sent first', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_before');
    const { revision } = await later(harness, payout, 24 * 3600, 'lost_before');
    const calls = harness.rail.calls.length;
    harness.pass(24 * 3600);
    const question = { payoutId: payout.id, revision, outcome: 'ask', by: 'olga', evidence: 'x' } as const;
    expect(await resolveError(harness, question)).toMatchObject({ ok: true });
    expect(await later(harness, payout, 0, 'unknown', 'paid')).toMatchObject({ status: 'SUCCESS' });
    expect(harness.rail.calls.slice(calls)).toEqual([`get ${payout.id}`, `send ${payout.id}`]);
  });

  it('even if the dispatcher dies over writing it down', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'accepted');
    const move = () => Promise.reject(new Error('gone'));
    harness.pass(10);
    harness.rail.will('unknown');
    const dying = dispatchPayout({ ...harness, payouts: { ...harness.payouts, move } }, payout.id);
    await expect(dying).rejects.toThrow('gone');
    expect(harness.alarms).toEqual([`payout_error ${payout.id}`]);
  });

  it.each([
    ['no longer knows what it accepted', { state: 'unknown' }],
    ['names it differently', { state: 'paid', reference: 'another' }],
  ] as const)('at once when the rail %s', async (_how, view) => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'accepted');
    expect(await later(harness, payout, 10, view)).toMatchObject({
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
    const harness = await payoutHarness();
    const payout = await sent(harness, unnamed);
    const lost = await later(harness, payout, seconds, 'unknown');
    expect(lost).toMatchObject({ status: 'ERROR', reason: 'the rail contradicts itself' });
    expect(harness.rail.calls).toEqual([`send ${payout.id}`, `get ${payout.id}`]);
    expect(await balanceOf(harness.table)).toMatchObject(locked);
  });

  it('when it was asked is held against it just the same', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_before');
    expect(await later(harness, payout, 10, unnamed)).toMatchObject({ status: 'PROCESS', accepted: true });
    expect(await later(harness, payout, 30, 'unknown')).toMatchObject({ status: 'ERROR' });
  });

  it.each([
    ['when it was asked for the last time', [unnamed]],
    ['when it was to cancel it', ['unknown', unnamed]],
  ] as const)('%s stays written when the questions end', async (_when, acts) => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_before');
    expect(await later(harness, payout, 24 * 3600, ...acts)).toMatchObject({
      status: 'ERROR',
      reason: 'no answer for a day',
      accepted: true,
    });
  });

  it('keeps the first name that it got', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, unnamed);
    expect(await later(harness, payout, 10, 'accepted')).toMatchObject({ reference: `ref-${payout.id}` });
    const renamed = { state: 'accepted', reference: 'another' } as const;
    const confused = await later(harness, payout, 30, renamed);
    expect(confused).toMatchObject({ status: 'ERROR', reference: `ref-${payout.id}` });
  });

  it('and sends again under another name, because its account was empty, is a case for a person', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'accepted');
    await later(harness, payout, 10, 'provider_empty');
    expect(await later(harness, payout, 600, { state: 'paid', reference: 'another' })).toMatchObject({
      status: 'ERROR',
    });
  });

  /** The rail takes so long to answer that another dispatcher asks about the payout meanwhile. */
  async function slowly(
    harness: PayoutHarness,
    view: RailView,
    { seconds = 10, meanwhile }: { readonly seconds?: number; readonly meanwhile: readonly RailAct[] },
  ) {
    const payout = await approved(harness);
    harness.rail.will(view, ...meanwhile);
    const send: typeof harness.rail.send = async (order) => {
      const answer = await harness.rail.send(order);
      harness.pass(seconds);
      await dispatchPayout(harness, payout.id);
      return answer;
    };
    await dispatchPayout({ ...harness, rail: { ...harness.rail, send } }, payout.id);
    return reread(harness, payout);
  }

  it('is remembered although the payout moved on before the answer came', async () => {
    const harness = await payoutHarness();
    const payout = await slowly(harness, unnamed, { meanwhile: ['unknown', 'lost_before'] });
    expect(payout).toMatchObject({ status: 'PROCESS', accepted: true, checks: 1 });
    expect(await later(harness, payout, 30, 'unknown')).toMatchObject({ status: 'ERROR' });
  });

  it('is remembered although a person has the payout by then', async () => {
    const harness = await payoutHarness();
    const payout = await slowly(harness, unnamed, { seconds: 24 * 3600, meanwhile: ['lost_before'] });
    expect(payout).toMatchObject({ status: 'ERROR', accepted: true });
  });

  it('and pays although the payout has failed by then, is told', async () => {
    const harness = await payoutHarness();
    const payout = await slowly(harness, { state: 'paid' }, { meanwhile: ['refused'] });
    expect(payout.status).toBe('FAIL');
    expect(harness.alarms).toEqual([`paid_after_failure ${payout.id}`]);
  });
});

describe('a change of rail', () => {
  const locked = { locked: 100_000n, held: 1_000n };
  const reason = 'sent to rail test, which is not configured';

  /** The same service with another rail deployed. */
  const withRail = (harness: PayoutHarness, name: string) => {
    const rail = { ...testRail(), name };
    return { ...harness, rail };
  };

  it.each([
    ['paid it, the answer was lost', 'lost_after'],
    ['never heard of it', 'lost_before'],
    ['accepted it', 'accepted'],
  ] as const)(
    '(the old one %s) is a case for a person: the new rail hears nothing of it',
    async (_what, act) => {
      const harness = await payoutHarness();
      const payout = await sent(harness, act);
      const changed = withRail(harness, 'another');
      harness.alarms.length = 0;
      harness.pass(24 * 3600);
      await dispatchPayout(changed, payout.id);
      expect(changed.rail.calls).toEqual([]);
      expect(await reread(harness, payout)).toMatchObject({ status: 'ERROR', rail: 'test', reason });
      expect(harness.alarms).toEqual([`payout_error ${payout.id}`]);
      expect(await balanceOf(harness.table)).toMatchObject(locked);
    },
  );

  it('that took nothing of a payout lets it go to the new one', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'provider_empty');
    const changed = withRail(harness, 'another');
    harness.pass(600);
    await dispatchPayout(changed, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS', rail: 'another' });
    expect(harness.rail.books.size).toBe(0);
  });

  it('before the first call concerns no payout: it goes to the new one', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    const changed = withRail(harness, 'another');
    await dispatchPayout(changed, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS', rail: 'another' });
    expect(harness.rail.calls).toEqual([]);
  });

  it.each([
    ['paid', 'SUCCESS'],
    ['failed', 'FAIL'],
  ] as const)('leaves a payout that the operator may settle as %s', async (outcome, status) => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_after');
    const changed = withRail(harness, 'another');
    harness.pass(10);
    await dispatchPayout(changed, payout.id);
    const { id: payoutId, revision } = await reread(harness, payout);
    const word = { payoutId, revision, outcome, by: 'olga', evidence: 'their statement' } as const;
    expect(await resolveError(changed, word)).toEqual({ ok: false, error: 'takes_two_people' });
    await resolveError(changed, { ...word, approvedBy: 'petr' });
    expect(await reread(harness, payout)).toMatchObject({ status });
    expect(changed.rail.calls).toEqual([]);
  });

  it('is undone by deploying the old rail again, which is asked then, and no other', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_after');
    const changed = withRail(harness, 'another');
    const ask = async () => {
      const { id: payoutId, revision } = await reread(harness, payout);
      const resolution = { payoutId, revision, outcome: 'ask', by: 'olga', evidence: 'x' } as const;
      expect(await resolveError(harness, resolution)).toMatchObject({ ok: true });
    };
    harness.pass(10);
    await dispatchPayout(changed, payout.id);
    await ask();
    await dispatchPayout(changed, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'ERROR', reason });
    await ask();
    await dispatchPayout(harness, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS' });
    expect(changed.rail.calls).toEqual([]);
    expect(harness.rail.books.size).toBe(1);
  });

  it('while the old rail answers keeps what it said', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    const changed = withRail(harness, 'another');
    const send: typeof harness.rail.send = async (order) => {
      const answer = await harness.rail.send(order);
      harness.pass(10);
      await dispatchPayout(changed, payout.id);
      return answer;
    };
    await dispatchPayout({ ...harness, rail: { ...harness.rail, send } }, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'ERROR', reason, accepted: true });
  });
});

describe('what the rail has not heard of for a day', () => {
  it('is cancelled there, and only then it has failed', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_before');
    const failed = await later(harness, payout, 24 * 3600, 'unknown', 'unknown');
    expect(harness.rail.calls).toEqual([`send ${payout.id}`, `get ${payout.id}`, `cancel ${payout.id}`]);
    expect(failed.status).toBe('FAIL');
    expect(await balanceOf(harness.table)).toMatchObject({ available: 1_000_000n, locked: 0n });
  });

  it('and cannot be cancelled, because it was paid after all, is paid', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_before');
    expect(await later(harness, payout, 24 * 3600, 'unknown', 'paid')).toMatchObject({ status: 'SUCCESS' });
  });

  it('and gives no answer to the cancellation, needs a person', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_before');
    expect(await later(harness, payout, 24 * 3600, 'unknown', 'lost_before')).toMatchObject({
      status: 'ERROR',
    });
  });
});

describe('the sweep', () => {
  it('queues what is due, and leaves it to the dispatcher for five minutes', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    harness.queued.length = 0;
    await sweepPayouts(harness);
    await sweepPayouts(harness);
    expect(harness.queued.map(({ id }) => id)).toEqual([payout.id]);
    harness.pass(300);
    await sweepPayouts(harness);
    expect(harness.queued).toHaveLength(2);
  });

  it('does not queue what is not due, waits for a person or is final', async () => {
    const harness = await payoutHarness({ availableMinor: 10_000_000n });
    await sent(harness, 'accepted');
    await sent(harness, 'paid');
    await created(harness);
    harness.queued.length = 0;
    await sweepPayouts(harness);
    expect(harness.queued).toEqual([]);
  });

  it('names the payout that cannot be queued, and queues the others', async () => {
    const harness = await payoutHarness({ availableMinor: 10_000_000n });
    const [lost, other] = [await approved(harness), await approved(harness)];
    harness.queued.length = 0;
    const payoutQueue: PayoutQueue = {
      send: (id, options) =>
        id === lost.id
          ? Promise.reject(new TypeError(`queue of ${card}`))
          : harness.payoutQueue.send(id, options),
    };
    await expect(sweepPayouts({ ...harness, payoutQueue })).rejects.toThrow('1 of 2 payouts');
    expect(harness.logged).toEqual([['error', 'payout_not_swept', { error: 'TypeError', payout: lost.id }]]);
    expect(harness.queued.map(({ id }) => id)).toEqual([other.id]);
    await sweepPayouts(harness);
    expect(harness.queued.map(({ id }) => id)).toEqual([other.id, lost.id]);
  });

  it('tells of the oldest payout that has waited for a moderator for a day, also when the sweep fails', async () => {
    const harness = await payoutHarness({ availableMinor: 10_000_000n });
    const oldest = await created(harness, { orderId: '1' });
    harness.pass(3600);
    await created(harness, { orderId: '2' });
    harness.pass(23 * 3600 - 1);
    await createSweep(harness)();
    expect(harness.alarms).toEqual([]);
    harness.pass(1);
    await createSweep(harness)();
    expect(harness.alarms).toEqual([`moderation_waiting ${oldest.id}`]);
    const broken = { ...harness.payouts, due: () => Promise.reject(new Error('no index')) };
    await expect(createSweep({ ...harness, payouts: broken })()).rejects.toThrow('no index');
    expect(harness.alarms).toHaveLength(2);
    await declinePayout(harness, {
      payoutId: oldest.id,
      revision: oldest.revision,
      by: 'olga',
      reason: 'old',
    });
    await createSweep(harness)();
    expect(harness.alarms).toHaveLength(2);
  });

  it('moves nothing but its place in the list', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    await sweepPayouts(harness);
    expect(await reread(harness, payout)).toEqual(payout);
  });

  it('does not postpone a payout changed meanwhile', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    const [due] = await harness.payouts.due(harness.clock.at);
    await dispatchPayout(harness, payout.id);
    await harness.payouts.postpone(due!, new Date('2030-01-01'));
    const item = (await itemsOf(harness.table)).find((each) => each['id'] === payout.id);
    expect(Object.keys(item ?? {})).not.toContain('workDue');
  });
});

describe('the messages of the queue', () => {
  const record = (messageId: string, body: string) => ({ messageId, body });

  it('fail one by one, and each names its payout', async () => {
    const harness = await payoutHarness({ availableMinor: 10_000_000n });
    const payout = await approved(harness);
    const lost = `${'L'.repeat(20)}01`;
    const Records = [
      record('lost', JSON.stringify({ payoutId: lost })),
      record('good', JSON.stringify({ payoutId: payout.id })),
      record('strange', JSON.stringify({ payoutId: 'no id' })),
      record('broken', '{'),
    ];
    const find = async (id: PayoutId) =>
      id === lost ? Promise.reject(new TypeError(`no table for ${card}`)) : harness.payouts.find(id);
    const deps = { ...harness, payouts: { ...harness.payouts, find } };
    const { batchItemFailures } = await create(deps)({ Records });
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual([
      'lost',
      'strange',
      'broken',
    ]);
    const line = (fields: object) => ['error', 'payout_not_worked_on', fields];
    expect(harness.logged).toHaveLength(3);
    expect(harness.logged).toEqual(
      expect.arrayContaining([
        line({ error: 'TypeError', messageId: 'lost', payout: lost }),
        line({ error: expect.any(String), messageId: 'strange' }),
        line({ error: 'SyntaxError', messageId: 'broken' }),
      ]),
    );
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS' });
  });
});
