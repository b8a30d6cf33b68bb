import type { Payment } from './payment.ts';
import type { Acquirer } from './ports.ts';

/**
 * The payment was sent to an acquirer that this installation no longer has. The one that it has never heard of the
 * payment, so it is not asked: its word would fail a payment that the other may have captured.
 */
export const isAtOtherAcquirer = (
  { acquirer }: Pick<Payment, 'acquirer'>,
  { name }: Pick<Acquirer, 'name'>,
): boolean => acquirer !== undefined && acquirer !== name;

/** Nobody here can find out how such a payment stands: it waits for a person to resolve it, or for its acquirer. */
export class PaymentAtOtherAcquirer extends Error {
  constructor() {
    super('The payment was sent to another acquirer');
    // What the log of the sweep says: the name of the class is lost in a bundle.
    this.name = 'PaymentAtOtherAcquirer';
  }
}
