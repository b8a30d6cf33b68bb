import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Contact } from '../../../lib/bill/contact.ts';
import { sealContact } from '../../../lib/bill/contact.ts';
import { type BillId, billIdOf, type PaymentId, toBillId, toPaymentId } from '../../../lib/ids.ts';
import type { Shop } from '../../../lib/merchant/shop.ts';
import { replayPostback } from '../../../lib/postback/replay-postbacks.ts';
import { contactKey } from '../../../lib/store/contact-item.ts';
import { aContact, contactSealer } from '../../support/contacts.ts';
import { aDelivery } from '../../support/delivery.ts';
import { afterNoon, anEvent, given, stored } from '../../support/postbacks.ts';
import { aRecordingReceiver } from '../../support/receiver.ts';

const { fields, id } = anEvent();
const paymentId = toPaymentId('bill0000bill000000nonce123');
const billId = billIdOf(paymentId);
const extended = {
  AccountType: 'BANK_CARD',
  AccountNumber: '411111******1111',
  BalanceAmount: '98.49',
  BalanceCurrency: 'RUB',
};
const ofPayer = {
  PayerEmail: 'ivan@example.ru',
  PayerPhone: '79123456712',
  PayerName: 'Ivan Petrov',
  PayerComment: 'Call first',
};
const day = 24 * 3600_000;

/** A shop whose server answers what it received. */
async function aShopThatEchoes(shop: Partial<Shop> = {}) {
  const receiver = await aRecordingReceiver(
    () => 200,
    (body) => body,
  );
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const delivery = await aDelivery({ shops: [{ resultUrl: receiver.url, ...shop }] });
  const { client, name: TableName } = delivery.table;
  type Owner = { readonly of?: PaymentId; readonly sealedFor?: BillId };
  const store = async (contact: Contact, { of, sealedFor = billId }: Owner = {}) => {
    const until = afterNoon(90 * day);
    const { sealed } = await sealContact(contactSealer, contact, { billId: sealedFor, until });
    const Item = { ...contactKey(billId, of), sealed, ttl: until.getTime() / 1000 };
    await client.send(new PutCommand({ TableName, Item }));
  };
  const sent = () => receiver.received.map(({ body }) => [...new URLSearchParams(body)]);
  return { receiver, store, sent, ...delivery };
}

const signed = [...Object.entries(fields), ['SignatureValue', '986E6B66B9E75C5CA357A4D344AAFF8D']];

describe('an extended postback', () => {
  it('has the further fields after the signature, which is unchanged, and then those of the payer', async () => {
    const { table, store, deliver, sent } = await aShopThatEchoes();
    await store(aContact);
    await given(table, anEvent({ extended }));
    await deliver(id);
    expect(sent()).toEqual([[...signed, ...Object.entries({ ...extended, ...ofPayer })]]);
  });

  it('tells of the payer what the payment page was given, and else what came with the bill', async () => {
    const { table, store, deliver, sent } = await aShopThatEchoes();
    await store({ email: 'ivan@example.ru', phone: undefined, name: 'Ivan Petrov', comment: undefined });
    await store(
      { email: 'own@example.ru', phone: undefined, name: undefined, comment: 'Call first' },
      { of: paymentId },
    );
    await given(table, anEvent({ extended }));
    await deliver(id);
    expect(Object.fromEntries(sent()[0] ?? [])).toMatchObject({
      PayerEmail: 'own@example.ru',
      PayerName: 'Ivan Petrov',
      PayerComment: 'Call first',
    });
  });

  it.each([
    ['of no contact', async () => undefined],
    [
      'of a contact that was erased',
      async ({ store, clock }: Awaited<ReturnType<typeof aShopThatEchoes>>) => {
        await store(aContact);
        clock.now = afterNoon(91 * day);
      },
    ],
    [
      'of a contact that was sealed for another bill',
      async ({ store }: Awaited<ReturnType<typeof aShopThatEchoes>>) =>
        store(aContact, { sealedFor: toBillId('AnotherBill12345') }),
    ],
  ])('has no fields of the payer %s', async (_case, prepare) => {
    const shop = await aShopThatEchoes();
    await prepare(shop);
    await given(shop.table, anEvent({ extended }));
    await shop.deliver(id);
    expect(shop.sent()).toEqual([[...signed, ...Object.entries(extended)]]);
  });

  it('leaves nothing of the payer in the event or the log, though the receiver echoes it', async () => {
    const { table, store, deliver, lines } = await aShopThatEchoes();
    await store(aContact);
    await given(table, anEvent({ extended }));
    await deliver(id);
    const kept = JSON.stringify([await stored(table, id), lines]);
    expect(kept).toContain('PayerEmail=[not kept]');
    for (const told of ['example.ru', '9123456712', 'Petrov', 'Call']) expect(kept).not.toContain(told);
  });

  it('is the same at every attempt, whatever the shop is set to meanwhile', async () => {
    const { table, deliver, receiver, deps, clock } = await aShopThatEchoes({ extendedPostbacks: true });
    await given(table, anEvent({ extended }));
    await deliver(id);
    await deps.shops.set(anEvent().shopId!, { extendedPostbacks: false });
    clock.now = afterNoon(60_000);
    await replayPostback({ ...deps, queue: deps.retryQueue }, id);
    await deliver(id);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
  });
});

describe('a shop that did not switch extended postbacks on', () => {
  it('gets the bytes that it always got, and no contact is read', async () => {
    const { table, store, deliver, receiver, deps } = await aShopThatEchoes();
    await store(aContact);
    Object.assign(deps, { contacts: { find: () => expect.unreachable() } });
    await given(table, anEvent());
    await deliver(id);
    expect(receiver.received.map(({ body }) => body)).toEqual([
      'InvId=order-1&OutSum=100.50&Commission=2.01&TrsId=bill0000bill000000nonce123&Status=SUCCESS&CurrencyIn=RUB&SignatureValue=986E6B66B9E75C5CA357A4D344AAFF8D',
    ]);
  });
});
