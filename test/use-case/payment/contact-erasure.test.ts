import { describe, expect, it } from 'vitest';
import { contactEndAfter, contactEndUnpaid } from '../../../lib/bill/contact.ts';
import type { ReceiptTerms } from '../../../lib/payment/receipt.ts';
import { billId, today } from '../../support/builders.ts';
import { itemsOf } from '../../support/items-of.ts';
import { yookassaPayments } from '../../support/yookassa-harness.ts';

const receipts: ReceiptTerms = {
  taxSystem: 2,
  vatCode: 1,
  subject: 'commodity',
  mode: 'full_payment',
  emailOnly: false,
};
const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** A payment whose payer gave their e-mail address on the page. */
async function started() {
  const service = await yookassaPayments({ receipts });
  const { id } = await service.starts('p1', 'card', 'ivan@example.ru');
  const end = async () => {
    const items = (await itemsOf(service.table)).filter(({ PK }) => PK === `CONTACT#${billId}`);
    return items.map(({ SK, ttl }) => [SK, ttl]);
  };
  return { ...service, id, end };
}

describe('the contact that a payer gave on the payment page is erased', () => {
  it('a year after the start of a payment without a final state, at the latest', async () => {
    const service = await started();
    expect(await service.end()).toEqual([[service.id, seconds(contactEndUnpaid(today))]]);
    expect((await service.payment(service.id))?.contactUntil).toEqual(contactEndUnpaid(today));
  });

  it('90 days after the payment was settled', async () => {
    const service = await started();
    service.pass(7);
    service.paysByCard(service.id);
    await service.notifies();
    const contactUntil = contactEndAfter(service.clock.at);
    expect(await service.payment(service.id)).toMatchObject({ status: 'SUCCESS', contactUntil });
    expect(await service.end()).toEqual([[service.id, seconds(contactUntil)]]);
  });

  it('90 days after the payment failed', async () => {
    const service = await started();
    service.pass(120);
    await service.sweep();
    const contactUntil = contactEndAfter(service.clock.at);
    expect(await service.payment(service.id)).toMatchObject({ status: 'FAIL', contactUntil });
    expect(await service.end()).toEqual([[service.id, seconds(contactUntil)]]);
  });
});
