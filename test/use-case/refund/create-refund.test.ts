import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { noContact } from '../../../lib/bill/contact.ts';
import { toMerchantId, toPaymentId } from '../../../lib/ids.ts';
import type { Payment } from '../../../lib/payment/payment.ts';
import type { CreateRefund } from '../../../lib/refund/create-refund.ts';
import { getRefund } from '../../../lib/refund/get-refund.ts';
import { dynamoContacts } from '../../../lib/store/contacts.ts';
import { putContact } from '../../../lib/store/contact-item.ts';
import { paymentKey } from '../../../lib/store/payment-item.ts';
import { transact } from '../../../lib/store/transact.ts';
import { aCaller, billId, merchantId } from '../../support/builders.ts';
import { aChargeback } from '../../support/chargebacks.ts';
import { aSealedContact } from '../../support/contacts.ts';
import { itemsOf } from '../../support/items-of.ts';
import { made, refundHarness, type RefundHarness } from '../../support/refund-harness.ts';

const refused = (error: string, details?: object) => ({ ok: false, error, ...(details && { details }) });
const moreThan = (minor: bigint) =>
  refused('refund_not_available', {
    why: 'more_than_refundable',
    refundable: { minor, currency: 'RUB' },
  });
const reused = refused('idempotency_key_reused');
const by = (traits: Parameters<typeof aCaller>[0]): CreateRefund['by'] => ({
  kind: 'merchant',
  caller: aCaller(traits),
});

/** Gives the merchant money that this payment did not bring. */
const deposit = (harness: RefundHarness, minor: bigint) =>
  transact(harness.table, [
    {
      write: {
        Update: {
          TableName: harness.table.name,
          Key: { PK: `BAL#${merchantId}`, SK: 'A#RUB' },
          UpdateExpression: 'SET available = available + :more',
          ExpressionAttributeValues: { ':more': minor },
        },
      },
    },
  ]);

/** The payment of 100.50 brought 98.49, so with the fee kept only a merchant with other money can refund all of it. */
async function withMoney() {
  const harness = await refundHarness();
  await deposit(harness, 100_000n);
  return harness;
}

describe('a refund', () => {
  it('locks its debit when it is created, and is queued', async () => {
    const harness = await refundHarness();
    harness.agree({ refundFee: 'returned' });
    const refund = made(await harness.create({ reason: 'returned goods' }));
    expect(refund).toMatchObject({
      status: 'NEW',
      amount: { minor: 10_050n, currency: 'RUB' },
      debit: { minor: 9_849n, currency: 'RUB' },
      feeReturnedMinor: 201n,
      reason: 'returned goods',
      requestedBy: { kind: 'merchant' },
      acquirer: 'sandbox',
    });
    expect(await harness.refunds.find(refund.id)).toEqual(refund);
    expect(await harness.refunds.ofPayment(harness.paymentId)).toEqual([refund]);
    expect(await harness.balance()).toEqual({ available: 0n, locked: 9_849n });
    expect(await harness.refundEntries()).toEqual([['REFUND_RESERVE', 'available -9849', 'locked 9849']]);
    expect(await harness.totals()).toEqual({
      reservedMinor: 10_050n,
      grossMinor: 10_050n,
      feeMinor: 201n,
      refundedMinor: 0n,
    });
    expect(harness.queuedRefunds).toEqual([refund.id]);
    expect(await harness.differences()).toEqual([]);
  });

  it('is found by the sweep when its message was lost', async () => {
    const harness = await refundHarness();
    const down = { refundQueue: { send: () => Promise.reject(new Error('no queue')) } };
    const refund = made(await harness.create({ amount: { kind: 'part', text: '10' } }, down));
    expect(await harness.refunds.due(harness.now())).toEqual([{ id: refund.id, seenDue: refund.createdAt }]);
    expect(harness.logged.at(-1)).toMatchObject(['error', 'refund_not_queued', { refund: refund.id }]);
  });

  it('of a part leaves the rest to be refunded, and no more than that', async () => {
    const harness = await withMoney();
    made(await harness.part('60.00'));
    expect(await harness.part('40.51')).toEqual(moreThan(4_050n));
    expect(made(await harness.create()).amount.minor).toBe(4_050n);
    expect(await harness.create()).toEqual(moreThan(0n));
    expect(await harness.part('0.01')).toEqual(moreThan(0n));
  });

  it('takes no more than is available, and writes nothing then', async () => {
    const harness = await refundHarness();
    const before = await itemsOf(harness.table);
    expect(await harness.create()).toEqual(refused('balance_not_enough'));
    expect(await itemsOf(harness.table)).toEqual(before);
    expect((await harness.part('98.49')).ok).toBe(true);
    expect(await harness.part('0.01')).toEqual(refused('balance_not_enough'));
  });
});

describe('refunds that are created at once', () => {
  it('never pass what was received', async () => {
    const harness = await withMoney();
    const results = await Promise.all(Array.from({ length: 5 }, () => harness.part('40.00')));
    expect(results.filter(({ ok }) => ok)).toHaveLength(2);
    expect(results.filter(({ ok }) => !ok)).toEqual(Array(3).fill(moreThan(2_050n)));
    expect(await harness.totals()).toMatchObject({ reservedMinor: 8_000n, grossMinor: 8_000n });
  });

  it('never pass what is available', async () => {
    const harness = await refundHarness();
    const results = await Promise.all([harness.part('50.00'), harness.part('50.00')]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toEqual(refused('balance_not_enough'));
    expect(await harness.balance()).toEqual({ available: 4_849n, locked: 5_000n });
    expect(await harness.differences()).toEqual([]);
  });

  it('are one under one Idempotency-Key', async () => {
    const harness = await withMoney();
    const results = await Promise.all(
      Array.from({ length: 3 }, () => harness.part('10', { idempotencyKey: 'once' })),
    );
    const [one] = await harness.refunds.ofPayment(harness.paymentId);
    expect(results.map(made)).toEqual(Array(3).fill(one));
    expect(harness.queuedRefunds).toHaveLength(1);
    expect((await harness.totals())?.reservedMinor).toBe(1_000n);
  });

  it('see a chargeback that is entered meanwhile', async () => {
    const harness = await withMoney();
    let entered = false;
    const ofPayment: typeof harness.chargebacks.ofPayment = async (id) => {
      const known = await harness.chargebacks.ofPayment(id);
      if (!entered)
        await harness.chargebacks.create(aChargeback({ paymentId: id, id: `${id}.chargeback.1` }), undefined);
      entered = true;
      return known;
    };
    expect(
      await harness.create({ amount: { kind: 'part', text: '70' } }, { chargebacks: { ofPayment } }),
    ).toEqual(moreThan(6_050n));
    expect(made(await harness.create()).amount.minor).toBe(6_050n);
  });
});

describe('an Idempotency-Key', () => {
  it('returns the refund that it created, also when nothing more is refundable', async () => {
    const harness = await withMoney();
    const refund = made(await harness.create({ idempotencyKey: 'k' }));
    expect(await harness.create({ idempotencyKey: 'k' })).toEqual({
      ok: true,
      value: { refund, replayed: true },
    });
    expect(harness.queuedRefunds).toHaveLength(1);
  });

  it('is refused with other data', async () => {
    const harness = await withMoney();
    made(await harness.part('10', { idempotencyKey: 'k', reason: 'one' }));
    expect(await harness.part('10', { idempotencyKey: 'k', reason: 'two' })).toEqual(reused);
    expect(await harness.part('11', { idempotencyKey: 'k', reason: 'one' })).toEqual(reused);
    expect(await harness.create({ idempotencyKey: 'k', reason: 'one' })).toEqual(reused);
    expect((await harness.part('10.00', { idempotencyKey: 'k', reason: 'one' })).ok).toBe(true);
  });
});

describe('a merchant', () => {
  it('sees only their own refunds', async () => {
    const { refunds, part } = await withMoney();
    const refund = made(await part('10'));
    const caller = aCaller();
    const ask = (query: Parameters<typeof getRefund>[1]) => getRefund({ refunds }, query);
    expect(await ask({ caller, id: refund.id })).toEqual({ ok: true, value: refund });
    expect(await ask({ caller, id: undefined })).toEqual(refused('refund_not_found'));
    const another = aCaller({ merchantId: toMerchantId('AnotherMerchant1') });
    expect(await ask({ caller: another, id: refund.id })).toEqual(refused('refund_not_found'));
    expect(await ask({ caller: aCaller({ banned: true }), id: refund.id })).toEqual(
      refused('merchant_banned'),
    );
  });
});

describe('nothing is refunded', () => {
  it.each(['0', '-1', 'full', '1.005', '', '1e99'])('of the amount %j', async (text) => {
    const harness = await shared();
    expect(await harness.part(text)).toEqual(refused('invalid_amount'));
  });

  it('of a payment that is missing or another merchant’s', async () => {
    const harness = await shared();
    const missing = toPaymentId(`${billId}00Missing1`);
    expect(await harness.create({ paymentId: missing })).toEqual(refused('payment_not_found'));
    expect(await harness.create({ paymentId: undefined })).toEqual(refused('payment_not_found'));
    const another = by({ merchantId: toMerchantId('AnotherMerchant1') });
    expect(await harness.create({ by: another })).toEqual(refused('payment_not_found'));
  });

  it('for a banned merchant, but by the operator', async () => {
    const harness = await withMoney();
    expect(await harness.create({ by: by({ banned: true }) })).toEqual(refused('merchant_banned'));
    const refund = made(
      await harness.create({ by: { kind: 'operator', identity: 'olga', decisionId: 'd' } }),
    );
    expect(refund.requestedBy).toEqual({ kind: 'operator', by: 'olga', id: 'd' });
  });

  it.each<[string, Partial<Payment>, object]>([
    ['was not paid', { status: 'FAIL' }, { why: 'not_paid' }],
    ['a person settled without an order', { reference: undefined }, { why: 'no_order' }],
    ['was sent to an acquirer that is gone', { acquirer: 'gone' }, { why: 'acquirer_not_deployed' }],
  ])('of a payment that %s', async (_, changes, details) => {
    const harness = await shared();
    const payments = {
      findWithBill: async (id: typeof harness.paymentId) => {
        const found = await harness.payments.findWithBill(id);
        return found && { ...found, payment: { ...found.payment, ...changes } };
      },
    };
    expect(await harness.create({}, { payments })).toEqual(refused('refund_not_available', details));
  });
});

describe('the receipt of a refund', () => {
  const receiptTerms = { taxSystem: 2, vatCode: 1, subject: 'commodity', mode: 'full_payment' } as const;
  /** The payment's receipts go by these terms, and the bill came with a contact until then. */
  async function withReceipts(emailOnly: boolean, until?: Date) {
    const harness = await withMoney();
    await harness.table.client.send(
      new UpdateCommand({
        TableName: harness.table.name,
        Key: paymentKey(harness.paymentId),
        UpdateExpression: 'SET receiptTerms = :terms',
        ExpressionAttributeValues: { ':terms': { ...receiptTerms, emailOnly } },
      }),
    );
    if (until) {
      await transact(harness.table, [putContact(harness.table, { billId }, await aSealedContact({ until }))]);
      const { payments } = harness;
      const known = {
        payments: {
          findWithBill: async (id: typeof harness.paymentId) => {
            const found = await payments.findWithBill(id);
            return found && { ...found, bill: { ...found.bill, hasContact: true } };
          },
        },
      };
      return { ...harness, create: (command: Partial<CreateRefund> = {}) => harness.create(command, known) };
    }
    return harness;
  }
  const noAddress = (emailOnly: boolean) => refused('refund_not_available', { why: 'no_contact', emailOnly });
  const inDays = (days: number) => new Date(Date.parse('2026-11-21T12:34:56.789Z') + days * 86_400_000);

  it('needs a contact of the payer', async () => {
    const harness = await withReceipts(true);
    expect(await harness.create()).toEqual(noAddress(true));
    expect(await harness.create({ payer: { email: 'nonsense', phone: '+79123456712' } })).toEqual(
      noAddress(true),
    );
    expect(harness.queuedRefunds).toEqual([]);
  });

  it('goes to the contact that came with the refund, which is stored sealed for 90 days', async () => {
    const harness = await withReceipts(false);
    const refund = made(await harness.create({ payer: { email: 'ivan@example.ru', phone: undefined } }));
    expect(refund.contactUntil).toEqual(inDays(90));
    const contacts = dynamoContacts(harness.table, harness.now);
    expect((await contacts.find(billId, refund.id))?.masks).toEqual({ ...noContact, email: 'i***@e***.ru' });
    expect(JSON.stringify(await itemsOf(harness.table))).not.toContain('ivan@example');
  });

  it('goes to the contact of the bill, while it is stored for as long as the refund may take', async () => {
    const harness = await withReceipts(false, inDays(6));
    expect(made(await harness.create()).contactUntil).toBeUndefined();
    expect(await (await withReceipts(false, inDays(4))).create()).toEqual(noAddress(false));
  });
});

let opened: Promise<RefundHarness> | undefined;
/** For tests that write nothing. */
const shared = () => (opened ??= withMoney());
