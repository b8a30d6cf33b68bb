import type { Mutant } from './mutant.ts';

/** The guards of fiscal receipts. */
export const receiptMutants: readonly Mutant[] = [
  {
    name: 'receipt-without-contact',
    guard: 'a payment with receipts starts only with a contact to send them to',
    patches: [
      {
        file: 'lib/payment/start-payment.ts',
        find: "if (payer.kind !== 'known') return { kind: 'no_contact', why: payer.kind };",
        put: '',
      },
    ],
    by: { scenario: 'a payment with receipts does not start without a contact' },
  },
  {
    name: 'receipt-of-part-unscaled',
    guard: 'the receipt of a part adds up to the part',
    patches: [
      {
        file: 'lib/payment/compose-receipt.ts',
        find: 'const totals = allocate(\n    totalMinor,',
        put: 'const totals = allocate(\n    sold.amountMinor + sold.surchargeMinor,',
      },
    ],
    by: { scenario: 'the receipt of a part adds up to the part' },
  },
  {
    name: 'failed-receipt-unnoticed',
    guard: 'a receipt whose registration failed waits for a person',
    patches: [
      {
        file: 'lib/payment/follow-receipts.ts',
        find: "task && !stays && state && state !== 'registered'",
        put: "task && !stays && state && state === 'pending'",
      },
    ],
    by: { scenario: 'a receipt whose registration failed waits for a person' },
  },
];
