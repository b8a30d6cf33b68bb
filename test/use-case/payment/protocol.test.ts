import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { StartRequest } from '../../../lib/payment/acquirer.ts';
import { askAboutPayment } from '../../../lib/payment/ask-about-payment.ts';
import { toggleBillActivity } from '../../../lib/bill/toggle-bill-activity.ts';
import { billItem } from '../../../lib/store/bill-item.ts';
import type { Table } from '../../../lib/store/table.ts';
import { aCaller } from '../../support/api-event.ts';
import { aBill, billId, otherPaymentId } from '../../support/builders.ts';
import { itemsOf } from '../../support/items-of.ts';
import { paymentHarness, stateOf } from '../../support/payment-harness.ts';
import { displaceWithoutAnAnswer, twoGaveTheirCard } from '../../support/payment-situations.ts';

const declinedCard = '4000000000000002';
const underpaidCard = '4000000000110009';
const overpaidCard = '4000000000110017';
const lateCard = '4000000000110033';
const lapsingCard = '4000000000110090';
const stubbornCard = '4000000000110108';
const pendingCaptureCard = '4000000000110082';

describe('start: a payment', () => {
  it('exists before the acquirer is called, holds the bill and is due for a check in ten seconds', async () => {
    const harness = await paymentHarness();
    const { id } = await harness.begun('p1');

    expect(await harness.bill()).toMatchObject({ status: 'PROCESS', current: id, fenced: false });
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' }, waiting: 1 });
    expect(await harness.payments.due(harness.now())).toEqual([]);
    harness.pass(1 / 6);
    expect(await harness.payments.due(harness.now())).toMatchObject([{ id }]);
  });

  it('redirects a second visit of its browser to the same card page', async () => {
    const harness = await paymentHarness();
    const { pageUrl, id } = await harness.begun('p1');
    expect(await harness.open()).toEqual({ kind: 'in_progress', pageUrl, paymentId: id });
    expect(await harness.start(harness.form('payment2'))).toMatchObject({ kind: 'in_progress', pageUrl });
    expect(Object.keys((await stateOf(harness)).payments)).toEqual(['p1']);
  });

  it.each([
    ['switched off', { active: false }, 'switched_off'],
    ['expired', { expiresAt: new Date('2026-11-21T12:34:56.789Z') }, 'expired'],
    ['failed too often', { failures: 10, status: 'FAIL' }, 'too_many_failures'],
  ] as const)('does not start on a bill that is %s', async (_case, bill, kind) => {
    const harness = await paymentHarness({ bill });
    expect(await harness.start(harness.form('payment1'))).toMatchObject({ kind });
    expect(await stateOf(harness)).toMatchObject({ payments: {}, waiting: 0 });
  });

  it.each([
    ['switched off', { active: false }],
    ['expired', { expiresAt: new Date('2026-11-21T12:34:56.789Z') }],
    ['failed too often', { failures: 10, status: 'FAIL' }],
    ['paid', { status: 'SUCCESS', paidBy: otherPaymentId }],
    ['fenced', { status: 'PROCESS', current: otherPaymentId, fenced: true, lockUntil: new Date(0) }],
    [
      'locked',
      { status: 'PROCESS', current: otherPaymentId, lockUntil: new Date('2026-11-21T12:34:56.790Z') },
    ],
  ] as const)('is refused by the store when the bill became %s meanwhile', async (_case, bill) => {
    const harness = await paymentHarness();
    const { id } = await harness.begun('p1');
    const payment = await harness.payment(id);
    const other = await paymentHarness({ bill });
    const hold = { bill: await other.bill(), now: other.now(), lockUntil: other.now() };
    if (!payment) throw new Error('no payment');
    expect(await other.payments.start(payment, hold)).toEqual({ ok: false, error: 'bill_not_payable' });
    expect((await stateOf(other)).payments).toEqual({});
  });

  it('does not start for a banned merchant, a disabled shop or a currency without a rate', async () => {
    const banned = await paymentHarness({ merchant: { banned: true } });
    expect(await banned.start(banned.form('payment1'))).toMatchObject({ kind: 'switched_off' });
    const off = await paymentHarness({ shop: { enabled: false } });
    expect(await off.open()).toMatchObject({ kind: 'switched_off' });
    const tenge = await paymentHarness({ bill: { amount: { minor: 10_050n, currency: 'KZT' } } });
    expect(await tenge.start(tenge.form('payment1'))).toMatchObject({ kind: 'switched_off' });
  });
});

describe('take over: an expired lock', () => {
  it('lets the next payer in after fifteen minutes and not before', async () => {
    const harness = await paymentHarness();
    const first = await harness.begun('p1');
    harness.pass(14.99);
    expect(await harness.start(harness.form('000000p2'))).toMatchObject({ pageUrl: first.pageUrl });
    harness.pass(0.01);
    const second = await harness.begun('p2');
    expect(second.pageUrl).not.toBe(first.pageUrl);
    expect(await harness.bill()).toMatchObject({ status: 'PROCESS', current: second.id });
  });

  it('closes the card page of the displaced payer', async () => {
    const harness = await paymentHarness();
    const first = await harness.begun('p1');
    harness.pass(15);
    const second = await harness.begun('p2');
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'FAIL/DONE', p2: 'PROCESS/AUTHORIZING' },
    });
    await first.pay();
    await second.pay();
    await harness.notice(first.id);
    await harness.resolve(second.id);
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p2', failures: 0 },
      charged: 10_050,
      entries: ['CAPTURE p2'],
      waiting: 0,
    });
  });

  it('voids an authorisation that the displaced payer got meanwhile', async () => {
    const harness = await paymentHarness();
    const first = await harness.begun('p1');
    harness.pass(15);
    harness.line.cut = 'calls';
    const unavailable = await harness.start(harness.form('000000p2'));
    expect(unavailable).toMatchObject({ kind: 'not_responding' });
    harness.line.cut = undefined;
    await first.pay();
    const second = await harness.begun('p2');

    await harness.resolve(first.id);
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'FAIL/DONE', p2: 'PROCESS/AUTHORIZING' },
      bill: { status: 'PROCESS', failures: 0 },
      charged: 0,
    });
    await second.pay();
    await harness.resolve(second.id);
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p2' },
      charged: 10_050,
      waiting: 0,
    });
  });

  it('retries a void that the acquirer refuses at first', async () => {
    const harness = await paymentHarness();
    const first = await harness.begun('p1');
    harness.pass(15);
    await displaceWithoutAnAnswer(harness);
    await first.pay(stubbornCard);
    await harness.resolve(first.id);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/VOIDING' } });
    harness.pass(1);
    await harness.sweep();
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, charged: 0 });
  });

  it('does not displace a payment whose capture was requested', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay(pendingCaptureCard);
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'PROCESS/CAPTURING' },
      bill: { fenced: true },
    });

    harness.pass(30);
    expect(await harness.start(harness.form('000000p2'))).toEqual(
      expect.objectContaining({ kind: 'pending', paymentId: id }),
    );
    await harness.resolve(id);
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p1' },
      charged: 10_050,
    });
  });

  it('redirects the displaced payer, who sends the form again, to the outcome of their payment', async () => {
    const harness = await paymentHarness();
    const form = harness.form('000000p1');
    await harness.start(form);
    harness.pass(15);
    await harness.begun('p2');
    expect(await harness.start(form)).toMatchObject({
      kind: 'pending',
      paymentId: expect.stringMatching(/p1$/),
    });
  });
});

describe('fence and settle: a captured payment', () => {
  it('writes payment, bill, balance, entry and event together', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    const found = await harness.resolve(id);

    expect(found?.payment).toMatchObject({
      status: 'SUCCESS',
      receivedMinor: 10_050n,
      feeMinor: 201n,
      fromCard: '411111******1111',
      accountBank: 'Sandbox Bank',
    });
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p1', fenced: true },
      payments: { p1: 'SUCCESS/DONE' },
      entries: ['CAPTURE p1'],
      events: ['p1 SUCCESS PENDING'],
      charged: 10_050,
      waiting: 0,
    });
    expect(await harness.available()).toMatchObject({ RUB: 9_849n });
    expect(harness.queued).toEqual([`pay.${id}.SUCCESS`]);
    expect(harness.alarms).toEqual([]);
  });

  it.each([
    [underpaidCard, 'UNDERPAID', 9_045, 181n],
    [overpaidCard, 'OVERPAID', 11_055, 221n],
  ])('%s ends as %s, which finishes the bill too', async (number, status, received, fee) => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay(number);
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({ bill: { status, paidBy: 'p1' }, charged: received });
    expect(await harness.available()).toMatchObject({ RUB: BigInt(received) - fee });
    expect(await harness.start(harness.form('payment2'))).toMatchObject({ kind: 'paid' });
  });

  it('charges no higher fee than was received', async () => {
    const harness = await paymentHarness({
      terms: { paymentFee: { bps: 0, fixedMinor: 20_000n, minimumMinor: 0n } },
    });
    const { id, pay } = await harness.begun('p1');
    await pay();
    await harness.resolve(id);
    expect(await harness.available()).toMatchObject({ RUB: 0n });
    expect(await harness.payment(id)).toMatchObject({ feeMinor: 10_050n });
  });

  it('credits exactly the amount of the bill when the payer pays the fee', async () => {
    const harness = await paymentHarness({ bill: { payerPaysCommission: true } });
    const { id, pay } = await harness.begun('p1', 10_251n);
    await pay();
    await harness.resolve(id);
    expect(await harness.available()).toMatchObject({ RUB: 10_050n });
    expect(await stateOf(harness)).toMatchObject({ charged: 10_251, bill: { status: 'SUCCESS' } });
  });

  it('settles tenge in the merchant’s currency at the rate of its start', async () => {
    const harness = await paymentHarness({ bill: { amount: { minor: 10_050n, currency: 'KZT' } } });
    const rate = { from: 'KZT', to: 'RUB', setAt: harness.now() } as const;
    await harness.rates.set({ ...rate, numerator: 17n, denominator: 100n });
    const { id, pay } = await harness.begun('p1');
    await harness.rates.set({ ...rate, numerator: 99n, denominator: 100n });
    await pay();
    await harness.resolve(id);

    // 100.50 KZT are 17.085 RUB, less the fee of 2.01 KZT: 16.74 RUB.
    expect(await harness.available()).toMatchObject({ RUB: 1_674n });
    const { lines } = await stateOf(harness);
    const sumOf = (currency: string) =>
      lines.filter((line) => line.currency === currency).reduce((total, { minor }) => total + minor, 0n);
    expect([sumOf('KZT'), sumOf('RUB'), lines.length]).toEqual([0n, 0n, 5]);
  });

  it('does not change when it is resolved again', async () => {
    const harness = await paymentHarness({ notices: true });
    const { id, pay } = await harness.begun('p1');
    await pay();
    const settled = await stateOf(harness);
    await Promise.all([harness.resolve(id), harness.notice(id), harness.sweep(), harness.notice(id)]);
    expect(await stateOf(harness)).toEqual(settled);
    expect(harness.queued).toHaveLength(1);
  });

  it('settles once under twenty concurrent notifications', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    const all = await Promise.all(Array.from({ length: 20 }, () => harness.notice(id)));
    expect(all.map((found) => found?.payment.status)).toEqual(Array(20).fill('SUCCESS'));
    expect(await stateOf(harness)).toMatchObject({ entries: ['CAPTURE p1'], events: ['p1 SUCCESS PENDING'] });
    expect(await harness.available()).toMatchObject({ RUB: 9_849n });
    expect(harness.queued).toHaveLength(1);
  });

  it('writes no event for a shop that has no Result URL', async () => {
    const harness = await paymentHarness({ shop: { resultUrl: undefined } });
    const { id, pay } = await harness.begun('p1');
    await pay();
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({ events: [], bill: { status: 'SUCCESS' } });
  });

  it('waits for a delayed authorisation', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay(lateCard);
    await harness.resolve(id);
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' } });
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' }, charged: 10_050 });
  });

  it('completes although the link was switched off meanwhile', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await toggleBillActivity(harness, { caller: aCaller(), billId, active: false });
    await pay();
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({ bill: { status: 'SUCCESS' }, charged: 10_050 });
  });
});

describe('fail: a refused payment', () => {
  it('notifies the merchant and releases the bill for another card', async () => {
    const harness = await paymentHarness();
    const first = await harness.begun('p1');
    await first.pay(declinedCard);
    await harness.resolve(first.id);
    expect(await harness.payment(first.id)).toMatchObject({
      outcome: 'card_declined',
      declineReason: 'declined',
      fromCard: '400000******0002',
    });
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'FAIL', failures: 1, fenced: false },
      payments: { p1: 'FAIL/DONE' },
      entries: [],
      events: ['p1 FAIL PENDING'],
      waiting: 0,
    });
    expect(await harness.open()).toMatchObject({ kind: 'payable', failedBefore: true });

    const second = await harness.begun('p2');
    await second.pay();
    await harness.resolve(second.id);
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p2' },
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
      charged: 10_050,
    });
  });

  it('releases a fenced bill when the authorisation has lapsed', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay(lapsingCard);
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'FAIL', fenced: false, failures: 1 },
      payments: { p1: 'FAIL/DONE' },
    });
    await harness.begun('p2');
  });

  it('closes the bill after ten failures', async () => {
    const harness = await paymentHarness();
    for (let tried = 0; tried < 10; tried += 1) {
      const { id, pay } = await harness.begun(`${tried}`);
      await pay(declinedCard);
      await harness.resolve(id);
    }
    expect(await stateOf(harness)).toMatchObject({ bill: { status: 'FAIL', failures: 10 } });
    expect(await harness.open()).toMatchObject({ kind: 'too_many_failures' });
    expect(await harness.start(harness.form('payment2'))).toMatchObject({ kind: 'too_many_failures' });
  });
});

describe('duplicate capture and refund: a one-step acquirer captured twice', () => {
  it('settles one, refunds the other and notifies only the operator', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { first, second } = await twoGaveTheirCard(harness);
    expect(await stateOf(harness)).toMatchObject({ charged: 20_100 });

    await harness.resolve(second.id);
    await harness.resolve(first.id);
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p2' },
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1', 'CAPTURE p2'],
      events: ['p1 FAIL SUPERSEDED', 'p2 SUCCESS PENDING'],
      charged: 10_050,
      waiting: 0,
    });
    expect(await harness.available()).toMatchObject({ RUB: 9_849n });
    expect(harness.alarms).toEqual(['duplicate_capture p1']);
    expect(harness.queued).toEqual([`pay.${second.id}.SUCCESS`]);
    const toBeSent = (await itemsOf(harness.table)).filter(
      ({ PK, workList }) => PK.startsWith('E#') && workList,
    );
    expect(toBeSent.map(({ PK }) => PK)).toEqual([`E#pay.${second.id}.SUCCESS`]);
  });

  it('settles the displaced payment when only that payer paid', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const first = await harness.begun('p1');
    harness.pass(15);
    await displaceWithoutAnAnswer(harness);
    await first.pay();
    await harness.resolve(first.id);
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p1' },
      charged: 10_050,
    });
    harness.pass(1);
    await harness.sweep();
    expect(await stateOf(harness)).toMatchObject({ payments: { p2: 'FAIL/DONE' }, waiting: 0 });
  });

  it('refunds once under concurrent notifications', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { first, second } = await twoGaveTheirCard(harness);
    const everybody = [first.id, second.id].flatMap((id) =>
      Array.from({ length: 10 }, () => harness.notice(id)),
    );
    await Promise.all(everybody);
    const { charged, entries, payments } = await stateOf(harness);
    expect(charged).toBe(10_050);
    expect(new Set(entries.map((entry) => entry.split(' ')[0]))).toEqual(
      new Set(['CAPTURE', 'REFUND', 'DUPLICATE_CAPTURE']),
    );
    expect(entries).toHaveLength(3);
    expect(new Set(Object.values(payments))).toEqual(new Set(['FAIL/DONE', 'SUCCESS/DONE']));
  });
});

describe('a batch read that is not a snapshot', () => {
  /** The next batch returns the bill as it was before the payment held it. */
  const staleOnce =
    (state: { stale: boolean }, older: Record<string, unknown>) =>
    (table: Table): Table => {
      const send = table.client.send.bind(table.client);
      const line = Object.assign(Object.create(table.client), {
        async send(command: BatchGetCommand) {
          const answer = await send(command);
          if (!(command instanceof BatchGetCommand) || !state.stale) return answer;
          state.stale = false;
          const items = answer.Responses?.[table.name] ?? [];
          const aged = items.map((item) => (item['SK'] === 'B' ? older : item));
          return { ...answer, Responses: { [table.name]: aged } };
        },
      });
      return { ...table, client: line };
    };

  it.each(['pending', 'declined'])('does not make a %s payment look displaced', async (view) => {
    const state = { stale: false };
    const harness = await paymentHarness({ between: staleOnce(state, billItem(aBill())) });
    const { id, pay } = await harness.begun('p1');
    if (view === 'declined') await pay(declinedCard);
    state.stale = true;
    await harness.resolve(id);
    expect(state.stale).toBe(false);
    expect(await stateOf(harness)).toMatchObject(
      view === 'declined'
        ? { payments: { p1: 'FAIL/DONE' }, bill: { status: 'FAIL', failures: 1 } }
        : { payments: { p1: 'PROCESS/AUTHORIZING' }, bill: { status: 'PROCESS' } },
    );
  });
});

describe('start again: no answer named the order', () => {
  /** The first call of `start` had no answer. */
  async function unanswered(cut: 'calls' | 'answers') {
    const harness = await paymentHarness();
    harness.line.cut = cut;
    const form = harness.form('000000p1');
    expect(await harness.start(form)).toMatchObject({ kind: 'not_responding' });
    harness.line.cut = undefined;
    const [due] = await harness.payments.due(new Date(harness.now().getTime() + 10_000));
    return { harness, form, id: due!.id };
  }

  it.each(['calls', 'answers'] as const)(
    'repeats the call after lost %s, under the same key',
    async (cut) => {
      const { harness, id } = await unanswered(cut);
      const keys: string[] = [];
      const { start } = harness.acquirer;
      Object.assign(harness.acquirer, {
        start: (request: StartRequest) => (keys.push(request.key), start(request)),
      });
      harness.pass(1);
      await harness.resolve(id);
      expect(keys).toEqual([`${id}.1`]);
      expect(await harness.payment(id)).toMatchObject({
        phase: 'AUTHORIZING',
        reference: expect.any(String),
        startCall: { attempt: 1, unanswered: 2, lastAt: harness.now() },
      });
    },
  );

  it('opens the card page when the payer retries in time', async () => {
    const harness = await paymentHarness();
    harness.line.cut = 'calls';
    const form = harness.form('000000p1');
    await harness.start(form);
    harness.line.cut = undefined;
    expect(await harness.start(form)).toMatchObject({ kind: 'started' });
  });

  it('is cancelled after an hour on the card page', async () => {
    const harness = await paymentHarness();
    const { id } = await harness.begun('p1');
    harness.pass(59.9);
    await harness.sweep();
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' } });
    harness.pass(0.1);
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, waiting: 0 });
  });
});

describe('late money: the acquirer authorises or captures a failed payment', () => {
  /** A payment that failed although the acquirer has it authorised or captured. */
  async function failedTooEarly(steps: 'one' | 'two') {
    const harness = await paymentHarness({ steps });
    const { id, pay } = await harness.begun('p1');
    const payment = await harness.payment(id);
    if (!payment) throw new Error('no payment');
    const after = { ...payment, status: 'FAIL', phase: 'DONE' } as const;
    await harness.payments.failed(payment, after, {
      releasesBill: true,
      countsFailure: true,
      entries: [],
      event: undefined,
    });
    await pay();
    return { harness, id };
  }

  it('voids a late authorisation; it stays FAIL and an alarm is raised', async () => {
    const { harness, id } = await failedTooEarly('two');
    expect((await harness.notice(id))?.payment).toMatchObject({ status: 'FAIL', phase: 'DONE' });
    expect(harness.alarms).toEqual(['late_money p1']);
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'FAIL', failures: 1 },
      entries: [],
      events: [],
      charged: 0,
      waiting: 0,
    });
    expect(await harness.atAcquirer(id)).toMatchObject({ state: 'voided' });
  });

  it('refunds a late capture with both entries, and leaves the bill to the next attempt', async () => {
    const { harness, id } = await failedTooEarly('one');
    await harness.notice(id);
    expect(harness.alarms).toEqual(['late_money p1']);
    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'FAIL', failures: 1 },
      payments: { p1: 'FAIL/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1'],
      events: [],
      charged: 0,
      waiting: 0,
    });
    expect(await harness.available()).toMatchObject({ RUB: 0n });
  });

  it('is finished by the sweep when the refund could not be requested', async () => {
    const { harness, id } = await failedTooEarly('one');
    harness.line.fails = (call) => call === 'refund';
    await expect(harness.notice(id)).rejects.toThrow();
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/REFUNDING' }, waiting: 1 });
    harness.line.fails = () => false;
    harness.pass(1);
    await harness.sweep();
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, charged: 0, waiting: 0 });
  });

  it('is refunded when a person asks about the payment, and no notification came', async () => {
    const { harness, id } = await failedTooEarly('one');
    expect(await askAboutPayment(harness, { paymentId: id })).toMatchObject({ ok: true });
    await harness.sweep();
    expect(harness.alarms).toEqual(['late_money p1']);
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'FAIL/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1'],
      charged: 0,
      waiting: 0,
    });
    // All of it has gone back, so there is nothing left to ask.
    expect(await askAboutPayment(harness, { paymentId: id })).toEqual({
      ok: false,
      error: 'payment_is_final',
    });
  });

  it('is looked for once each time that a person asks, and not found', async () => {
    const harness = await paymentHarness({ steps: 'two' });
    const { id, pay } = await harness.begun('p1');
    await pay(declinedCard);
    await harness.notice(id);
    for (const day of [1, 2]) {
      expect(await askAboutPayment(harness, { paymentId: id })).toMatchObject({ ok: true });
      expect(await harness.payments.due(harness.now())).toMatchObject([{ id }]);
      await harness.sweep();
      expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, waiting: 0 });
      harness.pass(day * 24 * 60);
    }
    expect(harness.alarms).toEqual([]);
  });

  it('is left to a person when the refunded money is captured again', async () => {
    const { harness, id } = await failedTooEarly('one');
    await harness.notice(id);
    const before = await stateOf(harness);
    const view = { state: 'captured', amountMinor: 10_050n, refundedMinor: 0n } as const;
    Object.assign(harness.acquirer, { get: async () => view });
    await harness.notice(id);
    expect(harness.alarms).toEqual(['late_money p1', 'refund_undone p1']);
    expect(await stateOf(harness)).toEqual(before);
  });

  it('is handled once under concurrent checks', async () => {
    const { harness, id } = await failedTooEarly('one');
    await Promise.all(Array.from({ length: 10 }, () => harness.notice(id)));
    expect(await stateOf(harness)).toMatchObject({
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1'],
      charged: 0,
      waiting: 0,
    });
    expect(new Set(harness.alarms)).toEqual(new Set(['late_money p1']));
  });
});

describe('a MULTI bill', () => {
  it('is never locked: NEW until its first success, then SUCCESS, whatever fails later', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' } });
    const payers = [await harness.begun('p1'), await harness.begun('p2'), await harness.begun('p3')];
    const [one, two, three] = payers;
    await one?.pay(declinedCard);
    await harness.resolve(one!.id);
    expect((await harness.bill()).status).toBe('NEW');
    await two?.pay();
    await harness.resolve(two!.id);
    expect((await harness.bill()).status).toBe('SUCCESS');
    await three?.pay(underpaidCard);
    await harness.resolve(three!.id);

    expect(await stateOf(harness)).toMatchObject({
      bill: { status: 'SUCCESS' },
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE', p3: 'UNDERPAID/DONE' },
      charged: 10_050 + 9_045,
      waiting: 0,
    });
    expect(await harness.open()).toMatchObject({ kind: 'payable', failedBefore: false });
  });

  it('accepts thirty concurrent payments, each posted once', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' }, notices: true });
    const names = Array.from({ length: 30 }, (_, at) => `${at + 10}`);
    await Promise.all(names.map(async (name) => (await harness.begun(name)).pay()));
    harness.pass(1);
    await harness.sweep();
    const { charged, entries, bill } = await stateOf(harness);
    expect([charged, entries.length, bill.status]).toEqual([30 * 10_050, 30, 'SUCCESS']);
    expect(await harness.available()).toMatchObject({ RUB: 30n * 9_849n });
  });

  it('starts no further payment once it is switched off', async () => {
    const harness = await paymentHarness({ bill: { type: 'MULTI' } });
    const { id, pay } = await harness.begun('p1');
    await toggleBillActivity(harness, { caller: aCaller(), billId, active: false });
    expect(await harness.start(harness.form('payment2'))).toMatchObject({ kind: 'switched_off' });
    await pay();
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' } });
  });
});
