import { describe, expect, it } from 'vitest';
import { type PaymentId, toPaymentId } from '../../../lib/ids.ts';
import type { Acquirer, AcquirerView, FoundOrder, RefundView } from '../../../lib/payment/acquirer.ts';
import { resolveByHand } from '../../../lib/payment/resolve-by-hand.ts';
import { ProviderBusy } from '../../../lib/provider-port.ts';
import { captured, refunded } from '../../support/acquirer-views.ts';
import { itemsOf } from '../../support/items-of.ts';
import {
  noticed,
  type PaymentHarness,
  paymentHarness,
  stateOf,
  switchAcquirer,
} from '../../support/payment-harness.ts';

const hour = 60;
const underpaidCard = '4000000000110009';
const cannotEnd = { endsOpenOrders: false } as const;

/** Replaces methods of the acquirer. */
function replace({ acquirer }: PaymentHarness, methods: Partial<Acquirer>): void {
  Object.assign(acquirer, methods);
}

/** The keys with which these calls are made from now on. */
function keysOf(harness: PaymentHarness, name: 'capture' | 'cancel' | 'refund') {
  const keys: string[] = [];
  const call = harness.acquirer[name];
  Object.assign(harness.acquirer, {
    [name]: (...given: Parameters<typeof call>) => {
      keys.push(given[1].key.slice(27));
      return Reflect.apply(call, harness.acquirer, given);
    },
  });
  return keys;
}

/** The payer pressed Pay, and no answer to the call came. */
async function unanswered(cut: 'calls' | 'answers', manners = {}) {
  const harness = await paymentHarness({ manners });
  harness.line.cut = cut;
  expect(await harness.start(harness.form('000000p1'))).toMatchObject({ kind: 'not_responding' });
  harness.line.cut = undefined;
  const [due] = await harness.payments.due(new Date(harness.now().getTime() + 10_000));
  if (!due) throw new Error('no payment is due');
  return { harness, id: due.id };
}

describe('a payment whose order no answer has named', () => {
  it.each(['calls', 'answers'] as const)('is started again by the check after lost %s', async (cut) => {
    const { harness, id } = await unanswered(cut, { keyLifeHours: 24 });
    harness.pass(21 * hour);
    await harness.check(id);
    const { reference, startCall } = (await harness.payment(id)) ?? {};
    expect(reference).toEqual(expect.any(String));
    expect(startCall).toMatchObject({ attempt: 1, unanswered: 2, lastAt: harness.now() });
    expect((await harness.sandbox.books()).acquirer.orders.length).toBeLessThanOrEqual(1);
  });

  it('is neither started nor failed between 22 and 26 hours, and then fails because the list does not have it', async () => {
    const { harness, id } = await unanswered('calls');
    harness.line.fails = (call) => call === 'start';
    for (const hours of [22, 3.9]) {
      harness.pass(hours * hour);
      await harness.resolve(id);
      expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' } });
    }
    harness.pass(0.1 * hour);
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'FAIL/DONE' },
      bill: { status: 'FAIL', failures: 0 },
      waiting: 0,
    });
    expect(await harness.payment(id)).toMatchObject({ outcome: 'absent' });
  });

  it('waits while the list cannot be read', async () => {
    const { harness, id } = await unanswered('calls');
    harness.pass(30 * hour);
    harness.line.fails = (call) => call === 'find';
    await expect(harness.resolve(id)).rejects.toThrow();
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'PROCESS/AUTHORIZING' } });
  });

  it('gets its reference from the list', async () => {
    const { harness, id } = await unanswered('answers');
    harness.pass(30 * hour);
    await harness.resolve(id);
    expect((await harness.payment(id))?.reference).toEqual(expect.any(String));
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' } });
  });

  it('waits for the list when the secret that sealed its request is gone', async () => {
    const { harness, id } = await unanswered('calls');
    harness.pass(1);
    await expect(harness.checkUnder(['a new secret'], id)).resolves.toBeUndefined();
    expect(await harness.payment(id)).toMatchObject({ reference: undefined, startCall: { unanswered: 1 } });
  });

  it('takes the reference of a notification that comes before the answer', async () => {
    const { harness, id } = await unanswered('answers');
    const order = await harness.acquirer.find(await harness.orderAsSent(id));
    if (order === 'absent') throw new Error('the acquirer has no order');
    expect(await noticed(harness, id, order.reference)).toBe('accepted');
    expect(await harness.payment(id)).toMatchObject({ reference: order.reference });
  });
});

describe('a start that the acquirer refuses', () => {
  it('fails at once, keeps the outcome, and leaves the bill payable', async () => {
    const harness = await paymentHarness();
    replace(harness, { start: async () => ({ kind: 'refused', outcome: 'forbidden' }) });
    expect(await harness.start(harness.form('000000p1'))).toEqual({ kind: 'method_refused', method: 'card' });
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'FAIL/DONE' },
      bill: { status: 'FAIL', failures: 0 },
    });
    const [payment] = (await itemsOf(harness.table)).filter(({ SK }) => SK.startsWith('P#'));
    expect(payment).toMatchObject({ outcome: 'forbidden' });
    expect(await harness.open()).toMatchObject({ kind: 'payable' });
  });

  it('decides nothing while an earlier call is unanswered', async () => {
    const { harness, id } = await unanswered('answers');
    replace(harness, { start: async () => ({ kind: 'refused', outcome: 'invalid_credentials' }) });
    harness.pass(1);
    await harness.resolve(id);
    expect(await harness.payment(id)).toMatchObject({
      status: 'PROCESS',
      startCall: { attempt: 1, unanswered: 1, answer: 'refused' },
    });
  });
});

describe('two references for one payment', () => {
  it('are a contradiction: an alarm, and the first is kept', async () => {
    const harness = await paymentHarness();
    const { id } = await harness.begun('p1');
    const { reference } = (await harness.payment(id)) ?? {};
    const other: FoundOrder = { reference: 'other', paymentId: id, view: { state: 'pending' } };
    replace(harness, { look: async () => other });
    expect(await noticed(harness, id, 'other')).toBe('accepted');
    expect(harness.alarms).toEqual(['reference_conflict p1']);
    expect(await harness.payment(id)).toMatchObject({ reference, status: 'PROCESS' });
  });
});

describe('an open order that the acquirer cannot end', () => {
  it('is waited for after its bill was taken over, and voided when its payer still pays', async () => {
    const harness = await paymentHarness({ manners: cannotEnd });
    const first = await harness.begun('p1');
    harness.pass(16);
    const second = await harness.begun('p2');
    await harness.resolve(first.id);
    expect(await harness.payment(first.id)).toMatchObject({ phase: 'AUTHORIZING' });
    await first.pay();
    await second.pay();
    await harness.resolve(first.id);
    await harness.resolve(second.id);
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
      charged: 10_050,
      entries: ['CAPTURE p2'],
    });
  });

  it('ends by itself', async () => {
    const harness = await paymentHarness({ manners: cannotEnd });
    const { id } = await harness.begun('p1');
    harness.pass(61);
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'FAIL/DONE' },
      bill: { status: 'FAIL', failures: 0 },
    });
  });
});

describe('an abandoned payment', () => {
  it('is VOIDING before it is cancelled', async () => {
    const harness = await paymentHarness();
    const { id } = await harness.begun('p1');
    harness.pass(60);
    harness.line.fails = (call) => call === 'cancel';
    await expect(harness.resolve(id)).rejects.toThrow();
    expect(await harness.payment(id)).toMatchObject({
      status: 'PROCESS',
      phase: 'VOIDING',
      cancelCall: { attempt: 1, unanswered: 1 },
    });
  });

  it('settles when its payer paid before the cancel reached the acquirer', async () => {
    const harness = await paymentHarness({ steps: 'one' });
    const { id, pay } = await harness.begun('p1');
    harness.pass(60);
    harness.line.fails = (call) => call === 'cancel';
    await expect(harness.resolve(id)).rejects.toThrow();
    await pay();
    harness.line.fails = () => false;
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({
      payments: { p1: 'SUCCESS/DONE' },
      charged: 10_050,
      entries: ['CAPTURE p1'],
    });
    expect(harness.alarms).toEqual([]);
  });
});

describe('a payment that can be neither held nor ended', () => {
  const bySbp = async () => {
    const harness = await paymentHarness({ steps: 'one', manners: cannotEnd });
    const { id, pageUrl, pay } = await harness.begun('p1');
    return { harness, id, pageUrl, pay };
  };

  it('keeps its bill until the acquirer ends it: others see until when, its own browser is led on', async () => {
    const { harness, id, pageUrl } = await bySbp();
    const until = new Date(harness.now().getTime() + 60 * 60_000);
    harness.pass(30);
    expect(await harness.open('AnotherBrowser00000001')).toMatchObject({ kind: 'being_paid', until });
    expect(await harness.start(harness.form('000000p2'), { browser: undefined })).toMatchObject({
      kind: expect.stringMatching('being_paid|stale_form'),
    });
    expect(await harness.open()).toMatchObject({ kind: 'in_progress', pageUrl });
    harness.pass(31);
    expect(await harness.open('AnotherBrowser00000001')).toMatchObject({ kind: 'payable' });
    expect(await harness.payment(id)).toMatchObject({ status: 'FAIL' });
  });

  it('settles when it is paid at the last moment', async () => {
    const { harness, id, pay } = await bySbp();
    harness.pass(59);
    await pay();
    harness.pass(10);
    await harness.resolve(id);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' }, charged: 10_050 });
  });
});

describe('a partial authorisation', () => {
  it('is captured as it is, never more, and the payment is UNDERPAID', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay(underpaidCard);
    const { capture } = harness.acquirer;
    const asked: bigint[] = [];
    replace(harness, {
      capture: (order, call) => {
        asked.push(call.amountMinor);
        return capture(order, call);
      },
    });
    await harness.resolve(id);
    expect(asked).toEqual([9045n]);
    expect(await harness.payment(id)).toMatchObject({ status: 'UNDERPAID', receivedMinor: 9045n });
  });
});

describe('the key of a call', () => {
  it('is the same after an answer was lost', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    const keys = keysOf(harness, 'capture');
    harness.line.fails = (call) => call === 'capture';
    await expect(harness.resolve(id)).rejects.toThrow();
    harness.line.fails = () => false;
    await harness.resolve(id);
    expect(keys).toEqual(['capture.1', 'capture.1']);
    expect(await harness.payment(id)).toMatchObject({ status: 'SUCCESS' });
  });

  it('is the next after a refusal', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    const { capture } = harness.acquirer;
    const keys: string[] = [];
    replace(harness, {
      capture: async (order, call) => {
        keys.push(call.key.slice(27));
        const view = await harness.acquirer.get(order);
        return keys.length === 1 ? { view, refused: true } : capture(order, call);
      },
    });
    await harness.resolve(id);
    expect(await harness.payment(id)).toMatchObject({
      phase: 'CAPTURING',
      captureCall: { attempt: 1, unanswered: 0, answer: 'refused' },
    });
    await harness.resolve(id);
    expect(keys).toEqual(['capture.1', 'capture.2']);
    expect(await harness.payment(id)).toMatchObject({ status: 'SUCCESS', captureCall: { attempt: 2 } });
  });

  it('is not the next after a refusal while an earlier call is unanswered', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    const keys: string[] = [];
    replace(harness, {
      capture: async (order, call) => {
        keys.push(call.key.slice(27));
        if (keys.length === 1) throw new Error('no answer');
        return { view: await harness.acquirer.get(order), refused: true };
      },
    });
    await expect(harness.resolve(id)).rejects.toThrow('no answer');
    await harness.resolve(id);
    await harness.resolve(id);
    expect(keys).toEqual(['capture.1', 'capture.1', 'capture.1']);
    expect(await harness.payment(id)).toMatchObject({ captureCall: { attempt: 1, unanswered: 1 } });
  });
});

describe('a refund', () => {
  /** A late capture of a failed payment, to be refunded. `refund` and `findRefund` are the acquirer's. */
  async function toRefund(methods: Partial<Pick<Acquirer, 'refund' | 'findRefund'>>) {
    const harness = await paymentHarness({ steps: 'one' });
    const { id } = await harness.begun('p1');
    const declined: AcquirerView = { state: 'declined', reason: 'declined', outcome: 'too early' };
    replace(harness, { get: async () => declined });
    await harness.resolve(id);
    replace(harness, { get: async () => captured(10_050n), ...methods });
    return { harness, id };
  }
  const asked: { key: string; refundId: string; amountMinor: bigint }[] = [];
  const answering =
    (...answers: readonly (RefundView | Error)[]): Acquirer['refund'] =>
    async (_order, call) => {
      asked.push(call);
      const answer = answers[asked.length - 1] ?? answers.at(-1);
      if (!answer || answer instanceof Error) throw answer ?? new Error('no answer');
      return answer;
    };
  const empty: RefundView = { state: 'rejected', outcome: 'insufficient_funds', providerEmpty: true };
  const rejected: RefundView = { state: 'rejected', outcome: 'closed', providerEmpty: false };
  const noticeOf = (harness: PaymentHarness, id: PaymentId) => harness.notice(id).catch(() => undefined);

  it('has an id, which is its key, and an amount', async () => {
    asked.length = 0;
    const { harness, id } = await toRefund({ refund: answering(refunded) });
    await noticeOf(harness, id);
    const refundId = `${id}.refund.1`;
    expect(asked).toEqual([{ key: refundId, refundId, amountMinor: 10_050n }]);
    expect(await harness.payment(id)).toMatchObject({ status: 'FAIL', phase: 'DONE' });
  });

  it('that is under way is waited for, and never sent again', async () => {
    asked.length = 0;
    const found: RefundView[] = [{ state: 'pending' }, refunded];
    const { harness, id } = await toRefund({
      refund: answering({ state: 'pending' }),
      findRefund: async () => found.shift(),
    });
    for (let check = 0; check < 2; check += 1) {
      await noticeOf(harness, id);
      expect(await harness.payment(id)).toMatchObject({
        phase: 'REFUNDING',
        refundCall: { answer: 'pending' },
      });
    }
    await noticeOf(harness, id);
    expect(await harness.payment(id)).toMatchObject({ status: 'FAIL', phase: 'DONE' });
    expect(asked).toHaveLength(1);
  });

  it('that our empty account prevented is attempted again later, under the next id', async () => {
    asked.length = 0;
    const { harness, id } = await toRefund({ refund: answering(empty, refunded) });
    await noticeOf(harness, id);
    await noticeOf(harness, id);
    expect(asked).toHaveLength(1);
    harness.pass(10);
    await noticeOf(harness, id);
    expect(asked.map(({ refundId }) => refundId.slice(27))).toEqual(['refund.1', 'refund.2']);
    expect(await harness.payment(id)).toMatchObject({ phase: 'DONE' });
  });

  it('that is rejected raises an alarm and stays for a person', async () => {
    asked.length = 0;
    const { harness, id } = await toRefund({ refund: answering(rejected) });
    await noticeOf(harness, id);
    await noticeOf(harness, id);
    expect(asked).toHaveLength(1);
    expect(harness.alarms.slice(-2)).toEqual(['refund_rejected p1', 'refund_rejected p1']);
    expect(await harness.payment(id)).toMatchObject({
      phase: 'REFUNDING',
      refundCall: { answer: 'rejected', outcome: 'closed' },
    });
  });

  it('whose answers are lost is sent under one key for 22 hours, and then only looked for', async () => {
    asked.length = 0;
    const looked: string[] = [];
    const { harness, id } = await toRefund({
      refund: answering(new Error('no answer')),
      findRefund: async (_order, refundId) => {
        looked.push(refundId);
        return undefined;
      },
    });
    await noticeOf(harness, id);
    harness.pass(21.9 * hour);
    await noticeOf(harness, id);
    harness.pass(0.1 * hour);
    await noticeOf(harness, id);
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set([`${id}.refund.1`]));
    expect([asked.length, looked]).toEqual([2, [`${id}.refund.1`]]);
    expect(harness.alarms.at(-1)).toBe('refund_rejected p1');
  });

  const alone = {
    outcome: 'failed',
    phase: 'REFUNDING',
    amountMinor: undefined,
    by: 'olga',
    evidence: 'bank transfer 4711',
  } as const;
  const returned = { ...alone, approvedBy: 'petr' } as const;

  it('whose answers are lost is ended by two people, who returned the money, once it is not sent any more', async () => {
    const { harness, id } = await toRefund({
      refund: answering(new Error('no answer')),
      findRefund: async () => undefined,
    });
    await noticeOf(harness, id);
    harness.pass(21.9 * hour);
    expect(await resolveByHand(harness, { ...returned, paymentId: id })).toMatchObject({ ok: false });
    harness.pass(0.2 * hour);
    expect(await resolveByHand(harness, { ...alone, paymentId: id })).toEqual({
      ok: false,
      error: 'takes_two_people',
    });
    expect(await resolveByHand(harness, { ...returned, paymentId: id })).toMatchObject({ ok: true });
    expect(await harness.payment(id)).toMatchObject({ status: 'FAIL', phase: 'DONE' });
  });

  it('that is under way is not ended by people', async () => {
    const { harness, id } = await toRefund({
      refund: answering({ state: 'pending' }),
      findRefund: async () => ({ state: 'pending' }),
    });
    await noticeOf(harness, id);
    harness.pass(30 * hour);
    expect(await resolveByHand(harness, { ...returned, paymentId: id })).toMatchObject({ ok: false });
  });
});

describe('a failure that is not final at the acquirer', () => {
  async function failed() {
    const harness = await paymentHarness({ manners: { failureIsFinal: false } });
    const { id, pay } = await harness.begun('p1');
    await pay('4000000000000002');
    await harness.resolve(id);
    const queried: number[] = [];
    const { get } = harness.acquirer;
    let hours = 0;
    replace(harness, { get: (order) => (queried.push(hours), get(order)) });
    const wait = async (by: number) => {
      hours += by;
      harness.pass(by * hour);
      await harness.sweep();
    };
    return { harness, id, queried, wait };
  }

  it('is queried once more after a day and after a week', async () => {
    const { harness, queried, wait } = await failed();
    for (let half = 0; half < 20; half += 1) await wait(12);
    expect(queried).toEqual([24, 168]);
    expect(await stateOf(harness)).toMatchObject({ payments: { p1: 'FAIL/DONE' }, waiting: 0 });
  });

  it('is late money when it was captured meanwhile', async () => {
    const { harness, wait } = await failed();
    replace(harness, { get: async () => ({ state: 'authorised', amountMinor: 10_050n }) });
    await wait(24);
    expect(harness.alarms).toContain('late_money p1');
  });

  it('is still queried when its acquirer was not deployed at that time', async () => {
    const { harness, queried, wait } = await failed();
    const { back } = await switchAcquirer(harness);
    for (let day = 0; day < 10; day += 1) await wait(24);
    expect(queried).toEqual([]);
    expect(harness.logged.at(-1)).toMatchObject([
      'error',
      'payment_not_resolved',
      { error: 'PaymentAtOtherAcquirer' },
    ]);
    back();
    replace(harness, { get: async () => ({ state: 'authorised', amountMinor: 10_050n }) });
    await wait(24);
    expect(harness.alarms).toContain('late_money p1');
  });
});

describe('a notification', () => {
  const order = (paymentId: string | undefined): FoundOrder => ({
    reference: 'ref-1',
    paymentId,
    view: captured(500n),
  });

  it('about an order that the acquirer has and the table does not is kept, once, with an alarm', async () => {
    const harness = await paymentHarness();
    const lost = toPaymentId('BillBillBillBill00LostLost');
    replace(harness, { look: async () => order(lost) });
    for (let time = 0; time < 2; time += 1) expect(await noticed(harness, lost, 'ref-1')).toBe('accepted');
    expect(harness.alarms).toEqual(['unknown_payment st', 'unknown_payment st']);
    expect(await harness.unknownPayments.list()).toEqual([
      {
        provider: 'sandbox',
        reference: 'ref-1',
        paymentId: lost,
        state: 'captured',
        amountMinor: 500n,
        at: harness.now(),
        closed: undefined,
      },
    ]);
  });

  it('about an order that a person has closed is ignored until the order changes', async () => {
    const harness = await paymentHarness();
    const lost = toPaymentId('BillBillBillBill00LostLost');
    const pending: FoundOrder = { reference: 'ref-1', paymentId: lost, view: { state: 'pending' } };
    replace(harness, { look: async () => pending });
    await noticed(harness, lost, 'ref-1');
    const close = async () => {
      const [listed] = await harness.unknownPayments.list();
      if (!listed) throw new Error('Nothing is listed');
      const closing = { id: 'd1', by: 'olga', reason: 'nobody paid it', at: harness.now() };
      return harness.unknownPayments.close(listed, closing);
    };
    expect(await close()).toBe(true);
    harness.alarms.length = 0;
    await noticed(harness, lost, 'ref-1');
    expect([harness.alarms, await harness.unknownPayments.list()]).toEqual([[], []]);
    expect(harness.logged.at(-1)).toEqual(['info', 'notification_ignored', { why: 'order_closed' }]);

    replace(harness, { look: async () => order(lost) });
    await noticed(harness, lost, 'ref-1');
    expect(harness.alarms).toEqual(['unknown_payment st']);
    const [again] = await harness.unknownPayments.list();
    expect([again?.state, again?.closed]).toEqual(['captured', undefined]);

    await close();
    const wentBack: FoundOrder = {
      ...pending,
      view: captured(500n, { refundedMinor: 500n }),
    };
    replace(harness, { look: async () => wentBack });
    await noticed(harness, lost, 'ref-1');
    expect(await harness.unknownPayments.list()).toEqual([]);
  });

  it('about a second order of a payment is kept for the operator, with an alarm', async () => {
    const harness = await paymentHarness();
    const { id } = await harness.begun('p1');
    replace(harness, { look: async () => ({ ...order(id), reference: 'ref-2' }) });
    expect(await noticed(harness, id, 'ref-2')).toBe('accepted');
    expect(harness.alarms).toEqual(['reference_conflict p1']);
    expect(await harness.unknownPayments.list()).toMatchObject([
      { reference: 'ref-2', paymentId: id, state: 'captured' },
    ]);
  });

  it('about an order that the acquirer does not have is ignored', async () => {
    const harness = await paymentHarness();
    const { id } = await harness.begun('p1');
    expect(await noticed(harness, id, 'ForgedForged')).toBe('accepted');
    expect([harness.alarms, await harness.unknownPayments.list()]).toEqual([[], []]);
    expect(harness.logged).toEqual([['info', 'notification_ignored', { why: 'no_such_order' }]]);
  });
});

describe('a busy acquirer', () => {
  it('defers the check by its own pause, and its call is not an unanswered one', async () => {
    const harness = await paymentHarness();
    const { id, pay } = await harness.begun('p1');
    await pay();
    const busy = async () => Promise.reject(new ProviderBusy(90_000));
    const { capture } = harness.acquirer;
    replace(harness, { capture: busy });
    harness.pass(1);
    await harness.check(id);
    expect(await harness.payment(id)).toMatchObject({
      phase: 'CAPTURING',
      nextCheck: new Date(harness.now().getTime() + 90_000),
      captureCall: { attempt: 1, unanswered: 0 },
    });
    replace(harness, { capture });
    harness.pass(1.5);
    await harness.check(id);
    expect(await harness.payment(id)).toMatchObject({ status: 'SUCCESS' });
  });
});
