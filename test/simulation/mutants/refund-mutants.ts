import type { Mutant } from './mutant.ts';

const creation = 'lib/refund/create-refund.ts';
const store = 'lib/store/refunds.ts';
const step = 'lib/refund/next-refund-step.ts';
const posting = 'lib/decision/decide-chargeback.ts';

/** The guards of refunds (lib/refund/README.md). */
export const refundMutants: readonly Mutant[] = [
  {
    name: 'refund-beside-another',
    guard: 'a refund is created on condition that the others of its payment are as they were read',
    patches: [
      {
        file: store,
        find: '{ status: payment.status, phase: payment.phase, refunds: payment.refunds },',
        put: '{ status: payment.status, phase: payment.phase },',
      },
    ],
    by: { scenario: 'two refunds at once stay within what was received' },
  },
  {
    name: 'refund-beside-chargeback',
    guard: 'a refund is created on condition that no chargeback was added since the read',
    patches: [{ file: store, find: '      noFurtherChargeback(table, creation),\n', put: '' }],
    by: { scenario: 'a refund and a chargeback at once stay within what was received' },
  },
  {
    name: 'refund-of-unconfirmed-surplus',
    guard: 'a surplus that two people have not confirmed can be neither refunded nor charged back',
    patches: [
      {
        file: 'lib/ledger/chargeback.ts',
        find: "direction === 'loss' || status === 'CONFIRMED'",
        put: "direction === 'loss' || status !== undefined",
      },
    ],
    by: { scenario: 'what a letter took is not refunded as well' },
  },
  {
    name: 'refund-beyond-received',
    guard: 'no more is refunded than is refundable',
    patches: [{ file: creation, find: 'minor === 0n || minor > refundable', put: 'minor === 0n' }],
    by: { scenario: 'no more is refunded than was received' },
  },
  {
    name: 'refund-fee-of-another',
    guard: 'a refund returns no more than its own part of the fee',
    patches: [
      {
        file: 'lib/refund/refund-amounts.ts',
        find: 'smallest(mostReturned(captureFee, amountMinor, received), gross)',
        put: 'gross',
      },
    ],
    by: { scenario: 'a refund returns its own part of the fee alone' },
  },
  {
    name: 'refund-beyond-balance',
    guard: 'a refund debits no more than is available',
    patches: [
      {
        file: 'lib/store/refund-balance.ts',
        find: "'available >= :amount'",
        put: "'attribute_exists(PK)'",
      },
    ],
    by: { scenario: 'no more is refunded than is available' },
  },
  {
    name: 'refund-key-twice',
    guard: 'an Idempotency-Key creates one refund',
    patches: [
      {
        file: store,
        find: "'attribute_not_exists(PK) OR #ttl <= :now'",
        put: "'attribute_not_exists(PK) OR #ttl >= :now'",
      },
    ],
    by: { scenario: 'one Idempotency-Key makes one refund' },
  },
  {
    name: 'refund-by-banned',
    guard: 'a banned merchant refunds nothing',
    patches: [
      {
        file: creation,
        find: "const refusal = by.kind === 'merchant' && whyRefused(by.caller, ['merchant_banned']);",
        put: 'const refusal = undefined;',
      },
    ],
    by: { scenario: 'a banned merchant refunds nothing' },
  },
  {
    name: 'refund-of-another',
    guard: 'a merchant refunds only own payments',
    patches: [
      {
        file: creation,
        find: 'found.payment.merchantId !== request.by.caller.merchantId',
        put: 'found.payment.merchantId === undefined',
      },
    ],
    by: { scenario: 'a merchant refunds only own payments' },
  },
  {
    name: 'refund-failed-beside-call',
    guard: 'a refund fails on condition that no call was recorded since the read',
    patches: [
      {
        file: store,
        find: "const seen = { status, ...(after.status === 'FAIL' && { call: call && storedCall(call) }) };",
        put: 'const seen = { status };',
      },
    ],
    by: { scenario: 'a refund does not fail beside a call' },
  },
  {
    name: 'refund-failed-by-later-refusal',
    guard: 'a refusal decides nothing while another call under the key is unanswered',
    patches: [
      {
        file: 'lib/refund/advance-refund.ts',
        find: 'if (isOwnAnswer && call.unanswered > 1) return afterRefusal(ports, open, outcome);',
        put: '',
      },
    ],
    by: { scenario: 'a refund does not fail by a later refusal' },
  },
  {
    name: 'refund-failed-by-absence',
    guard: 'a refund is absent only when the key of its calls is over',
    patches: [
      {
        file: 'lib/refund/next-refund-step.ts',
        find: 'hoursSince(call.firstAt, now) >= listDecidesHours',
        put: 'hoursSince(call.firstAt, now) >= 0',
      },
    ],
    by: { scenario: 'a refund that is not visible yet is not absent' },
  },
  {
    name: 'refund-called-after-end',
    guard: 'a call is recorded on condition that nobody recorded one or ended the refund',
    patches: [
      {
        file: 'lib/store/call-steps.ts',
        find: "'#state = :state AND attribute_not_exists(#call)'",
        put: "'attribute_exists(PK) OR #state = :state'",
      },
    ],
    by: { scenario: 'a refund is not sent after its end' },
  },
  {
    name: 'refund-waits-for-ever',
    guard: 'a refund that our empty account prevents fails after three days',
    patches: [
      { file: step, find: 'hoursSince(createdAt, now) >= waitsForMoneyHours', put: 'createdAt > now' },
    ],
    by: { scenario: 'a refund waits three days for money' },
  },
  {
    name: 'refund-waits-for-nothing',
    guard: 'a refund that our empty account prevents is attempted for three days',
    patches: [
      { file: step, find: 'hoursSince(createdAt, now) >= waitsForMoneyHours', put: 'createdAt < now' },
    ],
    by: { scenario: 'a refund waits three days for money' },
  },
  {
    name: 'refund-decided-twice',
    guard: 'a decision that is carried out again creates no second refund',
    patches: [{ file: creation, find: 'if (done) return ok({ refund: done, replayed: true });', put: '' }],
    by: { scenario: 'one decision of an operator makes one refund' },
  },
  {
    name: 'refund-beyond-contact',
    guard: 'a refund with a receipt is created while its contact stays stored for five days',
    patches: [{ file: creation, find: '- now.getTime() >= contactNeededMs', put: '- now.getTime() >= 0' }],
    by: { scenario: 'the contact of a refund is stored until its last call' },
  },
  {
    name: 'refund-reason-with-card',
    guard: 'the reason of a refund is stored without card numbers',
    patches: [{ file: creation, find: 'withoutCardNumbers(command.reason)', put: 'command.reason' }],
    by: { scenario: 'the reason of a refund is stored without card numbers' },
  },
  {
    name: 'refund-reason-with-spelled-card',
    guard: 'a card number that cannot be masked in its place is masked with all digits',
    patches: [
      {
        file: 'lib/card-number.ts',
        find: "return holdsCardNumber(masked) ? masked.replace(/\\p{N}/gu, '*') : masked;",
        put: 'return masked;',
      },
    ],
    by: { scenario: 'the reason of a refund is stored without card numbers' },
  },
  {
    name: 'refund-told-first',
    guard: 'the postback of a refund waits for that of its payment',
    patches: [
      {
        file: 'lib/postback/skip-outcome.ts',
        find: 'if (awaited && !isFinished(awaited)) {',
        put: 'if (awaited && awaited.nextAt > now && !isFinished(awaited)) {',
      },
    ],
    by: { scenario: 'a refund is told after its payment' },
  },
  {
    name: 'refund-url-of-results',
    guard: 'a refund URL has health of its own',
    patches: [
      {
        file: 'lib/postback/event.ts',
        find: "return kind === 'payment' ? shopId : refundUrlIdOf(shopId);",
        put: 'return shopId;',
      },
    ],
    by: { scenario: 'a paused refund URL is not called and delays no payment' },
  },
  {
    name: 'chargeback-posted-nowhere',
    guard: 'a chargeback is posted where the shop has a refund URL',
    patches: [
      { file: posting, find: 'posted: isLoss && shop?.refundUrl !== undefined', put: 'posted: isLoss' },
    ],
    by: { scenario: 'a chargeback is posted to a refund URL alone' },
  },
  {
    name: 'surplus-posted',
    guard: 'a loss alone is posted as a chargeback',
    patches: [
      {
        file: posting,
        find: 'posted: isLoss && shop?.refundUrl !== undefined',
        put: 'posted: shop?.refundUrl !== undefined',
      },
    ],
    by: { scenario: 'a surplus is not posted as a chargeback' },
  },
];
