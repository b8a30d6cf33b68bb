import { describe, expect, it } from 'vitest';
import type { RefundId } from '../../../lib/ids.ts';
import type { Acquirer } from '../../../lib/payment/acquirer.ts';
import type { ReceiptTerms } from '../../../lib/payment/receipt.ts';
import { checkRefund } from '../../../lib/refund/check-refund.ts';
import { createRefund, type CreateRefund } from '../../../lib/refund/create-refund.ts';
import { dynamoUnregisteredReceipts } from '../../../lib/store/unregistered-receipts.ts';
import { itemsOf } from '../../support/items-of.ts';
import { made } from '../../support/refund-harness.ts';
import { yookassaPayments } from '../../support/yookassa-harness.ts';

const receipts: ReceiptTerms = {
  taxSystem: 2,
  vatCode: 1,
  subject: 'commodity',
  mode: 'full_payment',
  emailOnly: false,
};

/** A payment of 100.50 by a payer who gave an e-mail address on the page, and a refund of 40.00 of it. */
async function refunded(payer: CreateRefund['payer'], { isSlow = false } = {}) {
  const service = await yookassaPayments({ receipts });
  if (isSlow) registersLater(service.acquirer);
  const { id } = await service.starts('p1', 'card', 'ivan@example.ru');
  service.paysByCard(id);
  await service.resolve(id);
  const refund = made(
    await createRefund(
      { ...service, isAcquirerDeployed: () => true, refundQueue: { send: async () => undefined } },
      {
        by: { kind: 'operator', identity: 'olga', decisionId: 'd' },
        paymentId: id,
        amount: { kind: 'part', text: '40' },
        reason: undefined,
        payer,
        idempotencyKey: undefined,
      },
    ),
  );
  const check = (refundId: RefundId) => checkRefund({ ...service, payerContacts: service }, refundId);
  await check(refund.id);
  const sent = service.emulator
    .exchanges()
    .flatMap(({ method, path, request }) => (method === 'POST' && path === '/v3/refunds' ? [request] : []));
  return { ...service, id, refund, sent, check: () => check(refund.id) };
}

/** The receipts of its refunds are pending in the first answer. */
function registersLater(acquirer: Acquirer): void {
  const own = { ...acquirer };
  Object.assign(acquirer, {
    refund: async (...given: Parameters<Acquirer['refund']>) => ({
      ...(await own.refund(...given)),
      receipt: 'pending',
    }),
  });
}

const toNobody = { email: undefined, phone: undefined };
const receiptOf = (customer: object) => ({
  receipt: {
    customer,
    tax_system_code: 2,
    items: [{ quantity: 1, amount: { value: '40.00', currency: 'RUB' }, vat_code: 1 }],
  },
});

describe('the receipt of a refund', () => {
  it('goes to the contact of the payment', async () => {
    const { sent } = await refunded(toNobody);
    expect(sent).toMatchObject([{ amount: { value: '40.00' }, ...receiptOf({ email: 'ivan@example.ru' }) }]);
  });

  it('goes to the contact that came with the refund, of which nothing is stored in the clear', async () => {
    const { sent, table } = await refunded({ email: 'Olga@example.ru', phone: undefined });
    expect(sent).toMatchObject([receiptOf({ email: 'Olga@example.ru' })]);
    expect(JSON.stringify(await itemsOf(table))).not.toMatch(/olga@example/i);
  });

  it('is followed until it is registered', async () => {
    const { refunds, refund, check, pass, ...service } = await refunded(toNobody, { isSlow: true });
    const stored = () => refunds.find(refund.id);
    expect(await stored()).toMatchObject({
      status: 'SUCCESS',
      nextCheck: new Date(service.now().getTime() + 600_000),
    });
    pass(10);
    await check();
    const after = await stored();
    expect([after?.status, after?.receipt, after?.nextCheck]).toEqual(['SUCCESS', 'registered', undefined]);
    expect(service.alarms).toEqual([]);
  });

  it('that is still pending after the last check is listed for a person with the refund', async () => {
    const { refund, check, pass, acquirer, id, ...service } = await refunded(toNobody, { isSlow: true });
    Object.assign(acquirer, { findRefund: async () => ({ state: 'succeeded', receipt: 'pending' }) });
    const listed = () => dynamoUnregisteredReceipts(service.table).list();
    for (const hours of [1, 1, 6, 24]) {
      pass(hours * 60);
      await check();
    }
    expect([service.alarms, await listed()]).toEqual([[], []]);
    pass(72 * 60);
    await Promise.all([check(), check()]);
    expect(service.alarms).toContain('receipt_not_registered p1');
    expect(await listed()).toMatchObject([
      { paymentId: id, refundId: refund.id, of: 'refund', state: 'pending' },
    ]);
    expect((await service.refunds.find(refund.id))?.nextCheck).toBeUndefined();
  });
});
