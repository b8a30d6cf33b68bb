import { describe, expect, it } from 'vitest';
import { createRegularPayout } from '../../lib/payout/create-regular-payout.ts';
import { dispatchPayout } from '../../lib/payout/dispatch-payout.ts';
import { listPayouts } from '../../lib/payout/list-payouts.ts';
import { approvePayout, declinePayout } from '../../lib/payout/moderate.ts';
import { inError } from '../../lib/payout/moves.ts';
import type { Payout } from '../../lib/payout/payout.ts';
import { resolveError } from '../../lib/payout/resolve-error.ts';
import type { PayoutStatus } from '../../lib/payout/states.ts';
import { takeBackPayout } from '../../lib/payout/take-back.ts';
import { dynamoPayouts } from '../../lib/store/payouts.ts';
import { merchantId } from '../support/builders.ts';
import {
  afterReading,
  balanceOf,
  created,
  eventsOf,
  journalOf,
  movedOn,
  type PayoutHouse,
  payoutHouse,
  phone,
  reread,
  toCard,
  toPhone,
} from '../support/payout-house.ts';
import { payoutTerms } from '../support/payouts.ts';
import { itemsOf } from '../support/items-of.ts';

const opening = 1_000_000n;
const by = 'olga';

/** A payout of 1000.00 with a fee of 10.00, brought to a state by the very steps that lead there. */
async function payoutIn(house: PayoutHouse, status: PayoutStatus): Promise<Payout> {
  const payout = await created(house);
  const { id: payoutId, revision } = payout;
  if (status === 'DECLINED') await declinePayout(house, { payoutId, revision, by, reason: 'no' });
  if (['PROCESS', 'SUCCESS', 'FAIL', 'ERROR'].includes(status)) {
    await approvePayout(house, { payoutId, revision, by });
    if (status === 'PROCESS') return reread(house, payout);
    house.rail.will(status === 'SUCCESS' ? 'paid' : status === 'FAIL' ? 'refused' : 'accepted');
    await dispatchPayout(house, payoutId);
  }
  if (status === 'ERROR') {
    const sent = await reread(house, payout);
    await house.payouts.move(sent, inError(sent, 'somebody must look'));
  }
  return reread(house, payout);
}

/** Balance and journal agree, whatever happened: each field is the opening plus the sum of its lines. */
async function expectBooksToAgree(house: PayoutHouse) {
  const { available, locked, held } = await balanceOf(house.table);
  expect(available).toBe(opening + (await movedOn(house.table, 'available')));
  expect(locked).toBe(await movedOn(house.table, 'locked'));
  expect(held).toBe(await movedOn(house.table, 'held'));
  for (const { lines } of await journalOf(house.table)) {
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
    const house = await payoutHouse({ availableMinor: opening });

    const payout = await payoutIn(house, status);

    expect(payout.status).toBe(status);
    expect(await balanceOf(house.table)).toEqual(balance);
    expect((await journalOf(house.table)).map(({ kind }) => kind).toSorted()).toEqual(kinds);
    expect((await eventsOf(house.table)).map((fields) => fields['Status'])).toEqual(told);
    expect(house.notified).toEqual(told.map((final) => `po.${payout.id}.${final}`));
    await expectBooksToAgree(house);
  });

  it('SUCCESS: the rail was paid what clearing says, and the fee is earned', async () => {
    const house = await payoutHouse({ availableMinor: opening });
    const payout = await payoutIn(house, 'SUCCESS');
    expect(house.rail.books).toEqual(new Map([[payout.id, 100_000n]]));
    expect(await movedOn(house.table, 'clearing')).toBe(100_000n);
    expect(await movedOn(house.table, 'fees')).toBe(1_000n);
  });

  it.each(['SUCCESS', 'FAIL', 'DECLINED'] as const)(
    '%s: the destination is erased and nothing is left to do',
    async (status) => {
      const house = await payoutHouse();
      const payout = await payoutIn(house, status);
      expect(payout.destination).toBeUndefined();
      const item = (await itemsOf(house.table)).find((each) => each['id'] === payout.id);
      expect(Object.keys(item ?? {})).not.toContain('workList');
    },
  );

  it.each(['MODERATING', 'PROCESS', 'ERROR'] as const)(
    '%s: the payout is on a list of work',
    async (status) => {
      const house = await payoutHouse();
      const payout = await payoutIn(house, status);
      const item = (await itemsOf(house.table)).find((each) => each['id'] === payout.id);
      expect(item?.['workList']).toMatch(/^W#(?:MOD|ERR|PO#\d\d)$/);
    },
  );
});

describe('the payout postback', () => {
  it('tells the phone in full, which nothing else does', async () => {
    const house = await payoutHouse();
    const payout = await created(house, { destination: toPhone });
    await declinePayout(house, { payoutId: payout.id, revision: 1, by, reason: 'no' });
    expect(await eventsOf(house.table)).toMatchObject([{ AccountType: 'QIWI', AccountNumber: phone }]);
    const others = (await itemsOf(house.table)).filter((item) => item['SK'] !== 'E');
    expect(others.map((item) => JSON.stringify(item)).join()).not.toContain(phone);
  });

  it('tells the mask of a card, and the card is never opened for it', async () => {
    const house = await payoutHouse();
    const destinationOpener = { open: () => Promise.reject(new Error('not to be opened')) };
    const payout = await created(house);
    await declinePayout(
      { ...house, destinationOpener },
      { payoutId: payout.id, revision: 1, by, reason: 'no' },
    );
    expect(await eventsOf(house.table)).toMatchObject([
      { AccountType: 'BANK_CARD', AccountNumber: '411111******1111' },
    ]);
  });

  it('is not written for a merchant without a payout webhook', async () => {
    const house = await payoutHouse({ merchant: { payoutWebhookUrl: undefined } });
    const payout = await payoutIn(house, 'DECLINED');
    expect(payout.status).toBe('DECLINED');
    expect(await eventsOf(house.table)).toEqual([]);
    expect(house.notified).toEqual([]);
  });
});

describe('the moderator', () => {
  it('lists what waits, the oldest first', async () => {
    const house = await payoutHouse();
    const first = await created(house, { orderId: '1' });
    house.pass(60);
    const second = await created(house, { orderId: '2' });
    expect((await listPayouts(house, 'moderating')).map(({ id }) => id)).toEqual([first.id, second.id]);
    await approvePayout(house, { payoutId: first.id, revision: 1, by });
    expect((await listPayouts(house, 'moderating')).map(({ id }) => id)).toEqual([second.id]);
  });

  it('approves what they saw: it is queued, and their name is kept', async () => {
    const house = await payoutHouse();
    const { id } = await created(house);
    const approved = await approvePayout(house, { payoutId: id, revision: 1, by, reason: 'known person' });
    expect(approved).toMatchObject({
      value: {
        status: 'PROCESS',
        phase: 'QUEUED',
        rulings: [{ verdict: 'approved', by, reason: 'known person' }],
      },
    });
    expect(house.queued).toEqual([{ id, delaySeconds: undefined }]);
  });

  it('declines with a reason that is kept', async () => {
    const house = await payoutHouse();
    const payout = await payoutIn(house, 'DECLINED');
    expect(payout.rulings).toEqual([{ verdict: 'declined', by, reason: 'no', at: house.clock.at }]);
  });

  it('does not approve for a merchant who is banned by now', async () => {
    const house = await payoutHouse();
    const { id } = await created(house);
    await house.merchants.setFlags(merchantId, { banned: true });
    const before = await itemsOf(house.table);
    expect(await approvePayout(house, { payoutId: id, revision: 1, by })).toEqual({
      ok: false,
      error: 'merchant_banned',
    });
    expect(await itemsOf(house.table)).toEqual(before);
  });

  it('does not decide about what they did not see', async () => {
    const house = await payoutHouse();
    const { id: payoutId } = await created(house);
    expect(await approvePayout(house, { payoutId, revision: 0, by })).toEqual({
      ok: false,
      error: 'payout_changed',
    });
    const decision = { payoutId, revision: 2, by, reason: 'no' };
    expect(await declinePayout(house, decision)).toEqual({ ok: false, error: 'payout_changed' });
  });

  it.each(['PROCESS', 'SUCCESS', 'FAIL', 'ERROR', 'DECLINED'] as const)(
    'decides nothing about a %s payout',
    async (status) => {
      const house = await payoutHouse();
      const { id: payoutId, revision } = await payoutIn(house, status);
      const before = await itemsOf(house.table);
      const refused = { ok: false, error: 'payout_not_moderating' };
      expect(await approvePayout(house, { payoutId, revision, by })).toEqual(refused);
      expect(await declinePayout(house, { payoutId, revision, by, reason: 'no' })).toEqual(refused);
      expect(await itemsOf(house.table)).toEqual(before);
    },
  );

  it('and another moderator cannot both decide: one of two wins', async () => {
    const house = await payoutHouse({ availableMinor: opening });
    const { id: payoutId } = await created(house);
    const decisions = await Promise.all([
      approvePayout(house, { payoutId, revision: 1, by }),
      declinePayout(house, { payoutId, revision: 1, by: 'pavel', reason: 'no' }),
    ]);
    expect(decisions.filter(({ ok }) => ok)).toHaveLength(1);
    await expectBooksToAgree(house);
  });

  it('declines once: another who saw it before that is told', async () => {
    const house = await payoutHouse({ availableMinor: opening });
    const { id: payoutId } = await created(house);
    const seen = await reread(house, { id: payoutId });
    const payouts = { ...house.payouts, find: async () => seen };
    await declinePayout(house, { payoutId, revision: 1, by, reason: 'no' });
    const late = await declinePayout({ ...house, payouts }, { payoutId, revision: 1, by, reason: 'no' });
    expect(late).toEqual({ ok: false, error: 'payout_changed' });
    expect(await balanceOf(house.table)).toEqual(given);
    await expectBooksToAgree(house);
  });

  it('finds no payout under an id that is none', async () => {
    const house = await payoutHouse();
    const nothing = { ok: false, error: 'payout_not_found' };
    expect(await approvePayout(house, { payoutId: 'x', revision: 1, by })).toEqual(nothing);
    expect(
      await declinePayout(house, { payoutId: `${'0'.repeat(20)}01`, revision: 1, by, reason: 'no' }),
    ).toEqual(nothing);
  });
});

describe('limits that are given back', () => {
  it.each([
    ['the same day', '2026-11-21T23:59:00Z', { day: 0n, month: 0n }],
    ['another day of the month', '2026-11-22T00:01:00Z', { day: 50_000n, month: 50_000n }],
    ['another month', '2026-12-01T00:01:00Z', { day: 50_000n, month: 50_000n }],
  ])('on %s count where they still run', async (_when, at, left) => {
    const house = await payoutHouse();
    const payout = await created(house);
    house.clock.at = new Date(at);
    if (left.day > 0n) await created(house, { amount: '500' });
    await declinePayout(house, { payoutId: payout.id, revision: 1, by, reason: 'no' });
    expect(await balanceOf(house.table)).toMatchObject(left);
  });

  it('can be used again to the kopeck', async () => {
    const house = await payoutHouse({ terms: { dayLimitMinor: 100_000n } });
    const payout = await payoutIn(house, 'FAIL');
    expect(payout.status).toBe('FAIL');
    const again = { caller: house.caller, amount: '1000', destination: toCard };
    expect(await createRegularPayout(house, again)).toMatchObject({ ok: true });
  });

  it('meet a payout that begins a new day just then: the new day keeps its own', async () => {
    const house = await payoutHouse({ availableMinor: opening });
    const payout = await created(house);
    house.clock.at = new Date('2026-12-01T00:00:00Z');
    const table = afterReading(house.table, 'BAL#', () => created(house, { amount: '500' }));
    const payouts = dynamoPayouts(table, () => payoutTerms());
    await declinePayout({ ...house, payouts }, { payoutId: payout.id, revision: 1, by, reason: 'no' });
    const { day, month } = await balanceOf(house.table);
    expect([day, month]).toEqual([50_000n, 50_000n]);
    await expectBooksToAgree(house);
  });
});

describe('an account that was paid before', () => {
  const terms = { autoApproveKnownAccounts: true };

  it('needs no moderator where the merchant has that rule', async () => {
    const house = await payoutHouse({ terms });
    await payoutIn(house, 'SUCCESS');
    const known = await created(house, { orderId: 'another' });
    expect(known).toMatchObject({ status: 'NEW', rulings: [{ by: 'rule:auto_approve_known_accounts' }] });
    expect(await created(house, { destination: toPhone })).toMatchObject({ status: 'MODERATING' });
  });

  it.each(['PROCESS', 'FAIL', 'ERROR', 'DECLINED'] as const)(
    'is not one whose payout is %s',
    async (status) => {
      const house = await payoutHouse({ terms });
      await payoutIn(house, status);
      expect(await created(house, { orderId: 'another' })).toMatchObject({ status: 'MODERATING' });
    },
  );
});

describe('a payout in ERROR', () => {
  it('waits on a list of its own until a person has looked', async () => {
    const house = await payoutHouse();
    const payout = await payoutIn(house, 'ERROR');
    expect(await listPayouts(house, 'error')).toEqual([payout]);
    house.pass(7 * 24 * 3600);
    await dispatchPayout(house, payout.id);
    expect(await reread(house, payout)).toEqual(payout);
  });

  it.each([
    ['paid', 'SUCCESS', gone],
    ['failed', 'FAIL', given],
  ] as const)('that was %s after all becomes %s, with the evidence', async (outcome, status, balance) => {
    const house = await payoutHouse({ availableMinor: opening });
    const { id: payoutId, revision } = await payoutIn(house, 'ERROR');
    const resolved = await resolveError(house, { payoutId, revision, outcome, by, evidence: 'letter 17' });
    expect(resolved).toMatchObject({ value: { status } });
    const payout = await reread(house, { id: payoutId });
    expect(payout.rulings.at(-1)).toEqual({ verdict: outcome, by, reason: 'letter 17', at: house.clock.at });
    expect(await balanceOf(house.table)).toEqual(balance);
    expect((await eventsOf(house.table)).map((fields) => fields['Status'])).toEqual([status]);
    await expectBooksToAgree(house);
  });

  it('can be asked about again, from the beginning of the schedule', async () => {
    const house = await payoutHouse();
    const { id: payoutId, revision } = await payoutIn(house, 'ERROR');
    await resolveError(house, { payoutId, revision, outcome: 'ask', by, evidence: 'they looked' });
    house.rail.will({ state: 'paid', reference: `ref-${payoutId}` });
    await dispatchPayout(house, payoutId);
    expect(await reread(house, { id: payoutId })).toMatchObject({ status: 'SUCCESS', providerKey: payoutId });
  });

  it.each([
    ['without a name', { state: 'accepted' }, { state: 'unknown' }],
    ['under a name', { state: 'accepted', reference: 'r-1' }, { state: 'unknown' }],
    ['under another name', { state: 'accepted', reference: 'r-1' }, { state: 'paid', reference: 'r-2' }],
  ] as const)(
    'that the rail accepted %s is neither sent nor buried when asked about again',
    async (_how, accepts, contradicts) => {
      const house = await payoutHouse();
      const { id: payoutId, revision } = await created(house);
      await approvePayout(house, { payoutId, revision, by });
      house.rail.will(accepts);
      await dispatchPayout(house, payoutId);
      for (const seconds of [10, 24 * 3600]) {
        house.pass(seconds);
        house.rail.will(contradicts);
        await dispatchPayout(house, payoutId);
        const inDoubt = await reread(house, { id: payoutId });
        expect(inDoubt).toMatchObject({ status: 'ERROR', accepted: true });
        const resolution = {
          payoutId,
          revision: inDoubt.revision,
          outcome: 'ask',
          by,
          evidence: 'x',
        } as const;
        expect(await resolveError(house, resolution)).toMatchObject({ ok: true });
      }
      expect(house.rail.calls).toEqual([`send ${payoutId}`, `get ${payoutId}`, `get ${payoutId}`]);
      expect(await balanceOf(house.table)).toMatchObject({ locked: 100_000n, held: 1_000n });
    },
  );

  it('is settled by a rail that found its word again', async () => {
    const house = await payoutHouse();
    const { id: payoutId, revision } = await payoutIn(house, 'ERROR');
    await resolveError(house, { payoutId, revision, outcome: 'ask', by, evidence: 'they looked' });
    house.rail.will('accepted', 'paid');
    await dispatchPayout(house, payoutId);
    house.pass(30);
    await dispatchPayout(house, payoutId);
    expect(await reread(house, { id: payoutId })).toMatchObject({ status: 'SUCCESS' });
  });

  it.each(['MODERATING', 'PROCESS', 'SUCCESS', 'FAIL', 'DECLINED'] as const)(
    'is not a %s payout',
    async (status) => {
      const house = await payoutHouse();
      const { id: payoutId, revision } = await payoutIn(house, status);
      const before = await itemsOf(house.table);
      const resolution = { payoutId, revision, outcome: 'paid', by, evidence: 'letter' } as const;
      expect(await resolveError(house, resolution)).toEqual({ ok: false, error: 'payout_not_in_error' });
      expect(await itemsOf(house.table)).toEqual(before);
    },
  );

  it('is not resolved as it was seen by another', async () => {
    const house = await payoutHouse();
    const { id: payoutId, revision } = await payoutIn(house, 'ERROR');
    const resolution = { payoutId, revision: revision - 1, outcome: 'paid', by, evidence: 'letter' } as const;
    expect(await resolveError(house, resolution)).toEqual({ ok: false, error: 'payout_changed' });
  });
});

describe('money that comes back', () => {
  it('is available again, once; the status stays SUCCESS and somebody is told', async () => {
    const house = await payoutHouse({ availableMinor: opening });
    const { id: payoutId } = await payoutIn(house, 'SUCCESS');
    const back = await takeBackPayout(house, { payoutId, by, evidence: 'statement' });
    expect(back).toMatchObject({ value: { status: 'SUCCESS' } });
    expect(await balanceOf(house.table)).toMatchObject({ available: opening - 1_000n, locked: 0n, held: 0n });
    expect(await movedOn(house.table, 'clearing')).toBe(0n);
    expect(house.alarms).toEqual([`payout_returned ${payoutId}`]);
    expect(await takeBackPayout(house, { payoutId, by, evidence: 'again' })).toEqual({
      ok: false,
      error: 'payout_not_paid',
    });
    await expectBooksToAgree(house);
  });

  it('is told even if writing it down was the last that happened', async () => {
    const house = await payoutHouse();
    const { id: payoutId } = await payoutIn(house, 'SUCCESS');
    const takeBack = async (...booked: Parameters<typeof house.payouts.takeBack>) => {
      await house.payouts.takeBack(...booked);
      throw new Error('gone');
    };
    const dying = takeBackPayout(
      { ...house, payouts: { ...house.payouts, takeBack } },
      { payoutId, by, evidence: 'statement' },
    );
    await expect(dying).rejects.toThrow('gone');
    expect(house.alarms).toEqual([`payout_returned ${payoutId}`]);
  });

  it.each(['MODERATING', 'PROCESS', 'ERROR', 'FAIL', 'DECLINED'] as const)(
    'does not come back from %s',
    async (status) => {
      const house = await payoutHouse();
      const { id: payoutId } = await payoutIn(house, status);
      const before = await itemsOf(house.table);
      expect(await takeBackPayout(house, { payoutId, by, evidence: 'x' })).toEqual({
        ok: false,
        error: 'payout_not_paid',
      });
      expect(await itemsOf(house.table)).toEqual(before);
    },
  );
});
