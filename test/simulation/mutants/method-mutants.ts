import type { Mutant } from './mutant.ts';

/** The guards of the ways to pay (lib/payment/README.md). */
export const methodMutants: readonly Mutant[] = [
  {
    name: 'other-way-during-capture',
    guard: 'another way to pay does not displace a payment whose capture may have been requested',
    patches: [
      {
        file: 'lib/bill/bill-steps.ts',
        find: "  { attribute: 'fenced', operator: '=', value: false },\n  { attribute: 'lockUntil', operator: '>'",
        put: "  { attribute: 'lockUntil', operator: '>'",
      },
    ],
    by: { scenario: 'another way to pay does not displace a capture' },
  },
  {
    name: 'other-way-of-stranger',
    guard: 'only the browser that started a payment displaces it by another way to pay',
    patches: [
      {
        file: 'lib/payment/start-payment.ts',
        find: 'return isTheirs(payment) && payment.method !== method && maySwitch(bill)',
        put: 'return payment.method !== method && (maySwitch(bill) || isTheirs(payment))',
      },
    ],
    by: { scenario: 'another way to pay of another browser displaces nothing' },
  },
  {
    name: 'method-unsigned',
    guard: 'a form starts a payment of the method that it was signed for',
    patches: [
      {
        file: 'lib/payment/form-token.ts',
        find: '`payment-form:${billId}:${open}`',
        put: "`payment-form:${billId}:${open.replace(/[a-z]+$/, '')}`",
      },
    ],
    by: { scenario: 'the method of a form is signed' },
  },
];
