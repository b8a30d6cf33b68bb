import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { somePayer } from '../../../infra/yookassa-emulator/acts.ts';
import { succeedLate } from '../../../infra/yookassa-emulator/payments.ts';
import { type Contact, noContact, sealContact } from '../../../lib/bill/contact.ts';
import { type PaymentId, toBillId } from '../../../lib/ids.ts';
import { submitAnswer } from '../../../lib/page/submit-answer.ts';
import { checkPayment } from '../../../lib/payment/check-payment.ts';
import type { ReceiptTerms } from '../../../lib/payment/receipt.ts';
import { contactKey, putContact } from '../../../lib/store/contact-item.ts';
import { dynamoUnregisteredReceipts } from '../../../lib/store/unregistered-receipts.ts';
import { transact } from '../../../lib/store/transact.ts';
import { billId, today } from '../../support/builders.ts';
import { aSealedContact, contactSealer } from '../../support/contacts.ts';
import { itemsOf } from '../../support/items-of.ts';
import { publicUrl } from '../../support/payment-harness.ts';
import { yookassaPayments } from '../../support/yookassa-harness.ts';

const receipts: ReceiptTerms = {
  taxSystem: 2,
  vatCode: 1,
  subject: 'commodity',
  mode: 'full_payment',
  emailOnly: false,
};
const email = 'ivan@example.ru';

type Given = Parameters<typeof yookassaPayments>[0];
const shop = (given: Given = {}) => yookassaPayments({ receipts, ...given });
type Service = Awaited<ReturnType<typeof shop>>;

/** The bill came with this contact. */
async function withContact(service: Service, contact: Partial<Contact>) {
  const until = new Date(today.getTime() + 24 * 3600_000);
  const sealed = await sealContact(contactSealer, { ...noContact, ...contact }, { billId, until });
  await transact(service.table, [putContact(service.table, { billId }, sealed)]);
}

/** The payment page's form for a card, submitted with what was typed into the field for the receipt. */
function submitted(service: Service, name: string, contact?: string) {
  const token = service.form(name.padStart(8, '0'));
  const visit = {
    id: billId,
    method: 'POST',
    query: {},
    headers: {},
    form: { token, method: 'card', ...(contact !== undefined && { contact }) },
    sourceIp: '198.51.100.7',
    publicUrl,
    reader: { language: 'en', languageChosen: true, nonce: 'n' },
  } as const;
  return submitAnswer({ ...service, newId: (length) => 'b'.repeat(length) }, visit);
}

/** The bodies that the provider got at a path, oldest first. */
const sentTo = ({ emulator }: Service, path: RegExp) =>
  emulator
    .exchanges()
    .filter((each) => each.method === 'POST' && path.test(each.path))
    .map(({ request }) => request);
const starts = /^\/v3\/payments$/;

describe('a payment with receipts', () => {
  it('starts with the contact that the payer gave, which is stored sealed with the payment', async () => {
    const service = await shop({ bill: { name: 'Заказ 17' } });
    const { id, started } = await service.starts('p1', 'card', ' Ivan@Example.RU ');
    expect(started.kind).toBe('started');
    expect(sentTo(service, starts)).toMatchObject([
      {
        receipt: {
          customer: { email: 'Ivan@example.ru' },
          tax_system_code: 2,
          items: [
            {
              description: 'Заказ 17',
              quantity: 1,
              amount: { value: '100.50', currency: 'RUB' },
              vat_code: 1,
              payment_subject: 'commodity',
              payment_mode: 'full_payment',
            },
          ],
        },
      },
    ]);
    expect(await service.payment(id)).toMatchObject({
      receiptTerms: receipts,
      contactUntil: expect.any(Date),
    });
    expect(JSON.stringify(await itemsOf(service.table))).not.toMatch(/ivan@example/i);
  });

  it('starts with a phone number in any of its usual notations', async () => {
    const service = await shop();
    await service.starts('p1', 'sbp', '8 (912) 345-67-89');
    expect(sentTo(service, starts)).toMatchObject([{ receipt: { customer: { phone: '79123456789' } } }]);
  });

  it('starts with the contact that came with the bill, and nothing is asked or stored with the payment', async () => {
    const service = await shop({ bill: { hasContact: true } });
    await withContact(service, { email });
    expect(await service.open()).toMatchObject({
      kind: 'payable',
      forms: [{ method: 'card' }, { method: 'sbp' }],
    });
    expect(JSON.stringify(await service.open(), (_, value) => String(value))).not.toContain('asks');
    const { id } = await service.starts('p1', 'card');
    expect(sentTo(service, starts)).toMatchObject([{ receipt: { customer: { email } } }]);
    expect((await service.payment(id))?.contactUntil).toBeUndefined();
  });

  it.each([
    ['no contact', undefined, 'contact_missing'],
    ['an empty field', '  ', 'contact_missing'],
    ['half an email', 'ivan@', 'contact_unreadable'],
    ['too few digits', '+7 912 345-67', 'contact_unreadable'],
    ['any text', 'в магазине', 'contact_unreadable'],
  ])('never starts with %s, and counts no attempt of the payer’s network', async (_what, typed, why) => {
    const service = await shop();
    const { id, started } = await service.starts('p1', 'card', typed);
    expect(started).toEqual({ kind: 'no_contact', why });
    expect(await service.payment(id)).toBeUndefined();
    expect(service.orders()).toEqual([]);
    expect((await itemsOf(service.table)).filter(({ PK }) => PK.startsWith('RL#'))).toEqual([]);
    // The same form goes on when the field is filled in.
    expect((await service.starts('p1', 'card', email)).started.kind).toBe('started');
  });

  it('asks for an email where the provider sends to nothing else, also for a bill that came with a phone', async () => {
    const service = await shop({ receipts: { ...receipts, emailOnly: true }, bill: { hasContact: true } });
    await withContact(service, { phone: '79123456789' });
    expect(await service.open()).toMatchObject({ forms: [{ asks: 'email' }, { asks: 'email' }] });
    expect((await service.starts('p1', 'card')).started).toMatchObject({ why: 'contact_missing' });
    expect((await service.starts('p1', 'card', '+79123456789')).started).toMatchObject({
      why: 'contact_unreadable',
    });
    expect((await service.starts('p1', 'card', email)).started.kind).toBe('started');
  });

  it('asks again when the contact that came with the bill has been erased', async () => {
    const service = await shop({ bill: { hasContact: true } });
    expect(await service.open()).toMatchObject({ forms: [{ asks: 'email_or_phone' }, {}] });
    expect((await service.starts('p1', 'card')).started).toMatchObject({ why: 'contact_missing' });
  });

  it('whose contact of the bill the provider refuses, or nobody can decrypt, goes on with one that the payer gives', async () => {
    const refused = await shop({ bill: { hasContact: true } });
    await withContact(refused, { email: 'ivan..petrov@example.ru' });
    const ofAnother = await shop({ bill: { hasContact: true } });
    const sealed = await aSealedContact({ billId: toBillId('AnotherBill00001') });
    await transact(ofAnother.table, [putContact(ofAnother.table, { billId }, sealed)]);
    for (const [service, status] of [
      [refused, 503],
      [ofAnother, 422],
    ] as const) {
      const page = await submitted(service, 'p1');
      expect(page).toMatchObject({ status });
      expect('markup' in page && page.markup.toString()).toContain('name="contact"');
      expect(await submitted(service, 'p2', email)).toMatchObject({ goTo: expect.any(String) });
      expect(sentTo(service, starts).at(-1)).toMatchObject({ receipt: { customer: { email } } });
    }
  });

  it('has the items of the bill and the surcharge as lines of their own', async () => {
    const items = [
      { name: 'Чай', quantity: '2', priceMinor: 3_000n, category: undefined },
      { name: 'Сыр', quantity: '1.5', priceMinor: 2_700n, category: undefined },
    ];
    const service = await shop({ bill: { items, payerPaysCommission: true } });
    const { started } = await service.starts('p1', 'card', email, 10_251n);
    expect(started.kind).toBe('started');
    expect(sentTo(service, starts)).toMatchObject([
      {
        amount: { value: '102.51' },
        receipt: {
          items: [
            { description: 'Чай', quantity: 2, amount: { value: '30.00' } },
            { description: 'Сыр', quantity: 1.5, amount: { value: '27.00' } },
            { description: 'Комиссия за оплату', quantity: 1, amount: { value: '2.01' } },
          ],
        },
      },
    ]);
  });

  it('whose first call was not answered sends the same bytes under the same key', async () => {
    const service = await shop();
    service.loseNext('answer');
    const { id } = await service.starts('p1', 'card', email);
    service.pass(1);
    await service.sweep();
    const [first, second] = sentTo(service, starts);
    expect(second).toEqual(first);
    expect(service.orders()).toHaveLength(1);
    expect(await service.payment(id)).toMatchObject({ reference: service.orderOf(id).id });
  });

  it('is not asked for where the record has no receipts, and a field that is sent anyway is not stored', async () => {
    const service = await yookassaPayments();
    const { id, started } = await service.starts('p1', 'card', email);
    expect(started.kind).toBe('started');
    expect(sentTo(service, starts)).toEqual([expect.not.objectContaining({ receipt: expect.anything() })]);
    const payment = await service.payment(id);
    expect([payment?.receiptTerms, payment?.contactUntil]).toEqual([undefined, undefined]);
  });
});

const captures = /\/capture$/;
const refunds = /^\/v3\/refunds$/;
const items = [
  { name: 'Чай', quantity: '3', priceMinor: 3_000n, category: undefined },
  { name: 'Чашка', quantity: '1', priceMinor: 1_050n, category: undefined },
];

describe('what has a receipt of its own', () => {
  it('a capture of less: each line is scaled; the contact is decrypted by the check alone', async () => {
    const service = await shop({ bill: { items } });
    const { id } = await service.starts('p1', 'card', email);
    const order = service.orderOf(id);
    service.paysByCard(id);
    service.world.state.save({ ...service.orderOf(id), amountMinor: 9_045 });
    // The payer's return fences, and leaves the capture to the check.
    await service.comesBack(id);
    expect(sentTo(service, captures)).toEqual([]);
    expect(await service.payment(id)).toMatchObject({ phase: 'CAPTURING' });
    service.pass(10);
    await service.sweep();
    expect(sentTo(service, captures)).toMatchObject([
      {
        amount: { value: '90.45' },
        receipt: {
          customer: { email },
          items: [
            { description: 'Чай', quantity: 3, amount: { value: '27.00' } },
            { description: 'Чашка', quantity: 1, amount: { value: '9.45' } },
          ],
        },
      },
    ]);
    expect(await service.payment(id)).toMatchObject({ status: 'UNDERPAID', reference: order.id });
  });

  it('a capture of the whole charge has none: that of the start counts', async () => {
    const service = await shop();
    const { id } = await service.starts('p1', 'card', email);
    service.paysByCard(id);
    await service.comesBack(id);
    expect(sentTo(service, captures)).toEqual([expect.not.objectContaining({ receipt: expect.anything() })]);
    expect(await service.payment(id)).toMatchObject({ status: 'SUCCESS', receipt: 'registered' });
  });

  /** The bill is paid by card while its payer also pays by SBP, which is captured at once. */
  async function paidTwice(service: Service) {
    const sbp = await service.starts('p1', 'sbp', email);
    service.pass(65);
    await service.sweep();
    const card = await service.starts('p2', 'card', email);
    service.paysByCard(card.id);
    await service.comesBack(card.id);
    const order = service.orderOf(sbp.id);
    succeedLate(service.world, order, somePayer(order), service.world.clock.now());
    return sbp.id;
  }

  it('a refund of a duplicate capture, which the check sends', async () => {
    const service = await shop({ bill: { items } });
    const id = await paidTwice(service);
    await service.notifies();
    expect(await service.payment(id)).toMatchObject({ phase: 'REFUNDING' });
    expect(sentTo(service, refunds)).toEqual([]);
    await service.sweep();
    expect(sentTo(service, refunds)).toMatchObject([
      {
        amount: { value: '100.50' },
        receipt: {
          customer: { email },
          items: [
            { description: 'Чай', quantity: 3, amount: { value: '30.00' } },
            { description: 'Чашка', quantity: 1, amount: { value: '10.50' } },
          ],
        },
      },
    ]);
    expect(await service.payment(id)).toMatchObject({
      status: 'FAIL',
      phase: 'DONE',
      refundReceipt: 'pending',
    });
    service.pass(10);
    await service.sweep();
    expect(await service.payment(id)).toMatchObject({ receipt: 'registered', refundReceipt: 'registered' });
    expect((await service.payment(id))?.afterCapture).toBeUndefined();
  });

  it('a refund without a contact goes out without a receipt, which the provider makes itself', async () => {
    const service = await shop();
    const id = await paidTwice(service);
    const before = await service.payment(id);
    await erased(service, id);
    await service.notifies();
    await service.sweep();
    expect(sentTo(service, refunds)).toEqual([expect.not.objectContaining({ receipt: expect.anything() })]);
    expect(before?.contactUntil).toBeDefined();
    expect(await service.payment(id)).toMatchObject({ status: 'FAIL', phase: 'DONE' });
  });
});

/** The contact of a payment was erased. */
async function erased({ table }: Service, id: PaymentId) {
  const { client, name: TableName } = table;
  await client.send(new DeleteCommand({ TableName, Key: contactKey(billId, id) }));
}

/** Each check is due after a further pause: ten minutes, an hour, six, a day and three days. */
async function checksAfter(service: Service, ...hours: readonly number[]) {
  for (const each of hours) {
    service.pass(each * 60);
    await service.sweep();
  }
}

describe('the registration of a receipt', () => {
  /** `amountMinor` selects what becomes of the receipt at the provider. */
  async function paid(amountMinor: bigint) {
    const service = await shop({ bill: { amount: { minor: amountMinor, currency: 'RUB' } } });
    const { id } = await service.starts('p1', 'card', email, amountMinor);
    service.paysByCard(id);
    await service.comesBack(id);
    return { service, id, listed: () => dynamoUnregisteredReceipts(service.table).list() };
  }

  it('that succeeds later is followed until then, without an alarm', async () => {
    const { service, id, listed } = await paid(770_026n);
    expect(await service.payment(id)).toMatchObject({ receipt: 'pending', afterCapture: { receipt: 'due' } });
    await checksAfter(service, 1 / 6);
    expect(await service.payment(id)).toMatchObject({ receipt: 'pending' });
    service.emulator.advance(0);
    await checksAfter(service, 1.1);
    expect(await service.payment(id)).toMatchObject({ receipt: 'registered' });
    expect((await service.payment(id))?.afterCapture).toBeUndefined();
    expect([service.alarms, await listed()]).toEqual([[], []]);
  });

  it('that fails raises the alarm once and is listed, with its first check that sees it', async () => {
    const { service, id, listed } = await paid(770_027n);
    await checksAfter(service, 1 / 6);
    service.emulator.advance(0);
    await checksAfter(service, 1.1, 10, 30, 80);
    expect(service.alarms).toEqual(['receipt_not_registered p1']);
    expect(await listed()).toMatchObject([{ paymentId: id, of: 'capture', state: 'failed' }]);
    expect(await service.payment(id)).toMatchObject({ status: 'SUCCESS', receipt: 'failed' });
  });

  it('that is still pending after the last check is listed as pending', async () => {
    const { service, id, listed } = await paid(770_028n);
    await checksAfter(service, 1 / 6, 1, 6, 24);
    expect([service.alarms, await listed()]).toEqual([[], []]);
    await checksAfter(service, 72, 80);
    expect(service.alarms).toEqual(['receipt_not_registered p1']);
    expect(await listed()).toMatchObject([{ paymentId: id, of: 'capture', state: 'pending' }]);
  });

  it('is not lost when the write of the check is: the alarm comes again, the list has one', async () => {
    const { service, id, listed } = await paid(770_027n);
    service.pass(120);
    service.emulator.advance(0);
    const { payments } = service;
    let calls = 0;
    const failing = {
      ...service,
      payerContacts: service,
      payments: {
        ...payments,
        recordAfterCapture: (...given: Parameters<typeof payments.recordAfterCapture>) =>
          (calls += 1) === 1 ? Promise.reject(new Error('no table')) : payments.recordAfterCapture(...given),
      },
    };
    await expect(checkPayment(failing, id)).rejects.toThrow('no table');
    expect(await listed()).toEqual([]);
    await Promise.all([checkPayment(failing, id), checkPayment(failing, id)]);
    expect(await listed()).toHaveLength(1);
  });
});
