import type { Mutant } from './mutant.ts';

const next = 'lib/payment/next-step.ts';
const busy = 'lib/payment/start-order.ts';
const refund = 'lib/payment/duplicate-capture.ts';

/** Guards against the manners of providers that seeds alone must notice when they are removed (harness/manner-sets.ts). */
export const mannerMutants: readonly Mutant[] = [
  {
    name: 'waiting-payment-fails',
    guard: 'a payment without an answer waits from the last call until the list decides',
    patches: [
      {
        file: next,
        find: "hoursSince(startCall.firstAt, now) >= listDecidesHours ? 'find' : 'nothing'",
        put: "hoursSince(startCall.firstAt, now) >= listDecidesHours ? 'find' : 'fail'",
      },
    ],
    by: { focus: 'mixed', manners: 'keys_expire' },
  },
  {
    name: 'list-decides-within-its-lag',
    guard: 'the list decides only hours after the last call, because it lags',
    patches: [
      {
        file: 'lib/payment/call.ts',
        find: 'export const listDecidesHours = 26;',
        put: 'export const listDecidesHours = 0.1;',
      },
      { file: next, find: "if (isSendable(startCall, now)) return 'start';", put: '' },
    ],
    by: { focus: 'mixed', manners: 'lists_lag' },
  },
  {
    name: 'lost-answer-is-busy',
    guard: 'only a call that was certainly not carried out is not counted as unanswered',
    patches: [
      {
        file: busy,
        find: 'if (error instanceof ProviderBusy && attempt !== undefined)',
        put: 'if (attempt !== undefined)',
      },
    ],
    by: { scenario: 'the next key waits for the answers under the last' },
  },
  {
    name: 'rejected-refund-again',
    guard: 'a rejected refund is for a person, and is not sent again',
    patches: [
      { file: refund, find: "answer: providerEmpty ? 'empty' : 'rejected',", put: "answer: 'empty'," },
    ],
    by: { scenario: 'a refund that was rejected is left to people' },
  },
  {
    name: 'late-query-of-the-day-is-the-last',
    guard: 'a failure that is not final is queried again after a week',
    patches: [
      {
        file: 'lib/payment/check-payment.ts',
        find: "before.lateQuery === 'day' ? { lateQuery: 'week', at } : undefined",
        put: "before.lateQuery === 'day' && at < now() ? { lateQuery: 'week', at } : undefined",
      },
    ],
    by: { scenario: 'money that comes unnoticed a day after the failure goes back within the week' },
  },
  {
    name: 'surplus-unseen',
    guard: 'the acquirer holding more than was received is a difference as well',
    patches: [
      {
        file: 'lib/payment/capture-undone.ts',
        find: 'if (loss === 0n) return;',
        put: 'if (loss <= 0n) return;',
      },
    ],
    by: { scenario: 'an acquirer that holds more than was received is noticed' },
  },
  {
    name: 'notice-believed',
    guard: 'what a notification says is not believed: the order is read',
    patches: [
      {
        file: 'lib/payment/resolve-payment.ts',
        find: ': await acquirer.get(knownOrderOf(payment)),',
        put: ": { state: 'captured', amountMinor: chargeMinor(payment), refundedMinor: 0n },",
      },
    ],
    by: { focus: 'mixed', manners: 'notices_forged' },
  },
  {
    name: 'another-acquirer-asked',
    guard: 'a payment belongs to its acquirer for ever, also while that one is not deployed',
    patches: [
      {
        file: 'lib/payment/acquirers.ts',
        find: "named: (name = 'sandbox') => byName(name),",
        put: "named: (name = 'sandbox') => byName(name) ?? deployed[0],",
      },
    ],
    by: { focus: 'mixed', manners: 'two_providers' },
  },
];
