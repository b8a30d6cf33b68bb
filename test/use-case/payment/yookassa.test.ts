import { describe, expect, it } from 'vitest';
import { succeedLate } from '../../../infra/yookassa-emulator/payments.ts';
import { createRefund, refundAtProvider } from '../../../infra/yookassa-emulator/refunds.ts';
import { somePayer } from '../../../infra/yookassa-emulator/acts.ts';
import { publicUrl, stateOf } from '../../support/payment-harness.ts';
import { yookassaPayments } from '../../support/yookassa-harness.ts';

const hour = 60;
const withChallenge = '5555555555554477';
const withoutMoney = '5555555555554600';

/** What the shop's account at the provider has from payments, without the provider's fee. */
const takenFrom = ({ world }: Awaited<ReturnType<typeof yookassaPayments>>) =>
  world.state.postings
    .filter(({ account, what }) => account === 'shop' && what !== 'fee')
    .reduce((total, { minor }) => total + minor, 0);

describe('what YooKassa is told', () => {
  it.each([
    ['card', 'bank_card', false],
    ['sbp', 'sbp', true],
  ] as const)(
    'of a payment by %s: its method, its steps, our page, and whose it is',
    async (method, type, oneStep) => {
      const service = await yookassaPayments({ bill: { orderId: 'order-1' } });
      const { id } = await service.starts('p1', method);
      const [start] = service.emulator.exchanges();
      const bill = await service.bill();
      expect(start?.request).toEqual({
        amount: { value: '100.50', currency: 'RUB' },
        capture: oneStep,
        description: expect.stringMatching(/./),
        payment_method_data: { type },
        confirmation: {
          type: 'redirect',
          locale: 'ru_RU',
          return_url: expect.stringContaining(`${publicUrl}/result/${id}?key=`),
        },
        metadata: {
          payment_id: id,
          merchant_id: bill.merchantId,
          shop_id: bill.shopId,
          bill_id: bill.id,
          order_id: 'order-1',
        },
      });
      // So its page offers no other way to pay.
      expect(service.emulator.payer.mayChoose(service.orderOf(id).id)).toEqual([type]);
    },
  );

  it('with keys of the allowed characters, each call its own', async () => {
    const { service, late, other } = await sbpPaidAfterTheCard();
    const keys = service.emulator
      .exchanges()
      .flatMap(({ method, idempotenceKey }) => (method === 'POST' ? [idempotenceKey] : []));
    expect(keys).toEqual([`${late.id}.1`, `${other.id}.1`, `${other.id}.capture.1`, `${late.id}.refund.1`]);
    for (const key of keys) expect(key).toMatch(/^[0-9A-Za-z._-]{1,64}$/);
  });
});

describe('a card payment at YooKassa', () => {
  it('is authorised with 3-D Secure, captured and settled when its payer returns', async () => {
    const service = await yookassaPayments();
    const { id, started } = await service.starts('p1', 'card');
    const order = service.orderOf(id);
    expect(started).toMatchObject({ kind: 'started', pageUrl: expect.stringContaining(order.id) });
    expect(await service.payment(id)).toMatchObject({
      acquirer: 'yookassa',
      method: 'card',
      holds: true,
      reference: order.id,
    });

    service.paysByCard(id, withChallenge);
    expect(service.orderOf(id).status).toBe('waiting_for_capture');
    await service.comesBack(id);
    expect(await stateOf(service)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p1' },
      payments: { p1: 'SUCCESS/DONE' },
      entries: ['CAPTURE p1', 'PROVIDER_FEE p1'],
    });
    expect(service.orderOf(id)).toMatchObject({ status: 'succeeded', amountMinor: 10_050 });
    expect((await service.payment(id))?.fromCard).toBe('555555******4477');
    expect(service.emulator.violations).toEqual([]);
  });

  it('that is declined fails with the provider’s reason, and the bill can be paid again', async () => {
    const service = await yookassaPayments();
    const { id } = await service.starts('p1', 'card');
    service.paysByCard(id, withoutMoney);
    await service.comesBack(id);
    expect(await service.payment(id)).toMatchObject({
      status: 'FAIL',
      phase: 'DONE',
      outcome: 'insufficient_funds',
      declineReason: 'insufficient_funds',
    });
    const again = await service.starts('p2', 'card');
    expect(again.started.kind).toBe('started');
    service.paysByCard(again.id);
    await service.comesBack(again.id);
    expect((await stateOf(service)).bill).toMatchObject({ status: 'SUCCESS', paidBy: 'p2' });
    expect(takenFrom(service)).toBe(10_050);
  });

  it('that nobody pays ends when its page is over, without a word of the provider', async () => {
    const service = await yookassaPayments();
    const { id } = await service.starts('p1', 'card');
    service.pass(hour + 5);
    await service.sweep();
    expect(await service.payment(id)).toMatchObject({
      status: 'FAIL',
      phase: 'DONE',
      outcome: 'expired_on_confirmation',
      declineReason: 'expired',
    });
    expect(await service.bill()).toMatchObject({ failures: 0 });
    expect((await service.starts('p2', 'sbp')).started.kind).toBe('started');
  });

  it.each([
    ['an hour after its success', 60 * 60_000, ['CAPTURE p1', 'PROVIDER_FEE p1'], 352n],
    ['never', undefined, ['CAPTURE p1'], undefined],
  ])('whose fee is told %s waits for it', async (_when, afterMs, entries, providerFeeMinor) => {
    const service = await yookassaPayments();
    const { id } = await service.starts('p1', 'card');
    const manner = { kind: 'fee_told_late', afterMs } as const;
    service.world.state.save({ ...service.orderOf(id), manner });
    service.paysByCard(id);
    await service.comesBack(id);
    expect(await stateOf(service)).toMatchObject({ entries: ['CAPTURE p1'], waiting: 1 });
    for (const minutes of [10, 60, 6 * 60, 24 * 60, 72 * 60]) {
      service.pass(minutes);
      await service.sweep();
    }
    expect(await stateOf(service)).toMatchObject({ entries, waiting: 0 });
    expect((await service.payment(id))?.providerFeeMinor).toBe(providerFeeMinor);
  });

  it('of which less is authorised is captured for that much, and is UNDERPAID', async () => {
    const service = await yookassaPayments();
    const { id } = await service.starts('p1', 'card');
    service.world.state.save({ ...service.orderOf(id), manner: { kind: 'authorizes_less' } });
    service.paysByCard(id);
    await service.comesBack(id);
    expect(await service.payment(id)).toMatchObject({ status: 'UNDERPAID', receivedMinor: 9_045n });
    expect(service.orderOf(id)).toMatchObject({ status: 'succeeded', amountMinor: 9_045 });
  });

  it('that the provider refunds by itself stays paid, with an alarm and an item for a person', async () => {
    const service = await yookassaPayments();
    const { id } = await service.starts('p1', 'card');
    service.paysByCard(id);
    await service.comesBack(id);
    await service.notifies();
    refundAtProvider(service.world, service.orderOf(id), service.world.clock.now());
    expect(await service.notifies()).toEqual([200]);
    expect(await service.payment(id)).toMatchObject({ status: 'SUCCESS' });
    expect(service.alarms).toEqual(['capture_undone p1']);
  });

  it('that is displaced cannot be ended; what its payer authorises then is voided, and nothing is charged twice', async () => {
    const service = await yookassaPayments();
    const slow = await service.starts('p1', 'card');
    service.pass(16);
    const quick = await service.starts('p2', 'card');
    service.paysByCard(slow.id);
    service.paysByCard(quick.id);
    await service.notifies();
    await service.comesBack(quick.id);
    service.pass(hour);
    await service.sweep();
    expect(await stateOf(service)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p2' },
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
    });
    expect(service.orderOf(slow.id)).toMatchObject({
      status: 'canceled',
      cancellation: { reason: 'canceled_by_merchant' },
    });
    expect(takenFrom(service)).toBe(10_050);
  });
});

describe('an SBP payment at YooKassa', () => {
  it('is captured at once, and settled by the notification when its payer does not return', async () => {
    const service = await yookassaPayments();
    const { id } = await service.starts('p1', 'sbp');
    expect(service.orderOf(id)).toMatchObject({ capture: true, method: 'sbp' });
    expect(await service.payment(id)).toMatchObject({ method: 'sbp', holds: false });
    service.paysBySbp(id);
    expect(await service.notifies()).toEqual([200]);
    expect(await stateOf(service)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p1' },
      payments: { p1: 'SUCCESS/DONE' },
      entries: ['CAPTURE p1', 'PROVIDER_FEE p1'],
    });
  });

  it('of which a part went back before it was known is settled, and the part is an item for a person', async () => {
    const service = await yookassaPayments();
    const { id } = await service.starts('p1', 'sbp');
    service.paysBySbp(id);
    const order = service.orderOf(id);
    const part = { description: undefined, metadata: {}, withReceipt: false, manner: undefined };
    createRefund(service.world, order, { ...part, amountMinor: 3_000 }, service.world.clock.now());
    // Both notifications are lost. A visit does not settle it: only the check may write the item.
    expect(await service.comesBack(id)).toMatchObject({ kind: 'waiting' });
    service.pass(1);
    await service.sweep();
    expect(await service.payment(id)).toMatchObject({ status: 'SUCCESS', receivedMinor: 10_050n });
    expect(service.alarms).toEqual(['capture_undone p1']);
    expect(await service.chargebacks.ofPayment(id)).toMatchObject([
      { direction: 'loss', amount: { minor: 3_000n, currency: 'RUB' }, status: 'OPEN' },
    ]);
  });

  it('that succeeds late, after another payment of the bill, is refunded', async () => {
    const { service, late } = await sbpPaidAfterTheCard();
    for (const _ of [1, 2, 3]) {
      service.pass(hour);
      await service.sweep();
    }
    expect(await stateOf(service)).toMatchObject({
      bill: { status: 'SUCCESS', paidBy: 'p2' },
      payments: { p1: 'FAIL/DONE', p2: 'SUCCESS/DONE' },
    });
    expect(service.orderOf(late.id)).toMatchObject({ status: 'succeeded', refundedMinor: 10_050 });
    const [refund, ...others] = service.world.state.refunds.values();
    expect(others).toEqual([]);
    expect(refund?.metadata).toMatchObject({ refund_id: `${late.id}.refund.1`, payment_id: late.id });
    expect(takenFrom(service)).toBe(10_050);
  });
});

describe('a start whose answer is lost', () => {
  it('is called again under its key: one order, which is paid and settled', async () => {
    const service = await yookassaPayments();
    service.loseNext('answer');
    const { id } = await service.starts('p1', 'card').catch(() => ({ id: undefined }));
    const [order] = service.orders();
    const paymentId = id ?? (await service.payments.due(new Date('2027-01-01')))[0]?.id;
    if (!order || !paymentId) throw new Error('The order was opened');
    expect((await service.payment(paymentId))?.reference).toBeUndefined();
    service.pass(1);
    await service.sweep();
    expect((await service.payment(paymentId))?.reference).toBe(order.id);
    service.paysByCard(paymentId);
    await service.notifies();
    expect(await stateOf(service)).toMatchObject({ payments: { p1: 'SUCCESS/DONE' } });
    expect(service.orders()).toHaveLength(1);
  });

  it('is known by the notification of its order', async () => {
    const service = await yookassaPayments();
    service.loseNext('answer');
    await service.starts('p1', 'sbp').catch(() => undefined);
    const [order] = service.orders();
    if (!order) throw new Error('The order was opened');
    service.world.state.save(order);
    const [due] = await service.payments.due(new Date('2027-01-01'));
    if (!due) throw new Error('The payment is due');
    service.paysBySbp(due.id);
    expect(await service.notifies()).toEqual([200]);
    expect(await service.payment(due.id)).toMatchObject({ status: 'SUCCESS', reference: order.id });
  });

  it('fails after the life of its key, when the list has no such order', async () => {
    const service = await yookassaPayments();
    service.loseAll('call');
    await service.starts('p1', 'card').catch(() => undefined);
    const [due] = await service.payments.due(new Date('2027-01-01'));
    if (!due) throw new Error('The payment is due');
    const hours = async (count: number) => {
      for (let passed = 0; passed < count; passed += 1) {
        service.pass(hour);
        await service.sweep();
      }
    };
    await hours(24);
    service.loseAll(undefined);
    await hours(1);
    expect(await service.payment(due.id)).toMatchObject({ status: 'PROCESS' });
    await hours(4);
    expect(await service.payment(due.id)).toMatchObject({ status: 'FAIL', phase: 'DONE' });
    expect(service.orders()).toEqual([]);
  });
});

describe('the notification address of YooKassa', () => {
  it.each([
    ['another secret', 'Rxq2mVbe7Wl9sKd4', 'yookassa'],
    ['no secret', '', 'yookassa'],
    ['another provider', 'Rxq2mVbe7Wl9sKd3', 'sandbox'],
  ])('with %s is 404 and changes nothing', async (_case, secret, provider) => {
    const service = await yookassaPayments();
    const { id } = await service.starts('p1', 'sbp');
    service.paysBySbp(id);
    expect(await service.sends(service.notices[0] ?? '', secret, provider)).toBe(404);
    expect(await service.payment(id)).toMatchObject({ status: 'PROCESS' });
  });

  it('takes the previous secret while the provider still has it', async () => {
    const service = await yookassaPayments();
    const { id } = await service.starts('p1', 'sbp');
    service.paysBySbp(id);
    expect(await service.notifies(service.previousSecret)).toEqual([200]);
    expect(await service.payment(id)).toMatchObject({ status: 'SUCCESS' });
  });

  it('believes no body: the order is read, and one that the provider does not know is ignored', async () => {
    const service = await yookassaPayments();
    const { id } = await service.starts('p1', 'sbp');
    const order = service.orderOf(id);
    const claim = (reference: string) =>
      JSON.stringify({
        type: 'notification',
        event: 'payment.succeeded',
        object: { id: reference, status: 'succeeded', paid: true, metadata: { payment_id: id } },
      });
    expect(await service.sends(claim(order.id))).toBe(200);
    expect(await service.sends(claim('1da5c87d-0984-50e8-a7f3-8de646dd9ec9'))).toBe(200);
    expect(await service.payment(id)).toMatchObject({ status: 'PROCESS', reference: order.id });
    expect(await service.sends('{}')).toBe(404);
  });

  it('may notify twice and late: the payment is settled once', async () => {
    const service = await yookassaPayments();
    const { id } = await service.starts('p1', 'card');
    service.paysByCard(id);
    const [notice = ''] = service.notices;
    await Promise.all([service.sends(notice), service.sends(notice), service.comesBack(id)]);
    service.pass(24 * hour);
    expect(await service.sends(notice)).toBe(200);
    expect((await stateOf(service)).entries).toEqual(['CAPTURE p1', 'PROVIDER_FEE p1']);
    expect(takenFrom(service)).toBe(10_050);
  });

  it('keeps a genuine payment that the table does not have, with an alarm', async () => {
    const service = await yookassaPayments();
    const id = await service.emulator.aPayment({ metadata: { payment_id: 'BillBillBillBill00LostLost' } });
    service.emulator.payer.byCard(id);
    expect(await service.notifies()).toEqual([200]);
    expect(await service.unknown()).toMatchObject([
      { provider: 'yookassa', reference: id, paymentId: 'BillBillBillBill00LostLost', state: 'captured' },
    ]);
    expect(service.alarms.join()).toContain('unknown_payment');
  });
});

/** An SBP payment that nobody paid in its hour succeeds after all, when another payment has paid the bill by card. */
async function sbpPaidAfterTheCard() {
  const service = await yookassaPayments();
  const late = await service.starts('p1', 'sbp');
  service.pass(hour + 5);
  await service.sweep();
  const other = await service.starts('p2', 'card');
  service.paysByCard(other.id);
  await service.comesBack(other.id);
  const order = service.orderOf(late.id);
  succeedLate(service.world, order, somePayer(order), service.world.clock.now());
  await service.notifies();
  return { service, late, other };
}
