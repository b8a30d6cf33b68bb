import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { resolvePayment } from '../../lib/payment/resolve-payment.ts';
import { toggleBillActivity } from '../../lib/bill/toggle-bill-activity.ts';
import { billItem } from '../../lib/store/bill-item.ts';
import type { Table } from '../../lib/store/table.ts';
import { aCaller } from '../support/api-event.ts';
import { aBill, billId } from '../support/builders.ts';
import { itemsOf } from '../support/items-of.ts';
import { paymentHouse, stateOf } from '../support/payment-house.ts';

const declinedCard = '4000000000000002';
const underpaidCard = '4000000000110009';
const overpaidCard = '4000000000110017';
const lateCard = '4000000000110033';
const lapsingCard = '4000000000110090';
const stubbornCard = '4000000000110108';
const pendingCaptureCard = '4000000000110082';

describe('T1: a payment starts', () => {
  it('exists before the acquirer hears of it, holds the bill and is asked about in ten seconds', async () => {
    const house = await paymentHouse();
    const { id } = await house.begun('p1');

    expect(await house.bill()).toMatchObject({ status: 'PROCESS', current: id, fenced: false });
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' }, waiting: 1 });
    expect(await house.payments.due(house.now())).toEqual([]);
    house.pass(1 / 6);
    expect(await house.payments.due(house.now())).toEqual([id]);
  });

  it('leads whoever else opens the link to the same card page', async () => {
    const house = await paymentHouse();
    const { pageUrl, id } = await house.begun('p1');
    expect(await house.open()).toEqual({ kind: 'in_progress', pageUrl, paymentId: id });
    expect(await house.start(house.form('payment2'))).toMatchObject({ kind: 'in_progress', pageUrl });
    expect(Object.keys((await stateOf(house)).payments)).toEqual(['p1']);
  });

  it.each([
    ['switched off', { active: false }, 'switched_off'],
    ['expired', { expiresAt: new Date('2026-11-21T12:34:56.789Z') }, 'expired'],
    ['failed too often', { failures: 10, status: 'FAIL' }, 'too_many_failures'],
  ] as const)('does not start on a bill that is %s', async (_case, bill, kind) => {
    const house = await paymentHouse({ bill });
    expect(await house.start(house.form('payment1'))).toMatchObject({ kind });
    expect(await stateOf(house)).toMatchObject({ payments: {}, waiting: 0 });
  });

  it.each([
    ['switched off', { active: false }],
    ['expired', { expiresAt: new Date('2026-11-21T12:34:56.789Z') }],
    ['failed too often', { failures: 10, status: 'FAIL' }],
    ['paid', { status: 'SUCCESS', paidBy: 'another' }],
    ['fenced', { status: 'PROCESS', current: 'another', fenced: true, lockUntil: new Date(0) }],
    ['locked', { status: 'PROCESS', current: 'another', lockUntil: new Date('2026-11-21T12:34:56.790Z') }],
  ] as const)('is refused by the store itself when the bill became %s meanwhile', async (_case, bill) => {
    const house = await paymentHouse();
    const { id } = await house.begun('p1');
    const payment = await house.payment(id);
    const other = await paymentHouse({ bill });
    const hold = { bill: await other.bill(), now: other.now(), lockUntil: other.now() };
    if (!payment) throw new Error('no payment');
    expect(await other.payments.start(payment, hold)).toEqual({ ok: false, error: 'bill_not_payable' });
    expect((await stateOf(other)).payments).toEqual({});
  });

  it('does not start for a merchant who is banned, a shop that is off, or a currency without a rate', async () => {
    const banned = await paymentHouse({ merchant: { banned: true } });
    expect(await banned.start(banned.form('payment1'))).toMatchObject({ kind: 'switched_off' });
    const off = await paymentHouse({ shop: { enabled: false } });
    expect(await off.open()).toMatchObject({ kind: 'switched_off' });
    const tenge = await paymentHouse({ bill: { amount: { minor: 10_050n, currency: 'KZT' } } });
    expect(await tenge.start(tenge.form('payment1'))).toMatchObject({ kind: 'switched_off' });
  });
});

describe("T1': the lock of another payer is over", () => {
  it('lets the next payer in after fifteen minutes, and not before', async () => {
    const house = await paymentHouse();
    const first = await house.begun('p1');
    house.pass(14.99);
    expect(await house.start(house.form('000000p2'))).toMatchObject({ pageUrl: first.pageUrl });
    house.pass(0.01);
    const second = await house.begun('p2');
    expect(second.pageUrl).not.toBe(first.pageUrl);
    expect(await house.bill()).toMatchObject({ status: 'PROCESS', current: second.id });
  });

  it('takes the card page from the displaced payer', async () => {
    const house = await paymentHouse();
    const first = await house.begun('p1');
    house.pass(15);
    const second = await house.begun('p2');
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'FAIL/DONE', p2: 'PROCESS/AUTHORIZING' } });
    await first.pay();
    await second.pay();
    await house.notice(first.id);
    await house.resolve(second.id);
    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p2', failures: 0 },
      charged: 10_050,
      entries: ['CAPTURE p2'],
      waiting: 0,
    });
  });

  it('voids what the displaced payer was authorised for meanwhile (T5)', async () => {
    const house = await paymentHouse();
    const first = await house.begun('p1');
    house.pass(15);
    house.line.cut = 'calls';
    const unavailable = await house.start(house.form('000000p2'));
    expect(unavailable).toMatchObject({ kind: 'unavailable' });
    house.line.cut = undefined;
    await first.pay();
    const second = await house.begun('p2');

    await house.resolve(first.id);
    expect(await stateOf(house)).toMatchObject({
      payments: { p1: 'FAIL/DONE', p2: 'PROCESS/AUTHORIZING' },
      bill: { status: 'PROCESS', failures: 0 },
      charged: 0,
    });
    await second.pay();
    await house.resolve(second.id);
    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p2' },
      charged: 10_050,
      waiting: 0,
    });
  });

  it('keeps asking for a void that the acquirer refuses at first', async () => {
    const house = await paymentHouse();
    const first = await house.begun('p1');
    house.pass(15);
    house.line.cut = 'calls';
    await house.start(house.form('000000p2'));
    house.line.cut = undefined;
    await first.pay(stubbornCard);
    await house.resolve(first.id);
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'PROCESS/VOIDING' } });
    house.pass(1);
    await house.sweep();
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, charged: 0 });
  });

  it('does not happen to a payment whose capture was asked for', async () => {
    const house = await paymentHouse();
    const { id, pay } = await house.begun('p1');
    await pay(pendingCaptureCard);
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({
      payments: { p1: 'PROCESS/CAPTURING' },
      bill: { fenced: true },
    });

    house.pass(30);
    expect(await house.start(house.form('000000p2'))).toEqual(
      expect.objectContaining({ kind: 'pending', paymentId: id }),
    );
    await house.resolve(id);
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p1' },
      charged: 10_050,
    });
  });

  it('leads the displaced payer, who sends their form once more, to what became of their payment', async () => {
    const house = await paymentHouse();
    const form = house.form('000000p1');
    await house.start(form);
    house.pass(15);
    await house.begun('p2');
    expect(await house.start(form)).toMatchObject({
      kind: 'pending',
      paymentId: expect.stringMatching(/p1$/),
    });
  });
});

describe('T2 and T3: captured and settled', () => {
  it('writes payment, bill, balance, entry and event together', async () => {
    const house = await paymentHouse();
    const { id, pay } = await house.begun('p1');
    await pay();
    const found = await house.resolve(id);

    expect(found?.payment).toMatchObject({
      status: 'SUCCESS',
      receivedMinor: 10_050n,
      feeMinor: 201n,
      fromCard: '411111******1111',
    });
    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p1', fenced: true },
      payments: { p1: 'SUCCESS/DONE' },
      entries: ['CAPTURE p1'],
      events: ['p1 SUCCESS PENDING'],
      charged: 10_050,
      waiting: 0,
    });
    expect(await house.available()).toMatchObject({ RUB: 9_849n });
    expect(house.queued).toEqual([`pay.${id}.SUCCESS`]);
    expect(house.alarms).toEqual([]);
  });

  it.each([
    [underpaidCard, 'UNDERPAID', 9_045, 181n],
    [overpaidCard, 'OVERPAID', 11_055, 221n],
  ])('%s ends as %s, which finishes the bill too', async (number, status, received, fee) => {
    const house = await paymentHouse();
    const { id, pay } = await house.begun('p1');
    await pay(number);
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({ bill: { status, paidBy: 'p1' }, charged: received });
    expect(await house.available()).toMatchObject({ RUB: BigInt(received) - fee });
    expect(await house.start(house.form('payment2'))).toMatchObject({ kind: 'paid' });
  });

  it('takes no more as a fee than was received', async () => {
    const house = await paymentHouse({
      terms: { paymentFee: { bps: 0, fixedMinor: 20_000n, minimumMinor: 0n } },
    });
    const { id, pay } = await house.begun('p1');
    await pay();
    await house.resolve(id);
    expect(await house.available()).toMatchObject({ RUB: 0n });
    expect(await house.payment(id)).toMatchObject({ feeMinor: 10_050n });
  });

  it('gives the merchant exactly the amount of the bill when the payer pays the fee', async () => {
    const house = await paymentHouse({ bill: { payerPaysCommission: true } });
    const { id, pay } = await house.begun('p1', 10_251n);
    await pay();
    await house.resolve(id);
    expect(await house.available()).toMatchObject({ RUB: 10_050n });
    expect(await stateOf(house)).toMatchObject({ charged: 10_251, bill: { status: 'SUCCESS' } });
  });

  it('settles tenge in the chosen currency, at the rate of the start', async () => {
    const house = await paymentHouse({ bill: { amount: { minor: 10_050n, currency: 'KZT' } } });
    const rate = { from: 'KZT', to: 'RUB', setAt: house.now() } as const;
    await house.rates.set({ ...rate, numerator: 17n, denominator: 100n });
    const { id, pay } = await house.begun('p1');
    await house.rates.set({ ...rate, numerator: 99n, denominator: 100n });
    await pay();
    await house.resolve(id);

    // 100.50 KZT are 17.085 RUB, less the fee of 2.01 KZT: 16.74 RUB.
    expect(await house.available()).toMatchObject({ RUB: 1_674n });
    const { lines } = await stateOf(house);
    const sumOf = (currency: string) =>
      lines.filter((line) => line.currency === currency).reduce((total, { minor }) => total + minor, 0n);
    expect([sumOf('KZT'), sumOf('RUB'), lines.length]).toEqual([0n, 0n, 5]);
  });

  it('changes nothing when it is asked again', async () => {
    const house = await paymentHouse({ notices: true });
    const { id, pay } = await house.begun('p1');
    await pay();
    const settled = await stateOf(house);
    await Promise.all([house.resolve(id), house.notice(id), house.sweep(), house.notice(id)]);
    expect(await stateOf(house)).toEqual(settled);
    expect(house.queued).toHaveLength(1);
  });

  it('is done once by twenty who ask at the same moment', async () => {
    const house = await paymentHouse();
    const { id, pay } = await house.begun('p1');
    await pay();
    const all = await Promise.all(Array.from({ length: 20 }, () => house.notice(id)));
    expect(all.map((found) => found?.payment.status)).toEqual(Array(20).fill('SUCCESS'));
    expect(await stateOf(house)).toMatchObject({ entries: ['CAPTURE p1'], events: ['p1 SUCCESS PENDING'] });
    expect(await house.available()).toMatchObject({ RUB: 9_849n });
    expect(house.queued).toHaveLength(1);
  });

  it('writes no event for a shop that has no Result URL', async () => {
    const house = await paymentHouse({ shop: { resultUrl: undefined } });
    const { id, pay } = await house.begun('p1');
    await pay();
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({ events: [], bill: { status: 'SUCCESS' } });
  });

  it('waits for an authorisation that is late', async () => {
    const house = await paymentHouse();
    const { id, pay } = await house.begun('p1');
    await pay(lateCard);
    await house.resolve(id);
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' } });
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' }, charged: 10_050 });
  });

  it('completes although the link was switched off meanwhile', async () => {
    const house = await paymentHouse();
    const { id, pay } = await house.begun('p1');
    await toggleBillActivity(house, { caller: aCaller(), billId, active: false });
    await pay();
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({ bill: { status: 'SUCCESS' }, charged: 10_050 });
  });
});

describe('T4: refused', () => {
  it('tells the merchant, frees the bill and lets another card be tried', async () => {
    const house = await paymentHouse();
    const first = await house.begun('p1');
    await first.pay(declinedCard);
    await house.resolve(first.id);
    expect(await house.payment(first.id)).toMatchObject({
      outcome: 'card_declined',
      fromCard: '400000******0002',
    });
    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'FAIL', failures: 1, fenced: false },
      payments: { p1: 'FAIL/DONE' },
      entries: [],
      events: ['p1 FAIL PENDING'],
      waiting: 0,
    });
    expect(await house.open()).toMatchObject({ kind: 'payable', failedBefore: true });

    const second = await house.begun('p2');
    await second.pay();
    await house.resolve(second.id);
    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p2' },
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
      charged: 10_050,
    });
  });

  it('frees a fenced bill when the authorisation has lapsed', async () => {
    const house = await paymentHouse();
    const { id, pay } = await house.begun('p1');
    await pay(lapsingCard);
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'FAIL', fenced: false, failures: 1 },
      payments: { p1: 'FAIL/DONE' },
    });
    await house.begun('p2');
  });

  it('wears the bill out after ten failures', async () => {
    const house = await paymentHouse();
    for (let tried = 0; tried < 10; tried += 1) {
      const { id, pay } = await house.begun(`${tried}`);
      await pay(declinedCard);
      await house.resolve(id);
    }
    expect(await stateOf(house)).toMatchObject({ bill: { status: 'FAIL', failures: 10 } });
    expect(await house.open()).toMatchObject({ kind: 'too_many_failures' });
    expect(await house.start(house.form('payment2'))).toMatchObject({ kind: 'too_many_failures' });
  });
});

describe('T6 and T7: a one-step acquirer captured twice', () => {
  it('settles the first, refunds the second and tells nobody but the operator', async () => {
    const house = await paymentHouse({ steps: 'one' });
    const first = await house.begun('p1');
    house.pass(15);
    house.line.cut = 'calls';
    await house.start(house.form('000000p2'));
    house.line.cut = undefined;
    const second = await house.begun('p2');
    await first.pay();
    await second.pay();
    expect(await stateOf(house)).toMatchObject({ charged: 20_100 });

    await house.resolve(second.id);
    await house.resolve(first.id);
    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p2' },
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1', 'CAPTURE p2'],
      events: ['p1 FAIL SUPERSEDED', 'p2 SUCCESS PENDING'],
      charged: 10_050,
      waiting: 0,
    });
    expect(await house.available()).toMatchObject({ RUB: 9_849n });
    expect(house.alarms).toEqual(['duplicate_capture p1']);
    expect(house.queued).toEqual([`pay.${second.id}.SUCCESS`]);
    const toBeSent = (await itemsOf(house.table)).filter(
      ({ PK, workList }) => PK.startsWith('E#') && workList,
    );
    expect(toBeSent.map(({ PK }) => PK)).toEqual([`E#pay.${second.id}.SUCCESS`]);
  });

  it('keeps the money of the displaced payer when they were the one who paid', async () => {
    const house = await paymentHouse({ steps: 'one' });
    const first = await house.begun('p1');
    house.pass(15);
    house.line.cut = 'calls';
    await house.start(house.form('000000p2'));
    house.line.cut = undefined;
    await first.pay();
    await house.resolve(first.id);
    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p1' },
      charged: 10_050,
    });
    house.pass(1);
    await house.sweep();
    expect(await stateOf(house)).toMatchObject({ payments: { p2: 'FAIL/DONE' }, waiting: 0 });
  });

  it('refunds once, whoever asks at the same moment', async () => {
    const house = await paymentHouse({ steps: 'one' });
    const first = await house.begun('p1');
    house.pass(15);
    house.line.cut = 'calls';
    await house.start(house.form('000000p2'));
    house.line.cut = undefined;
    const second = await house.begun('p2');
    await first.pay();
    await second.pay();
    const everybody = [first.id, second.id].flatMap((id) =>
      Array.from({ length: 10 }, () => house.notice(id)),
    );
    await Promise.all(everybody);
    const { charged, entries, payments } = await stateOf(house);
    expect(charged).toBe(10_050);
    expect(new Set(entries.map((entry) => entry.split(' ')[0]))).toEqual(
      new Set(['CAPTURE', 'REFUND', 'DUPLICATE_CAPTURE']),
    );
    expect(entries).toHaveLength(3);
    expect(new Set(Object.values(payments))).toEqual(new Set(['FAIL/DONE', 'SUCCESS/DONE']));
  });
});

describe('a batch of reads that is no snapshot', () => {
  /** The next batch brings the bill as it was before the payment took it. */
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
      return { client: line, name: table.name };
    };

  it.each(['pending', 'declined'])('does not take a %s payment for displaced', async (view) => {
    const state = { stale: false };
    const house = await paymentHouse({ between: staleOnce(state, billItem(aBill())) });
    const { id, pay } = await house.begun('p1');
    if (view === 'declined') await pay(declinedCard);
    state.stale = true;
    await house.resolve(id);
    expect(state.stale).toBe(false);
    expect(await stateOf(house)).toMatchObject(
      view === 'declined'
        ? { payments: { p1: 'FAIL/DONE' }, bill: { status: 'FAIL', failures: 1 } }
        : { payments: { p1: 'PROCESS/AUTHORIZING' }, bill: { status: 'PROCESS' } },
    );
  });
});

describe('T8: the acquirer has never heard of it', () => {
  it('buries the payment there after fifteen minutes, then fails it', async () => {
    const house = await paymentHouse();
    house.line.cut = 'calls';
    const form = house.form('000000p1');
    expect(await house.start(form)).toMatchObject({ kind: 'unavailable' });
    house.line.cut = undefined;
    const [id = ''] = (house.pass(14.9), await house.payments.due(house.now()));
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' } });

    house.pass(0.1);
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, bill: { status: 'FAIL' } });
    expect(await house.start(form)).toMatchObject({ kind: 'pending', paymentId: id });
    await expect(house.acquirer.start(await anOrderOf(id))).rejects.toThrow();
  });

  it('opens the page at last when the payer tries again in time', async () => {
    const house = await paymentHouse();
    house.line.cut = 'calls';
    const form = house.form('000000p1');
    await house.start(form);
    house.line.cut = undefined;
    expect(await house.start(form)).toMatchObject({ kind: 'started' });
  });

  it('ends a card page that was left alone for an hour', async () => {
    const house = await paymentHouse();
    const { id } = await house.begun('p1');
    house.pass(59.9);
    await house.sweep();
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' } });
    house.pass(0.1);
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, waiting: 0 });
  });
});

const anOrderOf = async (paymentId: string) => ({
  paymentId,
  amountMinor: 10_050n,
  currency: 'RUB' as const,
  description: 'too late',
  returnUrl: 'https://pay.example.test/result',
  notifyUrl: 'https://pay.example.test/notice',
});

describe('T9: the acquirer takes up a payment that has failed', () => {
  /** An acquirer that called the payment declined and then thinks otherwise. */
  async function failedTooEarly(steps: 'one' | 'two') {
    const house = await paymentHouse({ steps });
    const { id, pay } = await house.begun('p1');
    const payment = await house.payment(id);
    if (!payment) throw new Error('no payment');
    const after = { ...payment, status: 'FAIL', phase: 'DONE' } as const;
    await house.payments.failed(payment, after, { releasesBill: true });
    await pay();
    return { house, id };
  }

  it('voids a late authorisation; it stays FAIL, and the operator hears of it', async () => {
    const { house, id } = await failedTooEarly('two');
    expect((await house.notice(id))?.payment).toMatchObject({ status: 'FAIL', phase: 'DONE' });
    expect(house.alarms).toEqual(['late_money p1']);
    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'FAIL', failures: 1 },
      entries: [],
      events: [],
      charged: 0,
      waiting: 0,
    });
    expect(await house.acquirer.get(id)).toMatchObject({ state: 'voided' });
  });

  it('refunds what was captured late, with both entries, and leaves the bill to the next try', async () => {
    const { house, id } = await failedTooEarly('one');
    await house.notice(id);
    expect(house.alarms).toEqual(['late_money p1']);
    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'FAIL', failures: 1 },
      payments: { p1: 'FAIL/DONE' },
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1'],
      events: [],
      charged: 0,
      waiting: 0,
    });
    expect(await house.available()).toMatchObject({ RUB: 0n });
  });

  it('is finished by the sweep when the refund could not be asked for', async () => {
    const { house, id } = await failedTooEarly('one');
    house.line.fails = (call) => call === 'refund';
    await expect(house.notice(id)).rejects.toThrow();
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'FAIL/REFUNDING' }, waiting: 1 });
    house.line.fails = () => false;
    house.pass(1);
    await house.sweep();
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, charged: 0, waiting: 0 });
  });

  it('is left to a person when what was given back is taken again', async () => {
    const { house, id } = await failedTooEarly('one');
    await house.notice(id);
    const before = await stateOf(house);
    const acquirer = {
      ...house.acquirer,
      get: async () => ({ state: 'captured', amountMinor: 10_050n }) as const,
    };
    await resolvePayment({ ...house, acquirer }, id, { evenIfFinal: true });
    expect(house.alarms).toEqual(['late_money p1', 'refund_undone p1']);
    expect(await stateOf(house)).toEqual(before);
  });

  it('is taken up by many at once as by one', async () => {
    const { house, id } = await failedTooEarly('one');
    await Promise.all(Array.from({ length: 10 }, () => house.notice(id)));
    expect(await stateOf(house)).toMatchObject({
      entries: ['DUPLICATE_CAPTURE p1', 'REFUND p1'],
      charged: 0,
      waiting: 0,
    });
    expect(new Set(house.alarms)).toEqual(new Set(['late_money p1']));
  });
});

describe('a MULTI bill', () => {
  it('is never locked: NEW until its first success, then SUCCESS, whatever fails later', async () => {
    const house = await paymentHouse({ bill: { type: 'MULTI' } });
    const payers = [await house.begun('p1'), await house.begun('p2'), await house.begun('p3')];
    const [one, two, three] = payers;
    await one?.pay(declinedCard);
    await house.resolve(one?.id ?? '');
    expect((await house.bill()).status).toBe('NEW');
    await two?.pay();
    await house.resolve(two?.id ?? '');
    expect((await house.bill()).status).toBe('SUCCESS');
    await three?.pay(underpaidCard);
    await house.resolve(three?.id ?? '');

    expect(await stateOf(house)).toMatchObject({
      bill: { status: 'SUCCESS', failures: 0, paidBy: undefined },
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE', p3: 'UNDERPAID/DONE' },
      charged: 10_050 + 9_045,
      waiting: 0,
    });
    expect(await house.open()).toMatchObject({ kind: 'payable', failedBefore: false });
  });

  it('takes thirty payments at once, each booked once', async () => {
    const house = await paymentHouse({ bill: { type: 'MULTI' }, notices: true });
    const names = Array.from({ length: 30 }, (_, at) => `${at + 10}`);
    await Promise.all(names.map(async (name) => (await house.begun(name)).pay()));
    house.pass(1);
    await house.sweep();
    const { charged, entries, bill } = await stateOf(house);
    expect([charged, entries.length, bill.status]).toEqual([30 * 10_050, 30, 'SUCCESS']);
    expect(await house.available()).toMatchObject({ RUB: 30n * 9_849n });
  });

  it('starts nothing more once it is switched off', async () => {
    const house = await paymentHouse({ bill: { type: 'MULTI' } });
    const { id, pay } = await house.begun('p1');
    await toggleBillActivity(house, { caller: aCaller(), billId, active: false });
    expect(await house.start(house.form('payment2'))).toMatchObject({ kind: 'switched_off' });
    await pay();
    await house.resolve(id);
    expect(await stateOf(house)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' } });
  });
});
