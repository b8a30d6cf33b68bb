import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Table } from '../../../lib/store/table.ts';
import { dynamoEvents } from '../../../lib/store/events.ts';
import { billId, merchantId, paymentId } from '../../support/builders.ts';
import {
  aChargeback,
  aPaidPayment,
  chargebackHarness,
  chargebacksOn,
  inTenge,
} from '../../support/chargebacks.ts';
import { setRefunds } from '../../support/set-refunds.ts';

const first = `${paymentId}.chargeback.1`;
const ok = { ok: true };

describe('a chargeback that a person enters', () => {
  it('waits on the list, and moves nothing', async () => {
    const harness = await chargebackHarness();
    expect(await harness.enter(4_000n)).toMatchObject({ ok: true, value: { id: first, status: 'OPEN' } });
    expect(await harness.chargebacks.listOpen()).toMatchObject([
      { id: first, direction: 'loss', amount: { minor: 4_000n, currency: 'RUB' }, entered: { by: 'olga' } },
    ]);
    expect([await harness.available(), await harness.entries()]).toEqual([9_849n, []]);
    expect(await harness.differences()).toEqual([]);
  });

  it('is recorded once when its decision is carried out again', async () => {
    const harness = await chargebackHarness();
    await Promise.all([harness.enter(4_000n, { id: 'd' }), harness.enter(4_000n, { id: 'd' })]);
    await harness.enter(4_000n, { id: 'd' });
    expect(await harness.chargebacks.ofPayment(paymentId)).toHaveLength(1);
  });

  it('by two people at once is recorded once: the second is told of the open item', async () => {
    const harness = await chargebackHarness();
    const entered = await Promise.all([harness.enter(4_000n), harness.enter(4_000n)]);
    expect(entered.filter((each) => each.ok)).toHaveLength(1);
    expect(entered).toContainEqual({ ok: false, error: 'chargeback_is_open' });
  });

  it('is at most what the acquirer still holds of the payment', async () => {
    const harness = await chargebackHarness();
    const invalid = { ok: false, error: 'chargeback_amount_invalid' };
    for (const minor of [0n, -1n, 10_051n]) expect(await harness.enter(minor)).toEqual(invalid);
    expect(await harness.enter(10_000n)).toMatchObject(ok);
    await harness.confirm(first);
    expect(await harness.enter(51n)).toEqual(invalid);
    expect(await harness.enter(50n)).toMatchObject(ok);
  });

  it('is at most what its refunds leave of the payment, also those under way', async () => {
    const refunds = { reservedMinor: 7_000n, grossMinor: 7_000n, feeMinor: 0n, refundedMinor: 3_000n };
    const harness = await chargebackHarness({ payment: aPaidPayment({ refunds }) });
    expect(await harness.enter(3_051n)).toEqual({ ok: false, error: 'chargeback_amount_invalid' });
    expect(await harness.enter(3_050n)).toMatchObject(ok);
  });

  it('counts a refund that is created between its reading and its writing', async () => {
    const harness = await chargebackHarness();
    const refunds = { reservedMinor: 7_000n, grossMinor: 7_000n, feeMinor: 0n, refundedMinor: 0n };
    const through = between(harness, () => setRefunds(harness.table, paymentId, refunds));
    expect(await through.enter(3_051n)).toEqual({ ok: false, error: 'chargeback_amount_invalid' });
    const ended = between(harness, () =>
      setRefunds(harness.table, paymentId, { ...refunds, refundedMinor: 7_000n }),
    );
    expect(await ended.enter(3_050n)).toMatchObject(ok);
    expect(await harness.chargebacks.ofPayment(paymentId)).toHaveLength(1);
  });

  it('is refused for a payment that is not paid', async () => {
    const harness = await chargebackHarness({ payment: aPaidPayment({ status: 'FAIL' }) });
    expect(await harness.enter(1n)).toEqual({ ok: false, error: 'payment_not_paid' });
  });
});

describe('a loss that two people confirm', () => {
  it('is debited from the merchant, and leaves the list', async () => {
    const harness = await chargebackHarness();
    await harness.chargebacks.create(aChargeback(), undefined);
    expect(await harness.confirm(first)).toMatchObject({ ok: true, value: { status: 'CONFIRMED' } });
    expect(await harness.available()).toBe(5_849n);
    expect(await harness.entries()).toEqual([['CHARGEBACK', 'acquirer 4000 RUB', 'available -4000 RUB']]);
    expect([await harness.chargebacks.listOpen(), await harness.claims.listOpen()]).toEqual([[], []]);
    expect(await harness.chargebacks.listOf(merchantId, 10)).toMatchObject([
      { id: first, status: 'CONFIRMED' },
    ]);
    expect(await harness.differences()).toEqual([]);
  });

  it('takes two people, whoever asks', async () => {
    const harness = await chargebackHarness();
    await harness.chargebacks.create(aChargeback(), undefined);
    const { approvedBy: _, ...alone } = harness.two();
    const refused = { ok: false, error: 'takes_two_people' };
    // @ts-expect-error: the second person is missing
    expect(await harness.confirm(first, 'merchant', alone)).toEqual(refused);
    // @ts-expect-error: the second person is missing
    expect(await harness.dismiss(first, alone)).toEqual(refused);
    await expect(
      harness.confirm(first, 'merchant', { ...harness.two(), approvedBy: 'Olga' }),
    ).rejects.toMatchObject({ code: 'CHARGEBACK_DECIDED_ALONE' });
    expect(await harness.available()).toBe(9_849n);
  });

  it('takes the whole amount, of which the merchant got it less the fee: the fee is kept, and the difference is a claim', async () => {
    const harness = await chargebackHarness();
    await harness.enter(10_050n);
    await harness.confirm(first);
    expect(await harness.available()).toBe(0n);
    expect(await harness.claims.listOpen()).toMatchObject([
      { id: first, merchantId, amount: { minor: 201n, currency: 'RUB' }, openMinor: 201n },
    ]);
    expect(await harness.differences()).toEqual([]);
  });

  it('in tenge is debited in roubles at the payment’s rate', async () => {
    const harness = await chargebackHarness({ payment: aPaidPayment(inTenge) });
    await harness.moveBalance(-1_600n);
    await harness.enter(4_000n);
    await harness.confirm(first);
    expect(await harness.available()).toBe(0n);
    expect(await harness.entries()).toEqual([
      [
        'CHARGEBACK',
        'acquirer 4000 KZT',
        'exchange -4000 KZT',
        'exchange 680 RUB',
        'available -74 RUB',
        'claims -606 RUB',
      ],
    ]);
    expect(await harness.differences()).toEqual([]);
  });

  it('is a claim as a whole where the merchant has no balance at all', async () => {
    const harness = await chargebackHarness();
    await harness.moveBalance(-9_849n);
    await harness.enter(4_000n);
    expect(await harness.confirm(first)).toMatchObject(ok);
    expect(await harness.claims.find(first)).toMatchObject({ openMinor: 4_000n });
    expect(await harness.differences()).toEqual([]);
  });

  it('that the platform bears leaves the balance', async () => {
    const harness = await chargebackHarness();
    await harness.enter(4_000n);
    await harness.confirm(first, 'platform');
    expect([await harness.available(), await harness.claims.listOpen()]).toEqual([9_849n, []]);
    expect(await harness.entries()).toEqual([['CHARGEBACK', 'acquirer 4000 RUB', 'correction -4000 RUB']]);
    expect(await harness.differences()).toEqual([]);
  });
});

describe('a shop with a refund URL', () => {
  const shop = { refundUrl: 'https://cafe.example/refunds', refundUrlSince: new Date(0) };
  const eventId = `cb.${paymentId}x1.CONFIRMED`;

  it('is told of a confirmed loss, whoever bears it, in the transaction that books it', async () => {
    for (const bearer of ['merchant', 'platform'] as const) {
      const harness = await chargebackHarness({ shop });
      await harness.enter(4_000n);
      const [one, other] = await Promise.all([1, 2].map(() => harness.confirm(first, bearer)));
      expect([one?.ok, other?.ok].filter(Boolean)).toHaveLength(1);
      expect(await dynamoEvents(harness.table).find(eventId)).toMatchObject({
        kind: 'chargeback',
        state: 'PENDING',
        sentAfter: `pay.${paymentId}.SUCCESS`,
        fields: { Id: first, PaymentId: paymentId, BillId: billId, Amount: '40.00', Currency: 'RUB' },
      });
      expect(harness.queued).toEqual([eventId]);
      expect(await harness.differences()).toEqual([]);
    }
  });

  it('is told nothing of a loss that is dismissed, nor of a surplus', async () => {
    const harness = await chargebackHarness({ shop });
    await harness.enter(4_000n);
    await harness.dismiss(first);
    await harness.enter(4_000n, { direction: 'surplus' });
    await harness.confirm(`${paymentId}.chargeback.2`);
    expect([await dynamoEvents(harness.table).listUndelivered(), harness.queued]).toEqual([[], []]);
    expect(await harness.differences()).toEqual([]);
  });

  it('that has none is told nothing', async () => {
    const harness = await chargebackHarness();
    await harness.enter(4_000n);
    await harness.confirm(first);
    expect(await dynamoEvents(harness.table).listUndelivered()).toEqual([]);
  });
});

describe('a surplus that two people confirm', () => {
  it('credits nobody', async () => {
    const harness = await chargebackHarness();
    await harness.enter(4_000n, { direction: 'surplus' });
    await harness.confirm(first);
    expect(await harness.available()).toBe(9_849n);
    expect(await harness.entries()).toEqual([['SURPLUS', 'acquirer -4000 RUB', 'correction 4000 RUB']]);
    expect(await harness.differences()).toEqual([]);
  });
});

describe('an item that two people dismiss', () => {
  it('is closed, and nothing is posted', async () => {
    const harness = await chargebackHarness();
    await harness.chargebacks.create(aChargeback(), undefined);
    expect(await harness.dismiss(first)).toMatchObject({ ok: true, value: { status: 'DISMISSED' } });
    expect([await harness.available(), await harness.entries()]).toEqual([9_849n, []]);
    expect(await harness.chargebacks.listOpen()).toEqual([]);
    expect(await harness.confirm(first)).toEqual({ ok: false, error: 'chargeback_already_decided' });
  });
});

describe('people who decide concurrently', () => {
  it('post a chargeback once, under one proposal or several', async () => {
    for (const ids of [
      ['p', 'p', 'p'],
      ['p', 'q', 'r'],
    ]) {
      const harness = await chargebackHarness();
      await harness.enter(4_000n);
      const done = await Promise.all(ids.map((id) => harness.confirm(first, 'merchant', harness.two(id))));
      expect(done.filter((each) => each.ok)).toHaveLength(new Set(ids).size === 1 ? 3 : 1);
      expect(await harness.available()).toBe(5_849n);
      expect(await harness.entries()).toHaveLength(1);
    }
  });

  it('either confirm or dismiss, and money moves only with a confirmation', async () => {
    for (let round = 0; round < 5; round += 1) {
      const harness = await chargebackHarness();
      await harness.enter(4_000n);
      const [confirmed, dismissed] = await Promise.all([harness.confirm(first), harness.dismiss(first)]);
      expect(confirmed.ok).toBe(!dismissed.ok);
      expect(await harness.available()).toBe(confirmed.ok ? 5_849n : 9_849n);
      expect(await harness.differences()).toEqual([]);
    }
  });
});

/** The same decisions, with something that happens just before each of the first transactions. */
function between({ table }: { readonly table: Table }, meanwhile: () => Promise<unknown>, times = 1) {
  let left = times;
  const send = table.client.send.bind(table.client);
  const client = Object.assign(Object.create(table.client), {
    async send(command: TransactWriteCommand) {
      if (command instanceof TransactWriteCommand && left > 0) {
        left -= 1;
        await meanwhile();
      }
      return send(command);
    },
  });
  return chargebacksOn(table, aPaidPayment(), { ...table, client });
}

describe('a balance that moves meanwhile', () => {
  it('down: what is available then is debited, and the rest is a claim', async () => {
    const harness = await chargebackHarness();
    await harness.chargebacks.create(aChargeback(), undefined);
    const through = between(harness, () => harness.moveBalance(-9_000n));
    expect(await through.confirm(first)).toMatchObject(ok);
    expect(await harness.available()).toBe(0n);
    expect(await harness.claims.find(first)).toMatchObject({ openMinor: 4_000n - 849n });
    expect(await harness.differences()).toEqual([]);
  });

  it('in every round: nothing is posted, and the confirmation can be carried out again', async () => {
    const harness = await chargebackHarness();
    await harness.chargebacks.create(
      aChargeback({
        amount: { minor: 10_050n, currency: 'RUB' },
        seen: { state: 'refunded', heldMinor: 0n, refundedMinor: undefined },
      }),
      undefined,
    );
    const through = between(harness, () => harness.moveBalance(-1n), 100);
    const signed = harness.two();
    await expect(through.confirm(first, 'merchant', signed)).rejects.toMatchObject({
      code: 'CONTENDED_IN_EVERY_ROUND',
    });
    expect(await harness.entries()).toEqual([]);
    expect(await harness.confirm(first, 'merchant', signed)).toMatchObject(ok);
    expect(await harness.differences()).toEqual([]);
  });
});

describe('a claim', () => {
  /** The merchant owes 30.00 and has nothing. */
  async function owing() {
    const harness = await chargebackHarness();
    await harness.moveBalance(-8_849n);
    await harness.enter(4_000n);
    await harness.confirm(first);
    expect(await harness.claims.listOpen()).toMatchObject([{ id: first, openMinor: 3_000n }]);
    return harness;
  }

  it('is collected up to what is available, as often as needed, until it is closed', async () => {
    const harness = await owing();
    expect(await harness.collect(first)).toEqual({ ok: false, error: 'nothing_available' });
    await harness.moveBalance(1_200n);
    expect(await harness.collect(first)).toMatchObject({ ok: true, value: { openMinor: 1_800n } });
    expect(await harness.available()).toBe(0n);
    await harness.moveBalance(2_000n);
    expect(await harness.collect(first)).toMatchObject({ ok: true, value: { openMinor: 0n } });
    expect(await harness.available()).toBe(200n);
    expect(await harness.claims.listOpen()).toEqual([]);
    expect(await harness.collect(first)).toEqual({ ok: false, error: 'claim_is_closed' });
    expect((await harness.entries()).slice(1)).toEqual([
      ['COLLECT', 'available -1200 RUB', 'claims 1200 RUB'],
      ['COLLECT', 'available -1800 RUB', 'claims 1800 RUB'],
    ]);
    expect(await harness.differences()).toEqual([]);
  });

  it('is collected once by one decision, however often it is carried out', async () => {
    const harness = await owing();
    await harness.moveBalance(1_000n);
    await Promise.all([harness.collect(first, 'd'), harness.collect(first, 'd')]);
    await harness.moveBalance(1_000n);
    expect(await harness.collect(first, 'd')).toMatchObject({ ok: true, value: { openMinor: 2_000n } });
    expect(await harness.available()).toBe(1_000n);
  });

  it('is never collected beyond what is owed or available, by any number of people at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.bigInt({ min: 1n, max: 2_000n }), { minLength: 1, maxLength: 3 }),
        async (paid) => {
          const harness = await owing();
          const came = paid.reduce((total, each) => total + each, 0n);
          await Promise.all([
            ...paid.map((each) => harness.moveBalance(each)),
            ...[1, 2, 3].map(() => harness.collect(first)),
          ]);
          const { openMinor = -1n } = (await harness.claims.find(first)) ?? {};
          expect(openMinor >= 0n).toBe(true);
          expect(await harness.available()).toBe(came - (3_000n - openMinor));
          expect(await harness.differences()).toEqual([]);
        },
      ),
      { numRuns: 8 },
    );
  });

  it('is written off by two people: the platform bears what is still owed', async () => {
    const harness = await owing();
    await harness.moveBalance(1_000n);
    await harness.collect(first);
    const { approvedBy: _, ...alone } = harness.two();
    // @ts-expect-error: the second person is missing
    expect(await harness.writeOff(first, alone)).toEqual({ ok: false, error: 'takes_two_people' });
    expect(await harness.writeOff(first)).toMatchObject({ ok: true, value: { openMinor: 0n } });
    expect(await harness.entries()).toContainEqual(['WRITE_OFF', 'correction -2000 RUB', 'claims 2000 RUB']);
    expect(await harness.claims.listOpen()).toEqual([]);
    expect(await harness.differences()).toEqual([]);
  });

  it('that is collected and written off at once is closed once', async () => {
    const harness = await owing();
    await harness.moveBalance(5_000n);
    await Promise.all([harness.collect(first), harness.writeOff(first)]);
    expect(await harness.claims.find(first)).toMatchObject({ openMinor: 0n, moves: [{ minor: 3_000n }] });
    expect(await harness.differences()).toEqual([]);
  });

  it('is not found under the id of anything else', async () => {
    const harness = await chargebackHarness();
    for (const id of ['', first, paymentId, `${paymentId}.chargeback.01`, 'ADJ#1'])
      expect(await harness.collect(id)).toEqual({ ok: false, error: 'claim_not_found' });
  });
});
