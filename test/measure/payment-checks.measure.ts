import { it } from 'vitest';
import { newPaymentId, toPaymentId } from '../../lib/ids.ts';
import { environments } from '../../lib/installation/environments.ts';
import { checkPayment } from '../../lib/payment/check-payment.ts';
import { sweepPayments } from '../../lib/payment/sweep-payments.ts';
import { aBill, aPayment, billId } from '../support/builders.ts';
import { paymentHarness } from '../support/payment-harness.ts';
import { table } from './table.ts';

/** The provider's response times in milliseconds. */
const answers = [
  ['150 ms', () => 150],
  ['400 ms', () => 400],
  ['400 ms, one in ten 4 s', () => (Math.random() < 0.1 ? 4_000 : 400)],
] as const;
const { payments: concurrency } = environments.prod.concurrency;
const measuredMs = 15_000;
const payments = 6_000;

it('payments checked per minute, by the response time of the acquirer', async () => {
  const rows: (string | number)[][] = [];
  for (const [name, takesMs] of answers) {
    const harness = await paymentHarness({ bill: { type: 'MULTI' } });
    await startMany(harness);
    harness.pass(1);
    let checked = 0;
    const get = async () => {
      await new Promise((done) => setTimeout(done, takesMs()));
      checked += 1;
      return { state: 'pending' } as const;
    };
    const slow = { ...harness, acquirer: { ...harness.acquirer, get } };
    const begun = performance.now();
    const isOver = () => performance.now() - begun > measuredMs;
    const sweeping = sweepPayments(slow);
    /** One of as many workers as production has; each processes one message at a time. */
    const worker = async () => {
      while (!isOver()) {
        const id = harness.toCheck.shift();
        if (id === undefined) await new Promise((soon) => setTimeout(soon, 5));
        else await checkPayment(slow, toPaymentId(id));
      }
    };
    await Promise.all([sweeping, ...Array.from({ length: concurrency }, worker)]);
    const minutes = (performance.now() - begun) / 60_000;
    rows.push([name, concurrency, Math.round(checked / minutes)]);
  }
  console.log(table(['Answer', 'Workers', 'Payments checked per minute'], rows));
});

async function startMany({ payments: store, now }: Awaited<ReturnType<typeof paymentHarness>>) {
  const bill = aBill({ type: 'MULTI' });
  const hold = { bill, now: now(), lockUntil: now() };
  for (let from = 0; from < payments; from += 50) {
    const some = Array.from({ length: 50 }, (_, at) =>
      newPaymentId(billId, String(from + at).padStart(8, '0')),
    );
    await Promise.all(
      some.map((id) => store.start(aPayment({ id, billType: 'MULTI', createdAt: now() }), hold)),
    );
  }
}
