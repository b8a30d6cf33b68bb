import { describe, expect, it } from 'vitest';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { contactEndAfter, contactEndOf } from '../../lib/bill/contact.ts';
import { toBillId } from '../../lib/ids.ts';
import { contactOf } from '../../lib/payment/contact.ts';
import { dynamoContacts } from '../../lib/store/contacts.ts';
import { toBill } from '../../lib/store/bill-item.ts';
import { apiDeps, paid } from '../support/api-deps.ts';
import { aBill, aPayment, billId, paymentId, today } from '../support/builders.ts';
import { aContact, aSealedContact, contactOpener } from '../support/contacts.ts';
import { itemsOf } from '../support/items-of.ts';

const day = 24 * 3600_000;
const after = (days: number) => new Date(today.getTime() + days * day);
const inSeconds = (at: Date) => Math.floor(at.getTime() / 1000);
const ofBill = `CONTACT#${billId}`;

/** A bill with a contact, and a payment with or without a copy of its own. */
async function billWithContact({
  bill = aBill({ hasContact: true }),
  own,
}: {
  readonly bill?: ReturnType<typeof aBill>;
  readonly own?: Date;
} = {}) {
  const deps = await apiDeps();
  const contact = await aSealedContact({ until: contactEndOf(bill) });
  await deps.bills.create(bill, [], [], contact);
  const payment = aPayment({ billType: bill.type, contactUntil: own });
  const hold = { bill, now: today, lockUntil: after(1), ...(own && { contact: { ...contact, until: own } }) };
  expect(await deps.payments.start(payment, hold)).toEqual({ ok: true, value: undefined });
  const contacts = async () =>
    Object.fromEntries(
      (await itemsOf(deps.table)).flatMap(({ PK, SK, ...item }) =>
        PK === ofBill ? [[SK, Number(item['ttl'])]] : [],
      ),
    );
  const ports = (now: Date) => ({ contacts: dynamoContacts(deps.table, () => now), contactOpener });
  return { ...deps, bill, payment, contacts, ports };
}

describe('the contact of a bill', () => {
  it('is an item of its own beside its masks: the bill says only that there is one', async () => {
    const { table } = await billWithContact();
    const items = await itemsOf(table);
    expect(items.find(({ PK }) => PK === ofBill)).toMatchObject({
      SK: 'bill',
      emailMask: 'i***@e***.ru',
      phoneMask: '+7 *** ***-**-12',
      nameMask: 'I*** P***',
      commentMask: '***',
      ttl: inSeconds(after(365)),
    });
    expect(items.find(({ PK }) => PK === `B#${billId}`)).toMatchObject({ hasContact: true });
    expect(JSON.stringify(items)).not.toMatch(/ivan@|79123456712|Petrov|Call first/);
  });

  it('is opened for its payments, and is absent from its end on, although DynamoDB erases it later', async () => {
    const { bill, payment, ports } = await billWithContact();
    expect(await contactOf(ports(today), { payment, bill })).toEqual(aContact);
    expect(await contactOf(ports(after(365)), { payment, bill })).toBeUndefined();
  });

  it('of a payment of another bill is not opened, even when somebody copied it there', async () => {
    const { bill, payment, ports, table } = await billWithContact();
    const other = aBill({ id: toBillId('AnotherBillBillB'), hasContact: true });
    const [copied] = (await itemsOf(table)).filter(({ PK }) => PK === ofBill);
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...copied, PK: `CONTACT#${other.id}` } }),
    );
    expect(await contactOf(ports(today), { payment, bill })).toEqual(aContact);
    expect(await contactOf(ports(today), { payment, bill: other })).toBeUndefined();
  });

  it('is erased 90 days after the bill was paid, in the transaction that settles the payment', async () => {
    const deps = await billWithContact();
    await paid(deps, paymentId);
    expect(await deps.contacts()).toEqual({ bill: inSeconds(contactEndAfter(today)) });
  });

  it('of an unpaid bill is erased two weeks after its end: a failed payment changes nothing', async () => {
    const bill = aBill({ hasContact: true, expiresAt: after(3) });
    const deps = await billWithContact({ bill });
    await failed(deps);
    expect(await deps.contacts()).toEqual({ bill: inSeconds(after(17)) });
  });

  it('that has been erased is not written again by a late payment', async () => {
    const bill = aBill({ hasContact: true, expiresAt: after(-15) });
    const deps = await apiDeps({ bills: [bill], payments: [] });
    const payment = aPayment();
    await deps.payments.start(payment, {
      bill,
      now: after(-16),
      lockUntil: after(1),
    });
    await paid(deps, paymentId);
    expect((await itemsOf(deps.table)).filter(({ PK }) => PK === ofBill)).toEqual([]);
  });
});

/** Fails the payment as the use case does. */
async function failed({ payments, payment }: Awaited<ReturnType<typeof billWithContact>>): Promise<void> {
  const done = { ...payment, status: 'FAIL', phase: 'DONE' } as const;
  const own = payment.contactUntil && { contactUntil: contactEndAfter(today) };
  const written = await payments.failed(
    payment,
    { ...done, ...own },
    { releasesBill: true, countsFailure: true, entries: [], event: undefined },
  );
  expect(written.ok).toBe(true);
}

describe('a payment’s own contact', () => {
  it('is written with the payment and preferred to its bill’s', async () => {
    const { bill, payment, ports, contacts } = await billWithContact({ own: after(200) });
    expect(await contacts()).toEqual({ bill: inSeconds(after(365)), [paymentId]: inSeconds(after(200)) });
    expect(await contactOf(ports(after(199)), { payment, bill })).toEqual(aContact);
    expect(await contactOf(ports(after(200)), { payment, bill })).toBeUndefined();
  });

  it('is erased 90 days after the payment failed', async () => {
    const deps = await billWithContact({ own: after(365) });
    await failed(deps);
    expect(await deps.contacts()).toMatchObject({ [paymentId]: inSeconds(contactEndAfter(today)) });
  });
});

it('a bill stored before contacts existed has none', () => {
  const { hasContact: _, ...stored } = { ...aBill(), hasContact: undefined };
  const item = { ...stored, amountMinor: 10_050, currency: 'RUB', createdAt: today.toISOString() };
  expect(toBill(item).hasContact).toBe(false);
});
