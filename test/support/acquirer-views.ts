import type { AcquirerView, RefundView } from '../../lib/payment/acquirer.ts';

type Captured = Extract<AcquirerView, { readonly state: 'captured' }>;

/** A captured order, of which nothing went back; the provider told no fee, and no receipt was sent. */
export const captured = (amountMinor: bigint, traits: Partial<Captured> = {}): Captured => ({
  state: 'captured',
  amountMinor,
  refundedMinor: 0n,
  feeMinor: undefined,
  receipt: undefined,
  ...traits,
});

/** A refund that was made without a receipt. */
export const refunded: RefundView = { state: 'succeeded', receipt: undefined };
