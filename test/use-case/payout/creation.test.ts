import { describe, expect, it } from 'vitest';
import { readAccountId, toAccountId, toMerchantId } from '../../../lib/ids.ts';
import { createPersonalPayout } from '../../../lib/payout/create-personal-payout.ts';
import { createRegularPayout } from '../../../lib/payout/create-regular-payout.ts';
import { addPayoutAccount, setPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import type { CreationContext } from '../../../lib/payout/ports.ts';
import { dynamoBalances } from '../../../lib/store/balances.ts';
import { merchantId } from '../../support/builders.ts';
import {
  balanceOf,
  card,
  created,
  createdParts,
  journalOf,
  type PayoutHarness,
  payoutHarness,
  phone,
  putBalance,
  toCard,
  toPhone,
} from '../../support/payout-harness.ts';
import { itemsOf } from '../../support/items-of.ts';

type Asked = Partial<Parameters<typeof createRegularPayout>[1]>;

const unnamed = { orderId: undefined, idempotencyKey: undefined };

const ask = (harness: PayoutHarness, given: Asked = {}) =>
  createRegularPayout(harness, {
    caller: harness.caller,
    amount: '1000',
    destination: toCard,
    ...unnamed,
    ...given,
  });

async function account(harness: PayoutHarness) {
  const command = { merchantId, type: 'sbp', number: phone, currency: 'RUB' } as const;
  const added = await addPayoutAccount(harness, command);
  if (!added.ok) throw new Error(added.error);
  return added.value;
}

const askPersonal = (
  harness: PayoutHarness,
  accountId: string,
  given: { orderId?: string; amount?: string } = {},
) =>
  createPersonalPayout(harness, {
    caller: harness.caller,
    accountId: readAccountId(accountId),
    amount: '1000',
    ...unnamed,
    ...given,
  });

/** Runs a change between the first read and the transaction that depends on it. */
function meanwhile(harness: PayoutHarness, happens: () => Promise<unknown>): PayoutHarness {
  let once = true;
  const loadCreationContext = async (
    query: Parameters<PayoutHarness['payouts']['loadCreationContext']>[0],
  ): Promise<CreationContext> => {
    const context = await harness.payouts.loadCreationContext(query);
    if (once) await happens();
    once = false;
    return context;
  };
  return { ...harness, payouts: { ...harness.payouts, loadCreationContext } };
}

describe('creating a payout', () => {
  it('moves the money from available to locked and held, with a journal entry', async () => {
    const harness = await payoutHarness({ availableMinor: 1_000_000n });

    const payout = await created(harness, { amount: '1000.50' });

    expect(payout).toMatchObject({ status: 'MODERATING', mask: '411111******1111', commissionMinor: 1_001n });
    expect(await balanceOf(harness.table)).toEqual({
      available: 1_000_000n - 101_051n,
      locked: 100_050n,
      held: 1_001n,
      day: 100_050n,
      month: 100_050n,
    });
    expect(await journalOf(harness.table)).toEqual([
      {
        kind: 'RESERVE',
        about: payout.groupId,
        lines: [
          { account: 'available', minor: -101_051n },
          { account: 'locked', minor: 100_050n },
          { account: 'held', minor: 1_001n },
        ],
      },
    ]);
  });

  it('spends nothing of the rolling reserve', async () => {
    const harness = await payoutHarness();
    await putBalance(harness.table, 101_000n, 1_000_000n);
    expect(await ask(harness, { amount: '1000.01' })).toEqual({ ok: false, error: 'balance_not_enough' });
    await created(harness, { amount: '1000' });
    const [rubles] = await dynamoBalances(harness.table).of(merchantId);
    expect(rubles).toMatchObject({ available: 0n, locked: 100_000n, reserved: 1_000_000n });
  });

  it('can be read back as it was returned', async () => {
    const harness = await payoutHarness();
    const payout = await created(harness, { orderId: 'order-1' });
    expect(await harness.payouts.find(payout.id)).toEqual(payout);
    expect(await harness.payouts.findGroup(payout.groupId)).toEqual([payout]);
  });

  it('splits 500 000.50 by SBP into 499 999.50 and 1.00, each with its own fee', async () => {
    const harness = await payoutHarness({ availableMinor: 100_000_000n });

    const parts = await createdParts(harness, { amount: '500000.50', destination: toPhone });

    expect(parts.map(({ amount, commissionMinor }) => [amount.minor, commissionMinor])).toEqual([
      [49_999_950n, 500_000n],
      [100n, 1n],
    ]);
    expect(await balanceOf(harness.table)).toMatchObject({
      locked: 50_000_050n,
      held: 500_001n,
      day: 50_000_050n,
    });
  });

  it('debits only the amount where the recipient pays the fee', async () => {
    const harness = await payoutHarness({
      availableMinor: 100_000n,
      terms: { commissionPayer: 'recipient' },
    });

    await created(harness, { amount: '1000' });

    expect(await balanceOf(harness.table)).toMatchObject({
      available: 0n,
      locked: 99_000n,
      held: 1_000n,
      day: 100_000n,
    });
  });

  it('waits on the moderation list and is not queued', async () => {
    const harness = await payoutHarness();
    const payout = await created(harness);
    expect(await harness.payouts.listModerating()).toEqual([payout]);
    expect(harness.queued).toEqual([]);
    expect(await harness.payouts.due(new Date('2030-01-01'))).toEqual([]);
  });

  it('is queued at once where a rule releases it, and the rule is recorded', async () => {
    const harness = await payoutHarness({ terms: { autoApproveUpToMinor: 100_000n } });
    const payout = await created(harness);
    expect(payout).toMatchObject({
      status: 'NEW',
      decisions: [{ verdict: 'approved', by: 'rule:auto_approve_up_to' }],
    });
    expect(harness.queued).toEqual([{ id: payout.id, delaySeconds: undefined }]);
    expect(await harness.payouts.due(harness.clock.at)).toMatchObject([{ id: payout.id }]);
  });

  it('succeeds while the queue is down: the sweep queues the payout later', async () => {
    const harness = await payoutHarness({ terms: { autoApproveUpToMinor: 100_000n } });
    const payoutQueue = { send: () => Promise.reject(new Error('no queue')) };
    expect(await created({ ...harness, payoutQueue })).toMatchObject({ status: 'NEW' });
  });

  it('stores no card number and no phone in the clear', async () => {
    const harness = await payoutHarness({ availableMinor: 100_000_000n });
    await created(harness, { orderId: 'order-1' });
    await created(harness, { destination: toPhone, idempotencyKey: 'key-1' });
    await account(harness);
    const text = JSON.stringify(await itemsOf(harness.table), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).not.toContain(card);
    expect(text).not.toContain(phone);
    expect(text).not.toContain('PETROV');
  });
});

describe('a refused payout', () => {
  const refusals: readonly (readonly [string, Parameters<typeof payoutHarness>[0], Asked, string])[] = [
    ['a banned merchant', { merchant: { banned: true } }, {}, 'merchant_banned'],
    ['no subscription', { merchant: { subscription: 'none' } }, {}, 'merchant_subscription_not_found'],
    [
      'an inactive subscription',
      { merchant: { subscription: 'inactive' } },
      {},
      'merchant_subscription_inactive',
    ],
    ['no Verified status', { merchant: { verified: false } }, {}, 'merchant_not_verified'],
    ['an invalid amount', {}, { amount: 'much' }, 'invalid_amount'],
    ['less than the minimum', {}, { amount: '0.99' }, 'invalid_amount'],
    ['more than ten parts', {}, { amount: '5000000.01' }, 'invalid_amount'],
    ['an exceeded daily limit', { terms: { dayLimitMinor: 99_999n } }, {}, 'daily_payout_limit_exceeded'],
    [
      'an exceeded monthly limit',
      { terms: { monthLimitMinor: 99_999n } },
      {},
      'monthly_payout_limit_exceeded',
    ],
    ['a balance short of one kopeck', { availableMinor: 100_999n }, {}, 'balance_not_enough'],
  ];

  it.each(refusals)('for %s changes nothing', async (_why, given, asked, refusal) => {
    const harness = await payoutHarness(given);
    const before = await itemsOf(harness.table);
    expect(await ask(harness, { orderId: 'order-1', ...asked })).toMatchObject({ ok: false, error: refusal });
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it('for the missing grant changes nothing', async () => {
    const harness = await payoutHarness();
    const caller = { ...harness.caller, regularPayouts: false };
    const before = await itemsOf(harness.table);
    expect(await ask(harness, { caller })).toEqual({ ok: false, error: 'unauthorized_action' });
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it.each(['order-1', undefined])('for a ban takes precedence over a replay (%s)', async (orderId) => {
    const harness = await payoutHarness();
    const named = { orderId, idempotencyKey: orderId === undefined ? 'key-1' : undefined };
    await created(harness, named);
    await harness.merchants.setFlags(merchantId, { banned: true });
    expect(await ask(harness, named)).toEqual({ ok: false, error: 'merchant_banned' });
  });

  it('may be retried under the same order_id', async () => {
    const harness = await payoutHarness({ availableMinor: 0n });
    expect(await ask(harness, { orderId: 'order-1' })).toMatchObject({ error: 'balance_not_enough' });
    await putBalance(harness.table, 101_000n);
    expect(await ask(harness, { orderId: 'order-1' })).toMatchObject({
      ok: true,
      value: { replayed: false },
    });
  });
});

describe('a change between the read and the write', () => {
  it.each([
    ['banned', { banned: true }, 'merchant_banned'],
    ['without Verified status', { verified: false }, 'merchant_not_verified'],
    ['without a subscription', { subscription: 'inactive' as const }, 'merchant_subscription_inactive'],
    ['without the grant', { regularPayouts: false }, 'unauthorized_action'],
  ])('a merchant who becomes %s is refused', async (_state, flags, refusal) => {
    const harness = await payoutHarness();
    const racing = meanwhile(harness, () => harness.merchants.setFlags(merchantId, flags));
    expect(await ask(racing)).toEqual({ ok: false, error: refusal });
    expect(await journalOf(harness.table)).toEqual([]);
  });

  it('an account that becomes banned is refused', async () => {
    const harness = await payoutHarness();
    const { id: accountId } = await account(harness);
    const racing = meanwhile(harness, () =>
      setPayoutAccount(harness, { merchantId, accountId, banned: true }),
    );
    expect(await askPersonal(racing, accountId)).toEqual({ ok: false, error: 'payout_account_banned' });
  });

  it('a balance spent meanwhile is not spent again', async () => {
    const harness = await payoutHarness({ availableMinor: 150_000n });
    const racing = meanwhile(harness, () => created(harness));
    expect(await ask(racing)).toEqual({ ok: false, error: 'balance_not_enough' });
    expect(await balanceOf(harness.table)).toMatchObject({ available: 49_000n, locked: 100_000n });
  });

  it('a limit used up meanwhile is not exceeded', async () => {
    const harness = await payoutHarness({ terms: { dayLimitMinor: 150_000n } });
    const racing = meanwhile(harness, () => created(harness));
    expect(await ask(racing)).toMatchObject({ ok: false, error: 'daily_payout_limit_exceeded' });
  });

  it('a first payout of the day made meanwhile is counted, and both succeed', async () => {
    const harness = await payoutHarness();
    const racing = meanwhile(harness, () => created(harness));
    expect(await ask(racing)).toMatchObject({ ok: true });
    expect(await balanceOf(harness.table)).toMatchObject({ day: 200_000n, month: 200_000n });
  });

  it('gives up when every retry meets a change', async () => {
    const harness = await payoutHarness();
    const create = async () => ({ ok: false, error: 'moved_meanwhile' }) as const;
    await expect(ask({ ...harness, payouts: { ...harness.payouts, create } })).rejects.toThrow(
      'in every round',
    );
  });
});

describe('the calendar of the limits', () => {
  it('resets the day at midnight, the month on its first day', async () => {
    const harness = await payoutHarness({ terms: { dayLimitMinor: 100_000n, monthLimitMinor: 200_000n } });
    await created(harness);
    expect(await ask(harness)).toMatchObject({ error: 'daily_payout_limit_exceeded' });
    harness.clock.at = new Date('2026-11-22T00:00:00Z');
    await created(harness);
    harness.clock.at = new Date('2026-11-23T00:00:00Z');
    expect(await ask(harness)).toMatchObject({ error: 'monthly_payout_limit_exceeded' });
    harness.clock.at = new Date('2026-12-01T00:00:00Z');
    await created(harness);
    expect(await balanceOf(harness.table)).toMatchObject({ day: 100_000n, month: 100_000n });
  });

  it("is in the environment's time zone", async () => {
    const harness = {
      ...(await payoutHarness({ terms: { dayLimitMinor: 100_000n } })),
      timeZone: 'Europe/Moscow',
    };
    await created(harness);
    harness.clock.at = new Date('2026-11-21T20:59:00Z');
    expect(await ask(harness)).toMatchObject({ error: 'daily_payout_limit_exceeded' });
    harness.clock.at = new Date('2026-11-21T21:00:00Z');
    expect(await ask(harness)).toMatchObject({ ok: true });
  });
});

describe('an order_id', () => {
  it('always returns the same payouts, in their current state', async () => {
    const harness = await payoutHarness();
    const first = await created(harness, { orderId: 'order-1' });
    harness.pass(400 * 24 * 3600);
    const again = await ask(harness, { orderId: 'order-1', amount: '1000.00' });
    expect(again).toEqual({ ok: true, value: { payouts: [first], replayed: true } });
    expect(await balanceOf(harness.table)).toMatchObject({ locked: 100_000n });
  });

  it.each([
    ['amount', { amount: '1000.01' }],
    ['card', { destination: { ...toCard, number: '5555555555554444' } }],
    ['holder', { destination: { ...toCard, holder: 'PETR IVANOV' } }],
    ['account type', { destination: toPhone }],
    ['amount, which is invalid', { amount: 'x' }],
  ])('is refused with another %s', async (_what, other) => {
    const harness = await payoutHarness();
    await created(harness, { orderId: 'order-1' });
    const before = await itemsOf(harness.table);
    expect(await ask(harness, { orderId: 'order-1', ...other })).toEqual({
      ok: false,
      error: 'order_id_reused',
    });
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it('is shared by personal and regular payouts', async () => {
    const harness = await payoutHarness();
    const { id } = await account(harness);
    await created(harness, { orderId: 'order-1' });
    const personal = await askPersonal(harness, id, { orderId: 'order-1' });
    expect(personal).toEqual({ ok: false, error: 'order_id_reused' });
  });

  it('is unique per merchant', async () => {
    const harness = await payoutHarness();
    const first = await created(harness, { orderId: 'order-1' });
    const other = { ...harness.caller, merchantId: toMerchantId('OtherOtherOther1') };
    expect(await ask(harness, { orderId: 'order-1', caller: other })).toEqual({
      ok: false,
      error: 'merchant_not_found',
    });
    expect(first.groupId).not.toBe('');
  });

  it('gives two concurrent identical requests the same payouts, debited once', async () => {
    const harness = await payoutHarness({ availableMinor: 100_000_000n });
    await created(harness, { amount: '1' });
    const racing = Array.from({ length: 8 }, () => ask(harness, { orderId: 'order-1', amount: '600000' }));
    const answers = await Promise.all(racing);
    const made = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
    expect(made).toHaveLength(8);
    expect(made.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(made.map(({ payouts }) => payouts.map(({ id }) => id).join())).size).toBe(1);
    expect(await balanceOf(harness.table)).toMatchObject({ locked: 60_000_100n, held: 600_001n });
  });
});

describe('an Idempotency-Key', () => {
  it('returns the same payouts for seven days', async () => {
    const harness = await payoutHarness();
    const first = await created(harness, { idempotencyKey: 'key-1' });
    harness.pass(7 * 24 * 3600 - 1);
    expect(await ask(harness, { idempotencyKey: 'key-1' })).toMatchObject({
      value: { payouts: [{ id: first.id }], replayed: true },
    });
    harness.pass(2);
    expect(await ask(harness, { idempotencyKey: 'key-1' })).toMatchObject({ value: { replayed: false } });
  });

  it('is refused with other data', async () => {
    const harness = await payoutHarness();
    await created(harness, { idempotencyKey: 'key-1' });
    const other = await ask(harness, { idempotencyKey: 'key-1', amount: '2000' });
    expect(other).toEqual({ ok: false, error: 'idempotency_key_reused' });
  });

  it('must match the order_id sent with it', async () => {
    const harness = await payoutHarness();
    await created(harness, { idempotencyKey: 'key-1', orderId: 'order-1' });
    const otherOrder = await ask(harness, { idempotencyKey: 'key-1', orderId: 'order-2' });
    expect(otherOrder).toEqual({ ok: false, error: 'idempotency_key_reused' });
    const noOrder = await ask(harness, { idempotencyKey: 'key-1' });
    expect(noOrder).toEqual({ ok: false, error: 'idempotency_key_reused' });
  });

  it('that is new is bound to the earlier order it comes with', async () => {
    const harness = await payoutHarness();
    const first = await created(harness, { orderId: 'order-1' });
    const bound = await ask(harness, { idempotencyKey: 'key-1', orderId: 'order-1' });
    expect(bound).toEqual({ ok: true, value: { payouts: [first], replayed: true } });
    const other = await ask(harness, { idempotencyKey: 'key-1', orderId: 'order-2' });
    expect(other).toEqual({ ok: false, error: 'idempotency_key_reused' });
  });

  it('gives concurrent identical requests the same payouts', async () => {
    const harness = await payoutHarness();
    // The day already has a payout, so that only the key conflicts between the requests.
    await created(harness, { amount: '1' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ask(harness, { idempotencyKey: 'key-1' })),
    );
    const ids = answers.flatMap((answer) => (answer.ok ? answer.value.payouts : [])).map(({ id }) => id);
    expect(ids).toHaveLength(8);
    expect(new Set(ids).size).toBe(1);
  });
});

describe('a possible duplicate', () => {
  it('within ten minutes is flagged for the moderator, not refused', async () => {
    const harness = await payoutHarness();
    const first = await created(harness);
    harness.pass(599);
    const second = await created(harness);
    harness.pass(601);
    const third = await created(harness);
    expect([first.possibleDuplicate, second.possibleDuplicate, third.possibleDuplicate]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('has the same account and amount, and no order_id or key that distinguishes the two', async () => {
    const harness = await payoutHarness();
    await created(harness);
    const others = [
      await created(harness, { amount: '999' }),
      await created(harness, { destination: toPhone }),
      await created(harness, { orderId: 'order-1' }),
      await created(harness, { idempotencyKey: 'key-1' }),
    ];
    expect(others.map(({ possibleDuplicate }) => possibleDuplicate)).toEqual([false, false, false, false]);
  });

  it('is detected among concurrent requests: only the first is not flagged', async () => {
    const harness = await payoutHarness();
    await created(harness, { amount: '1' });
    const made = await Promise.all(Array.from({ length: 6 }, () => created(harness)));
    expect(made.filter(({ possibleDuplicate }) => !possibleDuplicate)).toHaveLength(1);
  });

  it('waits for a person, whatever rule would release it, also among concurrent requests', async () => {
    const terms = { autoApproveUpToMinor: 100_000n, autoApproveKnownUpToMinor: 100_000n };
    const harness = await payoutHarness({ terms });
    const made = await Promise.all(Array.from({ length: 4 }, () => created(harness)));
    const duplicates = made.filter(({ possibleDuplicate }) => possibleDuplicate);
    expect(duplicates).toHaveLength(3);
    expect(duplicates.map(({ status }) => status)).toEqual(['MODERATING', 'MODERATING', 'MODERATING']);
    expect(await created(harness, { orderId: 'order-1' })).toMatchObject({ status: 'NEW' });
  });
});

describe('a personal payout', () => {
  it('goes to the stored account, sealed as stored and shown by its mask', async () => {
    const harness = await payoutHarness();
    const stored = await account(harness);
    const made = await askPersonal(harness, stored.id);
    expect(made).toMatchObject({
      value: { payouts: [{ kind: 'personal', mask: '7******6789', destination: stored.destination }] },
    });
  });

  it.each(['', 'NoSuchAccountId1', 'x'.repeat(5000), '../../etc'])(
    'to %j finds no account',
    async (accountId) => {
      const harness = await payoutHarness();
      expect(await askPersonal(harness, accountId)).toEqual({ ok: false, error: 'payout_account_not_found' });
    },
  );

  it("to another merchant's account is refused as not found", async () => {
    const harness = await payoutHarness();
    const stored = await account(harness);
    const stranger = {
      ...stored,
      id: toAccountId('StrangerAccount1'),
      merchantId: toMerchantId('OtherOtherOther1'),
      numberHash: 'hash',
    };
    await harness.payoutAccounts.create(stranger);
    expect(await askPersonal(harness, stranger.id)).toEqual({ ok: false, error: 'payout_account_not_found' });
  });

  it('to an account out of use is refused with direction_not_available', async () => {
    const harness = await payoutHarness();
    const { id: accountId } = await account(harness);
    await setPayoutAccount(harness, { merchantId, accountId, available: false });
    expect(await askPersonal(harness, accountId)).toEqual({ ok: false, error: 'direction_not_available' });
  });

  it('needs no grant for regular payouts', async () => {
    const harness = await payoutHarness({ merchant: { regularPayouts: false } });
    const { id } = await account(harness);
    expect(await askPersonal(harness, id)).toMatchObject({ ok: true });
  });
});
