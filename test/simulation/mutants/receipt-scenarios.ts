import { sum } from '../../../lib/money/money.ts';
import type { Acquirers } from '../../../lib/payment/acquirer.ts';
import { composeReceipt } from '../../../lib/payment/compose-receipt.ts';
import { givenUp } from '../../../lib/payment/follow-receipts.ts';
import type { ReceiptTerms } from '../../../lib/payment/receipt.ts';
import { toPaymentId } from '../../../lib/ids.ts';
import type { World } from '../harness/world.ts';
import { aBill, open, start } from './bill-scenarios.ts';

const terms: ReceiptTerms = {
  taxSystem: undefined,
  vatCode: 1,
  subject: 'service',
  mode: 'full_payment',
  emailOnly: false,
};

const withReceipts = (acquirers: Acquirers): Acquirers => ({
  ...acquirers,
  forNew: (charge, method) => {
    const acquirer = acquirers.forNew(charge, method);
    return acquirer && { ...acquirer, receipts: terms };
  },
});

export async function startedWithoutContact(world: World): Promise<void> {
  const form = await open(world, await aBill(world, 'NORMAL'));
  await world.pump(
    world.invoke('start', (ports) =>
      start({ ...ports, acquirers: withReceipts(ports.acquirers) }, form).catch(() => undefined),
    ),
  );
  const ran = await world.pump(world.invoke('read', (ports) => ports.payments.find(form.paymentId)));
  if (ran.kind === 'done' && ran.done)
    world.violate('receipts', 'a payment whose receipt has nowhere to go was started');
}

export async function receiptOfAPart(world: World): Promise<void> {
  const sold = { name: 'An order', items: undefined, amountMinor: 10_000n, surchargeMinor: 200n };
  const { lines } = composeReceipt(terms, { email: 'payer@example.com' }, sold, 5_100n);
  if (sum(lines.map(({ priceMinor }) => priceMinor)) !== 5_100n)
    world.violate('receipts', 'the receipt of a part does not add up to the part');
}

export async function failedReceipt(world: World): Promise<void> {
  const payment = {
    id: toPaymentId('BillBillBillBill0000000001'),
    receipt: 'failed',
    refundReceipt: undefined,
  } as const;
  const at = new Date(world.scheduler.clock);
  const tasks = { fee: undefined, receipt: 'due', refundReceipt: undefined, checks: 0, dueAt: at } as const;
  if (givenUp(payment, tasks, undefined, at).length === 0)
    world.violate('receipts', 'nobody is told that a receipt was not registered');
}
