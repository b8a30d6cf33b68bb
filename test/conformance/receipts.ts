import { afterEach, describe, expect, it } from 'vitest';
import { toPaymentId } from '../../lib/ids.ts';
import {
  type KnownOrder,
  type PaymentMethod,
  paymentMethods,
  type ReceiptState,
  type StartRequest,
} from '../../lib/payment/acquirer.ts';
import type { Receipt } from '../../lib/payment/receipt.ts';
import type { AcquirerSubject, Promises } from './acquirer-subject.ts';

const paymentId = toPaymentId('BillBillBillBill00Payment1');
const amountMinor = 10_050n;

/** A shop that sends fiscal receipts. A registration is pending until the sales register answers. */
export type ReceiptSubject = AcquirerSubject & {
  /** The sales register answers. `of`: the order's reference, or our id of a refund. */
  readonly answerReceipt: (of: string, state: ReceiptState) => void;
};

/** A receipt over so much: a part of it by weight, and the rest as one piece. */
const receiptOver = (minor: bigint): Receipt => ({
  customer: { email: 'payer@example.com' },
  taxSystem: 2,
  lines: [
    {
      name: 'Tea by weight',
      quantity: '0.250',
      priceMinor: 400n,
      vatCode: 4,
      subject: 'commodity',
      mode: 'full_payment',
    },
    {
      name: 'Everything else',
      quantity: '1',
      priceMinor: minor - 100n,
      vatCode: 1,
      subject: 'service',
      mode: 'full_payment',
    },
  ],
});

/** What is promised of a shop that sends fiscal receipts (54-FZ): it takes nothing and gives nothing back without one. */
export function describeReceipts(
  name: string,
  { methods }: Pick<Promises, 'methods'>,
  makeSubject: () => Promise<ReceiptSubject>,
): void {
  describe.each(paymentMethods.filter((method) => methods[method]))(`a receipt at ${name}: %s`, (method) => {
    const holds = methods[method]?.holds === true;
    const suite = { holds, ...ordersWith(makeSubject, method, holds) };
    describe('of an order', () => startReceipts(suite));
    if (holds) describe('of a capture', () => captureReceipts(suite));
    describe('of a refund', () => refundReceipts(suite));
  });
}

type Suite = { readonly holds: boolean } & ReturnType<typeof ordersWith>;

function ordersWith(makeSubject: () => Promise<ReceiptSubject>, method: PaymentMethod, holds: boolean) {
  const made: ReceiptSubject[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((subject) => subject.stop()));
  });
  const subject = async () => {
    const next = await makeSubject();
    made.push(next);
    return next;
  };
  const request = ({ now }: AcquirerSubject, traits: Partial<StartRequest> = {}): StartRequest => ({
    paymentId,
    method,
    holds,
    amountMinor,
    currency: 'RUB',
    reference: undefined,
    firstCallAt: now(),
    lastCallAt: now(),
    key: `${paymentId}.1`,
    description: 'Two cups',
    returnUrl: 'https://shop.example/result/payment-1',
    language: 'ru',
    notifyUrl: 'https://pay.example/acquirer/notification',
    about: { merchantId: 'merchant', shopId: 'shop', billId: 'bill', orderId: undefined },
    receipt: receiptOver(amountMinor),
    ...traits,
  });
  /** An order that its payer has paid; `capture` captures an authorisation whole. */
  const paid = async ({ capture }: { readonly capture: boolean }) => {
    const at = await subject();
    const sent = request(at);
    const started = await at.acquirer.start(sent);
    if (started.kind !== 'opened') throw new Error(`refused: ${started.outcome}`);
    const known: KnownOrder = { ...sent, reference: started.reference };
    await at.act({ ...started, method }, 'pays');
    if (capture && holds) {
      const call = { key: `${paymentId}.capture.1`, amountMinor, receipt: undefined };
      await at.acquirer.capture(known, call);
    }
    return { at, acquirer: at.acquirer, known };
  };
  return { subject, request, paid };
}

const states: readonly ReceiptState[] = ['pending', 'failed', 'registered'];

function startReceipts({ subject, request, paid, holds }: Suite): void {
  it.each([
    ['is missing', undefined],
    ['does not add up', receiptOver(amountMinor - 1n)],
    ['has no lines', { ...receiptOver(amountMinor), lines: [] }],
  ])('that %s is a definite refusal, and the next attempt with one is opened', async (_case, receipt) => {
    const at = await subject();
    const refused = await at.acquirer.start(request(at, { receipt }));
    expect(refused).toMatchObject({ kind: 'refused', outcome: expect.stringContaining('receipt') });
    expect(await at.books(paymentId)).toMatchObject({ orders: 0 });
    expect(await at.acquirer.start(request(at, { key: `${paymentId}.2` }))).toMatchObject({ kind: 'opened' });
    expect(await at.books(paymentId)).toMatchObject({ orders: 1 });
  });

  it('is the same under the same key: many calls open one order', async () => {
    const at = await subject();
    const calls = await Promise.all(Array.from({ length: 3 }, () => at.acquirer.start(request(at))));
    expect(new Set(calls.map((each) => each.kind === 'opened' && each.reference)).size).toBe(1);
    expect(await at.books(paymentId)).toMatchObject({ orders: 1 });
  });

  it('is followed from the capture on: pending, failed, registered', async () => {
    const { at, acquirer, known } = await paid({ capture: true });
    for (const receipt of states) {
      at.answerReceipt(known.reference, receipt);
      expect(await acquirer.get(known)).toMatchObject({ state: 'captured', receipt });
      expect(await acquirer.look(known.reference)).toMatchObject({ view: { receipt } });
    }
  });

  if (holds)
    it('is not registered for an authorisation', async () => {
      const { acquirer, known } = await paid({ capture: false });
      const isTold = 'receipt' in (await acquirer.get(known));
      expect(isTold).toBe(false);
    });
}

function captureReceipts({ paid }: Suite): void {
  const partMinor = 4_000n;
  const call = { key: `${paymentId}.capture.1`, amountMinor: partMinor };

  it('of less is its own: without one the call is refused, and nothing is captured', async () => {
    const { at, acquirer, known } = await paid({ capture: false });
    const refused = await acquirer.capture(known, { ...call, receipt: undefined });
    expect(refused).toMatchObject({ refused: true, view: { state: 'authorised', amountMinor } });
    expect(await at.books(paymentId)).toMatchObject({ capturedMinor: 0n });
    const next = { ...call, key: `${paymentId}.capture.2`, receipt: receiptOver(partMinor) };
    expect(await acquirer.capture(known, next)).toMatchObject({
      refused: false,
      view: { state: 'captured', amountMinor: partMinor, receipt: 'pending' },
    });
  });

  it('that adds up to the charge and not to the capture is refused', async () => {
    const { at, acquirer, known } = await paid({ capture: false });
    const refused = await acquirer.capture(known, { ...call, receipt: receiptOver(amountMinor) });
    expect(refused).toMatchObject({ refused: true });
    expect(await at.books(paymentId)).toMatchObject({ capturedMinor: 0n });
  });
}

function refundReceipts({ paid }: Suite): void {
  const refundOf = (attempt: number, minor: bigint, receipt: Receipt | undefined) => {
    const key = `${paymentId}.refund.${attempt}`;
    return { key, refundId: key, amountMinor: minor, receipt };
  };

  it('is needed: without one, or with one that does not add up, nothing is given back', async () => {
    const { at, acquirer, known } = await paid({ capture: true });
    for (const [index, receipt] of [undefined, receiptOver(amountMinor)].entries()) {
      const refused = await acquirer.refund(known, refundOf(index + 1, 3_333n, receipt));
      expect(refused).toMatchObject({ state: 'rejected', providerEmpty: false });
    }
    expect(await at.books(paymentId)).toMatchObject({ refundedMinor: 0n });
    const made = await acquirer.refund(known, refundOf(3, 3_333n, receiptOver(3_333n)));
    expect(made).toEqual({ state: 'succeeded', receipt: 'pending' });
    expect(await at.books(paymentId)).toMatchObject({ refundedMinor: 3_333n });
  });

  it('is followed, apart from the receipt of the payment', async () => {
    const { at, acquirer, known } = await paid({ capture: true });
    at.answerReceipt(known.reference, 'registered');
    const call = refundOf(1, amountMinor, receiptOver(amountMinor));
    await acquirer.refund(known, call);
    for (const receipt of states) {
      at.answerReceipt(call.refundId, receipt);
      expect(await acquirer.findRefund(known, call.refundId)).toEqual({ state: 'succeeded', receipt });
      expect(await acquirer.refund(known, call)).toEqual({ state: 'succeeded', receipt });
      expect(await acquirer.get(known)).toMatchObject({ receipt: 'registered' });
    }
  });
}
