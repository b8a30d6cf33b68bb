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
import type { Rails, RailView } from '../../../lib/payout/payout-rail.ts';
import { onlyRail, type RailAct, testRail } from '../../support/rail.ts';
import { inStatus } from '../../support/payouts.ts';

/** Approved and queued, not yet sent. */
async function approved(harness: PayoutHarness, given: Parameters<typeof created>[1] = {}): Promise<Payout> {
  const payout = await created(harness, given);
  await approvePayout(harness, { payoutId: payout.id, revision: 1, by: 'olga' });
  return reread(harness, payout);
}

/** Sent, with the given first response of the rail. */
async function sent(harness: PayoutHarness, act: RailAct): Promise<Payout> {
  const payout = await approved(harness);
  harness.rail.will(act);
  await dispatchPayout(harness, payout.id);
  return reread(harness, payout);
}

/** Advances the clock and dispatches the payout again. */
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
  ])("sends the requested amount to %s, under the payout's key", async (_where, destination) => {
    const harness = await payoutHarness();
    const payout = await approved(harness, { destination });
    await dispatchPayout(harness, payout.id);
    expect(harness.rail.destinations).toEqual([destination]);
    expect(harness.rail.calls).toEqual([`send ${payout.id}`]);
    expect(harness.rail.books).toEqual(new Map([[payout.id, 100_000n]]));
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS', reference: `ref-${payout.id}` });
  });

  it('sends a payout that a rule released, without a moderator', async () => {
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

  it('records the key before it calls the rail', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    let seen: Payout | undefined;
    const send: typeof harness.rail.send = async (order) => {
      seen = await reread(harness, payout);
      return harness.rail.send(order);
    };
    await dispatchPayout({ ...harness, rails: onlyRail({ ...harness.rail, send }) }, payout.id);
    expect(seen).toMatchObject({
      status: 'PROCESS',
      phase: 'SENT',
      providerKey: `${payout.id}.1`,
      rail: 'test',
    });
  });

  it.each(['MODERATING', 'SUCCESS'] as const)('ignores a %s payout', async (status) => {
    const harness = await payoutHarness();
    const payout = status === 'SUCCESS' ? await sent(harness, 'paid') : await created(harness);
    harness.rail.calls.length = 0;
    harness.pass(3600);
    await dispatchPayout(harness, payout.id);
    expect(harness.rail.calls).toEqual([]);
    expect(await reread(harness, payout)).toEqual(payout);
  });

  it('leaves a payout waiting while the record names no rail for its account type', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    const rails: Rails = { forNew: () => undefined, named: () => undefined };
    await dispatchPayout({ ...harness, rails }, payout.id);
    expect(await reread(harness, payout)).toEqual(payout);
    await dispatchPayout(harness, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS' });
  });

  it('throws for a payout that does not exist, without a call', async () => {
    const harness = await payoutHarness();
    const asked = dispatchPayout(harness, toPayoutId(`${'0'.repeat(20)}01`));
    await expect(asked).rejects.toThrow('does not exist');
    expect(harness.rail.calls).toEqual([]);
  });

  it('run twice concurrently pays once', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    await Promise.all(Array.from({ length: 5 }, () => dispatchPayout(harness, payout.id)));
    expect(harness.rail.calls).toEqual([`send ${payout.id}`]);
    expect((await journalOf(harness.table)).map(({ kind }) => kind).toSorted()).toEqual([
      'RESERVE',
      'SETTLE',
    ]);
  });

  it('that cannot decrypt a destination leaves the payout queued', async () => {
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

  it('is checked after 10 s, 30 s, 2 min, 10 min, then hourly, and never earlier', async () => {
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

  it('after a lost response is resolved by a check: paid once', async () => {
    const harness = await payoutHarness();
    const lost = await sent(harness, 'lost_after');
    expect(await later(harness, lost, 10)).toMatchObject({ status: 'SUCCESS' });
    expect(harness.rail.calls).toEqual([`send ${lost.id}`, `get ${lost.id}`]);
    expect(harness.rail.books.size).toBe(1);
  });

  it('of a payout that the rail does not know: it is sent again under the same key', async () => {
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

  it('of a dispatcher that crashed before its call is found by the sweep', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    const send = () => new Promise<never>(() => undefined);
    void dispatchPayout({ ...harness, rails: onlyRail({ ...harness.rail, send }) }, payout.id);
    while (inStatus(await reread(harness, payout), 'PROCESS').phase !== 'SENT')
      await new Promise(setImmediate);
    expect(await later(harness, payout, 10)).toMatchObject({ status: 'SUCCESS' });
  });

  it('that turns out paid in two concurrent checks is settled once', async () => {
    const harness = await payoutHarness();
    const lost = await sent(harness, 'lost_after');
    harness.pass(10);
    await Promise.all([dispatchPayout(harness, lost.id), dispatchPayout(harness, lost.id)]);
    expect((await journalOf(harness.table)).filter(({ kind }) => kind === 'SETTLE')).toHaveLength(1);
    expect(harness.notified).toHaveLength(1);
  });
});

describe('an empty provider account', () => {
  it('does not fail the payout: it is queued again, and an alarm is raised', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'provider_empty');
    expect(payout).toMatchObject({ status: 'PROCESS', phase: 'QUEUED', providerKey: `${payout.id}.1` });
    expect(harness.alarms).toEqual([`provider_empty ${payout.id}`]);
    expect(await later(harness, payout, 599)).toMatchObject({ phase: 'QUEUED' });
    expect(await later(harness, payout, 1)).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('a payout needs a person', () => {
  it('after a day without an outcome, not earlier', async () => {
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

  it('who has it checked again: unknown to the rail, it is sent however old it is', async () => {
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

  it('and raises the alarm even if the dispatcher crashes on the write', async () => {
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
    ['returns another reference', { state: 'paid', reference: 'another' }],
  ] as const)('at once when the rail %s', async (_how, view) => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'accepted');
    expect(await later(harness, payout, 10, view)).toMatchObject({
      status: 'ERROR',
      reason: 'the rail contradicts itself',
    });
  });
});

describe('a payout that the rail accepted', () => {
  const unnamed = { state: 'accepted' } as const;
  const locked = { locked: 100_000n, held: 1_000n };

  it.each([
    ['ten seconds', 10],
    ['a day', 24 * 3600],
  ])('without a reference goes to ERROR if it is unknown %s later', async (_when, seconds) => {
    const harness = await payoutHarness();
    const payout = await sent(harness, unnamed);
    const lost = await later(harness, payout, seconds, 'unknown');
    expect(lost).toMatchObject({ status: 'ERROR', reason: 'the rail contradicts itself' });
    expect(harness.rail.calls).toEqual([`send ${payout.id}`, `get ${payout.id}`]);
    expect(await balanceOf(harness.table)).toMatchObject(locked);
  });

  it('in the response to a check goes to ERROR just the same', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_before');
    expect(await later(harness, payout, 10, unnamed)).toMatchObject({ status: 'PROCESS', accepted: true });
    expect(await later(harness, payout, 30, 'unknown')).toMatchObject({ status: 'ERROR' });
  });

  it.each([
    ['an acceptance in the last check', [unnamed]],
    ['an acceptance in the cancellation', ['unknown', unnamed]],
  ] as const)('%s remains recorded when the checks end', async (_when, acts) => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_before');
    expect(await later(harness, payout, 24 * 3600, ...acts)).toMatchObject({
      status: 'ERROR',
      reason: 'no answer for a day',
      accepted: true,
    });
  });

  it('keeps its first reference', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, unnamed);
    expect(await later(harness, payout, 10, 'accepted')).toMatchObject({ reference: `ref-${payout.id}` });
    const renamed = { state: 'accepted', reference: 'another' } as const;
    const confused = await later(harness, payout, 30, renamed);
    expect(confused).toMatchObject({ status: 'ERROR', reference: `ref-${payout.id}` });
  });

  it('goes to ERROR if it is sent again after an empty account and gets another reference', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'accepted');
    await later(harness, payout, 10, 'provider_empty');
    expect(await later(harness, payout, 600, { state: 'paid', reference: 'another' })).toMatchObject({
      status: 'ERROR',
    });
  });

  /** The rail responds so slowly that another dispatcher checks the payout meanwhile. */
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
    await dispatchPayout({ ...harness, rails: onlyRail({ ...harness.rail, send }) }, payout.id);
    return reread(harness, payout);
  }

  it('has its acceptance recorded although it moved on before the response', async () => {
    const harness = await payoutHarness();
    const payout = await slowly(harness, unnamed, { meanwhile: ['unknown', 'lost_before'] });
    expect(payout).toMatchObject({ status: 'PROCESS', accepted: true, checks: 1 });
    expect(await later(harness, payout, 30, 'unknown')).toMatchObject({ status: 'ERROR' });
  });

  it('has its acceptance recorded although it is in ERROR by then', async () => {
    const harness = await payoutHarness();
    const payout = await slowly(harness, unnamed, { seconds: 24 * 3600, meanwhile: ['lost_before'] });
    expect(payout).toMatchObject({ status: 'ERROR', accepted: true });
  });

  it('raises an alarm if the rail pays it after it has failed', async () => {
    const harness = await payoutHarness();
    const payout = await slowly(harness, { state: 'paid' }, { meanwhile: ['refused'] });
    expect(payout.status).toBe('FAIL');
    expect(harness.alarms).toEqual([`paid_after_failure ${payout.id}`]);
  });

  it('raises an alarm if the rail refuses it after it was paid', async () => {
    const harness = await payoutHarness();
    const payout = await slowly(harness, { state: 'refused' }, { meanwhile: ['paid'] });
    expect(payout.status).toBe('SUCCESS');
    expect(harness.alarms).toEqual([`payout_undone ${payout.id}`]);
  });
});

describe('a change of rail', () => {
  const locked = { locked: 100_000n, held: 1_000n };
  const reason = 'sent to rail test, which is not configured';

  /** The same service with another rail deployed. */
  const withRail = (harness: PayoutHarness, name: string) => {
    const rail = { ...testRail(), name };
    return { ...harness, rail, rails: onlyRail(rail) };
  };

  it.each([
    ['paid it, but the response was lost', 'lost_after'],
    ['does not know it', 'lost_before'],
    ['accepted it', 'accepted'],
  ] as const)(
    '(the old one %s) sends the payout to ERROR: the new rail is not called',
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

  it('sends a payout that the old rail did not take to the new one', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'provider_empty');
    const changed = withRail(harness, 'another');
    harness.pass(600);
    await dispatchPayout(changed, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS', rail: 'another' });
    expect(harness.rail.books.size).toBe(0);
  });

  it('in the record alone does not move a payout: its rail is still deployed and follows it to its end', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_after');
    const newer = { ...testRail(), name: 'another' };
    const rails: Rails = { forNew: () => newer, named: (name) => (name === 'test' ? harness.rail : newer) };
    harness.pass(10);
    await dispatchPayout({ ...harness, rails }, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS', rail: 'test' });
    expect(newer.calls).toEqual([]);
  });

  it('before the first call sends the payout to the new one', async () => {
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
  ] as const)('leaves a payout that the operator may resolve as %s', async (outcome, status) => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_after');
    const changed = withRail(harness, 'another');
    harness.pass(10);
    await dispatchPayout(changed, payout.id);
    const { id: payoutId, revision } = await reread(harness, payout);
    const resolution = { payoutId, revision, outcome, by: 'olga', evidence: 'their statement' } as const;
    expect(await resolveError(changed, resolution)).toEqual({ ok: false, error: 'takes_two_people' });
    await resolveError(changed, { ...resolution, approvedBy: 'petr' });
    expect(await reread(harness, payout)).toMatchObject({ status });
    expect(changed.rail.calls).toEqual([]);
  });

  it('is undone by deploying the old rail again, which alone is queried', async () => {
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

  it('during a call to the old rail keeps its response', async () => {
    const harness = await payoutHarness();
    const payout = await approved(harness);
    const changed = withRail(harness, 'another');
    const send: typeof harness.rail.send = async (order) => {
      const answer = await harness.rail.send(order);
      harness.pass(10);
      await dispatchPayout(changed, payout.id);
      return answer;
    };
    await dispatchPayout({ ...harness, rails: onlyRail({ ...harness.rail, send }) }, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'ERROR', reason, accepted: true });
  });
});

describe('a payout unknown to the rail for a day', () => {
  it('is cancelled there before it fails', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_before');
    const failed = await later(harness, payout, 24 * 3600, 'unknown', 'unknown');
    expect(harness.rail.calls).toEqual([`send ${payout.id}`, `get ${payout.id}`, `cancel ${payout.id}`]);
    expect(failed.status).toBe('FAIL');
    expect(await balanceOf(harness.table)).toMatchObject({ available: 1_000_000n, locked: 0n });
  });

  it('that cannot be cancelled, because it was paid after all, is settled', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_before');
    expect(await later(harness, payout, 24 * 3600, 'unknown', 'paid')).toMatchObject({ status: 'SUCCESS' });
  });

  it('whose cancellation is not answered goes to ERROR', async () => {
    const harness = await payoutHarness();
    const payout = await sent(harness, 'lost_before');
    expect(await later(harness, payout, 24 * 3600, 'unknown', 'lost_before')).toMatchObject({
      status: 'ERROR',
    });
  });
});

describe('the sweep', () => {
  it('queues payouts that are due, and leaves them to the dispatcher for five minutes', async () => {
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

  it('does not queue payouts that are not due, wait for a person or are final', async () => {
    const harness = await payoutHarness({ availableMinor: 10_000_000n });
    await sent(harness, 'accepted');
    await sent(harness, 'paid');
    await created(harness);
    harness.queued.length = 0;
    await sweepPayouts(harness);
    expect(harness.queued).toEqual([]);
  });

  it('logs the payout that cannot be queued, and queues the others', async () => {
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

  it('raises an alarm for the oldest payout that has waited a day for a moderator, also when the sweep fails', async () => {
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

  it('changes nothing but the place on the work list', async () => {
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

  it('fail individually, and each failure names its payout', async () => {
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
