import type { Mutant } from './mutant.ts';

const steps = 'lib/store/payment-steps.ts';
const bill = 'lib/bill/bill-steps.ts';
const next = 'lib/payment/next-step.ts';
const resolve = 'lib/payment/resolve-payment.ts';
const fail = 'lib/payment/fail-payment.ts';
const bills = { focus: 'bills' } as const;

/** The guards of the bill protocol (lib/payment/README.md). */
export const billMutants: readonly Mutant[] = [
  {
    name: 'fence-without-condition',
    guard: 'T2 holds only while this payment holds the bill',
    patches: [
      {
        file: bill,
        find: "step({ to: 'PROCESS', set: { fenced: true }, preconditions: isHeldBy(paymentId) });",
        put: "step({ to: 'PROCESS', set: { fenced: true }, preconditions: [] });",
      },
    ],
    by: { scenario: 'a payment that lost its bill is not captured' },
  },
  {
    name: 'capture-before-fence',
    guard: 'the capture is asked for after T2, never before',
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
    guard: 'nobody takes over a bill whose capture may have been asked for',
    patches: [
      { file: bill, find: "            { attribute: 'fenced', operator: '=', value: false },\n", put: '' },
    ],
    by: { scenario: 'a bill whose capture is under way is not taken over' },
  },
  {
    name: 'takeover-within-lock',
    guard: 'a payer keeps the bill to themselves for fifteen minutes',
    patches: [
      { file: bill, find: "            { attribute: 'lockUntil', operator: '<=', value: now },\n", put: '' },
    ],
    by: bills,
  },
  {
    name: 'settle-unconditional',
    guard: 'T3 finishes a bill once',
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
    guard: 'a payment that lost its bill leaves it alone when it fails',
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
    by: { scenario: 'a payment that lost its bill leaves it alone when it fails' },
  },
  {
    name: 'fail-on-timeout',
    guard: 'nothing becomes FAIL by the clock alone: the acquirer is told first',
    patches: [
      {
        file: next,
        find: "const open = isHopeless(situation) ? 'cancel' : 'nothing';",
        put: "const open = isHopeless(situation) ? 'fail' : 'nothing';",
      },
    ],
    by: bills,
  },
  {
    name: 'no-void-of-displaced',
    guard: 'an authorisation that lost its bill is voided until the acquirer says so',
    patches: [
      {
        file: next,
        find: "        authorised: 'cancel',\n",
        put: '',
      },
    ],
    by: bills,
  },
  {
    name: 'no-refund-of-duplicate',
    guard: 'T6: what came in twice goes back',
    patches: [
      {
        file: next,
        find: "by(situation.view, { captured: 'refund', not_captured: 'fail' })",
        put: "by(situation.view, { not_captured: 'fail' })",
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
    guard: 'the capture of a payment has one idempotency key for ever',
    patches: [
      {
        file: resolve,
        find: '`${payment.id}:capture`',
        put: '`${payment.id}:capture:${now().getTime()}`',
      },
    ],
    by: bills,
  },
  {
    name: 'settle-without-event',
    guard: 'T3 and its postback are one transaction',
    patches: [
      {
        file: 'lib/store/payments.ts',
        find: '      credit(table, after.merchantId, creditOf(after, entry)),\n      putEntry(table, entry),\n      ...eventSteps(table, event),',
        put: '      credit(table, after.merchantId, creditOf(after, entry)),\n      putEntry(table, entry),',
      },
    ],
    by: bills,
  },
  {
    name: 'payment-off-the-work-list',
    guard: 'a payment lies on the work index until it is over',
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
    guard: 'the sweep queues what everybody forgot',
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
    name: 'entry-overwritten',
    guard: 'a journal entry is written once and never replaced',
    patches: [
      {
        file: 'lib/store/entry-item.ts',
        find: "write: { Put: { TableName, Item: entryItem(entry), ConditionExpression: 'attribute_not_exists(PK)' } },",
        put: 'write: { Put: { TableName, Item: entryItem(entry) } },',
      },
    ],
    by: { scenario: 'an entry that exists stays' },
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
    by: { scenario: 'a postback that exists stays' },
  },
];
