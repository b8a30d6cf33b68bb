import { describe, expect, it } from 'vitest';
import { create as createFull } from '../../functions/refund-full-create.ts';
import { create as createPartial } from '../../functions/refund-partial-create.ts';
import { create as paymentStatus } from '../../functions/payment-status.ts';
import { create as refundStatus } from '../../functions/refund-status.ts';
import { toMerchantId } from '../../lib/ids.ts';
import { decidedChargeback } from '../../lib/ledger/chargeback.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import { type ApiDeps, apiDeps, paid } from '../support/api-deps.ts';
import { aCaller, form, get, invalid, json, post, refusal } from '../support/api-event.ts';
import { aBill, aPayment, billId, paymentId } from '../support/builders.ts';
import { aChargeback } from '../support/chargebacks.ts';
import { itemsOf } from '../support/items-of.ts';

const another = aCaller({ merchantId: toMerchantId('AnotherMerchant1') });

const receiptTerms = {
  taxSystem: 2,
  vatCode: 1,
  subject: 'commodity',
  mode: 'full_payment',
  emailOnly: false,
} as const;

/** A payment of 100.50 that was paid, of which the merchant got 98.49. */
async function aPaidOne(traits: Partial<Payment> = {}, isPaid = true) {
  const deps = await apiDeps({ bills: [aBill()], payments: [aPayment(traits)] });
  if (isPaid) await paid(deps, paymentId);
  return deps;
}

const part = (deps: ApiDeps, amount: string, more: Readonly<Record<string, string>> = {}) =>
  post(createPartial(deps), form({ payment_id: paymentId, amount, ...more }));
const full = (deps: ApiDeps, more: Readonly<Record<string, string>> = {}) =>
  post(createFull(deps), form({ payment_id: paymentId, ...more }));

const id = `${paymentId}000001`;
const shown = {
  success: true,
  id,
  payment_id: paymentId,
  bill_id: billId,
  status: 'NEW',
  amount: 40,
  currency: 'RUB',
  reason: 'wrong size',
  created_at: '2026-11-21 12:34:56',
};
const available = async (deps: ApiDeps) => (await deps.balances.of(aCaller().merchantId))[0];

describe('POST /api/v1/refund/partial/create', () => {
  it('reserves a part and answers with the refund, flat', async () => {
    const deps = await aPaidOne();
    const response = await part(deps, '40', { reason: 'wrong size' });
    expect(response).toMatchObject({ status: 200 });
    expect(response.body).toEqual(shown);
    expect(await available(deps)).toMatchObject({ available: 5_849n, locked: 4_000n });
    expect(deps.queued).toEqual([id]);
  });

  it.each([
    ['card 4111 1111 1111 1111, please', 'card 411111******1111, please'],
    ['4111.1111.1111.1111 of order 7', '****.****.****.**** of order *'],
    ['order 4111111111111112', 'order 4111111111111112'],
  ])('keeps the reason %j without a card number', async (reason, kept) => {
    const deps = await aPaidOne();
    expect(await part(deps, '40', { reason })).toMatchObject({ status: 200, body: { reason: kept } });
    expect(await deps.refunds.ofPayment(paymentId)).toMatchObject([{ reason: kept }]);
  });

  it('takes a JSON body, with the amount as a number', async () => {
    const deps = await aPaidOne();
    const sent = json({ payment_id: paymentId, amount: 40.0, reason: 'wrong size' });
    expect((await post(createPartial(deps), sent)).body).toEqual(shown);
  });

  it('with the same Idempotency-Key creates one refund, and with other data is refused', async () => {
    const deps = await aPaidOne();
    const send = (amount: string) => {
      const { headers, ...sent } = form({ payment_id: paymentId, amount });
      return post(createPartial(deps), { ...sent, headers: { ...headers, 'Idempotency-Key': 'k' } });
    };
    const [first, again] = [await send('40'), await send('40.00')];
    expect(again.body).toEqual(first.body);
    expect(again.headers).toMatchObject({ 'Idempotency-Replayed': 'true' });
    expect(await deps.refunds.ofPayment(paymentId)).toHaveLength(1);
    expect(await send('41')).toMatchObject(invalid('Idempotency-Key'));
  });
});

describe('POST /api/v1/refund/full/create', () => {
  it('refunds all that is left, the payer’s surcharge too', async () => {
    const surcharge = { surchargeMinor: 201n, payerPaysCommission: true };
    const deps = await aPaidOne(surcharge);
    await part(deps, '40');
    expect(await full(deps)).toMatchObject(refusal(400, 'balance_not_enough'));
    expect((await part(deps, '60.50')).body).toMatchObject({ amount: 60.5, reason: '' });
  });

  it('answers what is refundable when less is', async () => {
    const deps = await aPaidOne();
    await part(deps, '98.49');
    expect(await full(deps)).toMatchObject(refusal(400, 'balance_not_enough'));
    expect(await part(deps, '2.02')).toMatchObject({
      ...refusal(400, 'refund_not_available'),
      body: {
        errors: {
          amount: [
            'At most 2.01 RUB of this payment can be refunded: what was received, less its other refunds and its chargebacks.',
          ],
        },
        details: { refundable: 2.01 },
      },
    });
  });
});

describe('a refund is refused', () => {
  const notPaid = { payment_id: [expect.stringContaining('Only a paid payment can be refunded')] };

  it.each([
    ['of a payment that is in progress', {}],
    ['of a payment that failed', { status: 'FAIL', phase: 'DONE' }],
  ] as const)('%s', async (_what, traits) => {
    const deps = await aPaidOne(traits, false);
    const before = await itemsOf(deps.table);
    const refused = { status: 400, body: { success: false, message: 'api:error.refund_not_available' } };
    expect(await full(deps)).toMatchObject(refused);
    expect((await part(deps, '1')).body).toMatchObject({ ...refused.body, errors: notPaid });
    expect(await itemsOf(deps.table)).toEqual(before);
  });

  it('where its acquirer is no longer connected, or has no order of it', async () => {
    const deps = await aPaidOne();
    const gone = { ...deps, isAcquirerDeployed: () => false };
    expect((await full(gone)).body.errors).toEqual({
      payment_id: [expect.stringContaining('no longer connected')],
    });
    const byHand = await aPaidOne({ reference: undefined });
    expect((await full(byHand)).body.errors).toEqual({
      payment_id: [expect.stringContaining('settled by hand')],
    });
  });

  it('where its receipt has nowhere to go, until payer_email says where', async () => {
    const deps = await aPaidOne({ receiptTerms });
    expect((await part(deps, '40')).body.errors).toEqual({
      payer_email: [expect.stringContaining('send payer_email or payer_phone')],
    });
    expect(await part(deps, '40', { payer_phone: 'x' })).toMatchObject(refusal(400, 'refund_not_available'));
    expect(await part(deps, '40', { payer_email: 'ivan@example.ru' })).toMatchObject({ status: 200 });
  });

  it.each([
    ['a missing payment', { payment_id: `${billId}00NoSuchPa` }, aCaller(), 422, 'payment_not_found'],
    ['text that is no id', { payment_id: 'B#x' }, aCaller(), 422, 'payment_not_found'],
    ["another merchant's payment", {}, another, 422, 'payment_not_found'],
    ['a banned merchant', {}, aCaller({ banned: true }), 403, 'merchant_banned'],
    ['an amount of 0', { amount: '0' }, aCaller(), 400, 'invalid_amount'],
    ['three decimals', { amount: '1.001' }, aCaller(), 400, 'invalid_amount'],
    ['more than is on the balance', { amount: '98.50' }, aCaller(), 400, 'balance_not_enough'],
  ])('of %s', async (_what, fields, caller, status, key) => {
    const deps = await aPaidOne();
    const before = await itemsOf(deps.table);
    const sent = form({ payment_id: paymentId, amount: '1', ...fields });
    expect(await post(createPartial(deps), { ...sent, caller })).toMatchObject(refusal(status, key));
    expect(await itemsOf(deps.table)).toEqual(before);
  });

  it('without its required fields, or with a long reason, as invalid data', async () => {
    const deps = await aPaidOne();
    expect(await post(createFull(deps), form({}))).toMatchObject(invalid('payment_id'));
    expect(await post(createPartial(deps), form({ payment_id: paymentId }))).toMatchObject(invalid('amount'));
    expect(await full(deps, { reason: 'x'.repeat(256) })).toMatchObject(invalid('reason'));
  });
});

describe('GET /api/v1/refund/status', () => {
  it('returns a refund', async () => {
    const deps = await aPaidOne();
    await part(deps, '40', { reason: 'wrong size' });
    expect((await get(refundStatus(deps), { query: { id } })).body).toEqual(shown);
  });

  it.each([
    ['a missing refund', `${paymentId}nothin`, aCaller(), 422, 'refund_not_found'],
    ['a payment id', paymentId, aCaller(), 422, 'refund_not_found'],
    ["another merchant's refund", id, another, 422, 'refund_not_found'],
    ['a banned merchant', id, aCaller({ banned: true }), 403, 'merchant_banned'],
  ])('refuses %s', async (_what, asked, caller, status, key) => {
    const deps = await aPaidOne();
    await part(deps, '40');
    const response = await get(refundStatus(deps), { caller, query: { id: asked } });
    expect(response).toMatchObject(refusal(status, key));
  });
});

describe('GET /api/v1/payment/status', () => {
  it('lists the refunds, and the confirmed chargebacks, of the payment when they are asked for', async () => {
    const deps = await aPaidOne();
    await part(deps, '40', { reason: 'wrong size' });
    const decided = {
      id: 'd',
      proposedBy: 'olga',
      approvedBy: 'petr',
      reason: 'case',
      at: deps.now(),
      bearer: 'merchant',
      posted: undefined,
    } as const;
    const loss = { minor: 1_000n, currency: 'RUB' } as const;
    const open = aChargeback({ amount: loss });
    const items = [
      decidedChargeback(open, 'CONFIRMED', decided),
      decidedChargeback({ ...open, number: 2, direction: 'surplus' }, 'CONFIRMED', decided),
      decidedChargeback({ ...open, number: 3 }, 'DISMISSED', decided),
      { ...open, number: 4 },
    ];
    const chargebacks = { ofPayment: async () => items };
    const asked = (query: Readonly<Record<string, string>>) =>
      get(paymentStatus({ ...deps, chargebacks }), { query: { id: paymentId, ...query } });
    const { success: _, ...refund } = shown;
    expect((await asked({ refunds: '1' })).body).toMatchObject({ refunds: [refund] });
    expect((await asked({ refunds: '1' })).body).not.toHaveProperty('chargeback');
    expect((await asked({ chargeback: '1' })).body.chargeback).toEqual([
      {
        id: `${paymentId}.chargeback.1`,
        payment_id: paymentId,
        bill_id: billId,
        amount: 10,
        currency: 'RUB',
        status: 'CONFIRMED',
        created_at: '2026-11-21 12:34:56',
      },
    ]);
    const plain = (await asked({})).body;
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['refunds']));
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['chargeback']));
  });

  it('shows nothing of another merchant’s payment', async () => {
    const deps = await aPaidOne();
    const query = { id: paymentId, refunds: '1', chargeback: '1' };
    const response = await get(paymentStatus(deps), { caller: another, query });
    expect(response).toMatchObject(refusal(422, 'payment_not_found'));
  });
});
