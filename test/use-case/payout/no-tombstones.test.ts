import { describe, expect, it } from 'vitest';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout, declinePayout } from '../../../lib/payout/moderate.ts';
import { inError } from '../../../lib/payout/moves.ts';
import { inStatus } from '../../support/payouts.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import type { NewTransfer, Rails, RailView } from '../../../lib/payout/payout-rail.ts';
import { resolveError } from '../../../lib/payout/resolve-error.ts';
import { ProviderBusy } from '../../../lib/provider-port.ts';
import { merchantId, today } from '../../support/builders.ts';
import {
  balanceOf,
  created,
  type PayoutHarness,
  payoutHarness,
  reread,
} from '../../support/payout-harness.ts';
import { onlyRail, type RailAct, testRail } from '../../support/rail.ts';

const hour = 3600;
const day = 24 * hour;
const locked = { locked: 100_000n, held: 1_000n };

/** A service whose rail forgets keys, cannot cancel, and is searched by our id. */
const aHarness = () => payoutHarness({ rail: testRail(undefined, { tombstones: false }) });

async function approved(harness: PayoutHarness): Promise<Payout> {
  const payout = await created(harness);
  await approvePayout(harness, { payoutId: payout.id, revision: 1, by: 'olga' });
  return payout;
}

/** Sent, with the rail's first answer. */
async function sent(harness: PayoutHarness, act: RailAct): Promise<Payout> {
  return later(harness, await approved(harness), 0, act);
}

/** Advances the clock and dispatches the payout, whose rail answers as told. */
async function later(
  harness: PayoutHarness,
  payout: Payout,
  seconds: number,
  ...acts: readonly RailAct[]
): Promise<Payout> {
  harness.pass(seconds);
  harness.rail.will(...acts);
  await dispatchPayout(harness, payout.id);
  return reread(harness, payout);
}

const empty = { state: 'provider_empty', reference: 'po-1', reason: 'insufficient_funds' } as const;
const cancelled = { state: 'refused', reference: 'po-1', reason: 'recipient_not_found' } as const;
const rejected = { state: 'refused', reason: 'invalid_request' } as const;
const forbidden = { state: 'not_taken', reason: 'forbidden' } as const;

describe('the key of a payout', () => {
  it('names its first attempt, and its calls are recorded before the first of them', async () => {
    const harness = await aHarness();
    const payout = await approved(harness);
    let seen: Payout | undefined;
    const send = async (transfer: NewTransfer): Promise<RailView> => {
      seen = await reread(harness, payout);
      return harness.rail.send(transfer);
    };
    await dispatchPayout({ ...harness, rails: onlyRail({ ...harness.rail, send }) }, payout.id);
    expect(harness.rail.keys).toEqual([`${payout.id}.1`]);
    expect(seen).toMatchObject({
      providerKey: `${payout.id}.1`,
      attempt: 1,
      firstCallAt: today,
      lastCallAt: today,
      railCalls: [{ call: 'send', key: `${payout.id}.1`, answer: 'no_answer', times: 1 }],
    });
  });

  it('is sent again after a lost answer, the last time 22 hours after the first call', async () => {
    const harness = await aHarness();
    const payout = await sent(harness, 'lost_before');
    await later(harness, payout, 22 * hour, 'unknown', 'lost_before');
    expect(harness.rail.keys).toEqual([`${payout.id}.1`, `${payout.id}.1`]);
    const { firstCallAt, lastCallAt } = await reread(harness, payout);
    expect([firstCallAt, lastCallAt]).toEqual([today, harness.clock.at]);
    await later(harness, payout, hour, 'unknown');
    expect(harness.rail.keys).toHaveLength(2);
    expect(harness.rail.calls.at(-1)).toBe(`get ${payout.id}`);
  });

  it('is never sent 22 hours after the first call, not even when a person has the rail checked again', async () => {
    const harness = await aHarness();
    const payout = await sent(harness, 'lost_before');
    const { revision } = await later(harness, payout, day, 'unknown');
    const question = { payoutId: payout.id, revision, outcome: 'ask', by: 'olga', evidence: 'x' } as const;
    expect(await resolveError(harness, question)).toMatchObject({ ok: true });
    expect(await later(harness, payout, 0, 'unknown')).toMatchObject({ status: 'PROCESS', phase: 'SENT' });
    expect(harness.rail.keys).toEqual([`${payout.id}.1`]);
  });

  it.each([
    ['an empty account of ours', empty],
    ['refused credentials', forbidden],
  ])('has the next number after %s', async (_why, act) => {
    const harness = await aHarness();
    const payout = await sent(harness, act);
    expect(payout).toMatchObject({ status: 'PROCESS', phase: 'QUEUED', attempt: 1, attemptOver: true });
    expect(await later(harness, payout, 599)).toMatchObject({ phase: 'QUEUED' });
    const paid = await later(harness, payout, 1);
    expect(paid).toMatchObject({ status: 'SUCCESS', attempt: 2 });
    expect(harness.rail.keys).toEqual([`${payout.id}.1`, `${payout.id}.2`]);
  });

  it('has the next number after an object that was accepted and then found our account empty', async () => {
    const harness = await aHarness();
    const payout = await sent(harness, { state: 'accepted', reference: 'po-1' });
    const queued = await later(harness, payout, 10, empty);
    expect(queued).toMatchObject({ phase: 'QUEUED', attemptOver: true });
    expect([queued.accepted, queued.reference]).toEqual([undefined, undefined]);
    const again = await later(harness, payout, 600, { state: 'paid', reference: 'po-2' });
    expect(again).toMatchObject({ status: 'SUCCESS', reference: 'po-2', attempt: 2 });
  });

  it('has the next number after an unanswered call whose object found our account empty', async () => {
    const harness = await aHarness();
    const payout = await sent(harness, 'lost_before');
    await later(harness, payout, 10, empty);
    await later(harness, payout, 600);
    expect(harness.rail.keys).toEqual([`${payout.id}.1`, `${payout.id}.2`]);
  });

  it.each([
    ['our account was empty', { state: 'provider_empty' } as const],
    ['our credentials are refused', forbidden],
  ])('stays after an unanswered call, when the next call says that %s', async (_what, act) => {
    const harness = await aHarness();
    const payout = await sent(harness, 'lost_before');
    expect(await later(harness, payout, 10, 'unknown', act)).toMatchObject({ phase: 'SENT', attempt: 1 });
    expect(harness.alarms).toHaveLength(1);
    await later(harness, payout, 30, 'unknown', 'lost_before');
    expect(new Set(harness.rail.keys)).toEqual(new Set([`${payout.id}.1`]));
  });

  it('stays when the rail was busy: the call was not carried out', async () => {
    const harness = await aHarness();
    const payout = await approved(harness);
    const send = async (): Promise<never> => {
      throw new ProviderBusy(45_000);
    };
    await dispatchPayout({ ...harness, rails: onlyRail({ ...harness.rail, send }) }, payout.id);
    const waiting = await reread(harness, payout);
    expect(waiting).toMatchObject({
      phase: 'QUEUED',
      notTaken: true,
      dueAt: new Date(today.getTime() + 45_000),
      railCalls: [{ call: 'send', answer: 'busy' }],
    });
    expect(harness.queued.at(-1)).toEqual({ id: payout.id, delaySeconds: 46 });
    expect(await later(harness, payout, 45)).toMatchObject({ status: 'SUCCESS', attempt: 1 });
    expect(harness.rail.keys).toEqual([`${payout.id}.1`]);
  });

  it('begins its life with the first call that was carried out', async () => {
    const harness = await aHarness();
    const payout = await approved(harness);
    const send = async (): Promise<never> => {
      throw new ProviderBusy(45_000);
    };
    await dispatchPayout({ ...harness, rails: onlyRail({ ...harness.rail, send }) }, payout.id);
    expect(await later(harness, payout, 30 * hour, 'lost_before')).toMatchObject({
      phase: 'SENT',
      firstCallAt: harness.clock.at,
    });
  });
});

describe('a payout that waits to be sent', () => {
  it.each([
    ['without a rail', (): Rails => ({ forNew: () => undefined, named: () => undefined })],
    [
      'for a busy rail',
      (rail: PayoutHarness['rail']) =>
        onlyRail({ ...rail, send: () => Promise.reject(new ProviderBusy(45_000)) }),
    ],
  ])('%s raises its alarm after a day, and is sent when it can be', async (_why, railsOf) => {
    const harness = await aHarness();
    const payout = await approved(harness);
    const waiting = { ...harness, rails: railsOf(harness.rail) };
    await dispatchPayout(waiting, payout.id);
    expect(harness.alarms).toEqual([]);
    harness.pass(day);
    await dispatchPayout(waiting, payout.id);
    expect(harness.alarms).toEqual([`payout_error ${payout.id}`]);
    expect(await later(harness, payout, 60)).toMatchObject({ status: 'SUCCESS', attempt: 1 });
  });
});

describe('a payout that a rail without tombstones does not find', () => {
  it('never fails: after a day it is in ERROR with its evidence, and its money stays locked', async () => {
    const harness = await aHarness();
    const payout = await sent(harness, 'lost_before');
    await later(harness, payout, 10, 'unknown', 'lost_before');
    const lost = await later(harness, payout, day - 10, 'unknown');
    expect(lost).toMatchObject({ status: 'ERROR', reason: 'not found at the rail for a day' });
    const at = (seconds: number) => new Date(today.getTime() + seconds * 1000);
    expect(lost.railCalls).toMatchObject([
      { call: 'send', answer: 'no_answer', times: 2, firstAt: today, lastAt: at(10) },
      { call: 'get', answer: 'unknown', times: 2, firstAt: at(10), lastAt: at(day) },
    ]);
    expect(harness.rail.calls.some((call) => call.startsWith('cancel'))).toBe(false);
    expect(harness.alarms).toEqual([`payout_error ${payout.id}`]);
    expect(await balanceOf(harness.table)).toMatchObject(locked);
  });

  it('is followed to its end when its search catches up', async () => {
    const harness = await aHarness();
    const payout = await sent(harness, 'lost_after');
    await later(harness, payout, 10, 'unknown', 'lost_after');
    expect(await later(harness, payout, 30)).toMatchObject({ status: 'SUCCESS' });
    expect(harness.rail.books.size).toBe(1);
  });

  it('of a merchant banned meanwhile is neither sent again nor cancelled nor failed', async () => {
    const harness = await aHarness();
    const payout = await sent(harness, 'lost_before');
    await harness.merchants.setFlags(merchantId, { banned: true });
    expect(await later(harness, payout, 10, 'unknown')).toMatchObject({ status: 'PROCESS', phase: 'SENT' });
    expect(harness.rail.calls).toEqual([`send ${payout.id}`, `get ${payout.id}`]);
  });
});

describe('a refusal of a rail without tombstones', () => {
  it.each([
    ['of the only call', rejected],
    ['of an object', cancelled],
  ])('%s fails the payout', async (_what, act) => {
    const harness = await aHarness();
    expect(await sent(harness, act)).toMatchObject({ status: 'FAIL', reason: act.reason });
  });

  it('of a repeated call says nothing about the call before it, which may have paid', async () => {
    const harness = await aHarness();
    const payout = await sent(harness, 'lost_after');
    expect(await later(harness, payout, 10, 'unknown', rejected)).toMatchObject({ phase: 'SENT' });
    expect(await later(harness, payout, 30)).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('an attempt that the rail has ended', () => {
  it('leaves a payout that can be declined', async () => {
    const harness = await aHarness();
    const payout = await sent(harness, 'lost_before');
    const { id: payoutId, revision } = await later(harness, payout, 10, empty);
    const declined = await declinePayout(harness, { payoutId, revision, by: 'olga', reason: 'x' });
    expect(declined).toMatchObject({ ok: true, value: { status: 'DECLINED' } });
  });

  it('and is reported as accepted later sends the payout to ERROR', async () => {
    const harness = await aHarness();
    const payout = await approved(harness);
    harness.rail.will('accepted', empty);
    const send = async (transfer: NewTransfer): Promise<RailView> => {
      const answer = await harness.rail.send(transfer);
      harness.pass(10);
      await dispatchPayout(harness, payout.id);
      harness.rail.will('accepted');
      harness.pass(600);
      await dispatchPayout(harness, payout.id);
      return answer;
    };
    await dispatchPayout({ ...harness, rails: onlyRail({ ...harness.rail, send }) }, payout.id);
    expect(await reread(harness, payout)).toMatchObject({
      status: 'ERROR',
      reason: 'the rail paid an attempt that had ended',
    });
    expect(harness.alarms).toEqual([`provider_empty ${payout.id}`, `payout_error ${payout.id}`]);
  });
});

/** The answer to the first call is late: meanwhile the rail reports its object as cancelled because our account was empty. */
async function acceptedAfterItsEnd(
  harness: PayoutHarness,
  state: 'accepted' | 'paid',
  meanwhile: (payout: Payout) => Promise<unknown> = async () => undefined,
): Promise<Payout> {
  const payout = await approved(harness);
  harness.rail.will({ state, reference: 'po-1' }, empty);
  const send = async (transfer: NewTransfer): Promise<RailView> => {
    const answer = await harness.rail.send(transfer);
    harness.pass(10);
    await dispatchPayout(harness, payout.id);
    await meanwhile(payout);
    return answer;
  };
  await dispatchPayout({ ...harness, rails: onlyRail({ ...harness.rail, send }) }, payout.id);
  return later(harness, payout, 600);
}

describe('an attempt that is accepted after its end, before the next one', () => {
  it.each(['accepted', 'paid'] as const)(
    'and is reported as %s sends the payout to ERROR: the next attempt could be a second transfer',
    async (state) => {
      const harness = await aHarness();
      const inDoubt = await acceptedAfterItsEnd(harness, state);
      expect(inDoubt).toMatchObject({ status: 'ERROR', reason: 'the rail paid an attempt that had ended' });
      expect(inDoubt.railCalls).toContainEqual(
        expect.objectContaining({ call: 'send', answer: state, reference: 'po-1' }),
      );
      expect(harness.alarms).toContain(`payout_error ${inDoubt.id}`);
      expect(harness.rail.keys).toEqual([`${inDoubt.id}.1`]);
      expect(await balanceOf(harness.table)).toMatchObject(locked);
    },
  );

  it('is not followed by another either when a ban and a new approval come between', async () => {
    const harness = await aHarness();
    const inDoubt = await acceptedAfterItsEnd(harness, 'paid', async (payout) => {
      await harness.merchants.setFlags(merchantId, { banned: true });
      expect(await later(harness, payout, 600)).toMatchObject({ status: 'MODERATING' });
    });
    expect(harness.alarms).toContain(`payout_error ${inDoubt.id}`);
    await harness.merchants.setFlags(merchantId, { banned: false });
    await approvePayout(harness, { payoutId: inDoubt.id, revision: inDoubt.revision, by: 'olga' });
    expect(await later(harness, inDoubt, 600)).toMatchObject({ status: 'ERROR' });
    expect(harness.rail.keys).toEqual([`${inDoubt.id}.1`]);
  });

  it('is read again when a person has it checked', async () => {
    const harness = await aHarness();
    const inDoubt = await acceptedAfterItsEnd(harness, 'paid');
    const { id: payoutId, revision } = inDoubt;
    await resolveError(harness, { payoutId, revision, outcome: 'ask', by: 'olga', evidence: 'a letter' });
    const paid = await later(harness, inDoubt, 0, { state: 'paid', reference: 'po-1' });
    expect(paid).toMatchObject({ status: 'SUCCESS', reference: 'po-1' });
    expect(harness.rail.keys).toEqual([`${payoutId}.1`]);
  });
});

describe('a payout in ERROR whose rail has no tombstones', () => {
  async function lostForADay(harness: PayoutHarness) {
    const payout = await sent(harness, 'lost_before');
    const { id: payoutId, revision } = await later(harness, payout, day, 'unknown');
    const resolution = { payoutId, revision, by: 'olga', evidence: 'letter of 24 November' } as const;
    return { payout, resolution };
  }

  it('takes two people and their evidence to fail, as nothing at the provider confirms an absence', async () => {
    const harness = await aHarness();
    const { payout, resolution } = await lostForADay(harness);
    const failed = { ...resolution, outcome: 'failed' } as const;
    harness.rail.will('unknown', 'unknown');
    expect(await resolveError(harness, failed)).toEqual({ ok: false, error: 'takes_two_people' });
    expect(await resolveError(harness, { ...failed, approvedBy: 'petr' })).toMatchObject({ ok: true });
    expect(harness.rail.calls.some((call) => call.startsWith('cancel'))).toBe(false);
    expect(await reread(harness, payout)).toMatchObject({
      status: 'FAIL',
      decisions: [
        { verdict: 'approved' },
        { verdict: 'failed', by: 'olga', approvedBy: 'petr', reason: 'letter of 24 November' },
      ],
    });
  });

  it.each([['paid'], ['accepted']] as const)(
    'is not failed by anyone once the rail reports it %s',
    async (state) => {
      const harness = await aHarness();
      const { resolution } = await lostForADay(harness);
      harness.rail.will({ state, reference: 'po-1' });
      const failed = { ...resolution, outcome: 'failed', approvedBy: 'petr' } as const;
      expect(await resolveError(harness, failed)).toEqual({
        ok: false,
        error: { contradictedBy: 'rail', says: state },
      });
    },
  );

  it.each([
    ['cancelled', cancelled],
    ['cancelled for our empty account', empty],
  ])('is failed by one person when the rail reports its object %s', async (_how, view) => {
    const harness = await aHarness();
    const { resolution } = await lostForADay(harness);
    harness.rail.will(view);
    expect(await resolveError(harness, { ...resolution, outcome: 'failed' })).toMatchObject({ ok: true });
  });

  it('takes two people to fail by its second attempt when the rail had taken the first', async () => {
    const harness = await aHarness();
    const payout = await sent(harness, { state: 'accepted', reference: 'po-1' });
    await later(harness, payout, 10, empty);
    await later(harness, payout, 600, 'lost_before');
    const { id: payoutId, revision } = await later(harness, payout, day, 'unknown');
    const resolution = { payoutId, revision, outcome: 'failed', by: 'olga', evidence: 'letter' } as const;
    harness.rail.will({ ...cancelled, reference: 'po-2' });
    expect(await resolveError(harness, resolution)).toEqual({ ok: false, error: 'takes_two_people' });
  });

  it('is failed by one person when it was never sent', async () => {
    const harness = await aHarness();
    const queued = inStatus(await reread(harness, await approved(harness)), 'PROCESS');
    await harness.payouts.move(queued, inError(queued, 'its sealed destination is another'));
    const resolution = { payoutId: queued.id, revision: queued.revision + 1, by: 'olga', evidence: 'log' };
    expect(await resolveError(harness, { ...resolution, outcome: 'failed' })).toMatchObject({ ok: true });
    expect(harness.rail.keys).toEqual([]);
  });

  it('that was never sent, and is checked again, is sent by the rail that it belongs to from then on', async () => {
    const harness = await aHarness();
    const queued = inStatus(await reread(harness, await approved(harness)), 'PROCESS');
    await harness.payouts.move(queued, inError(queued, 'a person must look'));
    const resolution = { payoutId: queued.id, revision: queued.revision + 1, by: 'olga', evidence: 'log' };
    await resolveError(harness, { ...resolution, outcome: 'ask' });
    const sentNow = await later(harness, queued, 0, 'unknown', 'lost_before');
    expect(sentNow).toMatchObject({ phase: 'SENT', rail: 'test', firstCallAt: harness.clock.at });
    expect(harness.rail.keys).toEqual([`${queued.id}.1`]);
  });

  it('takes two people to settle as paid when the rail does not find it', async () => {
    const harness = await aHarness();
    const { resolution } = await lostForADay(harness);
    harness.rail.will('unknown');
    const paid = { ...resolution, outcome: 'paid' } as const;
    expect(await resolveError(harness, paid)).toEqual({ ok: false, error: 'takes_two_people' });
  });

  it('is not settled as paid when the rail reports its object cancelled for our empty account', async () => {
    const harness = await aHarness();
    const { resolution } = await lostForADay(harness);
    harness.rail.will(empty);
    const paid = { ...resolution, outcome: 'paid', approvedBy: 'petr' } as const;
    expect(await resolveError(harness, paid)).toMatchObject({ error: { contradictedBy: 'rail' } });
  });
});
