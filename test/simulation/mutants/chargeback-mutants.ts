import type { Mutant } from './mutant.ts';

const decide = 'lib/decision/decide-chargeback.ts';
const enter = 'lib/decision/enter-chargeback.ts';
const domain = 'lib/ledger/chargeback.ts';
const store = 'lib/store/chargebacks.ts';
const seen = 'lib/payment/capture-undone.ts';

/** The guards between chargebacks, claims and money (lib/ledger/README.md). */
export const chargebackMutants: readonly Mutant[] = [
  {
    name: 'chargeback-confirmed-alone',
    guard: 'a chargeback is confirmed by two people',
    patches: [
      { file: decide, find: "if (approvedBy === undefined) return fail('takes_two_people');", put: '' },
      {
        file: domain,
        find: 'if (isSamePerson(decision.proposedBy, decision.approvedBy))',
        put: "if (decision.proposedBy === '' && isSamePerson('', ''))",
      },
    ],
    by: { scenario: 'one person alone cannot confirm a chargeback' },
  },
  {
    name: 'claim-written-off-alone',
    guard: 'a claim is written off by two people',
    patches: [
      {
        file: 'lib/decision/close-claim.ts',
        find: "if (approvedBy === undefined) return fail('takes_two_people');",
        put: '',
      },
    ],
    by: { scenario: 'one person alone cannot write off a claim' },
  },
  {
    name: 'chargeback-decided-twice',
    guard: 'a chargeback is decided on condition that it is open',
    patches: [
      {
        file: store,
        find: "ConditionExpression: '#status = :open',",
        put: "ConditionExpression: '#status = :open OR attribute_exists(PK)',",
      },
    ],
    by: { scenario: 'a chargeback is not dismissed while it is confirmed' },
  },
  {
    name: 'chargeback-debits-unseen',
    guard: 'a chargeback debits no more than is available when it is written',
    patches: [
      {
        file: 'lib/store/balances.ts',
        find: "ConditionExpression: 'available >= :amount',",
        put: "ConditionExpression: 'attribute_exists(PK) OR available >= :amount',",
      },
    ],
    by: { scenario: 'a chargeback of a merchant who spends meanwhile leaves no balance below zero' },
  },
  {
    name: 'claim-moved-unseen',
    guard: 'a claim is collected or written off on condition that nobody else did',
    patches: [
      {
        file: store,
        find: "ConditionExpression: 'openMinor = :seen',",
        put: "ConditionExpression: 'openMinor = :seen OR attribute_exists(PK)',",
      },
    ],
    by: { scenario: 'a claim that is collected while it is written off is closed once' },
  },
  {
    name: 'chargeback-entered-twice',
    guard: 'nobody enters a chargeback of a payment that has an open one',
    patches: [
      {
        file: enter,
        find: "if (!known.every(isDecidedChargeback)) return fail('chargeback_is_open');",
        put: '',
      },
    ],
    by: { scenario: 'one letter is not entered twice' },
  },
  {
    name: 'chargeback-beyond-received',
    guard: 'no more is charged back than the acquirer holds',
    patches: [
      {
        file: enter,
        find: 'return amountMinor > 0n && amountMinor <= most;',
        put: 'return amountMinor > 0n && most > 0n;',
      },
    ],
    by: { scenario: 'no more is charged back than was received' },
  },
  {
    name: 'chargeback-overwritten',
    guard: 'a change that another notification recorded is not overwritten',
    patches: [
      {
        file: store,
        find: "Put: { TableName, Item: chargebackItem(chargeback), ConditionExpression: 'attribute_not_exists(PK)' },",
        put: 'Put: { TableName, Item: chargebackItem(chargeback) },',
      },
    ],
    by: { scenario: 'no older view of the acquirer is recorded after a newer one' },
  },
  {
    name: 'chargebacks-read-after-the-view',
    guard: 'known changes are read before the acquirer is asked',
    patches: [
      { file: seen, find: 'const known = await ports.chargebacks.ofPayment(payment.id);', put: '' },
      {
        file: seen,
        find: 'const heldMinor = heldIn(view);',
        put: 'const heldMinor = heldIn(view); const known = await ports.chargebacks.ofPayment(payment.id);',
      },
    ],
    by: { scenario: 'no older view of the acquirer is recorded after a newer one' },
  },
  {
    name: 'chargeback-beyond-refunds',
    guard: 'a person enters no more than the refunds leave',
    patches: [{ file: enter, find: ' - totalsOf(payment).reservedMinor;', put: ';' }],
    by: { scenario: 'refunds and chargebacks together never pass what was received' },
  },
  {
    name: 'chargeback-refunds-unread',
    guard: 'a chargeback is written on condition that the refunds are as they were read',
    patches: [{ file: store, find: '      refundsAsRead(table, chargeback.paymentId, refunds),\n', put: '' }],
    by: { scenario: 'refunds and chargebacks together never pass what was received' },
  },
  {
    name: 'undone-by-own-refund',
    guard: 'what our own refunds returned is no loss',
    patches: [{ file: seen, find: ' - refundedMinor - heldMinor;', put: ' - heldMinor;' }],
    by: { scenario: 'our own refund is not taken for a chargeback' },
  },
  {
    name: 'undone-while-refunding',
    guard: 'nothing is judged while a refund is under way',
    patches: [{ file: seen, find: 'if (isRefundOpen(payment)) return;', put: '' }],
    by: { scenario: 'our own refund is not taken for a chargeback' },
  },
  {
    name: 'undone-refunds-unread',
    guard: 'a view that is older than a refund is not recorded',
    patches: [{ file: store, find: '      refundsAsRead(table, chargeback.paymentId, refunds),\n', put: '' }],
    by: { scenario: 'our own refund is not taken for a chargeback' },
  },
  {
    name: 'settled-before-refund-is-seen',
    guard: 'what went back before the payment is settled becomes an item',
    patches: [
      {
        file: 'lib/payment/settle-payment.ts',
        find: "if (view.state === 'captured' && view.refundedMinor > 0n)",
        put: "if (view.state === 'captured' && view.refundedMinor < 0n)",
      },
    ],
    by: { scenario: 'a part that went back before the settlement is an item' },
  },
  {
    name: 'visit-settles-after-refund',
    guard: 'a payment of which a part went back is settled by its check, not by a visit',
    patches: [
      {
        file: 'lib/payment/resolve-payment.ts',
        find: 'if (!evenIfFailed && !evenIfFinal && isPartlyRefunded(seen.view))',
        put: 'if (!evenIfFailed && !evenIfFinal && step < 0 && isPartlyRefunded(seen.view))',
      },
    ],
    by: { scenario: 'a visit does not settle a payment of which a part went back' },
  },
];
