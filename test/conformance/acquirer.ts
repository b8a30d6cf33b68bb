import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newBillId, newPaymentId, toPaymentId } from '../../lib/ids.ts';
import {
  type PaymentMethod,
  paymentMethods,
  declineReasons,
  type MethodTerms,
} from '../../lib/payment/acquirer.ts';
import type { Acquirer, KnownOrder, Order, StartRequest } from '../../lib/payment/acquirer.ts';
import type { AcquirerSubject, Opened, PayersAct, Promises } from './acquirer-subject.ts';

const minutesOfADay = 24 * 60;
/** Both are new for each test: a real provider remembers the keys and orders of the last run. */
let paymentId = toPaymentId('BillBillBillBill00Payment1');
let anotherPaymentId = paymentId;
beforeEach(() => {
  const billId = newBillId((length) => randomBytes(length / 2).toString('hex'));
  paymentId = newPaymentId(billId, 'Payment1');
  anotherPaymentId = newPaymentId(billId, 'Payment2');
});
const amountMinor = 10_050n;
const card = expect.stringMatching(/^\d{6}\*+\d{4}$/);
/** Whether a provider tells the payer's bank is its own affair. */
const bank = expect.toSatisfy((name) => name === undefined || typeof name === 'string');
const fromAccount = (method: PaymentMethod) => ({ ...(method === 'card' && { fromCard: card }), bank });

/**
 * The promises of an `Acquirer` that the payment protocol relies on, as sentences that every adapter must pass. `makeSubject`
 * makes an adapter with a provider of its own, in which nothing has happened.
 */
export function describeAcquirer(
  name: string,
  promises: Promises,
  makeSubject: () => Promise<AcquirerSubject>,
): void {
  describe.each(paymentMethods.filter((method) => promises.methods[method]))(`${name}: %s`, (method) => {
    const terms = promises.methods[method];
    if (!terms) return;
    const paying = promises.acts[method].includes('pays');
    const suite = { method, terms, promises, paying, ...newSubjects(makeSubject, method, terms) };
    describe('a started order', () => startedOrders(suite));
    describe('an order that is looked for', () => lookedFor(suite));
    if (paying) describe('an order that is paid', () => paidOrders(suite));
    if (terms.holds) describe('a capture', () => captures(suite));
    describe('a cancellation', () => cancellations(suite));
    describe('a refund', () => refunds(suite));
    if (paying) describe('a fee', () => fees(suite));
    if (paying) describe('a change without us', () => changes(suite));
    describe('a notification', () => notifications(suite));
    if (paying) describe('the statement of a day', () => statements(suite));
  });
}

type Suite = {
  readonly method: PaymentMethod;
  readonly terms: MethodTerms;
  readonly promises: Promises;
  /** Whether its orders can be paid here. */
  readonly paying: boolean;
} & ReturnType<typeof newSubjects>;

function newSubjects(
  makeSubject: () => Promise<AcquirerSubject>,
  method: PaymentMethod,
  { holds }: MethodTerms,
) {
  const made: AcquirerSubject[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((subject) => subject.stop()));
  });

  const subject = async () => {
    const next = await makeSubject();
    made.push(next);
    return next;
  };
  /** What our protocol would send now; `traits` change it. */
  const request = ({ now }: AcquirerSubject, traits: Partial<StartRequest> = {}): StartRequest => ({
    paymentId,
    method,
    holds,
    amountMinor,
    currency: 'RUB',
    reference: undefined,
    firstCallAt: now(),
    lastCallAt: now(),
    key: `${traits.paymentId ?? paymentId}.1`,
    description: 'Two cups',
    returnUrl: 'https://shop.example/result/payment-1',
    language: 'en',
    notifyUrl: 'https://pay.example/acquirer/notification',
    about: { merchantId: 'merchant', shopId: 'shop', billId: 'bill', orderId: undefined },
    receipt: undefined,
    ...traits,
  });
  /** Opens an order, as it is known afterwards. */
  const open = async (at: AcquirerSubject, traits: Partial<StartRequest> = {}) => {
    const sent = request(at, traits);
    const started = await at.acquirer.start(sent);
    if (started.kind !== 'opened') throw new Error(`refused: ${started.outcome}`);
    const known: KnownOrder = { ...sent, reference: started.reference };
    const opened: Opened = { ...started, method };
    return { known, opened, sent };
  };
  /** An order after the payer's act; `capture` makes an authorisation a capture. */
  const after = async (act: PayersAct, { capture = false }: { readonly capture?: boolean } = {}) => {
    const at = await subject();
    const order = await open(at);
    await at.act(order.opened, act);
    if (capture && holds) await at.acquirer.capture(order.known, captureCall());
    return { ...order, at, acquirer: at.acquirer };
  };
  return { subject, request, open, after };
}

const captureCall = () => ({ key: `${paymentId}.capture.1`, amountMinor, receipt: undefined });
const cancelCall = (attempt = 1) => ({ key: `${paymentId}.cancel.${attempt}` });
const refundCall = (attempt: number, minor: bigint) => {
  const key = `${paymentId}.refund.${attempt}`;
  return { key, refundId: key, amountMinor: minor, receipt: undefined };
};
const nothing = { capturedMinor: 0n, refundedMinor: 0n };
/** Lets the list catch up. */
const listed = (at: AcquirerSubject, { listLagSeconds }: Promises) =>
  at.pass(Math.ceil(listLagSeconds / 60) + 1);

/** The fee in the view of a capture, at once or after days. */
function toldFee({ terms, promises }: Pick<Suite, 'terms' | 'promises'>, isLater = false): object {
  const isTold = terms.reportsFee && (isLater || promises.feeAfterMinutes === 0);
  return { feeMinor: isTold ? expect.any(BigInt) : undefined };
}

function startedOrders({ subject, request, open, promises, terms }: Suite): void {
  it('has a reference and a page, and waits for the payer', async () => {
    const at = await subject();
    const { opened, known } = await open(at);
    expect(opened).toMatchObject({ kind: 'opened', reference: expect.stringMatching(/^\S{1,64}$/) });
    expect(opened.pageUrl).toMatch(/^https?:/);
    expect(opened.view).toEqual({ state: 'pending' });
    expect(await at.acquirer.get(known)).toEqual({ state: 'pending' });
  });

  it('is one order, however many calls under its key meet', async () => {
    const at = await subject();
    const calls = Array.from({ length: 5 }, () => at.acquirer.start(request(at)));
    const references = (await Promise.all(calls)).map((each) => each.kind === 'opened' && each.reference);
    expect(new Set(references).size).toBe(1);
    expect(await at.books(paymentId)).toMatchObject({ orders: 1 });
  });

  it.each(['call', 'answer'] as const)('is one order after a lost %s, with its page', async (lost) => {
    const at = await subject();
    at.loseNext(lost);
    await expect(at.acquirer.start(request(at))).rejects.toThrow();
    const { opened } = await open(at);
    expect(opened.pageUrl).toMatch(/^https?:/);
    expect(await at.books(paymentId)).toMatchObject({ orders: 1 });
  });

  if (promises.isOwn)
    it('is the same order 22 hours later', async () => {
      const at = await subject();
      const { sent, opened } = await open(at);
      await at.pass(22 * 60);
      const again = await at.acquirer.start({ ...sent, lastCallAt: at.now() });
      expect(again).toMatchObject({ kind: 'opened', reference: opened.reference });
      expect(await at.books(paymentId)).toMatchObject({ orders: 1 });
    });

  if (promises.isOwn)
    it('ends by itself when its page is over, and is not paid afterwards', async () => {
      const at = await subject();
      const { known, opened } = await open(at);
      await at.pass(terms.payableMinutes + 5);
      const ended = { state: 'cancelled', reason: 'expired', outcome: expect.stringMatching(/./) };
      expect(await at.acquirer.get(known)).toEqual(ended);
      await at.act(opened, 'pays');
      expect(await at.acquirer.get(known)).toEqual(ended);
      expect(await at.books(paymentId)).toMatchObject(nothing);
    });

  it('of another payment is another order', async () => {
    const at = await subject();
    const [one, other] = [await open(at), await open(at, { paymentId: anotherPaymentId })];
    expect(one.opened.reference).not.toBe(other.opened.reference);
    expect(promises.methods).toEqual(at.acquirer.methods);
  });
}

function lookedFor({ subject, request, open, promises, method }: Suite): void {
  /** How our protocol knows an order whose reference was never answered. */
  const lostIn = async (at: AcquirerSubject, lost: 'call' | 'answer'): Promise<Order> => {
    const sent = request(at);
    at.loseNext(lost);
    await expect(at.acquirer.start(sent)).rejects.toThrow();
    return sent;
  };
  it('by an unknown reference does not exist, and cannot be captured, cancelled or refunded', async () => {
    const at = await subject();
    const { known, opened } = await open(at);
    const unknown = opened.reference.replace(/[0-9a-z]$/i, (last) => (last === '0' ? '1' : '0'));
    expect(await at.acquirer.look(unknown)).toBeUndefined();
    expect(await at.acquirer.look('../payments')).toBeUndefined();
    const other: KnownOrder = { ...known, reference: unknown };
    await expect(at.acquirer.get(other)).rejects.toThrow();
    await expect(at.acquirer.capture(other, captureCall())).rejects.toThrow();
    await expect(at.acquirer.cancel(other, cancelCall())).rejects.toThrow();
    expect(await at.books(paymentId)).toMatchObject({ orders: 1, ...nothing });
  });

  it('by its reference has our id', async () => {
    const at = await subject();
    const { opened } = await open(at);
    const { reference, view } = opened;
    expect(await at.acquirer.look(reference)).toEqual({ reference, paymentId, view });
  });

  it('of another payment is not believed', async () => {
    const at = await subject();
    const { opened } = await open(at, { paymentId: anotherPaymentId });
    const { known } = await open(at);
    await expect(at.acquirer.get({ ...known, reference: opened.reference })).rejects.toThrow();
  });

  if (promises.isOwn)
    it('in the list after the life of its key is found, when its answer was lost', async () => {
      const at = await subject();
      const order = await lostIn(at, 'answer');
      await at.pass(26 * 60);
      const found = await at.acquirer.find(order);
      expect(found).toMatchObject({ paymentId, view: { state: 'cancelled', reason: 'expired' } });
      expect(await at.acquirer.look(found === 'absent' ? '' : found.reference)).toEqual(found);
    });

  if (promises.isOwn)
    it('in the list is absent, when its call was lost', async () => {
      const at = await subject();
      const order = await lostIn(at, 'call');
      await open(at, { paymentId: anotherPaymentId });
      await at.pass(26 * 60);
      expect(await at.acquirer.find(order)).toBe('absent');
    });

  it('in the list is found from an hour before the first call to an hour after the last', async () => {
    const at = await subject();
    const { sent } = await open(at);
    await listed(at, promises);
    const movedBy = (minutes: number): Order => {
      const time = new Date(sent.firstCallAt.getTime() + minutes * 60_000);
      return { ...sent, firstCallAt: time, lastCallAt: time };
    };
    for (const minutes of [-59, 0, 59]) {
      expect(await at.acquirer.find(movedBy(minutes))).toMatchObject({ paymentId });
    }
    for (const minutes of [-62, 62]) expect(await at.acquirer.find(movedBy(minutes))).toBe('absent');
  });

  // One list has the orders of all methods.
  if (promises.isOwn && method === Object.keys(promises.methods)[0])
    it('in the list is found behind more orders than a page has', async () => {
      const at = await subject();
      const { sent } = await open(at);
      const others = Array.from(
        { length: 105 },
        (_, place) => `${paymentId.slice(0, 18)}Other${100 + place}`,
      );
      await Promise.all(others.map((other) => open(at, { paymentId: toPaymentId(other) })));
      await listed(at, promises);
      expect(await at.acquirer.find(sent)).toMatchObject({ paymentId });
      expect(await at.acquirer.find({ ...sent, paymentId: anotherPaymentId })).toBe('absent');
    });

  it('in a list that cannot be read is not absent', async () => {
    const at = await subject();
    const { sent } = await open(at);
    at.loseNext('answer');
    await expect(at.acquirer.find(sent)).rejects.toThrow();
  });
}

function paidOrders(suite: Suite): void {
  const { after, method, terms, promises } = suite;
  const paid = terms.holds
    ? { state: 'authorised', amountMinor }
    : { state: 'captured', amountMinor, refundedMinor: 0n, ...toldFee(suite) };

  it(terms.holds ? 'is authorised, and nothing is captured' : 'is captured', async () => {
    const { at, acquirer, known } = await after('pays');
    expect(await acquirer.get(known)).toEqual({ ...paid, ...fromAccount(method) });
    const capturedMinor = terms.holds ? 0n : amountMinor;
    expect(await at.books(paymentId)).toMatchObject({ orders: 1, capturedMinor, refundedMinor: 0n });
  });

  it('is not paid twice', async () => {
    const { at, acquirer, known, opened } = await after('pays');
    await at.act(opened, 'pays');
    expect(await acquirer.get(known)).toMatchObject(paid);
    expect(await at.books(paymentId)).toMatchObject({ capturedMinor: terms.holds ? 0n : amountMinor });
  });

  if (promises.acts[method].includes('is_declined')) {
    it('can be declined, with a reason of the closed list and the code of the provider', async () => {
      const { at, acquirer, known } = await after('is_declined');
      const view = await acquirer.get(known);
      expect(view).toEqual({
        state: 'declined',
        reason: expect.toSatisfy((reason) => declineReasons.includes(reason)),
        outcome: expect.stringMatching(/./),
        ...fromAccount(method),
      });
      expect(await at.books(paymentId)).toMatchObject(nothing);
    });
  }

  if (promises.acts[method].includes('gives_up')) {
    it('can be given up, which is no decline', async () => {
      const { acquirer, known } = await after('gives_up');
      expect(await acquirer.get(known)).toMatchObject({ state: 'cancelled', reason: 'canceled_by_payer' });
    });
  }

  if (promises.acts[method].includes('pays_part')) {
    it('can be paid in part, and no more is captured', async () => {
      const { at, acquirer, known } = await after('pays_part');
      const view = await acquirer.get(known);
      const part = 'amountMinor' in view ? view.amountMinor : 0n;
      expect(part > 0n && part < amountMinor).toBe(true);
      if (terms.holds) {
        const refused = await acquirer.capture(known, captureCall());
        expect(refused).toMatchObject({ refused: true, view: { state: 'authorised', amountMinor: part } });
        const next = { ...captureCall(), key: `${paymentId}.capture.2`, amountMinor: part };
        expect(await acquirer.capture(known, next)).toMatchObject({ refused: false });
      }
      expect(await acquirer.get(known)).toMatchObject({ state: 'captured', amountMinor: part });
      expect(await at.books(paymentId)).toMatchObject({ capturedMinor: part });
    });
  }
}

function captures(suite: Suite): void {
  const { after, open, subject, method, promises, paying } = suite;
  const captured = {
    state: 'captured',
    amountMinor,
    refundedMinor: 0n,
    ...toldFee(suite),
    ...fromAccount(method),
  };

  if (paying)
    it('takes the whole amount once, however many calls under its key meet', async () => {
      const { at, acquirer, known } = await after('pays');
      const calls = Array.from({ length: 5 }, () => acquirer.capture(known, captureCall()));
      expect(await Promise.all(calls)).toEqual(
        Array.from({ length: 5 }, () => ({ view: captured, refused: false })),
      );
      expect(await acquirer.get(known)).toEqual(captured);
      expect(await at.books(paymentId)).toMatchObject({ capturedMinor: amountMinor });
    });

  if (paying)
    it.each(['call', 'answer'] as const)('is made once when its %s is lost', async (lost) => {
      const { at, acquirer, known } = await after('pays');
      at.loseNext(lost);
      await expect(acquirer.capture(known, captureCall())).rejects.toThrow();
      expect(await acquirer.capture(known, captureCall())).toEqual({ view: captured, refused: false });
      expect(await at.books(paymentId)).toMatchObject({ capturedMinor: amountMinor });
    });

  if (promises.isOwn && paying)
    it('whose answer was lost is seen when its key is not known any more', async () => {
      const { at, acquirer, known } = await after('pays');
      at.loseNext('answer');
      await expect(acquirer.capture(known, captureCall())).rejects.toThrow();
      await at.pass(2 * minutesOfADay);
      expect(await acquirer.get(known)).toEqual({ ...captured, ...toldFee(suite, true) });
      expect(await at.books(paymentId)).toMatchObject({ capturedMinor: amountMinor });
    });

  if (paying)
    it('takes a part, to the kopeck', async () => {
      const { at, acquirer, known } = await after('pays');
      const part = { ...captureCall(), amountMinor: 10_049n };
      expect(await acquirer.capture(known, part)).toMatchObject({
        view: { ...captured, amountMinor: 10_049n },
      });
      expect(await acquirer.get(known)).toMatchObject({ amountMinor: 10_049n });
      expect(await at.books(paymentId)).toMatchObject({ capturedMinor: 10_049n });
    });

  if (paying)
    it('of more than is authorised is refused, and of the right amount is made under the next key', async () => {
      const { at, acquirer, known } = await after('pays');
      const refused = await acquirer.capture(known, { ...captureCall(), amountMinor: amountMinor + 1n });
      expect(refused).toMatchObject({ refused: true, view: { state: 'authorised', amountMinor } });
      expect(await at.books(paymentId)).toMatchObject(nothing);
      const next = { ...captureCall(), key: `${paymentId}.capture.2` };
      expect(await acquirer.capture(known, next)).toEqual({ view: captured, refused: false });
    });

  if (paying)
    it('under another key does not take the money again', async () => {
      const { at, acquirer, known } = await after('pays', { capture: true });
      const again = await acquirer.capture(known, { ...captureCall(), key: `${paymentId}.capture.2` });
      expect(again.view).toEqual(captured);
      expect(await at.books(paymentId)).toMatchObject({ capturedMinor: amountMinor });
    });

  it('of what nobody has paid is refused', async () => {
    const at = await subject();
    const { known } = await open(at);
    expect(await at.acquirer.capture(known, captureCall())).toEqual({
      view: { state: 'pending' },
      refused: true,
    });
  });

  if (paying)
    it('and a void that meet: one is carried out', async () => {
      const { at, acquirer, known } = await after('pays');
      await Promise.all([acquirer.capture(known, captureCall()), acquirer.cancel(known, cancelCall())]);
      const { state } = await acquirer.get(known);
      expect(['captured', 'voided']).toContain(state);
      const capturedMinor = state === 'captured' ? amountMinor : 0n;
      expect(await at.books(paymentId)).toMatchObject({ capturedMinor });
    });
}

function cancellations({ subject, open, after, terms, method, promises, paying }: Suite): void {
  const isOver = (state: string) => ['voided', 'cancelled', 'declined'].includes(state);

  if (terms.endsOpenOrders)
    it('ends what nobody has paid, and nobody can pay it any more', async () => {
      const at = await subject();
      const { known, opened } = await open(at);
      expect(await at.acquirer.cancel(known, cancelCall())).toMatchObject({ view: { state: 'voided' } });
      await at.act(opened, 'pays');
      expect(await at.acquirer.get(known)).toEqual({ state: 'voided' });
      expect(await at.books(paymentId)).toMatchObject(nothing);
    });
  else
    it('of what nobody has paid is refused; it can still be paid', async () => {
      const at = await subject();
      const { known, opened } = await open(at);
      const refused = await at.acquirer.cancel(known, cancelCall());
      expect(refused).toEqual({ view: { state: 'pending' }, refused: true });
      if (!paying) return;
      await at.act(opened, 'pays');
      expect(await at.acquirer.get(known)).toMatchObject({ state: terms.holds ? 'authorised' : 'captured' });
      if (!terms.holds) return;
      expect(await at.acquirer.cancel(known, cancelCall(2))).toMatchObject({ view: { state: 'voided' } });
    });

  if (paying && terms.holds) {
    it('voids an authorisation, which cannot be captured then', async () => {
      const { at, acquirer, known } = await after('pays');
      const voided = { state: 'voided', ...fromAccount(method) };
      expect(await acquirer.cancel(known, cancelCall())).toEqual({ view: voided, refused: false });
      expect(await acquirer.get(known)).toEqual(voided);
      expect(await acquirer.capture(known, captureCall())).toMatchObject({ view: voided, refused: true });
      expect(await at.books(paymentId)).toMatchObject(nothing);
    });

    it.each(['call', 'answer'] as const)('voids once when its %s is lost', async (lost) => {
      const { at, acquirer, known } = await after('pays');
      at.loseNext(lost);
      await expect(acquirer.cancel(known, cancelCall())).rejects.toThrow();
      expect(await acquirer.cancel(known, cancelCall())).toMatchObject({ view: { state: 'voided' } });
    });
  }

  if (paying && terms.holds)
    it('of a voided order leaves it voided, under the same key and the next', async () => {
      const { at, acquirer, known } = await after('pays');
      for (const attempt of [1, 1, 2]) {
        const { view } = await acquirer.cancel(known, cancelCall(attempt));
        expect(view).toMatchObject({ state: 'voided' });
      }
      expect(await at.books(paymentId)).toMatchObject(nothing);
    });

  if (paying)
    it('never touches captured money', async () => {
      const { at, acquirer, known } = await after('pays', { capture: true });
      const refused = await acquirer.cancel(known, cancelCall());
      expect(refused).toMatchObject({
        refused: true,
        view: { state: 'captured', amountMinor, refundedMinor: 0n },
      });
      expect(await at.books(paymentId)).toMatchObject({
        orders: 1,
        capturedMinor: amountMinor,
        refundedMinor: 0n,
      });
    });

  if (promises.isOwn)
    it('of an order that is over leaves it over', async () => {
      const at = await subject();
      const { known } = await open(at);
      await at.pass(terms.payableMinutes + 5);
      expect(isOver((await at.acquirer.cancel(known, cancelCall())).view.state)).toBe(true);
      expect(isOver((await at.acquirer.get(known)).state)).toBe(true);
    });

  if (promises.acts[method].includes('is_declined'))
    it('of a declined order leaves it declined', async () => {
      const { acquirer, known } = await after('is_declined');
      expect(await acquirer.cancel(known, cancelCall())).toMatchObject({ view: { state: 'declined' } });
      expect(await acquirer.get(known)).toMatchObject({ state: 'declined' });
    });

  if (promises.acts[method].includes('gives_up'))
    it('of an order that its payer gave up leaves it cancelled', async () => {
      const { acquirer, known } = await after('gives_up');
      expect(await acquirer.cancel(known, cancelCall())).toMatchObject({ view: { state: 'cancelled' } });
      expect(await acquirer.get(known)).toMatchObject({ state: 'cancelled', reason: 'canceled_by_payer' });
    });

  if (paying)
    it('of an order of which a part was refunded changes nothing', async () => {
      const { at, acquirer, known } = await after('pays', { capture: true });
      expect(await acquirer.refund(known, refundCall(1, 100n))).toEqual({ state: 'succeeded' });
      expect(await acquirer.cancel(known, cancelCall())).toMatchObject({
        refused: true,
        view: { state: 'captured', amountMinor, refundedMinor: 100n },
      });
      expect(await at.books(paymentId)).toMatchObject({ capturedMinor: amountMinor, refundedMinor: 100n });
    });
}

function refunds({ after, open, subject, promises, method, terms, paying }: Suite): void {
  const captured = (act: PayersAct = 'pays') => after(act, { capture: true });
  const refund = (acquirer: Acquirer, known: KnownOrder, attempt: number, minor = amountMinor) =>
    acquirer.refund(known, refundCall(attempt, minor));

  if (paying)
    it('gives back to the kopeck, in several parts, and never more than was captured', async () => {
      const { at, acquirer, known } = await captured();
      for (const [attempt, minor] of [3_333n, 3_333n, 3_383n].entries()) {
        expect(await refund(acquirer, known, attempt + 1, minor)).toEqual({ state: 'succeeded' });
      }
      const tooMuch = await refund(acquirer, known, 4, 2n);
      expect(tooMuch).toMatchObject({ state: 'rejected', providerEmpty: false });
      expect(await refund(acquirer, known, 5, 1n)).toEqual({ state: 'succeeded' });
      expect(await acquirer.get(known)).toMatchObject({
        state: 'captured',
        amountMinor,
        refundedMinor: amountMinor,
      });
      expect(await at.books(paymentId)).toMatchObject({ refundedMinor: amountMinor });
    });

  if (paying)
    it('is made once, however many calls under its key meet', async () => {
      const { at, acquirer, known } = await captured();
      const calls = Array.from({ length: 5 }, () => refund(acquirer, known, 1, 100n));
      for (const view of await Promise.all(calls)) expect(view).toEqual({ state: 'succeeded' });
      expect(await at.books(paymentId)).toMatchObject({ refundedMinor: 100n });
    });

  if (paying)
    it('whose call was lost is not found, and is made by the same call', async () => {
      const { at, acquirer, known } = await captured();
      at.loseNext('call');
      await expect(refund(acquirer, known, 1)).rejects.toThrow();
      expect(await acquirer.findRefund(known, refundCall(1, amountMinor).refundId)).toBeUndefined();
      expect(await refund(acquirer, known, 1)).toEqual({ state: 'succeeded' });
      expect(await at.books(paymentId)).toMatchObject({ refundedMinor: amountMinor });
    });

  if (promises.isOwn && paying)
    it('whose answer was lost is found by its id, also when the key is not known any more', async () => {
      const { at, acquirer, known } = await captured();
      at.loseNext('answer');
      await expect(refund(acquirer, known, 1)).rejects.toThrow();
      const found = () => acquirer.findRefund(known, refundCall(1, amountMinor).refundId);
      expect(await found()).toEqual({ state: 'succeeded' });
      await at.pass(2 * minutesOfADay);
      expect(await found()).toEqual({ state: 'succeeded' });
      expect(await at.books(paymentId)).toMatchObject({ refundedMinor: amountMinor });
    });

  it('of what was not captured is rejected', async () => {
    const at = await subject();
    const { known, opened } = await open(at);
    expect(await refund(at.acquirer, known, 1)).toMatchObject({ state: 'rejected', providerEmpty: false });
    if (!terms.holds || !paying) return;
    await at.act(opened, 'pays');
    expect(await refund(at.acquirer, known, 2)).toMatchObject({ state: 'rejected', providerEmpty: false });
    expect(await at.books(paymentId)).toMatchObject(nothing);
  });

  if (promises.acts[method].includes('pays_refund_pending'))
    it('can be under way, and is not made again meanwhile', async () => {
      const { at, acquirer, known } = await captured('pays_refund_pending');
      expect(await refund(acquirer, known, 1)).toEqual({ state: 'pending' });
      expect(await acquirer.get(known)).toMatchObject({ state: 'captured', refundedMinor: 0n });
      expect(await refund(acquirer, known, 2, 1n)).toMatchObject({ state: 'rejected' });
      const found = () => acquirer.findRefund(known, refundCall(1, amountMinor).refundId);
      for (let asked = 0; asked < 10 && (await found())?.state === 'pending'; asked += 1) await at.pass(30);
      expect(await found()).toEqual({ state: 'succeeded' });
      expect(await acquirer.get(known)).toMatchObject({ refundedMinor: amountMinor });
      expect(await at.books(paymentId)).toMatchObject({ refundedMinor: amountMinor });
    });

  if (promises.acts[method].includes('pays_refund_rejected'))
    it('can be rejected for good', async () => {
      const { at, acquirer, known } = await captured('pays_refund_rejected');
      const rejected = { state: 'rejected', outcome: expect.stringMatching(/./), providerEmpty: false };
      expect(await refund(acquirer, known, 1)).toEqual(rejected);
      expect(await acquirer.findRefund(known, refundCall(1, amountMinor).refundId)).toEqual(rejected);
      expect(await at.books(paymentId)).toMatchObject({ capturedMinor: amountMinor, refundedMinor: 0n });
    });

  if (promises.acts[method].includes('pays_account_empty'))
    it('is rejected while our account is empty, and made by the next attempt', async () => {
      const { at, acquirer, known } = await captured('pays_account_empty');
      expect(await refund(acquirer, known, 1)).toMatchObject({ state: 'rejected', providerEmpty: true });
      expect(await refund(acquirer, known, 1)).toMatchObject({ state: 'rejected', providerEmpty: true });
      expect(await refund(acquirer, known, 2)).toEqual({ state: 'succeeded' });
      expect(await at.books(paymentId)).toMatchObject({ refundedMinor: amountMinor });
    });
}

function fees({ after, terms, promises }: Suite): void {
  if (!terms.reportsFee) {
    it('is never told', async () => {
      const { at, acquirer, known } = await after('pays', { capture: true });
      await at.pass(8 * minutesOfADay);
      expect(await acquirer.get(known)).toMatchObject({ state: 'captured', feeMinor: undefined });
    });
    return;
  }

  /** The fee in the view, once the provider tells it. */
  const feeIn = async (at: AcquirerSubject, known: KnownOrder): Promise<bigint | undefined> => {
    await at.pass(promises.feeAfterMinutes);
    const view = await at.acquirer.get(known);
    return view.state === 'captured' ? view.feeMinor : undefined;
  };

  if (promises.feeAfterMinutes > 0)
    it('is not known until the provider tells it', async () => {
      const { at, acquirer, known } = await after('pays', { capture: true });
      await at.pass(promises.feeAfterMinutes - 1);
      expect(await acquirer.get(known)).toMatchObject({ state: 'captured', feeMinor: undefined });
    });

  it('is what the provider keeps by its own books, in the view, when it is looked up, and in the statement', async () => {
    const { at, acquirer, known, opened } = await after('pays', { capture: true });
    const from = new Date(at.now().getTime() - 3_600_000);
    const feeMinor = await feeIn(at, known);
    expect(feeMinor).toBe((await at.books(paymentId)).feeMinor);
    expect(await acquirer.look(opened.reference)).toMatchObject({ view: { feeMinor } });
    const to = new Date(from.getTime() + 24 * 3_600_000);
    await listed(at, promises);
    const lines = (await acquirer.statement({ from, to })).filter(({ ourId }) => ourId === paymentId);
    expect(lines).toMatchObject([{ kind: 'payment', feeMinor }]);
  });

  if (terms.holds)
    it('of a part is on what was captured', async () => {
      const { at, acquirer, known } = await after('pays');
      const hasFee = 'feeMinor' in (await acquirer.get(known));
      expect(hasFee).toBe(false);
      await acquirer.capture(known, { ...captureCall(), amountMinor: 4_000n });
      expect(await feeIn(at, known)).toBe((await at.books(paymentId)).feeMinor);
    });

  it('is not given back with a refund', async () => {
    const { at, acquirer, known } = await after('pays', { capture: true });
    const feeMinor = await feeIn(at, known);
    await acquirer.refund(known, refundCall(1, amountMinor));
    expect(await acquirer.get(known)).toMatchObject({ refundedMinor: amountMinor, feeMinor });
  });
}

function changes({ after, promises, terms, method }: Suite): void {
  it('is none: a captured order stays as it is', async () => {
    const { at, acquirer, known } = await after('pays', { capture: true });
    await at.pass(8 * minutesOfADay);
    expect(await acquirer.get(known)).toMatchObject({ state: 'captured', amountMinor, refundedMinor: 0n });
  });

  if (promises.changes.includes('taken_back'))
    it('that gives money back is seen as refunded', async () => {
      const { at, acquirer, known, opened } = await after('pays', { capture: true });
      await at.change(opened.reference, 'taken_back', 4_000n);
      expect(await acquirer.get(known)).toMatchObject({
        state: 'captured',
        amountMinor,
        refundedMinor: 4_000n,
      });
      expect(await acquirer.refund(known, refundCall(1, 6_051n))).toMatchObject({ state: 'rejected' });
      expect(await acquirer.refund(known, refundCall(2, 6_050n))).toEqual({ state: 'succeeded' });
    });

  if (promises.changes.includes('capture_changed'))
    it.each([9_000n, 11_000n])('of the captured amount to %s is seen', async (minor) => {
      const { at, acquirer, known, opened } = await after('pays', { capture: true });
      await at.change(opened.reference, 'capture_changed', minor);
      expect(await acquirer.get(known)).toMatchObject({ state: 'captured', amountMinor: minor });
    });

  if (promises.changes.includes('captured_late') && promises.acts[method].includes('is_declined'))
    it(`of a declined order to a captured one is seen (failures are final: ${terms.failureIsFinal})`, async () => {
      const { at, acquirer, known, opened } = await after('is_declined');
      await at.change(opened.reference, 'captured_late', amountMinor);
      expect(await acquirer.get(known)).toMatchObject({ state: 'captured', amountMinor });
      expect(await acquirer.refund(known, refundCall(1, amountMinor))).toEqual({ state: 'succeeded' });
    });
}

function notifications({ after, open, subject, promises, terms, paying }: Suite): void {
  it.each(['', '{', '{}', '[]', 'null', '{"object":{}}', '"text"'])('that is %j is none', async (body) => {
    const { acquirer } = await subject();
    expect(await acquirer.readNotification({}, body)).toBeUndefined();
  });

  if (paying)
    it('names an order that can be looked up, or is a hint of nothing', async () => {
      const { at, acquirer, opened } = await after('pays', { capture: true });
      const hints = await Promise.all(
        (await at.notifications()).map(({ headers, body }) => acquirer.readNotification(headers, body)),
      );
      const found = await Promise.all(hints.map(async (hint) => hint && acquirer.look(hint.reference)));
      const ofOurs = found.filter((order) => order !== undefined);
      for (const order of ofOurs) {
        expect(order).toMatchObject({ reference: opened.reference, paymentId, view: { state: 'captured' } });
      }
      if (promises.notifies) expect(ofOurs.length).toBeGreaterThan(0);
    });

  it('proves nothing: what it says is read from the provider', async () => {
    const at = await subject();
    const { opened } = await open(at);
    for (const { headers, body } of await at.notifications()) {
      const hint = await at.acquirer.readNotification(headers, body);
      const found = hint && (await at.acquirer.look(hint.reference));
      if (found) expect(found).toMatchObject({ reference: opened.reference, view: { state: 'pending' } });
    }
    expect(await at.books(paymentId)).toMatchObject(nothing);
  });

  if (paying)
    it('that comes twice says the same twice', async () => {
      const { at, acquirer } = await after('pays');
      for (const { headers, body } of await at.notifications()) {
        const once = await acquirer.readNotification(headers, body);
        expect(await acquirer.readNotification(headers, body)).toEqual(once);
      }
      expect(await at.books(paymentId)).toMatchObject({ capturedMinor: terms.holds ? 0n : amountMinor });
    });
}

function statements({ after, open, subject, promises, method, terms }: Suite): void {
  if (promises.isOwn)
    it('has what was captured and refunded on it, and nothing of the days around', async () => {
      const { at, acquirer, known, opened } = await after('pays', { capture: true });
      const isOpen = await open(at, { paymentId: anotherPaymentId });
      const { refundId, ...refund } = refundCall(1, 3_333n);
      await acquirer.refund(known, { refundId, ...refund });
      const from = new Date(at.now().getTime() - 12 * 3_600_000);
      const to = new Date(from.getTime() + 24 * 3_600_000);
      const next = { from: to, to: new Date(to.getTime() + 24 * 3_600_000) };
      const before = { from: new Date(from.getTime() - 24 * 3_600_000), to: from };
      await at.pass(2 * minutesOfADay);

      const lines = await acquirer.statement({ from, to });
      expect(lines).toHaveLength(2);
      expect(lines.find(({ kind }) => kind === 'payment')).toMatchObject({
        reference: opened.reference,
        ourId: paymentId,
        amountMinor,
        currency: 'RUB',
      });
      expect(lines.find(({ kind }) => kind === 'refund')).toMatchObject({
        ourId: refundId,
        orderReference: opened.reference,
        amountMinor: 3_333n,
        currency: 'RUB',
      });
      for (const { at: time, reference } of lines) {
        expect(time >= from && time < to).toBe(true);
        expect(reference).not.toBe(isOpen.opened.reference);
      }
      expect(await acquirer.statement(next)).toEqual([]);
      expect(await acquirer.statement(before)).toEqual([]);
    });

  /** The days before and after a midnight in so many minutes, with the ids of what they have. */
  const around = (at: AcquirerSubject, minutes: number) => {
    const midnight = new Date(at.now().getTime() + minutes * 60_000);
    const dayMs = 24 * 3_600_000;
    const idsOf = async (from: Date, to: Date) =>
      (await at.acquirer.statement({ from, to })).map(({ ourId }) => ourId);
    return {
      before: () => idsOf(new Date(midnight.getTime() - dayMs), midnight),
      since: () => idsOf(midnight, new Date(midnight.getTime() + dayMs)),
    };
  };

  if (promises.isOwn)
    it('has a payment that was started before midnight and captured after it on the day of its capture', async () => {
      const at = await subject();
      const { known, opened } = await open(at);
      const { before, since } = around(at, 30);
      await at.pass(31);
      await at.act(opened, 'pays');
      if (terms.holds) await at.acquirer.capture(known, captureCall());
      await listed(at, promises);
      expect([await before(), await since()]).toEqual([[], [paymentId]]);
    });

  if (promises.isOwn)
    it('has a payment of before midnight and its refund of after it on a day each', async () => {
      const { at, acquirer, known } = await after('pays', { capture: true });
      const { before, since } = around(at, 30);
      await at.pass(31);
      const refund = refundCall(1, 100n);
      await acquirer.refund(known, refund);
      await listed(at, promises);
      expect([await before(), await since()]).toEqual([[paymentId], [refund.refundId]]);
    });

  if (promises.isOwn && promises.acts[method].includes('pays_refund_pending'))
    it(`has a refund that was under way at midnight on the day of its ${promises.refundsAt}`, async () => {
      const { at, acquirer, known } = await after('pays_refund_pending', { capture: true });
      await listed(at, promises);
      const { before, since } = around(at, 10);
      const refund = refundCall(1, amountMinor);
      await acquirer.refund(known, refund);
      expect(await before()).toEqual([paymentId]);
      await at.pass(20);
      const found = () => acquirer.findRefund(known, refund.refundId);
      for (let asked = 0; asked < 10 && (await found())?.state === 'pending'; asked += 1) await at.pass(30);
      const days = [new Set(await before()), new Set(await since())];
      const expected =
        promises.refundsAt === 'end' ? [[paymentId], [refund.refundId]] : [[paymentId, refund.refundId], []];
      expect(days).toEqual(expected.map((ids) => new Set(ids)));
    });

  it('has a movement in the millisecond in which its day begins, and not in that in which the next one does', async () => {
    const { acquirer, known, at } = await after('pays', { capture: true });
    await acquirer.refund(known, refundCall(1, 100n));
    const from = new Date(at.now().getTime() - 3_600_000);
    const to = new Date(from.getTime() + 24 * 3_600_000);
    await listed(at, promises);
    const lines = (await acquirer.statement({ from, to })).filter(
      ({ orderReference }) => orderReference === known.reference,
    );
    expect(lines).toHaveLength(2);
    for (const { at: time, ourId } of lines) {
      const has = async (period: { readonly from: Date; readonly to: Date }) =>
        (await acquirer.statement(period)).some((line) => line.ourId === ourId);
      expect(await has({ from: time, to })).toBe(true);
      expect(await has({ from, to: time })).toBe(false);
    }
  });
}
