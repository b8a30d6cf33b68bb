import type { Mutant } from './mutant.ts';

const fee = 'lib/payment/provider-fee.ts';

/** The guards of the provider's fee and of the checks after the capture. */
export const feeMutants: readonly Mutant[] = [
  {
    name: 'fee-overwritten-by-slow-check',
    guard: 'a check after the capture writes only what no other has written since it read the payment',
    patches: [
      {
        file: 'lib/store/payment-steps.ts',
        find: ' afterCapture: storedAfterCapture(before),',
        put: '',
      },
    ],
    by: { scenario: 'a slow check does not undo the fee that another was told' },
  },
  {
    name: 'fee-beyond-capture',
    guard: 'a fee above the capture or below zero is not posted',
    patches: [
      {
        file: fee,
        find: 'return fee !== undefined && fee >= 0n && fee <= capturedIn(view) ? fee : undefined;',
        put: 'return fee;',
      },
    ],
    by: { scenario: 'a fee above the capture is not posted' },
  },
  {
    name: 'fee-posted-again',
    guard: 'the fee of a payment is posted once, however often it is told',
    patches: [
      {
        file: fee,
        find: 'before.providerFeeMinor === undefined && after.providerFeeMinor',
        put: 'after.providerFeeMinor',
      },
    ],
    by: { scenario: 'a fee that is told again with the refund is not posted again' },
  },
  {
    name: 'fee-not-asked-for',
    guard: 'a payment whose fee was not told with the capture waits for it',
    patches: [
      {
        file: fee,
        find: 'acquirers.named(acquirer)?.methods[method]?.reportsFee ?? true;',
        put: 'acquirers.named(acquirer) === undefined;',
      },
    ],
    by: { focus: 'mixed', manners: 'not_ended' },
  },
  {
    name: 'fee-of-unseen-capture',
    guard: 'a capture that was refunded before it was seen has cost its fee',
    patches: [
      {
        file: 'lib/payment/fail-payment.ts',
        find: "...(view.state === 'captured' && withCapture(ports, payment, view)),",
        put: '',
      },
    ],
    by: { scenario: 'a capture that was refunded before it was seen has cost its fee' },
  },
  {
    name: 'fee-waited-for-after-told',
    guard: 'a payment stops waiting for a fee that is told with its refund',
    patches: [
      { file: 'lib/store/payment-steps.ts', find: "...cleared(before, after, 'afterCapture'),", put: '' },
    ],
    by: { scenario: 'a fee that is told during the refund is waited for no longer' },
  },
  {
    name: 'check-moved-by-late-worker',
    guard: 'a worker that found a payment open does not schedule the check of a settled one',
    patches: [
      {
        file: 'lib/store/payment-work-list.ts',
        find: " AND #phase ${phase === 'DONE' ? '=' : '<>'} :done`",
        put: ' AND (#phase = :done OR #phase <> :done)`',
      },
    ],
    by: { scenario: 'a late worker does not move the check after the capture' },
  },
];
