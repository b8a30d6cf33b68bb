import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toAccountId } from '../../../lib/ids.ts';
import { createPersonalPayout } from '../../../lib/payout/create-personal-payout.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { listPayouts } from '../../../lib/payout/list-payouts.ts';
import { approvePayout, declinePayout } from '../../../lib/payout/moderate.ts';
import { addPayoutAccount, setPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import { inError } from '../../../lib/payout/moves.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import { resolveError } from '../../../lib/payout/resolve-error.ts';
import { sweepPayouts } from '../../../lib/payout/sweep-payouts.ts';
import { dynamoPayouts } from '../../../lib/store/payouts.ts';
import type { Table } from '../../../lib/store/table.ts';
import { merchantId } from '../../support/builders.ts';
import { itemsOf } from '../../support/items-of.ts';
import {
  afterReading,
  balanceOf,
  card,
  created,
  eventsOf,
  journalOf,
  type PayoutHarness,
  payoutHarness,
  reread,
} from '../../support/payout-harness.ts';
import { inStatus, payoutTerms } from '../../support/payouts.ts';
import { onlyRail, type RailAct } from '../../support/rail.ts';

const by = 'olga';
const opening = 1_000_000n;
const given = { available: opening, locked: 0n, held: 0n, day: 0n, month: 0n };
const promised = { available: opening - 101_000n, locked: 100_000n, held: 1_000n };

/** A harness whose merchant needs no moderator. */
const trusting = () => payoutHarness({ availableMinor: opening, terms: { autoApproveUpToMinor: 100_000n } });

/** Payouts released for sending in each of the ways, and not sent. */
const released = {
  async 'a rule'() {
    const harness = await trusting();
    return { harness, payout: await created(harness) };
  },
  async 'a moderator'() {
    const harness = await payoutHarness({ availableMinor: opening });
    const { id: payoutId, revision } = await created(harness);
    await approvePayout(harness, { payoutId, revision, by });
    return { harness, payout: await reread(harness, { id: payoutId }) };
  },
};
const ways = ['a rule', 'a moderator'] as const;

const ban = ({ merchants }: PayoutHarness, banned = true) => merchants.setFlags(merchantId, { banned });
const dispatch = (harness: PayoutHarness, { id }: Payout) => dispatchPayout(harness, id);
const approve = (harness: PayoutHarness, { id: payoutId, revision }: Payout) =>
  approvePayout(harness, { payoutId, revision, by });
const decline = (harness: PayoutHarness, { id: payoutId, revision }: Payout) =>
  declinePayout(harness, { payoutId, revision, by, reason: 'leaked token' });

/** Advances the clock and dispatches the payout again; the rail acts as given. */
async function later(harness: PayoutHarness, payout: Payout, seconds: number, ...acts: RailAct[]) {
  harness.pass(seconds);
  harness.rail.will(...acts);
  await dispatch(harness, payout);
  return reread(harness, payout);
}

const storedAs = (table: Table) => dynamoPayouts(table, () => payoutTerms());

describe('a merchant who is banned after a payout was released', () => {
  it.each(ways)('(by %s): it is not sent, and a moderator decides again', async (way) => {
    const { harness, payout } = await released[way]();
    await ban(harness);
    await dispatch(harness, payout);

    expect(harness.rail.calls).toEqual([]);
    const stopped = await reread(harness, payout);
    expect(stopped).toMatchObject({ status: 'MODERATING', revision: payout.revision + 1 });
    expect(stopped.decisions.at(-1)).toEqual({
      verdict: 'stopped',
      by: 'rule:merchant_banned',
      reason: 'the merchant is banned',
      at: harness.clock.at,
    });
    expect(await listPayouts(harness, 'moderating')).toEqual([stopped]);
    expect(await balanceOf(harness.table)).toMatchObject(promised);
    expect(await eventsOf(harness.table)).toEqual([]);
    const item = (await itemsOf(harness.table)).find((each) => each['id'] === payout.id);
    expect(item).toMatchObject({ workList: 'W#MOD' });
  });

  it('is noticed even if the ban came after the payout was read', async () => {
    const { harness, payout } = await released['a rule']();
    const table = afterReading(harness.table, 'G#', () => ban(harness));
    await dispatch({ ...harness, payouts: storedAs(table) }, payout);
    expect(harness.rail.calls).toEqual([]);
    expect(await reread(harness, payout)).toMatchObject({ status: 'MODERATING' });
  });

  it('while the provider account was empty: nothing is sent when it is refilled', async () => {
    const { harness, payout } = await released['a rule']();
    await later(harness, payout, 0, 'provider_empty');
    await ban(harness);
    expect(await later(harness, payout, 600)).toMatchObject({ status: 'MODERATING' });
    harness.queued.length = 0;
    harness.pass(3600);
    await sweepPayouts(harness);
    expect(harness.queued).toEqual([]);
    expect(harness.rail.calls).toEqual([`send ${payout.id}`]);
    expect(harness.rail.books.size).toBe(0);
  });

  it('is paid out for once the ban is lifted and the payout approved again, but not by an old approval', async () => {
    const { harness, payout } = await released['a moderator']();
    await later(harness, payout, 0, 'provider_empty');
    await ban(harness);
    const stopped = await later(harness, payout, 600);
    expect(await approve(harness, stopped)).toEqual({ ok: false, error: 'merchant_banned' });
    await ban(harness, false);
    expect(await approve(harness, payout)).toEqual({ ok: false, error: 'payout_changed' });
    expect(await approve(harness, stopped)).toMatchObject({ ok: true });
    await dispatch(harness, payout);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS' });
    expect(harness.rail.books).toEqual(new Map([[payout.id, 100_000n]]));
  });

  it('gets the money back when the moderator declines', async () => {
    const { harness, payout } = await released['a rule']();
    await ban(harness);
    await dispatch(harness, payout);
    expect(await decline(harness, await reread(harness, payout))).toMatchObject({ ok: true });
    expect(await balanceOf(harness.table)).toEqual(given);
  });

  it('after the rail accepted it: the payout is followed to its end', async () => {
    const { harness, payout } = await released['a rule']();
    await later(harness, payout, 0, 'lost_after');
    await ban(harness);
    expect(await later(harness, payout, 10)).toMatchObject({ status: 'SUCCESS' });
    expect(harness.rail.calls).toEqual([`send ${payout.id}`, `get ${payout.id}`]);
  });

  it('after it was sent to a rail that does not know it: it is cancelled there, not sent again', async () => {
    const { harness, payout } = await released['a rule']();
    await later(harness, payout, 0, 'lost_before');
    await ban(harness);
    expect(await later(harness, payout, 10)).toMatchObject({ status: 'FAIL' });
    expect(harness.rail.calls).toEqual([`send ${payout.id}`, `get ${payout.id}`, `cancel ${payout.id}`]);
    expect(await balanceOf(harness.table)).toEqual(given);
    expect((await eventsOf(harness.table)).map((fields) => fields['Status'])).toEqual(['FAIL']);
  });

  it('is not paid out for either when a person has the rail checked again', async () => {
    const { harness, payout } = await released['a rule']();
    await later(harness, payout, 0, 'lost_before');
    await later(harness, payout, 10, 'unknown', 'provider_empty');
    await ban(harness);
    const { id: payoutId, revision, status } = await later(harness, payout, 600);
    expect(status).toBe('ERROR');
    await resolveError(harness, { payoutId, revision, outcome: 'ask', by, evidence: 'x' });
    expect(await later(harness, payout, 0)).toMatchObject({ status: 'FAIL' });
    expect(harness.rail.books.size).toBe(0);
    expect(await balanceOf(harness.table)).toEqual(given);
  });

  it('while the rail may have it and the provider account is empty: it goes to ERROR', async () => {
    const { harness, payout } = await released['a rule']();
    await later(harness, payout, 0, 'lost_before');
    const queued = await later(harness, payout, 10, 'unknown', 'provider_empty');
    expect(queued).toMatchObject({ phase: 'QUEUED' });
    await ban(harness);
    harness.rail.calls.length = 0;
    expect(await later(harness, payout, 600)).toMatchObject({
      status: 'ERROR',
      reason: 'the merchant is banned, and an earlier call may have reached the rail',
    });
    expect(harness.rail.calls).toEqual([]);
    expect(harness.alarms.at(-1)).toBe(`payout_error ${payout.id}`);
  });
});

describe('a stored account that is banned after its payout was released', () => {
  async function toAccount() {
    const harness = await trusting();
    const account = { merchantId, type: 'credit_card', number: card, currency: 'RUB' } as const;
    const added = await addPayoutAccount(harness, account);
    const accountId = toAccountId(added.ok ? added.value.id : '');
    const made = await createPersonalPayout(harness, {
      caller: harness.caller,
      accountId,
      amount: '1000',
      idempotencyKey: undefined,
      orderId: undefined,
    });
    const [payout] = made.ok ? made.value.payouts : [];
    if (!payout) throw new Error('nothing was created');
    const set = (banned: boolean) => setPayoutAccount(harness, { merchantId, accountId, banned });
    return { harness, payout, set };
  }

  it('is not paid, and its payout cannot be approved until the ban is lifted', async () => {
    const { harness, payout, set } = await toAccount();
    await set(true);
    await dispatch(harness, payout);
    const stopped = await reread(harness, payout);
    expect(stopped).toMatchObject({ status: 'MODERATING' });
    expect(stopped.decisions.at(-1)).toMatchObject({
      by: 'rule:payout_account_banned',
      reason: 'the account is banned',
    });
    expect(await approve(harness, stopped)).toEqual({ ok: false, error: 'payout_account_banned' });
    expect(harness.rail.calls).toEqual([]);
    await set(false);
    expect(await approve(harness, stopped)).toMatchObject({ ok: true });
    await dispatch(harness, payout);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS' });
  });

  it('that is not the account of the payout does not matter', async () => {
    const { harness, payout } = await toAccount();
    const number = '5555555555554444';
    const account = { merchantId, type: 'credit_card', number, currency: 'RUB' } as const;
    const added = await addPayoutAccount(harness, account);
    await setPayoutAccount(harness, {
      merchantId,
      accountId: toAccountId(added.ok ? added.value.id : ''),
      banned: true,
    });
    await dispatch(harness, payout);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('declining a released payout', () => {
  it.each(ways)(
    '(by %s) that was never sent releases the money, and the merchant gets a postback',
    async (way) => {
      const { harness, payout } = await released[way]();
      expect(await decline(harness, payout)).toMatchObject({ value: { status: 'DECLINED' } });
      harness.pass(3600);
      await dispatch(harness, payout);
      expect(harness.rail.calls).toEqual([]);
      expect(await balanceOf(harness.table)).toEqual(given);
      expect((await journalOf(harness.table)).map(({ kind }) => kind).toSorted()).toEqual([
        'RELEASE',
        'RESERVE',
      ]);
      expect((await eventsOf(harness.table)).map((fields) => fields['Status'])).toEqual(['DECLINED']);
      expect(await harness.payouts.due(harness.clock.at)).toEqual([]);
    },
  );

  it('that met an empty provider account is possible', async () => {
    const { harness, payout } = await released['a rule']();
    const queued = await later(harness, payout, 0, 'provider_empty');
    expect(await decline(harness, queued)).toMatchObject({ ok: true });
    await later(harness, payout, 600);
    expect(harness.rail.calls).toEqual([`send ${payout.id}`]);
    expect(await balanceOf(harness.table)).toEqual(given);
  });

  it.each([
    ['was sent', ['lost_before']],
    ['was accepted', ['accepted']],
    ['was accepted before the provider account was empty', ['accepted', 'provider_empty']],
    ['was sent twice, the second time to an empty account', ['lost_before', 'unknown', 'provider_empty']],
    ['got no answer before a status query met an empty account', ['lost_before', 'provider_empty']],
  ] as const)('that %s is refused', async (_what, [first, ...next]) => {
    const { harness, payout } = await released['a rule']();
    await later(harness, payout, 0, first);
    const sent = await later(harness, payout, next.length > 0 ? 10 : 0, ...next);
    expect(inStatus(sent, 'PROCESS').phase).toBe(next.length > 0 ? 'QUEUED' : 'SENT');
    expect(await decline(harness, sent)).toEqual({ ok: false, error: 'payout_already_sent' });
    expect(await reread(harness, payout)).toEqual(sent);
  });

  it('that was checked again and then accepted by the rail is refused', async () => {
    const { harness, payout } = await released['a rule']();
    await later(harness, payout, 0, 'provider_empty');
    const queued = inStatus(await reread(harness, payout), 'PROCESS');
    await harness.payouts.move(queued, inError(queued, 'a rail that is not configured'));
    const { id: payoutId, revision } = await reread(harness, payout);
    await resolveError(harness, { payoutId, revision, outcome: 'ask', by, evidence: 'x' });
    const sent = await later(harness, payout, 0, 'unknown', 'lost_after');
    expect(harness.rail.books.size).toBe(1);
    expect(await decline(harness, sent)).toEqual({ ok: false, error: 'payout_already_sent' });
    const paid = await later(harness, payout, 3600);
    expect([paid.status, paid.reason]).toEqual(['SUCCESS', undefined]);
  });

  it('stores the reason without card numbers', async () => {
    const { harness, payout } = await released['a rule']();
    const { id: payoutId, revision } = payout;
    const words = { payoutId, revision, by, reason: 'stolen card 4111 1111 1111 1111' };
    expect(await declinePayout(harness, words)).toEqual({ ok: false, error: 'reason_holds_card_number' });
    expect(await reread(harness, payout)).toEqual(payout);
  });

  it('at an outdated revision is refused', async () => {
    const { harness, payout } = await released['a moderator']();
    expect(await decline(harness, { ...payout, revision: 1 })).toEqual({
      ok: false,
      error: 'payout_changed',
    });
  });

  it('is refused when the first call is answered with an empty account after it was sent again', async () => {
    const { harness, payout } = await released['a rule']();
    harness.rail.will('provider_empty', 'unknown', 'lost_before');
    const send: typeof harness.rail.send = async (order) => {
      const answer = await harness.rail.send(order);
      harness.pass(10);
      await dispatch(harness, payout);
      return answer;
    };
    await dispatchPayout({ ...harness, rails: onlyRail({ ...harness.rail, send }) }, payout.id);
    const sent = await reread(harness, payout);
    expect(sent).toMatchObject({ phase: 'SENT' });
    expect(await decline(harness, sent)).toEqual({ ok: false, error: 'payout_already_sent' });
  });
});

describe('of a decline and a concurrent send, one wins', () => {
  it('when the payout is declined after the dispatcher read it', async () => {
    const { harness, payout } = await released['a rule']();
    const table = afterReading(harness.table, 'G#', () => decline(harness, payout));
    await dispatch({ ...harness, payouts: storedAs(table) }, payout);
    expect(harness.rail.calls).toEqual([]);
    expect(await reread(harness, payout)).toMatchObject({ status: 'DECLINED' });
  });

  it('when the payout is sent after the operator read it', async () => {
    const { harness, payout } = await released['a rule']();
    harness.rail.will('accepted');
    const table = afterReading(harness.table, 'G#', () => dispatch(harness, payout));
    const late = await decline({ ...harness, payouts: storedAs(table) }, payout);
    expect(late).toEqual({ ok: false, error: 'payout_changed' });
    expect(await reread(harness, payout)).toMatchObject({ status: 'PROCESS', phase: 'SENT' });
    expect(await eventsOf(harness.table)).toEqual([]);
  });

  it('whichever is first', async () => {
    const { harness } = await released['a rule']();
    const payouts = await Promise.all([1, 2, 3, 4, 5, 6].map(() => created(harness)));
    for (const payout of payouts) {
      const [, declined] = await Promise.all([dispatch(harness, payout), decline(harness, payout)]);
      const { status } = await reread(harness, payout);
      expect(status).toBe(declined.ok ? 'DECLINED' : 'SUCCESS');
      expect(harness.rail.books.has(payout.id)).toBe(status === 'SUCCESS');
    }
  });
});

describe('a lost response of the store', () => {
  /** Every transaction is written, and every response to one is lost: so of the two retries, which follow at once. */
  const answerless = ({ client, name }: Table): Table => {
    const send = client.send.bind(client);
    const silent = Object.assign(Object.create(client), {
      async send(command: TransactWriteCommand) {
        const answer = await send(command);
        if (!(command instanceof TransactWriteCommand)) return answer;
        throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
      },
    });
    return { client: silent, name, backOff: () => async (retry) => retry <= 2 };
  };

  it('to the send: the rail was not called, and the payout is checked when due', async () => {
    const { harness, payout } = await released['a rule']();
    const payouts = storedAs(answerless(harness.table));
    await expect(dispatch({ ...harness, payouts }, payout)).rejects.toThrow('no answer');
    const sent = await reread(harness, payout);
    expect(sent).toMatchObject({ phase: 'SENT', providerKey: `${payout.id}.1`, rail: 'test' });
    expect(await decline(harness, sent)).toEqual({ ok: false, error: 'payout_already_sent' });
    expect(await later(harness, payout, 10)).toMatchObject({ status: 'SUCCESS' });
    expect(harness.rail.calls).toEqual([`get ${payout.id}`, `send ${payout.id}`]);
  });

  it('to the stop: it is stopped once', async () => {
    const { harness, payout } = await released['a rule']();
    await ban(harness);
    const silent = storedAs(answerless(harness.table));
    const move: typeof silent.move = (before, after) => silent.move(before, after);
    const payouts = { ...harness.payouts, move };
    await expect(dispatch({ ...harness, payouts }, payout)).rejects.toThrow('no answer');
    await dispatch(harness, payout);
    const { status, decisions } = await reread(harness, payout);
    expect([status, decisions.length]).toEqual(['MODERATING', 2]);
    expect(harness.rail.calls).toEqual([]);
  });

  it('to the decline: it is declined, once', async () => {
    const { harness, payout } = await released['a rule']();
    const payouts = storedAs(answerless(harness.table));
    await expect(decline({ ...harness, payouts }, payout)).rejects.toThrow('no answer');
    expect(await decline(harness, payout)).toEqual({ ok: false, error: 'payout_not_moderating' });
    await dispatch(harness, payout);
    expect(harness.rail.calls).toEqual([]);
    expect(await balanceOf(harness.table)).toEqual(given);
  });
});
