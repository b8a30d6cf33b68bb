import { describe, expect, it } from 'vitest';
import { toMerchantId } from '../../../lib/ids.ts';
import { cancelPayout } from '../../../lib/payout/cancel-payout.ts';
import { createPersonalPayout } from '../../../lib/payout/create-personal-payout.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout, declinePayout } from '../../../lib/payout/moderate.ts';
import { inError } from '../../../lib/payout/moves.ts';
import { addPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import { withPhone } from '../../../lib/postback/sealed-phone.ts';
import { toEvent } from '../../../lib/store/event-item.ts';
import { payoutItem } from '../../../lib/store/payout-item.ts';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { aCaller } from '../../support/api-event.ts';
import { merchantId } from '../../support/builders.ts';
import { itemsOf } from '../../support/items-of.ts';
import {
  balanceOf,
  created,
  createdParts,
  eventsOf,
  journalOf,
  movedOn,
  type PayoutHarness,
  payoutHarness,
  phone,
  reread,
  toPhone,
} from '../../support/payout-harness.ts';
import { inStatus } from '../../support/payouts.ts';
import type { RailAct } from '../../support/rail.ts';

const by = 'olga';
const opening = 1_000_000n;
const nothingReserved = { available: opening, locked: 0n, held: 0n, day: 0n, month: 0n };
const orderId = 'order-1';
/** Ten parts of 100.00. */
const inTen = { terms: { payoutMaxMinor: 10_000n } };

const cancel = (harness: PayoutHarness, { id }: { readonly id: string }) =>
  cancelPayout(harness, { caller: harness.caller, id, orderId: undefined });
const cancelOrder = (harness: PayoutHarness) =>
  cancelPayout(harness, { caller: harness.caller, id: undefined, orderId });
const approve = (harness: PayoutHarness, { id: payoutId, revision }: Payout) =>
  approvePayout(harness, { payoutId, revision, by });
const dispatch = (harness: PayoutHarness, { id }: Payout) => dispatchPayout(harness, id);

/** Approved, and sent with this answer of the rail. */
async function sent(harness: PayoutHarness, payout: Payout, act: RailAct): Promise<Payout> {
  await approve(harness, payout);
  harness.rail.will(act);
  await dispatch(harness, payout);
  return reread(harness, payout);
}

/** How a payout that was never sent came to its state. */
const neverSent: Readonly<Record<string, () => Promise<{ harness: PayoutHarness; payout: Payout }>>> = {
  async 'waits for a moderator'() {
    const harness = await payoutHarness({ availableMinor: opening });
    return { harness, payout: await created(harness) };
  },
  async 'was released by a rule'() {
    const terms = { autoApproveUpToMinor: 100_000n };
    const harness = await payoutHarness({ availableMinor: opening, terms });
    return { harness, payout: await created(harness) };
  },
  async 'was approved'() {
    const harness = await payoutHarness({ availableMinor: opening });
    const payout = await created(harness);
    await approve(harness, payout);
    return { harness, payout: await reread(harness, payout) };
  },
  async 'was refused by the rail, which took nothing'() {
    const harness = await payoutHarness({ availableMinor: opening });
    return { harness, payout: await sent(harness, await created(harness), 'provider_empty') };
  },
};

describe('a payout that was never sent', () => {
  it.each(Object.keys(neverSent))('and %s is declined: the money, the limits, the postback', async (how) => {
    const { harness, payout } = await neverSent[how]!();

    const answer = await cancel(harness, payout);

    expect(answer).toMatchObject({ ok: true, value: [{ id: payout.id, status: 'DECLINED' }] });
    expect(await reread(harness, payout)).toEqual(answer.ok ? answer.value[0] : undefined);
    expect(await balanceOf(harness.table)).toEqual(nothingReserved);
    expect((await journalOf(harness.table)).map(({ kind }) => kind).toSorted()).toEqual([
      'RELEASE',
      'RESERVE',
    ]);
    expect(await eventsOf(harness.table)).toMatchObject([{ TrsId: payout.id, Status: 'DECLINED' }]);
    expect(harness.notified).toEqual([`po.${payout.id}.DECLINED`]);
    harness.pass(3600);
    await dispatch(harness, payout);
    expect(harness.rail.books).toEqual(new Map());
  });

  it("stores that the merchant's token cancelled it", async () => {
    const harness = await payoutHarness();
    const payout = await created(harness);
    await cancel(harness, payout);
    expect((await reread(harness, payout)).decisions).toMatchObject([
      { verdict: 'declined', by: `merchant:${merchantId}`, reason: 'cancelled through the API' },
    ]);
  });

  it('is answered the same when it is cancelled again, and nothing is written', async () => {
    const harness = await payoutHarness();
    const payout = await created(harness);
    const first = await cancel(harness, payout);
    const before = await itemsOf(harness.table);
    harness.pass(60);
    expect(await cancel(harness, payout)).toEqual(first);
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it('is answered the same when the operator declined it', async () => {
    const harness = await payoutHarness();
    const payout = await created(harness);
    await declinePayout(harness, { payoutId: payout.id, revision: 1, by, reason: 'no' });
    expect(await cancel(harness, payout)).toMatchObject({ ok: true, value: [{ status: 'DECLINED' }] });
    expect(await journalOf(harness.table)).toHaveLength(2);
  });

  it('gives no postback where the merchant has no webhook', async () => {
    const harness = await payoutHarness({ merchant: { payoutWebhookUrl: undefined } });
    const payout = await created(harness);
    expect(await cancel(harness, payout)).toMatchObject({ ok: true });
    expect(await eventsOf(harness.table)).toEqual([]);
  });

  it('gives nothing back to the limits of a day that is over', async () => {
    const harness = await payoutHarness({ availableMinor: opening });
    const payout = await created(harness);
    harness.pass(24 * 3600);
    await created(harness);
    await cancel(harness, payout);
    expect(await balanceOf(harness.table)).toMatchObject({ day: 100_000n, month: 100_000n });
  });

  it('needs the state and the owner that payout/status needs', async () => {
    const harness = await payoutHarness();
    const payout = await created(harness, { orderId });
    const other = aCaller({ merchantId: toMerchantId('MerchantOfOthers') });
    const not = { ok: false, error: 'payout_not_found' };
    const before = await itemsOf(harness.table);
    expect(await cancelPayout(harness, { caller: other, id: payout.id, orderId: undefined })).toEqual(not);
    expect(await cancelPayout(harness, { caller: other, id: undefined, orderId })).toEqual(not);
    expect(await cancel(harness, { id: 'x' })).toEqual(not);
    const banned = aCaller({ banned: true });
    expect(await cancelPayout(harness, { caller: banned, id: payout.id, orderId: undefined })).toEqual({
      ok: false,
      error: 'merchant_banned',
    });
    expect(await itemsOf(harness.table)).toEqual(before);
  });
});

describe('a payout that was sent or has ended', () => {
  const tooLate: Readonly<Record<string, (harness: PayoutHarness, payout: Payout) => Promise<unknown>>> = {
    'is accepted': (harness, payout) => sent(harness, payout, 'accepted'),
    'got no answer': (harness, payout) => sent(harness, payout, 'lost_before'),
    'is paid': (harness, payout) => sent(harness, payout, 'paid'),
    'is refused': (harness, payout) => sent(harness, payout, 'refused'),
    async 'was recorded as sent before the dispatcher died'(harness, payout) {
      await approve(harness, payout);
      const rail = { ...harness.rail, send: () => new Promise<never>(() => undefined) };
      const dying = { ...harness, rails: { forNew: () => rail, named: () => rail } };
      void dispatch(dying, payout);
      await expect.poll(async () => (await reread(harness, payout)).firstCallAt).toBeDefined();
    },
    async 'is in error'(harness, payout) {
      const found = inStatus(await sent(harness, payout, 'accepted'), 'PROCESS');
      await harness.payouts.move(found, inError(found, 'a person must look'));
    },
  };

  it.each(Object.keys(tooLate))('%s: it is rejected, and nothing is written', async (how) => {
    const harness = await payoutHarness();
    const payout = await created(harness);
    await tooLate[how]!(harness, payout);
    const before = await itemsOf(harness.table);
    expect(await cancel(harness, payout)).toEqual({ ok: false, error: 'transaction_rejected' });
    expect(await itemsOf(harness.table)).toEqual(before);
  });
});

describe('an order of ten parts', () => {
  const ten = async (given: Parameters<typeof payoutHarness>[0] = {}) => {
    const harness = await payoutHarness({ availableMinor: opening, ...inTen, ...given });
    const parts = await createdParts(harness, { orderId });
    expect(parts).toHaveLength(10);
    return { harness, parts };
  };

  it('is cancelled as a whole: one balance, a RELEASE and a postback of each', async () => {
    const { harness, parts } = await ten();
    const answer = await cancelOrder(harness);
    expect(answer.ok && answer.value.map(({ id, status }) => [id, status])).toEqual(
      parts.map(({ id }) => [id, 'DECLINED']),
    );
    expect(await balanceOf(harness.table)).toEqual(nothingReserved);
    const released = (await journalOf(harness.table)).filter(({ kind }) => kind === 'RELEASE');
    expect(released.map(({ about }) => about)).toEqual(parts.map(({ id }) => id));
    expect(await movedOn(harness.table, 'available')).toBe(0n);
    expect(harness.notified).toHaveLength(10);
    expect(await cancelOrder(harness)).toEqual(answer);
  });

  it('loses one part by its id, and then the others', async () => {
    const { harness, parts } = await ten();
    const [first, second] = parts;
    expect(await cancel(harness, second!)).toMatchObject({ ok: true, value: [{ id: second!.id }] });
    expect(await balanceOf(harness.table)).toMatchObject({ locked: 90_000n, day: 90_000n });
    expect(await reread(harness, first!)).toMatchObject({ status: 'MODERATING' });
    expect(await cancelOrder(harness)).toMatchObject({ ok: true, value: { length: 10 } });
    expect(await balanceOf(harness.table)).toEqual(nothingReserved);
    expect(harness.notified).toHaveLength(10);
  });

  it('is not cancelled at all once a part was sent', async () => {
    const { harness, parts } = await ten();
    await sent(harness, parts.at(-1)!, 'accepted');
    const before = await itemsOf(harness.table);
    expect(await cancelOrder(harness)).toEqual({ ok: false, error: 'transaction_rejected' });
    expect(await itemsOf(harness.table)).toEqual(before);
  });

  it('is not cancelled at all when a part is sent between the read and the write', async () => {
    const { harness, parts } = await ten();
    let first = true;
    const findGroup: PayoutHarness['payouts']['findGroup'] = async (groupId) => {
      const found = await harness.payouts.findGroup(groupId);
      if (first) await sent(harness, parts.at(-1)!, 'accepted');
      first = false;
      return found;
    };
    const answer = await cancelOrder({ ...harness, payouts: { ...harness.payouts, findGroup } });
    expect(answer).toEqual({ ok: false, error: 'transaction_rejected' });
    expect(await balanceOf(harness.table)).toMatchObject({ locked: 100_000n, day: 100_000n });
    expect(harness.notified).toEqual([]);
  });
});

describe('the postback of a cancelled payout to a phone', () => {
  const eventIn = async ({ table }: PayoutHarness) =>
    toEvent((await itemsOf(table)).find(({ SK }) => SK === 'E'));

  it('has the phone, which is sealed again without being opened', async () => {
    const harness = await payoutHarness();
    const added = await addPayoutAccount(harness, {
      merchantId,
      type: 'sbp',
      number: phone,
      currency: 'RUB',
    });
    const accountId = added.ok ? added.value.id : undefined;
    const fields = { caller: harness.caller, amount: '100', idempotencyKey: undefined };
    const personal = await createPersonalPayout(harness, { ...fields, accountId, orderId });
    const regular = await created(harness, { destination: toPhone });
    const destinationOpener = { open: () => Promise.reject(new Error('A cancel opens nothing')) };
    expect(personal).toMatchObject({ ok: true });
    expect(await cancelOrder({ ...harness, destinationOpener })).toMatchObject({ ok: true });
    expect(await cancel({ ...harness, destinationOpener }, regular)).toMatchObject({ ok: true });

    const events = (await itemsOf(harness.table)).filter(({ SK }) => SK === 'E').map(toEvent);
    expect(events).toHaveLength(2);
    for (const event of events) {
      expect(event.fields).toMatchObject({ AccountType: 'QIWI', AccountNumber: '7******6789' });
      expect((await withPhone(harness.destinationOpener, event)).fields).toMatchObject({
        AccountNumber: phone,
      });
    }
    expect(JSON.stringify(await itemsOf(harness.table))).not.toContain(phone);
  });

  it.each([
    ['another phone', { ...toPhone, phone: '79123450000' }],
    ['a card', { type: 'credit_card', number: '4111111111111111' }],
  ])('shows the mask where the sealed destination is %s', async (_what, destination) => {
    const harness = await payoutHarness();
    const payout = inStatus(await created(harness, { destination: toPhone }), 'MODERATING');
    const context = { use: 'payout-destination', payout: payout.groupId };
    const sealed = await harness.destinationSealer.seal(JSON.stringify(destination), context);
    const Item = payoutItem({ ...payout, destination: { sealed } });
    await harness.table.client.send(new PutCommand({ TableName: harness.table.name, Item }));
    await cancel(harness, payout);
    const { fields } = await withPhone(harness.destinationOpener, await eventIn(harness));
    expect(fields).toMatchObject({ AccountNumber: '7******6789' });
  });

  it('shows the mask where the destination was sealed for another payout', async () => {
    const harness = await payoutHarness();
    const payout = inStatus(await created(harness, { destination: toPhone }), 'MODERATING');
    const sealed = await harness.destinationSealer.seal('{}', { use: 'payout-destination', payout: 'other' });
    const Item = payoutItem({ ...payout, destination: { sealed } });
    await harness.table.client.send(new PutCommand({ TableName: harness.table.name, Item }));
    expect(await cancel(harness, payout)).toMatchObject({ ok: true });
    expect(await eventIn(harness)).not.toHaveProperty('sealedPhone');
  });
});

describe.each([0, 15])(
  'of two at the same time, whose transactions hold their items for %i ms,',
  (lockMs) => {
    const orders = Array.from({ length: 4 }, (_, at) => `order-${at}`);

    /** Approved payouts, each of its own order. */
    async function approvedOrders() {
      const harness = await payoutHarness({ availableMinor: opening, lockMs });
      const payouts = await Promise.all(
        orders.map((order) => created(harness, { amount: '100', orderId: order })),
      );
      await Promise.all(payouts.map((payout) => approve(harness, payout)));
      return { harness, payouts };
    }

    it('a cancel and a send: exactly one wins, for each payout', async () => {
      const { harness, payouts } = await approvedOrders();
      const outcomes = await Promise.all(
        payouts.map(async (payout) => {
          const [answer] = await Promise.all([cancel(harness, payout), dispatch(harness, payout)]);
          return { payout, answer };
        }),
      );
      for (const { payout, answer } of outcomes) {
        const { status } = await reread(harness, payout);
        expect(status).toBe(answer.ok ? 'DECLINED' : 'SUCCESS');
        expect(harness.rail.books.has(payout.id)).toBe(!answer.ok);
        if (!answer.ok) expect(answer.error).toBe('transaction_rejected');
      }
      const paid = harness.rail.books.size;
      expect(await balanceOf(harness.table)).toMatchObject({
        available: opening - BigInt(paid) * 10_100n,
        locked: 0n,
        held: 0n,
        day: BigInt(paid) * 10_000n,
      });
    });

    it('a cancel and an approval: the cancel is never lost', async () => {
      const harness = await payoutHarness({ availableMinor: opening, lockMs });
      const payouts = await Promise.all(
        orders.map((order) => created(harness, { amount: '100', orderId: order })),
      );
      for (const payout of payouts) {
        const [answer] = await Promise.all([cancel(harness, payout), approve(harness, payout)]);
        expect(answer).toMatchObject({ ok: true, value: [{ status: 'DECLINED' }] });
      }
      expect(await balanceOf(harness.table)).toEqual(nothingReserved);
      expect(harness.notified).toHaveLength(orders.length);
    });

    it('cancels of parts and of the whole: the money comes back once', async () => {
      const harness = await payoutHarness({ availableMinor: opening, lockMs, ...inTen });
      const parts = await createdParts(harness, { orderId });
      const answers = await Promise.all([
        cancelOrder(harness),
        cancel(harness, parts[0]!),
        cancel(harness, parts[9]!),
        cancelOrder(harness),
      ]);
      expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true]);
      expect(await balanceOf(harness.table)).toEqual(nothingReserved);
      expect((await journalOf(harness.table)).filter(({ kind }) => kind === 'RELEASE')).toHaveLength(10);
      expect(new Set(harness.notified).size).toBe(10);
    });
  },
);
