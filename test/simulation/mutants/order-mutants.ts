import type { Mutant } from './mutant.ts';

const next = 'lib/payment/next-step.ts';
const call = 'lib/payment/call.ts';
const calls = 'lib/store/call-steps.ts';
const references = 'lib/store/payment-calls.ts';
const refund = 'lib/payment/duplicate-capture.ts';

/** Guards of calls to a provider that forgets keys and names orders itself (lib/payment/README.md). */
export const orderMutants: readonly Mutant[] = [
  {
    name: 'start-under-expired-key',
    guard: 'no order is created under a key that the acquirer may have forgotten',
    patches: [
      { file: next, find: "if (isSendable(startCall, now)) return 'start';", put: "return 'start';" },
      {
        file: 'lib/payment/start-order.ts',
        find: 'const isPossible = isSendable(payment.startCall, now) && ',
        put: 'const isPossible = ',
      },
    ],
    by: { scenario: 'no order is started under an expired key' },
  },
  {
    name: 'absent-at-once',
    guard: 'the list decides an absence only 26 hours after the first call',
    patches: [
      {
        file: next,
        find: "hoursSince(startCall.firstAt, now) >= listDecidesHours ? 'find' : 'nothing'",
        put: "hoursSince(startCall.firstAt, now) >= 0 ? 'find' : 'nothing'",
      },
    ],
    by: { scenario: 'an order that the list may still get is not absent' },
  },
  {
    name: 'refused-start-is-final',
    guard: 'a refused start fails a payment only when no other call is unanswered',
    patches: [{ file: call, find: 'call.unanswered === 0 && ', put: '' }],
    by: { scenario: 'a refusal does not say what an unanswered call did' },
  },
  {
    name: 'next-key-after-no-answer',
    guard: 'the next key follows only a refusal with no call unanswered',
    patches: [
      { file: call, find: 'call.unanswered === 0 && ', put: '' },
      {
        file: calls,
        find: "'#call.#unanswered = :none AND #call.#answer IN (:refused, :empty)'",
        put: "'#call.#unanswered >= :none AND #call.#answer IN (:refused, :empty)'",
      },
    ],
    by: { scenario: 'the next key waits for the answers under the last' },
  },
  {
    name: 'second-reference',
    guard: 'the reference of an order is never replaced',
    patches: [
      {
        file: references,
        find: '(attribute_not_exists(#reference) OR #reference = :reference)',
        put: '(attribute_exists(PK) OR #reference = :reference)',
      },
    ],
    by: { scenario: 'a second reference is not believed' },
  },
  {
    name: 'unknown-payment-forgotten',
    guard: 'an order that the acquirer has and the table does not is kept',
    patches: [
      {
        file: 'lib/payment/receive-notification.ts',
        find: 'reference });\n    await keepUnknown(ports, acquirer, order);\n',
        put: 'reference });\n',
      },
    ],
    by: { scenario: 'an order that the table does not have is kept' },
  },
  {
    name: 'closed-order-silent',
    guard: 'an order that changes after a person closed it is listed again',
    patches: [
      {
        file: 'lib/payment/receive-notification.ts',
        find: 'known?.closed !== undefined && known.state === view.state',
        put: 'known?.closed !== undefined && view.state.length > 0',
      },
    ],
    by: { scenario: 'a closed order whose money arrives is listed again' },
  },
  {
    name: 'second-order-forgotten',
    guard: 'a second order of one payment is kept for a person',
    patches: [
      {
        file: 'lib/payment/receive-notification.ts',
        find: 'if (!(error instanceof ReferenceConflict)) throw error;\n    await keepUnknown(ports, acquirer, order);',
        put: 'if (!(error instanceof ReferenceConflict)) throw error;',
      },
    ],
    by: { scenario: 'a second reference is not believed' },
  },
  {
    name: 'cancel-before-voiding',
    guard: 'VOIDING is written before the cancel',
    patches: [
      {
        file: next,
        find: "const open = isHopeless(situation) && terms.endsOpenOrders ? 'void' : 'nothing';",
        put: "const open = isHopeless(situation) && terms.endsOpenOrders ? 'cancel' : 'nothing';",
      },
    ],
    by: { scenario: 'a payment is VOIDING before its order is cancelled' },
  },
  {
    name: 'unended-taken-over',
    guard: 'a payment that can be neither held nor ended keeps its bill',
    patches: [
      {
        file: 'lib/payment/start-payment.ts',
        find: 'terms.holds || terms.endsOpenOrders ?',
        put: 'terms.payableMinutes > 0 ?',
      },
    ],
    by: { scenario: 'a bill is not taken over while its payer can still be charged' },
  },
  {
    name: 'capture-of-more',
    guard: 'not more than authorised is captured',
    patches: [
      {
        file: 'lib/payment/resolve-payment.ts',
        find: '      const amountMinor = smallest(amountIn(view), chargeMinor(payment));',
        put: '      const amountMinor = chargeMinor(payment);',
      },
    ],
    by: { scenario: 'a partial authorisation is captured as it is' },
  },
  {
    name: 'refund-under-expired-key',
    guard: 'a refund is not sent under a key that the acquirer may have forgotten',
    patches: [
      { file: refund, find: "return isSendable(call, now) ? 'send' : 'look';", put: "return 'send';" },
    ],
    by: { scenario: 'no refund is sent under an expired key' },
  },
  {
    name: 'refund-ended-while-sent',
    guard: 'people end a refund that the acquirer does not confirm only when it is not sent any more',
    patches: [
      {
        file: 'lib/payment/resolve-by-hand.ts',
        find: '(call.answer === undefined && !isSendable(call, now))',
        put: '(call.answer === undefined && now > call.firstAt)',
      },
      { file: 'lib/payment/resolve-by-hand.ts', find: 'Call, isSendable }', put: 'Call }' },
    ],
    by: { scenario: 'people do not end a refund that is still sent' },
  },
  {
    name: 'pending-refund-again',
    guard: 'a refund that is under way is only looked for',
    patches: [{ file: refund, find: "if (call?.answer === 'pending') return 'look';\n", put: '' }],
    by: { scenario: 'a refund that is under way is not sent again' },
  },
  {
    name: 'failure-always-final',
    guard: 'a failure that is not final at the acquirer is queried again',
    patches: [
      {
        file: 'lib/payment/fail-payment.ts',
        find: '    !terms.failureIsFinal &&',
        put: '    terms.failureIsFinal &&',
      },
    ],
    by: { scenario: 'a failure that is not final is queried after a day' },
  },
  {
    name: 'late-query-unasked',
    guard: 'a late query waits for an acquirer that is not deployed',
    patches: [
      {
        file: 'lib/payment/resolve-payment.ts',
        find: 'evenIfFailed || (evenIfFinal && acquirer !== undefined)',
        put: '(evenIfFailed || evenIfFinal) && acquirer !== undefined',
      },
    ],
    by: { scenario: 'a late query waits for its acquirer' },
  },
];
