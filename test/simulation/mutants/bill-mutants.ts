import type { Mutant } from './mutant.ts';

const steps = 'lib/store/payment-steps.ts';
const bill = 'lib/bill/bill-steps.ts';
const next = 'lib/payment/next-step.ts';
const resolve = 'lib/payment/resolve-payment.ts';
const fail = 'lib/payment/fail-payment.ts';
const create = 'lib/bill/create-bill.ts';
const bills = { focus: 'bills' } as const;

/** The guards of the bill protocol (lib/payment/README.md). */
export const billMutants: readonly Mutant[] = [
  {
    name: 'fence-without-condition',
    guard: 'the fence succeeds only while this payment holds the bill',
    patches: [
      {
        file: bill,
        find: "step({ to: 'PROCESS', set: { fenced: true }, preconditions: isHeldBy(paymentId) });",
        put: "step({ to: 'PROCESS', set: { fenced: true }, preconditions: [] });",
      },
    ],
    by: { scenario: 'a displaced payment is not captured' },
  },
  {
    name: 'capture-before-fence',
    guard: 'the capture is requested after the fence, never before',
    patches: [
      {
        file: next,
        find: "const authorised = holdsBill(situation) ? 'fence' : 'void';",
        put: "const authorised = holdsBill(situation) ? 'capture' : 'void';",
      },
    ],
    by: bills,
  },
  {
    name: 'takeover-of-fenced',
    guard: 'no payment takes over a bill whose capture may have been requested',
    patches: [
      { file: bill, find: "            { attribute: 'fenced', operator: '=', value: false },\n", put: '' },
    ],
    by: { scenario: 'a bill is not taken over during its capture' },
  },
  {
    name: 'takeover-within-lock',
    guard: 'a payment locks its bill for fifteen minutes',
    patches: [
      { file: bill, find: "            { attribute: 'lockUntil', operator: '<=', value: now },\n", put: '' },
    ],
    by: bills,
  },
  {
    name: 'settle-unconditional',
    guard: 'a bill is settled once',
    patches: [
      {
        file: bill,
        find: "preconditions: [{ attribute: 'paidBy', operator: 'absent' }],",
        put: 'preconditions: [],',
      },
      {
        file: bill,
        find: "preconditions: [{ attribute: 'status', operator: 'in', values: billStatusesBefore(to) }, ...preconditions],",
        put: "preconditions: [{ attribute: 'fenced', operator: 'in', values: [true, false] }, ...preconditions],",
      },
    ],
    by: bills,
  },
  {
    name: 'release-by-displaced',
    guard: 'a displaced payment does not release its bill when it fails',
    patches: [
      {
        file: bill,
        find: 'countsFailure,\n    preconditions: isHeldBy(paymentId),',
        put: 'countsFailure,\n    preconditions: [],',
      },
      {
        file: fail,
        find: "releasesBill: bill.type === 'NORMAL' && holdsBill({ payment, bill }),",
        put: "releasesBill: bill.type === 'NORMAL' && bill.status === 'PROCESS',",
      },
    ],
    by: { scenario: 'a displaced payment does not release its bill when it fails' },
  },
  {
    name: 'fail-on-timeout',
    guard: 'no payment becomes FAIL by the clock alone: it is cancelled at the acquirer first',
    patches: [
      {
        file: next,
        find: "const open = isHopeless(situation) && terms.endsOpenOrders ? 'void' : 'nothing';",
        put: "const open = isHopeless(situation) && terms.endsOpenOrders ? 'fail' : 'nothing';",
      },
    ],
    by: bills,
  },
  {
    name: 'no-void-of-displaced',
    guard: 'the void of a displaced authorisation is repeated until the acquirer confirms it',
    patches: [
      {
        file: next,
        find: "    authorised: 'cancel',\n",
        put: '',
      },
    ],
    by: bills,
  },
  {
    name: 'no-refund-of-duplicate',
    guard: 'a duplicate capture is refunded',
    patches: [
      {
        file: next,
        find: "by(view, { captured: 'refund', not_captured: 'fail' })",
        put: "by(view, { not_captured: 'fail' })",
      },
    ],
    by: bills,
  },
  {
    name: 'payment-state-condition',
    guard: 'a payment moves only from the state that was read',
    patches: [
      {
        file: steps,
        find: "ConditionExpression: '#status = :status_before AND #phase = :phase_before',",
        put: "ConditionExpression: '(attribute_exists(PK) OR (#status = :status_before AND #phase = :phase_before))',",
      },
    ],
    by: bills,
  },
  {
    name: 'capture-key-per-try',
    guard: 'every capture request of a payment carries the same idempotency key',
    patches: [
      {
        file: resolve,
        find: 'const key = callKey(payment.id, kind, call);',
        put: 'const key = `${callKey(payment.id, kind, call)}.${now().getTime()}`;',
      },
    ],
    by: bills,
  },
  {
    name: 'settle-without-event',
    guard: 'the settlement and its postback are written in one transaction',
    patches: [
      {
        file: 'lib/store/payments.ts',
        find: '      ...endBillContact(table, bill, capture.at),\n      ...eventSteps(table, event),',
        put: '      ...endBillContact(table, bill, capture.at),',
      },
    ],
    by: bills,
  },
  {
    name: 'payment-off-the-work-list',
    guard: 'a payment is in the work index until it is finished',
    patches: [
      {
        file: steps,
        find: 'const Item = paymentItem(payment, firstCheck);',
        put: 'const { workList, workDue, ...Item } = paymentItem(payment, firstCheck);',
      },
    ],
    by: bills,
  },
  {
    name: 'payments-not-swept',
    guard: 'the sweep queues payments that no handler resolves',
    patches: [
      {
        file: 'lib/payment/sweep-payments.ts',
        find: 'const due = await payments.due(now());',
        put: 'const due: DuePayment[] = [];',
      },
    ],
    by: bills,
  },
  {
    name: 'charges-unlimited',
    guard: 'a bill is created only when a provider takes its charge',
    patches: [
      { file: create, find: 'if (ranges === undefined) return undefined;', put: 'return undefined;' },
    ],
    by: { scenario: 'a bill whose charge no provider takes is not created' },
  },
  {
    name: 'order-with-items-again',
    guard: 'a request repeated with items returns the bill that was created without them',
    patches: [
      {
        file: 'lib/bill/claims.ts',
        find: '(items !== undefined && fingerprintOf({ ...fewer, items: undefined }) === fingerprint)',
        put: 'false',
      },
    ],
    by: { scenario: 'an open order that is repeated with items keeps its link' },
  },
  {
    name: 'order-with-options-again',
    guard: 'a request repeated with options returns the bill that was created without them',
    patches: [
      {
        file: 'lib/bill/claims.ts',
        find: '[...subsets, ...subsets.map((subset) => ({ ...subset, [name]: undefined }))]',
        put: 'subsets.filter(() => name)',
      },
    ],
    by: { scenario: 'an open order that is repeated after the hosts of its shop changed keeps its link' },
  },
  {
    name: 'order-by-honoured-options',
    guard: 'a request is recognized by what was sent, not by what the shop can honour now',
    patches: [
      {
        file: create,
        find: 'requested: { ...bill.value, options },',
        put: 'requested: options ? bill.value : bill.value,',
      },
    ],
    by: { scenario: 'an open order that is repeated after the hosts of its shop changed keeps its link' },
  },
  {
    name: 'url-of-any-host',
    guard: 'a bill sends payers to a host of its shop alone',
    patches: [
      {
        file: 'lib/merchant/own-hosts.ts',
        find: "hostsOf(shop).includes(hostIn(text) ?? '');",
        put: 'hostsOf(shop).includes(text) || text.length > 0;',
      },
    ],
    by: { scenario: 'a bill does not send payers to another host' },
  },
  {
    name: 'redirect-to-former-host',
    guard: 'a payer is sent to a bill’s URL only while its host is the shop’s',
    patches: [
      {
        file: 'lib/payment/payer-view.ts',
        find: 'shop && url !== undefined && isOwnUrl(shop, url) ? url : undefined;',
        put: 'shop && url !== undefined && (isOwnUrl(shop, url) || url) ? url : undefined;',
      },
    ],
    by: { scenario: 'a payer is not sent to a host that the shop has lost' },
  },
  {
    name: 'charge-without-surcharge',
    guard: "the charge that the record limits includes the payer's fee",
    patches: [{ file: create, find: 'isWithin(chargeMinor, range)', put: 'isWithin(minor, range)' }],
    by: { scenario: 'a bill whose charge no provider takes is not created' },
  },
  {
    name: 'entry-overwritten',
    guard: 'a journal entry is written once and never replaced',
    patches: [
      {
        file: 'lib/store/entry-item.ts',
        find: "write: { Put: { TableName, Item: entryItem(entry), ConditionExpression: 'attribute_not_exists(PK)' } },",
        put: 'write: { Put: { TableName, Item: entryItem(entry) } },',
      },
    ],
    by: { scenario: 'a journal entry is not overwritten' },
  },
  {
    name: 'event-overwritten',
    guard: 'a final state has one postback, written once',
    patches: [
      {
        file: 'lib/store/event-item.ts',
        find: "Put: { TableName: name, Item: eventItem(event), ConditionExpression: 'attribute_not_exists(PK)' },",
        put: 'Put: { TableName: name, Item: eventItem(event) },',
      },
    ],
    by: { scenario: 'a postback event is not overwritten' },
  },
];
