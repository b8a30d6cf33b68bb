import { describe, expect, it } from 'vitest';
import { readPayoutId, toPayoutId } from '../../../lib/ids.ts';
import { createRegularPayout } from '../../../lib/payout/create-regular-payout.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { listPayouts } from '../../../lib/payout/list-payouts.ts';
import { approvePayout, declinePayout } from '../../../lib/payout/moderate.ts';
import { inError } from '../../../lib/payout/moves.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import { resolveError } from '../../../lib/payout/resolve-error.ts';
import type { PayoutStatus } from '../../../lib/payout/states.ts';
import { recordReturn } from '../../../lib/payout/record-return.ts';
import { dynamoPayouts } from '../../../lib/store/payouts.ts';
import { merchantId } from '../../support/builders.ts';
import {
  afterReading,
  balanceOf,
  created,
  eventsOf,
  journalOf,
  movedOn,
  type PayoutHarness,
  payoutHarness,
  phone,
  reread,
  toCard,
  toPhone,
} from '../../support/payout-harness.ts';
import { payoutEventId } from '../../../lib/postback/event.ts';
import { toEvent } from '../../../lib/store/event-item.ts';
import { inStatus, payoutTerms } from '../../support/payouts.ts';
import { itemsOf } from '../../support/items-of.ts';

const opening = 1_000_000n;
const by = 'olga';

/** A payout of 1000.00 with a fee of 10.00, brought to a state by the steps that lead there. */
async function payoutIn(harness: PayoutHarness, status: PayoutStatus): Promise<Payout> {
  const payout = await created(harness);
  const { id: payoutId, revision } = payout;
  if (status === 'DECLINED') await declinePayout(harness, { payoutId, revision, by, reason: 'no' });
  if (['PROCESS', 'SUCCESS', 'FAIL', 'ERROR'].includes(status)) {
    await approvePayout(harness, { payoutId, revision, by });
    if (status === 'PROCESS') return reread(harness, payout);
    harness.rail.will(status === 'SUCCESS' ? 'paid' : status === 'FAIL' ? 'refused' : 'accepted');
    await dispatchPayout(harness, payoutId);
  }
  if (status === 'ERROR') {
    const sent = inStatus(await reread(harness, payout), 'PROCESS');
    await harness.payouts.move(sent, inError(sent, 'a person must look'));
  }
  return reread(harness, payout);
}

/** Asserts that balance and journal agree: each field is the opening amount plus the sum of its lines. */
async function expectBooksToAgree(harness: PayoutHarness) {
  const { available, locked, held } = await balanceOf(harness.table);
  expect(available).toBe(opening + (await movedOn(harness.table, 'available')));
  expect(locked).toBe(await movedOn(harness.table, 'locked'));
  expect(held).toBe(await movedOn(harness.table, 'held'));
  for (const { lines } of await journalOf(harness.table)) {
    expect(lines.reduce((sum, { minor }) => sum + minor, 0n)).toBe(0n);
  }
}

const promised = {
  available: opening - 101_000n,
  locked: 100_000n,
  held: 1_000n,
  day: 100_000n,
  month: 100_000n,
};
const given = { available: opening, locked: 0n, held: 0n, day: 0n, month: 0n };
const gone = { available: opening - 101_000n, locked: 0n, held: 0n, day: 100_000n, month: 100_000n };

describe('every state of a payout, to the kopeck', () => {
  it.each([
    ['MODERATING', promised, ['RESERVE'], []],
    ['PROCESS', promised, ['RESERVE'], []],
    ['ERROR', promised, ['RESERVE'], []],
    ['DECLINED', given, ['RELEASE', 'RESERVE'], ['DECLINED']],
    ['FAIL', given, ['RELEASE', 'RESERVE'], ['FAIL']],
    ['SUCCESS', gone, ['RESERVE', 'SETTLE'], ['SUCCESS']],
  ] as const)('%s: balance, journal and postback', async (status, balance, kinds, told) => {
    const harness = await payoutHarness({ availableMinor: opening });

    const payout = await payoutIn(harness, status);

    expect(payout.status).toBe(status);
    expect(await balanceOf(harness.table)).toEqual(balance);
    expect((await journalOf(harness.table)).map(({ kind }) => kind).toSorted()).toEqual(kinds);
    expect((await eventsOf(harness.table)).map((fields) => fields['Status'])).toEqual(told);
    expect(harness.notified).toEqual(told.map((final) => `po.${payout.id}.${final}`));
    await expectBooksToAgree(harness);
  });

  it('SUCCESS: the rail was paid what clearing says, and the fee is earned', async () => {
    const harness = await payoutHarness({ availableMinor: opening });
    const payout = await payoutIn(harness, 'SUCCESS');
    expect(harness.rail.books).toEqual(new Map([[payout.id, 100_000n]]));
    expect(await movedOn(harness.table, 'clearing')).toBe(100_000n);
    expect(await movedOn(harness.table, 'fees')).toBe(1_000n);
  });

  it.each(['SUCCESS', 'FAIL', 'DECLINED'] as const)(
    '%s: the destination is erased and nothing is left to do',
    async (status) => {
      const harness = await payoutHarness();
      const payout = await payoutIn(harness, status);
      const item = (await itemsOf(harness.table)).find((each) => each['id'] === payout.id);
      expect(item).toMatchObject({ status });
      expect(item).not.toHaveProperty('destination');
      expect(item).not.toHaveProperty('workList');
    },
  );

  it.each(['MODERATING', 'PROCESS', 'ERROR'] as const)(
    '%s: the payout is on a list of work',
    async (status) => {
      const harness = await payoutHarness();
      const payout = await payoutIn(harness, status);
      const item = (await itemsOf(harness.table)).find((each) => each['id'] === payout.id);
      expect(item?.['workList']).toMatch(/^W#(?:MOD|ERR|PO#\d\d)$/);
    },
  );
});

describe('the payout postback', () => {
  it('has the phone sealed for this event alone; no item has it in the clear', async () => {
    const harness = await payoutHarness();
    const payout = await created(harness, { destination: toPhone });
    await declinePayout(harness, { payoutId: payout.id, revision: 1, by, reason: 'no' });
    expect(await eventsOf(harness.table)).toMatchObject([
      { AccountType: 'QIWI', AccountNumber: '7******6789' },
    ]);
    const items = await itemsOf(harness.table);
    expect(items.map((item) => JSON.stringify(item)).join()).not.toContain(phone);
    const { sealedPhone = '' } = toEvent(items.find(({ SK }) => SK === 'E'));
    const id = payoutEventId(payout.id, 'DECLINED');
    const context = { use: 'postback-phone', event: id };
    expect(await harness.destinationOpener.open(sealedPhone, context)).toBe(phone);
    const other = { use: 'postback-phone', event: payoutEventId(payout.id, 'FAIL') };
    await expect(harness.destinationOpener.open(sealedPhone, other)).rejects.toThrow();
  });

  it('contains the mask of a card, which is not decrypted for it', async () => {
    const harness = await payoutHarness();
    const destinationOpener = { open: () => Promise.reject(new Error('not to be opened')) };
    const payout = await created(harness);
    await declinePayout(
      { ...harness, destinationOpener },
      { payoutId: payout.id, revision: 1, by, reason: 'no' },
    );
    expect(await eventsOf(harness.table)).toMatchObject([
      { AccountType: 'BANK_CARD', AccountNumber: '411111******1111' },
    ]);
  });

  it('is not written for a merchant without a payout webhook', async () => {
    const harness = await payoutHarness({ merchant: { payoutWebhookUrl: undefined } });
    const payout = await payoutIn(harness, 'DECLINED');
    expect(payout.status).toBe('DECLINED');
    expect(await eventsOf(harness.table)).toEqual([]);
    expect(harness.notified).toEqual([]);
  });
});

describe('the moderator', () => {
  it('lists the waiting payouts, the oldest first', async () => {
    const harness = await payoutHarness();
    const first = await created(harness, { orderId: '1' });
    harness.pass(60);
    const second = await created(harness, { orderId: '2' });
    expect((await listPayouts(harness, 'moderating')).map(({ id }) => id)).toEqual([first.id, second.id]);
    await approvePayout(harness, { payoutId: first.id, revision: 1, by });
    expect((await listPayouts(harness, 'moderating')).map(({ id }) => id)).toEqual([second.id]);
  });

  it('approves the revision they saw: it is queued, and their name is stored', async () => {
    const harness = await payoutHarness();
    const { id } = await created(harness);
    const approved = await approvePayout(harness, { payoutId: id, revision: 1, by, reason: 'known person' });
    expect(approved).toMatchObject({
      value: {
        status: 'PROCESS',
        phase: 'QUEUED',
        decisions: [{ verdict: 'approved', by, reason: 'known person' }],
      },
    });
    expect(harness.queued).toEqual([{ id, delaySeconds: undefined }]);
  });

  it('declines with a reason that is stored', async () => {
    const harness = await payoutHarness();
    const payout = await payoutIn(harness, 'DECLINED');
    expect(payout.decisions).toEqual([{ verdict: 'declined', by, reason: 'no', at: harness.clock.at }]);
  });

  it('cannot approve for a merchant who was banned meanwhile', async () => {
    const harness = await payoutHarness();
    const { id } = await created(harness);
    await harness.merchants.setFlags(merchantId, { banned: true });
    const before = await itemsOf(harness.table);
    expect(await approvePayout(harness, { payoutId: id, revision: 1, by })).toEqual({
      ok: false,
      error: 'merchant_banned',
    });
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it('cannot decide about a revision they did not see', async () => {
    const harness = await payoutHarness();
    const { id: payoutId } = await created(harness);
    expect(await approvePayout(harness, { payoutId, revision: 0, by })).toEqual({
      ok: false,
      error: 'payout_changed',
    });
    const decision = { payoutId, revision: 2, by, reason: 'no' };
    expect(await declinePayout(harness, decision)).toEqual({ ok: false, error: 'payout_changed' });
  });

  it.each(['SUCCESS', 'FAIL', 'ERROR', 'DECLINED'] as const)(
    'decides nothing about a %s payout',
    async (status) => {
      const harness = await payoutHarness();
      const { id: payoutId, revision } = await payoutIn(harness, status);
      const before = await itemsOf(harness.table);
      const refused = { ok: false, error: 'payout_not_moderating' };
      expect(await approvePayout(harness, { payoutId, revision, by })).toEqual(refused);
      expect(await declinePayout(harness, { payoutId, revision, by, reason: 'no' })).toEqual(refused);
      expect(await itemsOf(harness.table)).toEqual(before);
    },
  );

  it('and another moderator cannot both decide: one wins', async () => {
    const harness = await payoutHarness({ availableMinor: opening });
    const { id: payoutId } = await created(harness);
    const decisions = await Promise.all([
      approvePayout(harness, { payoutId, revision: 1, by }),
      declinePayout(harness, { payoutId, revision: 1, by: 'pavel', reason: 'no' }),
    ]);
    expect(decisions.filter(({ ok }) => ok)).toHaveLength(1);
    await expectBooksToAgree(harness);
  });

  it('declines once: another who saw the earlier revision is refused', async () => {
    const harness = await payoutHarness({ availableMinor: opening });
    const { id: payoutId } = await created(harness);
    const seen = await reread(harness, { id: payoutId });
    const payouts = { ...harness.payouts, find: async () => seen };
    await declinePayout(harness, { payoutId, revision: 1, by, reason: 'no' });
    const late = await declinePayout({ ...harness, payouts }, { payoutId, revision: 1, by, reason: 'no' });
    expect(late).toEqual({ ok: false, error: 'payout_changed' });
    expect(await balanceOf(harness.table)).toEqual(given);
    await expectBooksToAgree(harness);
  });

  it('finds no payout under a malformed id', async () => {
    const harness = await payoutHarness();
    const nothing = { ok: false, error: 'payout_not_found' };
    expect(await approvePayout(harness, { payoutId: readPayoutId('x'), revision: 1, by })).toEqual(nothing);
    expect(
      await declinePayout(harness, {
        payoutId: toPayoutId(`${'0'.repeat(20)}01`),
        revision: 1,
        by,
        reason: 'no',
      }),
    ).toEqual(nothing);
  });
});

describe('limits that are given back', () => {
  it.each([
    ['the same day', '2026-11-21T23:59:00Z', { day: 0n, month: 0n }],
    ['another day of the month', '2026-11-22T00:01:00Z', { day: 50_000n, month: 50_000n }],
    ['another month', '2026-12-01T00:01:00Z', { day: 50_000n, month: 50_000n }],
  ])('on %s count for the periods that still run', async (_when, at, left) => {
    const harness = await payoutHarness();
    const payout = await created(harness);
    harness.clock.at = new Date(at);
    if (left.day > 0n) await created(harness, { amount: '500' });
    await declinePayout(harness, { payoutId: payout.id, revision: 1, by, reason: 'no' });
    expect(await balanceOf(harness.table)).toMatchObject(left);
  });

  it('can be used again to the kopeck', async () => {
    const harness = await payoutHarness({ terms: { dayLimitMinor: 100_000n } });
    const payout = await payoutIn(harness, 'FAIL');
    expect(payout.status).toBe('FAIL');
    const again = {
      caller: harness.caller,
      amount: '1000',
      destination: toCard,
      idempotencyKey: undefined,
      orderId: undefined,
    };
    expect(await createRegularPayout(harness, again)).toMatchObject({ ok: true });
  });

  it('concurrently with the first payout of a new day do not change the new day', async () => {
    const harness = await payoutHarness({ availableMinor: opening });
    const payout = await created(harness);
    harness.clock.at = new Date('2026-12-01T00:00:00Z');
    const table = afterReading(harness.table, 'BAL#', () => created(harness, { amount: '500' }));
    const payouts = dynamoPayouts(table, () => payoutTerms());
    await declinePayout({ ...harness, payouts }, { payoutId: payout.id, revision: 1, by, reason: 'no' });
    const { day, month } = await balanceOf(harness.table);
    expect([day, month]).toEqual([50_000n, 50_000n]);
    await expectBooksToAgree(harness);
  });
});

describe('a payout in ERROR', () => {
  it('waits on a list of its own until a person resolves it', async () => {
    const harness = await payoutHarness();
    const payout = await payoutIn(harness, 'ERROR');
    expect(await listPayouts(harness, 'error')).toEqual([payout]);
    harness.pass(7 * 24 * 3600);
    await dispatchPayout(harness, payout.id);
    expect(await reread(harness, payout)).toEqual(payout);
  });

  it.each([
    ['paid', 'SUCCESS', gone],
    ['failed', 'FAIL', given],
  ] as const)('resolved as %s becomes %s, with the evidence stored', async (outcome, status, balance) => {
    const harness = await payoutHarness({ availableMinor: opening });
    const { id: payoutId, revision } = await payoutIn(harness, 'ERROR');
    const resolution = { payoutId, revision, outcome, by, approvedBy: 'petr', evidence: 'letter 17' };
    const resolved = await resolveError(harness, resolution);
    expect(resolved).toMatchObject({ value: { status } });
    const payout = await reread(harness, { id: payoutId });
    expect(payout.decisions.at(-1)).toEqual({
      verdict: outcome,
      by,
      approvedBy: 'petr',
      reason: 'letter 17',
      at: harness.clock.at,
    });
    expect(await balanceOf(harness.table)).toEqual(balance);
    expect((await eventsOf(harness.table)).map((fields) => fields['Status'])).toEqual([status]);
    await expectBooksToAgree(harness);
  });

  it('can be checked again, from the start of the schedule', async () => {
    const harness = await payoutHarness();
    const { id: payoutId, revision } = await payoutIn(harness, 'ERROR');
    await resolveError(harness, { payoutId, revision, outcome: 'ask', by, evidence: 'they looked' });
    harness.rail.will({ state: 'paid', reference: `ref-${payoutId}` });
    await dispatchPayout(harness, payoutId);
    expect(await reread(harness, { id: payoutId })).toMatchObject({
      status: 'SUCCESS',
      providerKey: `${payoutId}.1`,
    });
  });

  it.each([
    ['without a reference', { state: 'accepted' }, { state: 'unknown' }],
    ['with a reference', { state: 'accepted', reference: 'r-1' }, { state: 'unknown' }],
    [
      'with a reference that changes',
      { state: 'accepted', reference: 'r-1' },
      { state: 'paid', reference: 'r-2' },
    ],
  ] as const)(
    'that the rail accepted %s is neither sent nor cancelled when checked again',
    async (_how, accepts, contradicts) => {
      const harness = await payoutHarness();
      const { id: payoutId, revision } = await created(harness);
      await approvePayout(harness, { payoutId, revision, by });
      harness.rail.will(accepts);
      await dispatchPayout(harness, payoutId);
      for (const seconds of [10, 24 * 3600]) {
        harness.pass(seconds);
        harness.rail.will(contradicts);
        await dispatchPayout(harness, payoutId);
        const inDoubt = await reread(harness, { id: payoutId });
        expect(inDoubt).toMatchObject({ status: 'ERROR', accepted: true });
        const resolution = {
          payoutId,
          revision: inDoubt.revision,
          outcome: 'ask',
          by,
          evidence: 'x',
        } as const;
        expect(await resolveError(harness, resolution)).toMatchObject({ ok: true });
      }
      expect(harness.rail.calls).toEqual([`send ${payoutId}`, `get ${payoutId}`, `get ${payoutId}`]);
      expect(await balanceOf(harness.table)).toMatchObject({ locked: 100_000n, held: 1_000n });
    },
  );

  it('is settled by a rail that reports consistently again', async () => {
    const harness = await payoutHarness();
    const { id: payoutId, revision } = await payoutIn(harness, 'ERROR');
    await resolveError(harness, { payoutId, revision, outcome: 'ask', by, evidence: 'they looked' });
    harness.rail.will('accepted', 'paid');
    await dispatchPayout(harness, payoutId);
    harness.pass(30);
    await dispatchPayout(harness, payoutId);
    expect(await reread(harness, { id: payoutId })).toMatchObject({ status: 'SUCCESS' });
  });

  it.each(['MODERATING', 'PROCESS', 'SUCCESS', 'FAIL', 'DECLINED'] as const)(
    'is not a %s payout',
    async (status) => {
      const harness = await payoutHarness();
      const { id: payoutId, revision } = await payoutIn(harness, status);
      const before = await itemsOf(harness.table);
      const resolution = { payoutId, revision, outcome: 'paid', by, evidence: 'letter' } as const;
      expect(await resolveError(harness, resolution)).toEqual({ ok: false, error: 'payout_not_in_error' });
      expect(await itemsOf(harness.table)).toEqual(before);
    },
  );

  it('is not resolved at an outdated revision', async () => {
    const harness = await payoutHarness();
    const { id: payoutId, revision } = await payoutIn(harness, 'ERROR');
    const resolution = { payoutId, revision: revision - 1, outcome: 'paid', by, evidence: 'letter' } as const;
    expect(await resolveError(harness, resolution)).toEqual({ ok: false, error: 'payout_changed' });
  });
});

describe('a returned payout', () => {
  it('makes the money available again, once; the status stays SUCCESS', async () => {
    const harness = await payoutHarness({ availableMinor: opening });
    const { id: payoutId, revision } = await payoutIn(harness, 'SUCCESS');
    const shown = { payoutId, revision, evidence: 'statement' };
    const unsigned = await recordReturn(harness, { ...shown, by: ' ' });
    expect(unsigned).toEqual({ ok: false, error: 'person_invalid' });
    expect(await recordReturn(harness, { ...shown, by })).toEqual({ ok: false, error: 'takes_two_people' });
    const stale = await recordReturn(harness, { ...shown, revision: revision - 1, by, approvedBy: 'petr' });
    expect(stale).toEqual({ ok: false, error: 'payout_changed' });
    const back = await recordReturn(harness, { ...shown, by, approvedBy: 'petr' });
    expect(back).toMatchObject({ value: { status: 'SUCCESS' } });
    expect(await balanceOf(harness.table)).toMatchObject({
      available: opening - 1_000n,
      locked: 0n,
      held: 0n,
    });
    expect(await movedOn(harness.table, 'clearing')).toBe(0n);
    expect(await recordReturn(harness, { ...shown, by, approvedBy: 'petr' })).toEqual({
      ok: false,
      error: 'payout_not_paid',
    });
    await expectBooksToAgree(harness);
  });

  it.each(['MODERATING', 'PROCESS', 'ERROR', 'FAIL', 'DECLINED'] as const)(
    'does not come back from %s',
    async (status) => {
      const harness = await payoutHarness();
      const { id: payoutId, revision } = await payoutIn(harness, status);
      const before = await itemsOf(harness.table);
      const shown = { payoutId, revision, evidence: 'x' };
      expect(await recordReturn(harness, { ...shown, by, approvedBy: 'petr' })).toEqual({
        ok: false,
        error: 'payout_not_paid',
      });
      expect(await itemsOf(harness.table)).toEqual(before);
    },
  );
});
