import type { Mutant } from './mutant.ts';

const rules = 'lib/operator/audit/refund-rules.ts';

/** A comparison that is left out, and the corruption that is not found then, or not by all its records. */
const dropped = (name: string, corruption: string, find: string, put = ''): Mutant => ({
  name: `audit-refund-${name}`,
  guard: `the audit finds ${corruption}`,
  patches: [{ file: rules, find, put }],
  by: { corruption },
});

const droppedOfEvents = (name: string, corruption: string, find: string, put = ''): Mutant => ({
  ...dropped(name, corruption, find, put),
  patches: [{ file: 'lib/operator/audit/refund-event-rules.ts', find, put }],
});

/** The comparisons of refunds with their payments, chargebacks and postbacks. */
export const auditRefundMutants: readonly Mutant[] = [
  dropped(
    'totals',
    "what a payment's refunds take of it lowered, so that more can be refunded",
    "...fieldDifferences({ ...payment.refunds }, { ...sums }, 'the sum of its refunds'),",
  ),
  dropped(
    'refunded',
    'what was refunded of a payment lowered',
    "...fieldDifferences({ ...payment.refunds }, { ...sums }, 'the sum of its refunds'),",
  ),
  dropped(
    'unknown',
    'a payment that knows nothing of its refund',
    "...(payment.refunds ? [] : ['is of a payment that knows of no refund']),",
  ),
  dropped('fields', 'a refund of another acquirer', "...fieldDifferences(own, expected, 'its payment'),"),
  dropped(
    'cost',
    'a refund that costs its merchant less, with entries, totals and balance',
    '...(off <= slack && -off <= slack',
    '...(off <= slack',
  ),
  dropped(
    'fee',
    'a refund that returns more than the fee, with entries, totals and balance',
    '...(feeMinor <= fee ? [] :',
    '...(feeMinor <= fee + 10_000n ? [] :',
  ),
  dropped(
    'own-fee',
    'a refund that returns more than the fee, with entries, totals and balance',
    '...(feeReturnedMinor <= ownFee',
    '...(feeReturnedMinor <= ownFee + 10_000n',
  ),
  dropped(
    'error',
    'a failed refund without its error',
    "...((errorCode !== undefined) === (status === 'FAIL') ? [] : [`has the error ${errorCode ?? 'none'}`]),",
  ),
  dropped(
    'call',
    'a success that nobody asked the acquirer for',
    "...((status === 'NEW') === (call === undefined)",
    "...(status !== 'NEW' || call === undefined",
  ),
  dropped(
    'end',
    'a refund that has ended without an end',
    "...((endedAt !== undefined) === isEnded ? [] : [endedAt ? 'has an end' : 'has no end']),",
  ),
  dropped(
    'order',
    'a refund that ended before it was created',
    "...(endedAt && isBefore(endedAt, createdAt) ? ['ended before it was created'] : []),",
  ),
  dropped(
    'cap',
    'a chargeback of more than the refunds leave',
    'return reservedMinor <= held',
    'return held >= 0n',
  ),
  dropped(
    'postback',
    "a refund's postback removed",
    "return isOwed && !found.one('event', eventId) ? [`has no postback ${eventId}`] : [];",
    'return [];',
  ),
  {
    name: 'audit-refund-event',
    guard: "the audit finds the Amount of a refund's postback changed",
    patches: [
      {
        file: 'lib/operator/audit/refund-event-rules.ts',
        find: 'return wrong.length === 0 ? [] : [`postback ${event.id} differs from its refund',
        put: 'return wrong.length < 99 ? [] : [`postback ${event.id} differs from its refund',
      },
    ],
    by: { corruption: "the Amount of a refund's postback changed" },
  },
  {
    name: 'audit-refund-list',
    guard: 'the audit finds a refund that is under way taken off its work list',
    patches: [
      {
        file: 'lib/store/audit-filing.ts',
        find: 'return { ...refundKey(id), workList: refundListOf(id),',
        put: 'return { ...refundKey(id),',
      },
    ],
    by: { corruption: 'a refund that is under way taken off its work list' },
  },
  droppedOfEvents('event-order', 'the order of the fields of a refund postback changed', '    ...order,\n'),
  droppedOfEvents(
    'event-open',
    'a postback of a refund that is under way',
    'if (!again) return [`postback ${event.id} is about no refund that has ended`];',
    'if (!again) return [];',
  ),
  droppedOfEvents(
    'chargeback-event',
    "the Amount of a chargeback's postback changed",
    "[`postback ${event.id} differs from its chargeback in ${wrong.join(', ')}`]",
    '[]',
  ),
  droppedOfEvents(
    'chargeback-event-missing',
    "a chargeback's postback removed",
    'return isOwed && !found.one(',
    'return isOwed && id === "" && !found.one(',
  ),
  droppedOfEvents(
    'chargeback-event-dismissed',
    'a postback of a chargeback that was dismissed',
    'if (!again) return [`postback ${event.id} is about no chargeback that was posted`];',
    'if (!again) return [];',
  ),
  droppedOfEvents('surplus-event', 'a surplus posted as a chargeback', '  isPostedAsLoss,\n];', '];'),
  {
    name: 'audit-refund-decision',
    guard: "the audit finds the reason of an operator's refund rewritten",
    patches: [
      {
        file: 'lib/operator/audit/payment-decision-rules.ts',
        find: ', ofRefund, isDone];',
        put: ', isDone];',
      },
    ],
    by: { corruption: "the reason of an operator's refund rewritten" },
  },
];
