import { expectedMinor, isDecidedChargeback, nextChargeback } from '../ledger/chargeback.ts';
import { conflict, retryOnConflict, tooManyConflicts } from '../retry-on-conflict.ts';
import type { Acquirer, AcquirerView } from './acquirer.ts';
import type { Payment } from './payment.ts';
import type { ResolvePorts } from './resolve-step.ts';
import { isRefundOpen, totalsOf } from './refund-totals.ts';
import { knownOrderOf } from './start-order.ts';

/**
 * Raises `capture_undone` when the acquirer holds another amount of a paid payment than is known here: less after a refund or
 * a chargeback there, more when such money came back. The difference becomes an item that two people confirm or dismiss, once
 * for each change; until then every notification raises the alarm again. The payment stays paid. What its own refunds returned is no
 * difference: while one is under way nothing is judged, and who ends it calls this once more (lib/refund).
 */
export async function alarmIfUndone(
  ports: Pick<ResolvePorts, 'now' | 'chargebacks'> & {
    readonly alarm: (alarm: 'capture_undone', about: { readonly payment: string }) => void;
    readonly payments: Pick<ResolvePorts['payments'], 'find'>;
  },
  acquirer: Pick<Acquirer, 'get'>,
  found: Payment,
): Promise<void> {
  // Paid by a person's decision: there is no order to ask about.
  if (found.reference === undefined) return;
  const order = knownOrderOf(found);
  let isAlarmed = false;
  let read: Payment | undefined = found;
  const attempt = async (): Promise<void | typeof conflict> => {
    // Both are read before the acquirer's view: an item or a refund since then is a conflict, so no older view is recorded after it.
    const payment = read ?? (await ports.payments.find(found.id)) ?? found;
    read = undefined;
    if (isRefundOpen(payment)) return;
    const { refundedMinor } = totalsOf(payment);
    const known = await ports.chargebacks.ofPayment(payment.id);
    const view = await acquirer.get(order);
    const heldMinor = heldIn(view);
    const loss = expectedMinor(payment.receivedMinor ?? 0n, known) - refundedMinor - heldMinor;
    const waits = known.some((each) => each.seen !== undefined && !isDecidedChargeback(each));
    if ((loss !== 0n || waits) && !isAlarmed) {
      ports.alarm('capture_undone', { payment: payment.id });
      isAlarmed = true;
    }
    if (loss === 0n) return;
    const item = nextChargeback(known, {
      paymentId: payment.id,
      merchantId: payment.merchantId,
      direction: loss > 0n ? 'loss' : 'surplus',
      amount: { minor: loss > 0n ? loss : -loss, currency: payment.amount.currency },
      seen: { state: view.state, heldMinor, refundedMinor: payment.refunds && refundedMinor },
      entered: undefined,
      at: ports.now(),
    });
    if (!(await ports.chargebacks.create(item, payment.refunds)).ok) return conflict;
  };
  await retryOnConflict(attempt, { exhausted: tooManyConflicts('The list of a payment’s chargebacks') });
}

/** What the acquirer holds of the payment: what it captured less what went back since. */
const heldIn = (view: AcquirerView): bigint =>
  view.state === 'captured' ? view.amountMinor - view.refundedMinor : 0n;
