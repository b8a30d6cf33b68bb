/**
 * The payment was sent to an acquirer whose adapter or credentials are not deployed. No other knows it, so none is queried: its
 * answer would fail a payment that the other may have captured. It waits for its acquirer, or for a person to resolve it.
 */
export class PaymentAtOtherAcquirer extends Error {
  constructor() {
    super('The payment was sent to another acquirer');
    // For the log: bundling loses the class name.
    this.name = 'PaymentAtOtherAcquirer';
  }
}
