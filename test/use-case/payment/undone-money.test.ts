import { describe, expect, it } from 'vitest';
import { alarmIfUndone } from '../../../lib/payment/capture-undone.ts';
import type { AcquirerView } from '../../../lib/payment/acquirer.ts';
import { captured } from '../../support/acquirer-views.ts';
import { paymentId } from '../../support/builders.ts';
import { aPaidPayment, chargebackHarness, inTenge } from '../../support/chargebacks.ts';
import { setRefunds } from '../../support/set-refunds.ts';

const id = (number: number) => `${paymentId}.chargeback.${number}`;
const holding = (amountMinor: bigint, refundedMinor = 0n): AcquirerView =>
  captured(amountMinor, { refundedMinor });

/** A paid payment, and notifications about it: each reads the acquirer's view of that moment. */
async function notified(payment = aPaidPayment()) {
  const harness = await chargebackHarness({ payment });
  const alarms: string[] = [];
  const acquirer = { view: holding(10_050n), beforeAnswer: async (): Promise<unknown> => undefined };
  const notice = (read = payment) => {
    const get = async () => {
      const { view } = acquirer;
      await acquirer.beforeAnswer();
      return view;
    };
    const alarm = (name: string) => void alarms.push(name);
    return alarmIfUndone({ ...harness, alarm }, { get }, read);
  };
  return {
    ...harness,
    alarms,
    acquirer,
    notice,
    /** The acquirer holds this much from now on, and says so. */
    holds: async (minor: bigint) => {
      acquirer.view = holding(minor);
      await notice();
    },
    items: async () =>
      (await harness.chargebacks.ofPayment(paymentId)).map(
        ({ direction, amount, status }) => `${direction} ${amount.minor} ${amount.currency} ${status}`,
      ),
  };
}

describe('a change at the acquirer', () => {
  it('that leaves what was received is none', async () => {
    const { holds, items, alarms } = await notified();
    await holds(10_050n);
    expect([await items(), alarms]).toEqual([[], []]);
  });

  it('becomes an item, once for each amount, and raises the alarm until it is decided', async () => {
    const { holds, items, alarms, dismiss } = await notified();
    for (const held of [6_050n, 6_050n, 6_050n]) await holds(held);
    expect(await items()).toEqual(['loss 4000 RUB OPEN']);
    expect(alarms).toEqual(['capture_undone', 'capture_undone', 'capture_undone']);
    await dismiss(id(1));
    await holds(6_050n);
    expect(await items()).toEqual(['loss 4000 RUB DISMISSED']);
    expect(alarms).toHaveLength(3);
  });

  it('in either direction is an item of its own: more refunded, all of it back, more than was received', async () => {
    const { holds, items, differences } = await notified();
    for (const held of [6_050n, 5_000n, 10_050n, 10_051n]) await holds(held);
    expect(await items()).toEqual([
      'loss 4000 RUB OPEN',
      'loss 1050 RUB OPEN',
      'surplus 5050 RUB OPEN',
      'surplus 1 RUB OPEN',
    ]);
    expect(await differences()).toEqual([]);
  });

  it.each([
    { state: 'voided' },
    { state: 'pending' },
    { state: 'declined', reason: 'declined', outcome: 'chargeback' },
    holding(10_050n, 10_050n),
  ] as const)('to %o is a loss of everything', async (view) => {
    const { acquirer, notice, items, chargebacks } = await notified();
    acquirer.view = view;
    await notice();
    expect(await items()).toEqual(['loss 10050 RUB OPEN']);
    expect(await chargebacks.find(id(1))).toMatchObject({ seen: { state: view.state, heldMinor: 0n } });
  });

  it('counts what went back, where the acquirer says it beside the capture', async () => {
    const { acquirer, notice, items } = await notified();
    acquirer.view = holding(10_050n, 50n);
    await notice();
    expect(await items()).toEqual(['loss 50 RUB OPEN']);
  });

  it('is in the currency of the payment', async () => {
    const { holds, items } = await notified(aPaidPayment(inTenge));
    await holds(50n);
    expect(await items()).toEqual(['loss 10000 KZT OPEN']);
  });

  it('that a person entered before, or that was confirmed, is no news', async () => {
    const { enter, confirm, holds, items, alarms } = await notified();
    await enter(4_000n);
    await holds(6_050n);
    await confirm(id(1));
    await holds(6_050n);
    expect([await items(), alarms]).toEqual([['loss 4000 RUB CONFIRMED'], []]);
  });

  it('refuses a second entry by a person while it is open', async () => {
    const { enter, holds } = await notified();
    await holds(6_050n);
    expect(await enter(4_000n)).toEqual({ ok: false, error: 'chargeback_is_open' });
  });

  it('confirmed, given back and confirmed again leaves books that agree with the acquirer', async () => {
    const { holds, confirm, entries, differences } = await notified();
    for (const [at, held] of [6_050n, 10_050n, 0n].entries()) {
      await holds(held);
      await confirm(id(at + 1));
    }
    const lines = (await entries()).flat().filter((line) => line.startsWith('acquirer'));
    expect(lines.toSorted()).toEqual(['acquirer -4000 RUB', 'acquirer 10050 RUB', 'acquirer 4000 RUB']);
    expect(await differences()).toEqual([]);
  });
});

describe('a change beside refunds of the payment', () => {
  const totals = { grossMinor: 3_000n, feeMinor: 0n };
  const refunded = { ...totals, reservedMinor: 3_000n, refundedMinor: 3_000n };
  const open = { ...totals, reservedMinor: 3_000n, refundedMinor: 0n };

  it('is what is missing besides what they returned', async () => {
    const { holds, items, alarms, chargebacks } = await notified(aPaidPayment({ refunds: refunded }));
    await holds(7_050n);
    expect([await items(), alarms]).toEqual([[], []]);
    await holds(5_050n);
    expect(await items()).toEqual(['loss 2000 RUB OPEN']);
    expect(await chargebacks.find(id(1))).toMatchObject({
      seen: { heldMinor: 5_050n, refundedMinor: 3_000n },
    });
  });

  it('is not judged while one is under way, and judged when it has ended', async () => {
    const { acquirer, notice, items, alarms, table } = await notified(aPaidPayment({ refunds: open }));
    acquirer.view = holding(10_050n, 5_000n);
    await notice();
    expect([await items(), alarms]).toEqual([[], []]);
    await setRefunds(table, paymentId, refunded);
    await notice(aPaidPayment({ refunds: refunded }));
    expect([await items(), alarms]).toEqual([['loss 2000 RUB OPEN'], ['capture_undone']]);
  });

  it.each([
    ['began', open],
    ['succeeded', refunded],
  ])('is judged anew when one %s while the acquirer answered', async (_what, refunds) => {
    const { acquirer, notice, items, table } = await notified();
    acquirer.view = holding(10_050n, 3_000n);
    acquirer.beforeAnswer = async () => setRefunds(table, paymentId, refunds);
    await notice();
    expect(await items()).toEqual([]);
  });
});

describe('notifications at once', () => {
  it('record one item for one change', async () => {
    const { acquirer, notice, items } = await notified();
    acquirer.view = holding(6_050n);
    await Promise.all([notice(), notice(), notice(), notice()]);
    expect(await items()).toEqual(['loss 4000 RUB OPEN']);
  });

  it('never record an older view after a newer one', async () => {
    const { acquirer, notice, items } = await notified();
    acquirer.view = holding(6_050n);
    // While the first answer is on its way, the acquirer refunds more, and another notification records that.
    acquirer.beforeAnswer = async () => {
      acquirer.beforeAnswer = async () => undefined;
      acquirer.view = holding(3_050n);
      await notice();
    };
    await notice();
    expect(await items()).toEqual(['loss 7000 RUB OPEN']);
  });

  it('and a person who enters the same record it once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { acquirer, notice, enter, items } = await notified();
      acquirer.view = holding(6_050n);
      await Promise.all([notice(), enter(4_000n)]);
      expect(await items()).toEqual(['loss 4000 RUB OPEN']);
    }
  });
});
