import type { Mutant } from './mutant.ts';

const acquirer = 'lib/provider/sandbox-acquirer.ts';

/** The guards of the sandbox's acquirer adapter. */
export const sandboxMutants: readonly Mutant[] = [
  {
    name: 'sandbox-first-page-is-all',
    guard: 'absence is decided only when every page of the list was read',
    patches: [{ file: acquirer, find: 'if (next === undefined) return;', put: 'return;' }],
    by: { scenario: 'an order on the second page of the sandbox is not absent' },
  },
  {
    name: 'sandbox-used-key-is-rejection',
    guard: 'a key that was used with another body leaves the refund unknown',
    patches: [
      { file: acquirer, find: "if (error === 'idempotency_key_reused')", put: 'if (error === undefined)' },
    ],
    by: { scenario: 'a used key of the sandbox does not reject a refund' },
  },
  {
    name: 'sandbox-refused-capture-is-done',
    guard: 'a refused capture or cancellation is reported as refused',
    patches: [{ file: acquirer, find: 'refused: answer.status === 409', put: 'refused: false' }],
    by: { scenario: 'a capture that the sandbox refuses is not carried out' },
  },
  {
    name: 'sandbox-order-of-another',
    guard: 'an order is believed only with our id in it',
    patches: [
      {
        file: acquirer,
        find: 'if (found.paymentId !== paymentId)',
        put: 'if (found.paymentId === undefined)',
      },
    ],
    by: { scenario: 'the order of another payment at the sandbox is not believed' },
  },
  {
    name: 'sandbox-gateway-404-is-unknown',
    guard: 'only the sandbox itself says that it has no such order',
    patches: [
      {
        file: 'lib/provider/sandbox-client.ts',
        find: 'status === 404 && refusal.safeParse(body).success',
        put: 'status === 404',
      },
    ],
    by: { scenario: 'a 404 of a gateway before the sandbox says nothing of an order' },
  },
  {
    name: 'sandbox-notice-unsigned',
    guard: 'a notification of the sandbox is signed',
    patches: [
      {
        file: acquirer,
        find: 'hint && (await isSigned(headers, body, credentialsOf(access))) ? hint : undefined',
        put: 'hint',
      },
    ],
    by: { scenario: 'an unsigned notification of the sandbox is none' },
  },
];
