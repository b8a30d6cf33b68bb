import type { Payment } from './payment.ts';
import type { Acquirer } from './ports.ts';

/**
 * Whether the payment was sent to an acquirer that is no longer configured. The configured one does not know the
 * payment and is not queried: its answer would fail a payment that the other may have captured.
 */
export const isAtOtherAcquirer = (
  { acquirer }: Pick<Payment, 'acquirer'>,
  { name }: Pick<Acquirer, 'name'>,
): boolean => acquirer !== undefined && acquirer !== name;

/** The state of such a payment cannot be determined: it waits for its acquirer or for a person to resolve it. */
export class PaymentAtOtherAcquirer extends Error {
  constructor() {
    super('The payment was sent to another acquirer');
    // For the log: bundling loses the class name.
    this.name = 'PaymentAtOtherAcquirer';
  }
}
