import { describe, expect, it } from 'vitest';
import type { KnownOrder, StartRequest } from '../../lib/payment/acquirer.ts';
import type { Receipt } from '../../lib/payment/receipt.ts';
import { yookassaAcquirer } from '../../lib/provider/yookassa/acquirer.ts';
import { paymentId, today } from '../support/builders.ts';
import {
  answering,
  apiUrl,
  aPaymentObject,
  aRefundObject,
  authorised,
  cancelled,
  errorOf,
  listOf,
  otherReference,
  reference,
  shop,
  succeeded,
  type Canned,
} from '../support/yookassa-answers.ts';

const limits = { RUB: { minMinor: 100n, maxMinor: 35_000_000n } };
const order: KnownOrder = {
  paymentId,
  method: 'card',
  holds: true,
  amountMinor: 10_050n,
  currency: 'RUB',
  reference,
  firstCallAt: today,
  lastCallAt: new Date(today.getTime() + 60_000),
};
const request: StartRequest = {
  ...order,
  reference: undefined,
  key: `${paymentId}.1`,
  description: 'Two cups of tea',
  returnUrl: 'https://pay.test/result/1',
  language: 'ru',
  notifyUrl: 'https://pay.test/acquirer/notification',
  about: { merchantId: 'M', shopId: 'S', billId: 'B', orderId: 'order-1' },
  receipt: undefined,
};

function anAcquirer(...answers: readonly Canned[]) {
  const { send, asked } = answering(...answers);
  const acquirer = yookassaAcquirer({
    apiUrl,
    credentials: async () => [shop],
    limits: { card: limits, sbp: limits },
    fetch: send,
  });
  return { acquirer, asked };
}
const refusal = errorOf('invalid_request', { parameter: 'payment_id' });

const receipt: Receipt = {
  customer: { email: 'payer@example.com' },
  taxSystem: 2,
  lines: [
    {
      name: 'Tea by weight',
      quantity: '0.250',
      priceMinor: 20_000n,
      vatCode: 4,
      subject: 'commodity',
      mode: 'full_payment',
    },
    {
      name: 'A cup',
      quantity: '2',
      priceMinor: 2_525n,
      vatCode: 1,
      subject: 'service',
      mode: 'full_payment',
    },
  ],
};
/** The same as the API takes it: quantities are numbers, amounts texts. */
const sentReceipt = {
  customer: { email: 'payer@example.com' },
  items: [
    {
      description: 'Tea by weight',
      quantity: 0.25,
      measure: 'another',
      amount: { value: '200.00', currency: 'RUB' },
      vat_code: 4,
      payment_subject: 'commodity',
      payment_mode: 'full_payment',
    },
    {
      description: 'A cup',
      quantity: 2,
      measure: 'piece',
      amount: { value: '25.25', currency: 'RUB' },
      vat_code: 1,
      payment_subject: 'service',
      payment_mode: 'full_payment',
    },
  ],
  internet: true,
  tax_system_code: 2,
};

describe('YooKassa starts', () => {
  it('a card payment in two steps, with the method, our page, language and ids', async () => {
    const { acquirer, asked } = anAcquirer([200, aPaymentObject()]);
    expect(await acquirer.start(request)).toEqual({
      kind: 'opened',
      reference,
      pageUrl: `https://yoomoney.test/checkout/payments/v2/contract?orderId=${reference}`,
      view: { state: 'pending' },
    });
    expect(asked[0]?.headers['idempotence-key']).toBe(`${paymentId}.1`);
    expect(asked[0]?.body).toEqual({
      amount: { value: '100.50', currency: 'RUB' },
      capture: false,
      description: 'Two cups of tea',
      confirmation: { type: 'redirect', return_url: 'https://pay.test/result/1', locale: 'ru_RU' },
      payment_method_data: { type: 'bank_card' },
      metadata: { payment_id: paymentId, merchant_id: 'M', shop_id: 'S', bill_id: 'B', order_id: 'order-1' },
    });
  });

  it('an SBP payment in one step', async () => {
    const { acquirer, asked } = anAcquirer([200, aPaymentObject()]);
    await acquirer.start({ ...request, method: 'sbp', holds: false, language: 'en' });
    expect(asked[0]?.body).toMatchObject({
      capture: true,
      payment_method_data: { type: 'sbp' },
      confirmation: { locale: 'en_US' },
    });
  });

  it('with the same body under the same key, whenever it is called', async () => {
    const { acquirer, asked } = anAcquirer([200, aPaymentObject()], [200, aPaymentObject()]);
    await acquirer.start(request);
    await acquirer.start({ ...request, lastCallAt: new Date(today.getTime() + 3_600_000) });
    expect(asked[1]?.body).toEqual(asked[0]?.body);
  });

  it.each([
    ['exactly 128 characters', 'a'.repeat(128), 'a'.repeat(128)],
    ['129 characters', 'a'.repeat(129), 'a'.repeat(128)],
    ['an emoji across the end', `${'a'.repeat(127)}🍵`, 'a'.repeat(127)],
    ['a family across the end', `${'a'.repeat(120)}👨‍👩‍👧‍👦 tea`, 'a'.repeat(120)],
    ['an accent across the end', `${'a'.repeat(127)}и\u0306`, 'a'.repeat(127)],
    ['a letter with more accents than fit', `и${'\u0306'.repeat(200)}`, `и${'\u0306'.repeat(127)}`],
    ['nothing', '', undefined],
  ])('with a description of %s cut before the character that does not fit', async (_case, text, sent) => {
    const { acquirer, asked } = anAcquirer([200, aPaymentObject()]);
    await acquirer.start({ ...request, description: text });
    expect(asked[0]?.body?.['description']).toBe(sent);
  });

  it('without metadata that is empty, and with long values cut at 512', async () => {
    const { acquirer, asked } = anAcquirer([200, aPaymentObject()]);
    const about = { ...request.about, orderId: undefined, billId: 'b'.repeat(600) };
    await acquirer.start({ ...request, about });
    expect(asked[0]?.body?.['metadata']).toEqual({
      payment_id: paymentId,
      merchant_id: 'M',
      shop_id: 'S',
      bill_id: 'b'.repeat(512),
    });
  });

  it.each([
    [400, errorOf('invalid_request', { parameter: 'receipt', description: 'Receipt is missing or illegal' })],
    [401, errorOf('invalid_credentials')],
    [403, errorOf('forbidden')],
  ])('nothing when it answers %i', async (status, body) => {
    const { acquirer } = anAcquirer([status, body]);
    expect(await acquirer.start(request)).toMatchObject({
      kind: 'refused',
      outcome: expect.stringContaining(body.code),
    });
  });

  it.each([
    ['of another payment', aPaymentObject({ metadata: { payment_id: 'AnotherPaymentOfThisBill01' } })],
    ['in another currency', aPaymentObject({ amount: { value: '100.50', currency: 'USD' } })],
    ['of another shape', { id: reference }],
    [
      'with a page of another scheme',
      aPaymentObject({ confirmation: { confirmation_url: 'javascript:alert(1)' } }),
    ],
  ])('and an answer %s is not believed', async (_case, body) => {
    const { acquirer } = anAcquirer([200, body]);
    await expect(acquirer.start(request)).rejects.toThrow();
  });
});

describe('a view of YooKassa', () => {
  const fromCard = '555555******4477';
  const paidView = { state: 'captured', amountMinor: 10_050n, refundedMinor: 0n, feeMinor: 352n };
  const byCard = (more: object) => ({
    type: 'bank_card',
    card: { first6: '555555', last4: '4477', ...more },
  });
  const bySbp = (bankId: string) => ({
    type: 'sbp',
    payer_bank_details: { bank_id: bankId, bic: '044525225' },
  });
  it.each([
    ['pending', aPaymentObject(), { state: 'pending' }],
    ['waiting_for_capture', authorised(), { state: 'authorised', amountMinor: 10_050n, fromCard }],
    [
      'waiting_for_capture of a part',
      authorised({ amount: { value: '60.00', currency: 'RUB' } }),
      { state: 'authorised', amountMinor: 6_000n, fromCard },
    ],
    [
      'succeeded',
      succeeded(),
      { state: 'captured', amountMinor: 10_050n, refundedMinor: 0n, feeMinor: 352n, fromCard },
    ],
    [
      'succeeded and refunded in part',
      succeeded({ refunded_amount: { value: '0.50', currency: 'RUB' } }),
      { state: 'captured', amountMinor: 10_050n, refundedMinor: 50n, feeMinor: 352n, fromCard },
    ],
    [
      'succeeded by SBP',
      succeeded({ payment_method: { type: 'sbp', id: reference, saved: false, status: 'inactive' } }),
      {
        state: 'captured',
        amountMinor: 10_050n,
        refundedMinor: 0n,
        feeMinor: 352n,
      },
    ],
    [
      "with the card's bank",
      succeeded({ payment_method: byCard({ issuer_name: `Sberbank\u202e\n${'x'.repeat(200)}` }) }),
      { ...paidView, fromCard, bank: `Sberbank ${'x'.repeat(91)}` },
    ],
    [
      "with a bank's name of another shape",
      succeeded({ payment_method: byCard({ issuer_name: { en: 'Sberbank' } }) }),
      { ...paidView, fromCard },
    ],
    [
      'with the bank of SBP',
      succeeded({ payment_method: bySbp('100000000111') }),
      { ...paidView, bank: 'Сбербанк' },
    ],
    [
      'with a bank of SBP that the dictionary lacks',
      succeeded({ payment_method: bySbp('100000009999') }),
      { ...paidView, bank: '100000009999' },
    ],
    ['with a bank of SBP of another shape', succeeded({ payment_method: bySbp('<b>') }), paidView],
    [
      'expired_on_confirmation',
      cancelled('expired_on_confirmation'),
      { state: 'cancelled', reason: 'expired', outcome: 'expired_on_confirmation' },
    ],
    ['expired_on_capture', cancelled('expired_on_capture'), { state: 'voided' }],
    ['canceled_by_merchant', cancelled('canceled_by_merchant'), { state: 'voided' }],
  ])('of %s', async (_case, body, view) => {
    const { acquirer, asked } = anAcquirer([200, body]);
    expect(await acquirer.get(order)).toEqual(view);
    expect(asked[0]).toMatchObject({ method: 'GET', path: `/v3/payments/${reference}` });
  });

  it.each([
    ['insufficient_funds', 'insufficient_funds'],
    ['card_expired', 'card_expired'],
    ['invalid_card_number', 'invalid_card_data'],
    ['invalid_csc', 'invalid_card_data'],
    ['payment_method_limit_exceeded', 'limit_exceeded'],
    ['3d_secure_failed', 'not_confirmed'],
    ['issuer_unavailable', 'bank_unavailable'],
    ['internal_timeout', 'bank_unavailable'],
    ['call_issuer', 'declined'],
    ['payment_method_restricted', 'declined'],
    ['country_forbidden', 'declined'],
    ['general_decline', 'declined'],
    ['fraud_suspected', 'declined'],
    ['identification_required', 'declined'],
    ['permission_revoked', 'declined'],
    ['unsupported_mobile_operator', 'declined'],
    ['deal_expired', 'declined'],
    ['a_reason_of_tomorrow', 'declined'],
    ['toString', 'declined'],
  ])('declined with %s has the reason %s, and its own code for the operator', async (outcome, reason) => {
    const { acquirer } = anAcquirer([200, cancelled(outcome)]);
    expect(await acquirer.get(order)).toEqual({ state: 'declined', reason, outcome });
  });

  it('keeps of a reason what a person may read: one short line without numbers and addresses', async () => {
    const said = `\u001b[2J paid\nby i.ivanov@example.com from 4111 1111 1111 1111 ${'x'.repeat(500_000)}`;
    const { acquirer } = anAcquirer([200, cancelled(said)]);
    const view = await acquirer.get(order);
    const outcome = view.state === 'declined' ? view.outcome : '';
    expect(outcome).toMatch(/^ \[2J paid by … from …+ x+$/);
    expect(outcome).toHaveLength(200);
  });

  it('is unknown in a currency that is none', async () => {
    const amount = { value: '1.00', currency: 'RUB\u001b[2J' };
    const { acquirer } = anAcquirer([200, authorised({ amount })]);
    await expect(acquirer.look(reference)).rejects.toMatchObject({ code: 'YOOKASSA_ANSWER_UNREADABLE' });
  });

  it('is unknown for a state that it does not know, a lost order and another payment', async () => {
    const { acquirer } = anAcquirer(
      [200, aPaymentObject({ status: 'frozen' })],
      [404, errorOf('not_found')],
      [200, aPaymentObject({ metadata: {} })],
    );
    for (const _ of [1, 2, 3]) await expect(acquirer.get(order)).rejects.toThrow();
  });
});

describe('YooKassa looks up', () => {
  it('a reference with our id as it was stored', async () => {
    const { acquirer } = anAcquirer([200, succeeded()]);
    expect(await acquirer.look(reference)).toMatchObject({
      reference,
      paymentId,
      view: { state: 'captured' },
    });
  });

  it('nothing for a reference that it does not know', async () => {
    const { acquirer } = anAcquirer([404, errorOf('not_found')]);
    expect(await acquirer.look(otherReference)).toBeUndefined();
  });

  it.each(['../me', 'short', `${reference}/cancel`, 'x'.repeat(51)])(
    'nothing for "%s", without a call',
    async (text) => {
      const { acquirer, asked } = anAcquirer();
      expect(await acquirer.look(text)).toBeUndefined();
      expect(asked).toEqual([]);
    },
  );
});

describe('YooKassa finds by our id', () => {
  const others = (n: number) =>
    Array.from({ length: n }, () => aPaymentObject({ metadata: { payment_id: 'another' } }));

  it('an order on any page of the list, from an hour before the first call to an hour after the last', async () => {
    const { acquirer, asked } = anAcquirer(
      [200, listOf(others(100), 'cursor-1')],
      [200, listOf([...others(3), authorised()])],
    );
    expect(await acquirer.find({ ...order, reference: undefined })).toMatchObject({
      reference,
      paymentId,
      view: { state: 'authorised' },
    });
    const window = {
      'created_at.gte': '2026-11-21T11:34:56.789Z',
      'created_at.lte': '2026-11-21T13:35:56.789Z',
      limit: '100',
    };
    expect(asked.map(({ query }) => query)).toEqual([window, { ...window, cursor: 'cursor-1' }]);
  });

  it('nothing, when every page was read', async () => {
    const { acquirer } = anAcquirer([200, listOf(others(100), 'cursor-1')], [200, listOf([])]);
    expect(await acquirer.find(order)).toBe('absent');
  });

  it('its own, also beside orders of others that cannot be read', async () => {
    const strange = { ...aPaymentObject({ metadata: { payment_id: 'another' } }), status: 'of next year' };
    const { acquirer } = anAcquirer([200, listOf([strange, authorised()])], [200, listOf([strange])]);
    expect(await acquirer.find(order)).toMatchObject({ reference, view: { state: 'authorised' } });
    expect(await acquirer.find(order)).toBe('absent');
  });

  it.each([
    ['a page that fails', [500, errorOf('internal_server_error')]],
    ['a page that is refused', [400, errorOf('invalid_request')]],
    ['a page that is lost', undefined],
    ['a page that it repeats', [200, listOf([], 'cursor-1')]],
    ['an order that cannot be read', [200, listOf([{ id: reference }])]],
    ['its own order that cannot be read', [200, listOf([aPaymentObject({ status: 'of next year' })])]],
    ['a page without a list', [200, {}]],
  ] as const)('and does not say "absent" after %s', async (_case, second) => {
    const { acquirer } = anAcquirer([200, listOf([], 'cursor-1')], second);
    await expect(acquirer.find(order)).rejects.toThrow();
  });
});

describe('a card that YooKassa describes in another way', () => {
  it.each([
    ['a masked number', { card: { first6: '555555', last4: '****' } }],
    ['no last digits', { card: { first6: '555555' } }],
    ['no card', { card: null }],
  ])('such as %s does not hide what was paid', async (_case, method) => {
    const { acquirer } = anAcquirer([200, succeeded({ payment_method: { type: 'bank_card', ...method } })]);
    expect(await acquirer.get(order)).toEqual({
      state: 'captured',
      amountMinor: 10_050n,
      refundedMinor: 0n,
      feeMinor: 352n,
    });
  });
});

describe('YooKassa captures and cancels', () => {
  it('a part of what was authorised', async () => {
    const { acquirer, asked } = anAcquirer([200, succeeded({ amount: { value: '60.00', currency: 'RUB' } })]);
    const call = { key: `${paymentId}.capture.1`, amountMinor: 6_000n, receipt: undefined };
    expect(await acquirer.capture(order, call)).toMatchObject({
      view: { state: 'captured', amountMinor: 6_000n },
      refused: false,
    });
    expect(asked[0]).toMatchObject({
      path: `/v3/payments/${reference}/capture`,
      headers: { 'idempotence-key': call.key },
      body: { amount: { value: '60.00', currency: 'RUB' } },
    });
  });

  it('an authorisation', async () => {
    const { acquirer, asked } = anAcquirer([200, cancelled('canceled_by_merchant')]);
    expect(await acquirer.cancel(order, { key: `${paymentId}.cancel.1` })).toEqual({
      view: { state: 'voided' },
      refused: false,
    });
    expect(asked[0]).toMatchObject({ path: `/v3/payments/${reference}/cancel`, body: {} });
  });

  it.each([
    ['cancels no pending order', 'cancel', aPaymentObject(), { state: 'pending' }],
    ['cancels no captured money', 'cancel', succeeded(), { state: 'captured' }],
    ['captures no lapsed authorisation', 'capture', cancelled('expired_on_capture'), { state: 'voided' }],
  ] as const)('%s: refused, with the view that was read after', async (_case, act, after, view) => {
    const { acquirer, asked } = anAcquirer([400, refusal], [200, after]);
    const call = { key: 'key', amountMinor: 10_050n, receipt: undefined };
    expect(await acquirer[act](order, call)).toMatchObject({ refused: true, view });
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it.each([
    ['refused credentials', [401, errorOf('invalid_credentials')]],
    ['an unknown order', [404, errorOf('not_found')]],
    ['a 500', [500, errorOf('internal_server_error')]],
  ] as const)('nothing known after %s', async (_case, answer) => {
    const { acquirer } = anAcquirer(answer, [200, aPaymentObject()]);
    await expect(
      acquirer.capture(order, { key: 'key', amountMinor: 1n, receipt: undefined }),
    ).rejects.toThrow();
  });
});

describe('YooKassa refunds', () => {
  const refundId = `${paymentId}.refund.1`;
  const call = { key: refundId, refundId, amountMinor: 10_050n, receipt: undefined };

  it('a payment, with our id', async () => {
    const { acquirer, asked } = anAcquirer([200, aRefundObject()]);
    expect(await acquirer.refund(order, call)).toEqual({ state: 'succeeded' });
    expect(asked[0]).toMatchObject({
      path: '/v3/refunds',
      headers: { 'idempotence-key': refundId },
      body: {
        payment_id: reference,
        amount: { value: '100.50', currency: 'RUB' },
        metadata: { refund_id: refundId, payment_id: paymentId },
      },
    });
  });

  it.each([
    ['pending', aRefundObject({ status: 'pending' }), { state: 'pending' }],
    [
      'canceled, as our account was empty',
      aRefundObject({ status: 'canceled', cancellation_details: { reason: 'insufficient_funds' } }),
      { state: 'rejected', outcome: 'insufficient_funds', providerEmpty: true },
    ],
    [
      'canceled for another reason',
      aRefundObject({ status: 'canceled', cancellation_details: { reason: 'rejected_by_payee' } }),
      { state: 'rejected', outcome: 'rejected_by_payee', providerEmpty: false },
    ],
  ])('a refund that is %s', async (_case, body, view) => {
    expect(await anAcquirer([200, body]).acquirer.refund(order, call)).toEqual(view);
    expect(await anAcquirer([200, listOf([body])]).acquirer.findRefund(order, refundId)).toEqual(view);
  });

  it('nothing above the rest of the payment', async () => {
    const { acquirer } = anAcquirer([400, errorOf('invalid_request', { parameter: 'amount' })]);
    expect(await acquirer.refund(order, call)).toMatchObject({ state: 'rejected', providerEmpty: false });
  });

  it('and whether it did is unknown when it refuses our credentials', async () => {
    const { acquirer } = anAcquirer([401, errorOf('invalid_credentials')]);
    await expect(acquirer.refund(order, call)).rejects.toThrow();
  });

  it('and finds the refund with our id among those of the payment', async () => {
    const other = aRefundObject({ metadata: { refund_id: `${paymentId}.refund.2` } });
    const { acquirer, asked } = anAcquirer([200, listOf([other], 'c')], [200, listOf([aRefundObject()])]);
    expect(await acquirer.findRefund(order, refundId)).toEqual({ state: 'succeeded' });
    expect(asked[0]).toMatchObject({ path: '/v3/refunds', query: { payment_id: reference } });
    expect(await anAcquirer([200, listOf([other])]).acquirer.findRefund(order, refundId)).toBeUndefined();
  });
});

describe('a receipt for YooKassa', () => {
  const refundId = `${paymentId}.refund.1`;

  it('goes with the payment, with a capture of less and with a refund', async () => {
    const { acquirer, asked } = anAcquirer(
      [200, aPaymentObject()],
      [200, succeeded()],
      [200, aRefundObject()],
    );
    await acquirer.start({ ...request, receipt });
    await acquirer.capture(order, { key: 'capture', amountMinor: 10_000n, receipt });
    await acquirer.refund(order, { key: refundId, refundId, amountMinor: 10_000n, receipt });
    expect(asked.map(({ body }) => body?.['receipt'])).toEqual([sentReceipt, sentReceipt, sentReceipt]);
  });

  it('names a phone number, and no tax system where the record has none', async () => {
    const { acquirer, asked } = anAcquirer([200, aPaymentObject()]);
    const customer = { phone: '79161234567' };
    await acquirer.start({ ...request, receipt: { ...receipt, customer, taxSystem: undefined } });
    const { tax_system_code: _left, ...others } = sentReceipt;
    expect(asked[0]?.body?.['receipt']).toEqual({ ...others, customer });
  });

  it('is not named where there is none', async () => {
    const { acquirer, asked } = anAcquirer(
      [200, aPaymentObject()],
      [200, succeeded()],
      [200, aRefundObject()],
    );
    await acquirer.start(request);
    await acquirer.capture(order, { key: 'capture', amountMinor: 1n, receipt: undefined });
    await acquirer.refund(order, { key: refundId, refundId, amountMinor: 1n, receipt: undefined });
    for (const { body } of asked) expect(body).not.toHaveProperty('receipt');
  });

  it.each([
    ['pending', 'pending'],
    ['succeeded', 'registered'],
    ['canceled', 'failed'],
    ['of tomorrow', undefined],
  ] as const)('whose registration is %s is %s, of a payment and of a refund', async (told, state) => {
    const registration = { receipt_registration: told };
    const { acquirer } = anAcquirer(
      [200, succeeded(registration)],
      [200, aRefundObject(registration)],
      [200, listOf([aRefundObject(registration)])],
    );
    expect(await acquirer.get(order)).toMatchObject({ state: 'captured', receipt: state });
    const call = { key: refundId, refundId, amountMinor: 10_050n, receipt };
    expect(await acquirer.refund(order, call)).toEqual({ state: 'succeeded', receipt: state });
    expect(await acquirer.findRefund(order, refundId)).toEqual({ state: 'succeeded', receipt: state });
  });
});

describe('the fee of YooKassa', () => {
  const income = (value: string, currency = 'RUB') => ({ income_amount: { value, currency } });

  it.each([
    ['is the amount less what the shop gets', income('96.98'), 352n],
    ['is zero where the shop gets everything', income('100.50'), 0n],
    ['is not known while the provider does not say it', { income_amount: undefined }, undefined],
    ['is not known when the shop would get more than was paid', income('100.51'), undefined],
    ['is not known when it cannot be read', income('-1.00'), undefined],
    ['is not known in another currency', income('96.98', 'USD'), undefined],
  ] as const)('%s', async (_case, traits, feeMinor) => {
    const { acquirer } = anAcquirer(
      [200, succeeded(traits)],
      [200, listOf([succeeded(traits)])],
      [200, listOf([])],
    );
    expect(await acquirer.get(order)).toMatchObject({ state: 'captured', feeMinor });
    const [line] = await acquirer.statement({ from: today, to: today });
    expect(line?.feeMinor).toBe(feeMinor);
  });
});

describe('the statement of YooKassa', () => {
  it('can be read whatever page the orders of other systems in the shop have', async () => {
    const theirs = succeeded({
      confirmation: { type: 'mobile_application', confirmation_url: 'bank100000000111://pay' },
    });
    const { acquirer } = anAcquirer([200, listOf([theirs, succeeded()])], [200, listOf([])]);
    expect(await acquirer.statement({ from: today, to: today })).toHaveLength(2);
  });

  it('has payments by their capture with the fee, and refunds', async () => {
    const { acquirer, asked } = anAcquirer([200, listOf([succeeded()])], [200, listOf([aRefundObject()])]);
    const from = new Date('2026-11-20T21:00:00.000Z');
    const to = new Date('2026-11-21T21:00:00.000Z');
    expect(await acquirer.statement({ from, to })).toEqual([
      {
        kind: 'payment',
        reference,
        ourId: paymentId,
        orderReference: reference,
        amountMinor: 10_050n,
        feeMinor: 352n,
        currency: 'RUB',
        at: new Date('2026-11-21T12:40:00.000Z'),
      },
      {
        kind: 'refund',
        reference: otherReference,
        ourId: `${paymentId}.refund.1`,
        orderReference: reference,
        amountMinor: 10_050n,
        feeMinor: undefined,
        currency: 'RUB',
        at: new Date('2026-11-21T12:50:00.000Z'),
      },
    ]);
    expect(asked.map(({ path, query }) => ({ path, ...query }))).toEqual([
      {
        path: '/v3/payments',
        status: 'succeeded',
        'captured_at.gte': from.toISOString(),
        'captured_at.lt': to.toISOString(),
        limit: '100',
      },
      {
        path: '/v3/refunds',
        status: 'succeeded',
        'created_at.gte': from.toISOString(),
        'created_at.lt': to.toISOString(),
        limit: '100',
      },
    ]);
  });
});

describe('a notification of YooKassa', () => {
  const notice = (event: string, object: object) => JSON.stringify({ type: 'notification', event, object });

  it.each([
    ['payment.succeeded', succeeded(), { about: 'payment', reference, paymentId }],
    ['payment.waiting_for_capture', authorised(), { about: 'payment', reference, paymentId }],
    ['payment.canceled', cancelled('general_decline'), { about: 'payment', reference, paymentId }],
    ['refund.succeeded', aRefundObject(), { about: 'refund', reference, paymentId: undefined }],
    ['deal.closed', aPaymentObject(), { about: 'other', reference, paymentId: undefined }],
  ])('of %s is a hint about a reference', async (event, object, hint) => {
    const { acquirer } = anAcquirer();
    expect(await acquirer.readNotification({}, notice(event, object))).toEqual(hint);
  });

  it.each([
    ['no JSON', 'status=paid'],
    ['nothing', ''],
    ['another type', JSON.stringify({ type: 'list', event: 'payment.succeeded', object: { id: reference } })],
    ['an id that is none', notice('payment.succeeded', { id: '../me' })],
    ['a refund of no payment', notice('refund.succeeded', { id: reference })],
  ])('with %s is none', async (_case, body) => {
    expect(await anAcquirer().acquirer.readNotification({}, body)).toBeUndefined();
  });
});

describe('what YooKassa promises', () => {
  it('cards are held and SBP is not; neither ends an open order, and each page is open for an hour', () => {
    const shared = { limits, payableMinutes: 60, endsOpenOrders: false, reportsFee: true };
    expect(anAcquirer().acquirer.methods).toEqual({
      card: { ...shared, holds: true, failureIsFinal: true },
      sbp: { ...shared, holds: false, failureIsFinal: false },
    });
  });

  it('no addresses of its pages: any over TLS, and any on this machine for the emulator', () => {
    const at = (url: string) =>
      yookassaAcquirer({ apiUrl: url, credentials: async () => [shop], limits: { sbp: limits } });
    expect(at(apiUrl).pageSource).toBe('https:');
    expect(at('http://127.0.0.1:4010/v3').pageSource).toBe('http://127.0.0.1:*');
    expect(Object.keys(at(apiUrl).methods)).toEqual(['sbp']);
  });
});
