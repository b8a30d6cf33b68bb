import type { Mutant } from './mutant.ts';

const client = 'lib/provider/yookassa/client.ts';
const lists = 'lib/provider/yookassa/lists.ts';
const rail = 'lib/provider/yookassa/rail.ts';
const views = 'lib/provider/yookassa/payment-view.ts';
const limiter = 'lib/provider/limited-fetch.ts';
const acquirer = 'lib/provider/yookassa/acquirer.ts';

/** The guards of the adapters of real providers. */
export const providerMutants: readonly Mutant[] = [
  {
    name: 'yookassa-500-is-refusal',
    guard: 'after a 500 the outcome is unknown',
    patches: [
      {
        file: client,
        find: 'if (!error || !refusals.includes(status)) throw unknown(status);',
        put: 'if (!error) throw unknown(status);',
      },
    ],
    by: { scenario: 'a 500 of a provider is no refusal' },
  },
  {
    name: 'yookassa-undocumented-4xx-is-refusal',
    guard: 'only a documented status is a refusal',
    patches: [
      {
        file: client,
        find: 'const refusals: readonly number[] = [400, 401, 403, 404, 405, 415];',
        put: 'const refusals: readonly number[] = [400, 401, 403, 404, 405, 408, 409, 415];',
      },
    ],
    by: { scenario: 'a 408 of a provider is no refusal' },
  },
  {
    name: 'yookassa-any-4xx-is-refusal',
    guard: "a 4xx is a refusal only with the API's own error body",
    patches: [
      {
        file: client,
        find: 'const error = errorBody.safeParse(body).data;',
        put: "const error = errorBody.safeParse(body).data ?? { type: 'error' as const };",
      },
    ],
    by: { scenario: 'a 4xx of a gateway before a provider is no refusal' },
  },
  {
    name: 'yookassa-used-key-is-refusal',
    guard: 'a key that was used with another body leaves the outcome unknown',
    patches: [
      {
        file: client,
        find: "if (/^idempotence-key$/i.test(error.parameter ?? '')) throw unknown(status);",
        put: '',
      },
    ],
    by: { scenario: 'a used key is no refusal' },
  },
  {
    name: 'yookassa-key-of-another-shop',
    guard: 'only a key of the same shop stands in for a refused one',
    patches: [{ file: client, find: 'isSameAccount: (current, other) => current.id === other.id,', put: '' }],
    by: { scenario: 'a payment is not asked for at another shop' },
  },
  {
    name: 'yookassa-unread-page-is-empty',
    guard: 'absence is decided only when every page of the list was read',
    patches: [
      {
        file: lists,
        find: 'doneBody(answer)',
        put: "answer.kind === 'done' ? answer.body : { type: 'list', items: [] }",
      },
    ],
    by: { scenario: 'a list with an unread page does not say that a payment is absent' },
  },
  {
    name: 'yookassa-own-attempt-first',
    guard: 'an attempt that is paid counts before the one that is asked for',
    patches: [
      { file: rail, find: "if (payout.status !== 'canceled') return viewFor(transfer, payout);", put: '' },
    ],
    by: { scenario: 'a payout of which any attempt was paid is paid' },
  },
  {
    name: 'yookassa-order-of-another',
    guard: 'an order is believed only with our id in it',
    patches: [{ file: views, find: 'stored !== order.paymentId || ', put: '' }],
    by: { scenario: 'the order of another payment is not believed' },
  },
  {
    name: 'yookassa-refused-capture-is-done',
    guard: 'a refused capture or cancellation is reported as refused',
    patches: [
      {
        file: acquirer,
        find: 'return { view: await get(order), refused: true };',
        put: 'return { view: await get(order), refused: false };',
      },
    ],
    by: { scenario: 'a refused capture is not carried out' },
  },
  {
    name: 'yookassa-outcome-with-email',
    guard: "the outcome of a refusal has no e-mail address of the receipt's customer",
    patches: [
      {
        file: 'lib/provider/yookassa/words.ts',
        find: `.replace(/[^\\s@"'<>,;:]+@[^\\s@"'<>,;:]+/g, '…')`,
        put: '',
      },
    ],
    by: { scenario: 'a refusal is stored without the personal data that it repeats' },
  },
  {
    name: 'yookassa-outcome-with-phone',
    guard: "the outcome of a refusal has no phone number of the receipt's customer",
    patches: [
      {
        file: 'lib/provider/yookassa/words.ts',
        find: ".replace(/\\d(?:[ ()-]{0,2}\\d){8,}/g, '…')",
        put: '',
      },
    ],
    by: { scenario: 'a refusal is stored without the personal data that it repeats' },
  },
  {
    name: 'yookassa-fee-of-contradiction',
    guard: 'an income of another currency, or above the amount, is no fee',
    patches: [
      {
        file: views,
        find: 'return isPart ? amount.value - income.value : undefined;',
        put: 'return income && amount.value - income.value;',
      },
    ],
    by: { scenario: 'an income that contradicts the amount is no fee' },
  },
  {
    name: 'pause-of-one-function',
    guard: 'a provider that tells one function to wait is called by none',
    patches: [{ file: limiter, find: '.pause(provider, until)', put: '.pause(provider, new Date(0))' }],
    by: { scenario: 'a busy provider is called by no function' },
  },
  {
    name: 'calls-without-rate',
    guard: 'a call that the rate does not allow is not sent',
    patches: [{ file: limiter, find: 'if (waitMs === 0) return;', put: 'return;' }],
    by: { scenario: 'a provider is called no more often than its record allows' },
  },
  {
    name: 'notification-without-secret',
    guard: 'only who knows the secret of the address is listened to',
    patches: [
      {
        file: 'functions/provider-notification.ts',
        find: 'if (!(await addresses.isOpen(provider, secret))) return json(404, gatewayAnswers.notFound);',
        put: '',
      },
    ],
    by: { scenario: 'a notification without the secret of its address is not read' },
  },
  {
    name: 'notification-address-open',
    guard: 'a notification address needs its secret, and a missing secret opens none',
    patches: [
      {
        file: 'lib/provider/notification-address.ts',
        find: ' && secret.length >= shortestSecret',
        put: '',
      },
    ],
    by: { scenario: 'a notification address is not open' },
  },
  {
    name: 'another-account-stored',
    guard: 'the keys of another account are not stored while payments or payouts may be open at the old one',
    patches: [
      {
        file: 'lib/cli/provider-keys.ts',
        find: "if (stored === '' || stored === given || words === noOpenMoney) return;",
        put: 'return;',
      },
    ],
    by: { scenario: 'the keys of another account are not stored' },
  },
  {
    name: 'test-key-for-real-money',
    guard: 'the key of a test account, where anybody can pay, is not stored for real money',
    patches: [
      {
        file: 'lib/cli/provider-keys.ts',
        find: "if (live && secretKey.startsWith('test_'))",
        put: 'if (live && false)',
      },
    ],
    by: { scenario: 'a test key is not stored for real money' },
  },
];
