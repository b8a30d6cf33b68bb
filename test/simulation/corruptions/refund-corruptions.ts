import type { Corruption } from './corruption.ts';
import type { Items } from './items.ts';

const part = 'B#bill-refunded R#refund-part';
const failed = 'B#bill-unreturned R#refund-failed';
const open = 'B#bill-returning R#refund-open';
const withFee = 'B#bill-fee-back R#refund-with-fee';

const decided = 'B#bill-operated R#refund-decided';

/** The key of the postback about the first chargeback of this payment. */
const chargebackKey = (items: Items, payment: string): string => `E#cb.${items.id(payment)}x1.CONFIRMED E`;

/** Writes a postback about the first chargeback of this payment. */
function chargebackPostback(items: Items, payment: string, Amount: string, at?: string): void {
  const original = items.get(chargebackKey(items, 'charged-back'));
  const [PaymentId, BillId] = [items.id(payment), items.id(`bill-${payment}`)];
  const id = `cb.${PaymentId}x1.CONFIRMED`;
  const sentAfter = String(original['sentAfter']).replace(items.id('charged-back'), PaymentId);
  items.put({ ...original, PK: `E#${id}`, id, sentAfter, createdAt: at ?? original['createdAt'] });
  const fields = { Id: `${PaymentId}.chargeback.1`, PaymentId, BillId, Amount };
  items.fields(chargebackKey(items, payment), fields);
}

/** Changes what a payment says of its refunds. */
const totals = (items: Items, payment: string, moved: Readonly<Record<string, number>>): void =>
  void items.payment(payment, ({ refunds }) => ({
    refunds: Object.fromEntries(
      Object.entries(Object(refunds)).map(([name, minor]) => [name, Number(minor) + (moved[name] ?? 0)]),
    ),
  }));
const all = (minor: number) => ({ reservedMinor: minor, grossMinor: minor, refundedMinor: minor });

/** Corruptions of refunds, what their payments say of them, their entries and their postbacks. */
export const refundCorruptions: readonly Corruption[] = [
  {
    name: 'a refund removed, its entries still there',
    does: (items) => void items.remove(part),
    finds: [
      'events_match_states: event rf.refund-part.SUCCESS',
      'refunds_match_entries: entry refund-part REFUND_RESERVE',
      'refunds_match_entries: entry refund-part REFUND_SETTLE',
      'refunds_match_payments: payment refunded',
    ],
  },
  {
    name: 'a refund removed with its entries, totals, postback and balance',
    does(items) {
      items.remove(part);
      items.remove('J#refund-part REFUND_RESERVE');
      items.remove('J#refund-part REFUND_SETTLE');
      items.remove('E#rf.refund-part.SUCCESS E');
      totals(items, 'refunded', all(-3_000));
      items.balance('tea', { available: 3_000 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: "what a payment's refunds take of it lowered, so that more can be refunded",
    does: (items) => totals(items, 'refunded', { reservedMinor: -3_000, grossMinor: -3_000 }),
    finds: ['refunds_match_payments: payment refunded'],
  },
  {
    name: 'what was refunded of a payment lowered',
    does: (items) => totals(items, 'refunded', { refundedMinor: -3_000 }),
    finds: ['refunds_match_payments: payment refunded'],
  },
  {
    name: 'a payment that knows nothing of its refund',
    does: (items) => void items.payment('returning', { refunds: undefined }),
    finds: ['refunds_match_payments: refund refund-open'],
  },
  {
    name: 'a refund of less, with its postback',
    does(items) {
      items.change(part, { amountMinor: 2_000, debitMinor: 2_000 });
      totals(items, 'refunded', all(-1_000));
      items.fields('E#rf.refund-part.SUCCESS E', { Amount: '20.00' });
    },
    finds: [
      'refunds_match_entries: entry refund-part REFUND_RESERVE',
      'refunds_match_entries: entry refund-part REFUND_SETTLE',
    ],
  },
  {
    name: 'a refund that costs its merchant less, with entries, totals and balance',
    does(items) {
      items.change(part, { debitMinor: 2_000 });
      items.lines('J#refund-part REFUND_RESERVE', { available: -2_000, locked: 2_000 });
      items.lines('J#refund-part REFUND_SETTLE', { locked: -2_000, fees: -1_000 });
      items.balance('tea', { available: 1_000 });
      totals(items, 'refunded', { grossMinor: -1_000 });
    },
    finds: [
      'refunds_match_entries: entry refund-part REFUND_SETTLE',
      'refunds_match_payments: refund refund-part',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a refund that returns more than the fee, with entries, totals and balance',
    does(items) {
      items.change(withFee, { debitMinor: 4_700, feeReturnedMinor: 300 });
      items.lines('J#refund-with-fee REFUND_RESERVE', { available: -4_700, locked: 4_700 });
      items.lines('J#refund-with-fee REFUND_SETTLE', { locked: -4_700, fees: -300 });
      items.balance('tea', { available: 200 });
      totals(items, 'fee-back', { feeMinor: 200 });
    },
    finds: [
      'refunds_match_payments: payment fee-back',
      'refunds_match_payments: refund refund-with-fee',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a REFUND_SETTLE removed, with a balance to match',
    does(items) {
      items.remove('J#refund-part REFUND_SETTLE');
      items.balance('tea', { locked: 3_000 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'refunds_match_entries: refund refund-part',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a REFUND_RELEASE of a refund that succeeded, with a balance to match',
    does(items) {
      const release = items.get('J#refund-failed REFUND_RELEASE');
      items.put({ ...release, PK: items.text('J#refund-part'), about: items.id('refund-part') });
      items.lines('J#refund-part REFUND_RELEASE', { locked: -3_000, available: 3_000 });
      items.balance('tea', { locked: -3_000, available: 3_000 });
    },
    finds: [
      'refunds_match_entries: entry refund-part REFUND_RELEASE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a failed refund turned SUCCESS, with its entry, balance and totals',
    does(items) {
      const { endedAt } = items.change(failed, { status: 'SUCCESS', errorCode: undefined });
      items.move('J#refund-failed REFUND_RELEASE', 'J#refund-failed REFUND_SETTLE', {
        kind: 'REFUND_SETTLE',
        at: endedAt,
      });
      items.lines('J#refund-failed REFUND_SETTLE', { acquirer: 4_000, locked: -4_000, available: 0 });
      items.balance('tea', { available: -4_000 });
      totals(items, 'unreturned', all(4_000));
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'events_match_states: event rf.refund-failed.FAIL',
      'events_match_states: refund refund-failed',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a refund turned FAIL by hand',
    does: (items) =>
      void items.change(part, { status: 'FAIL', errorCode: 'refund_rejected', outcome: 'rejected' }),
    finds: [
      'events_match_states: event rf.refund-part.SUCCESS',
      'events_match_states: refund refund-part',
      'refunds_match_entries: entry refund-part REFUND_SETTLE',
      'refunds_match_entries: refund refund-part',
      'refunds_match_payments: payment refunded',
    ],
  },
  {
    name: 'a failed refund without its error',
    does: (items) => void items.change(failed, { errorCode: undefined }),
    finds: ['refunds_match_payments: refund refund-failed'],
  },
  {
    name: 'a success that nobody asked the acquirer for',
    does: (items) => void items.change(part, { call: undefined }),
    finds: ['refunds_match_payments: refund refund-part'],
  },
  {
    name: 'a refund that has ended without an end',
    does: (items) => void items.change(part, { endedAt: undefined }),
    finds: [
      'events_match_states: event rf.refund-part.SUCCESS',
      'refunds_match_entries: entry refund-part REFUND_SETTLE',
      'refunds_match_payments: refund refund-part',
    ],
  },
  {
    name: 'a refund that ended before it was created',
    does: (items) => void items.change(failed, { createdAt: '2026-11-21T23:00:00.000Z' }),
    finds: [
      'refunds_match_entries: entry refund-failed REFUND_RESERVE',
      'refunds_match_payments: refund refund-failed',
    ],
  },
  {
    name: "a refund given to another merchant's name",
    does: (items) => void items.change(part, { merchantId: items.id('silk') }),
    finds: [
      'events_match_states: event rf.refund-part.SUCCESS',
      'refunds_match_entries: entry refund-part REFUND_RESERVE',
      'refunds_match_entries: entry refund-part REFUND_SETTLE',
      'refunds_match_payments: refund refund-part',
    ],
  },
  {
    name: 'a refund of another acquirer',
    does: (items) => void items.change(part, { acquirer: 'yookassa' }),
    finds: ['refunds_match_payments: refund refund-part'],
  },
  {
    name: 'a refund under the bill of another payment',
    does: (items) => void items.move(part, 'B#bill-plain R#refund-part'),
    finds: [
      'events_match_states: event rf.refund-part.SUCCESS',
      'keys_match_content: refund refund-part',
      'refunds_match_entries: entry refund-part REFUND_RESERVE',
      'refunds_match_entries: entry refund-part REFUND_SETTLE',
      'refunds_match_payments: payment refunded',
    ],
  },
  {
    name: 'a refund that is under way taken off its work list',
    does: (items) => void items.change(open, { workList: undefined, workDue: undefined }),
    finds: ['work_lists_complete: refund refund-open'],
  },
  {
    name: 'a refund that is under way put off for years',
    does: (items) => void items.change(open, { workDue: '2030-01-01T00:00:00.000Z' }),
    finds: ['work_lists_complete: refund refund-open'],
  },
  {
    name: 'a refund that the table will delete',
    does: (items) => void items.change(part, { ttl: 1_800_000_000 }),
    finds: ['keys_match_content: refund refund-part'],
  },
  {
    name: "the Amount of a refund's postback changed",
    does: (items) => void items.fields('E#rf.refund-part.SUCCESS E', { Amount: '3000.00' }),
    finds: ['events_match_states: event rf.refund-part.SUCCESS'],
  },
  {
    name: "a refund's postback removed",
    does: (items) => void items.remove('E#rf.refund-failed.FAIL E'),
    finds: ['events_match_states: refund refund-failed'],
  },
  {
    name: 'a chargeback of more than the refunds leave',
    does(items) {
      items.change('CB#both 000001', { amountMinor: 8_000 });
    },
    finds: [
      'decisions_were_made: chargeback both.chargeback.1',
      'refunds_match_payments: chargeback both.chargeback.1',
    ],
  },
  {
    name: 'the order of the fields of a refund postback changed',
    does: (items) =>
      void items.change('E#rf.refund-part.SUCCESS E', ({ fields }) => ({
        fields: Array.isArray(fields) ? fields.toReversed() : fields,
      })),
    finds: ['events_match_states: event rf.refund-part.SUCCESS'],
  },
  {
    name: 'a postback of a refund that is under way',
    does(items) {
      const id = items.text('rf.refund-open.SUCCESS');
      items.put({ ...items.get('E#rf.refund-part.SUCCESS E'), PK: `E#${id}`, id });
      items.fields('E#rf.refund-open.SUCCESS E', { Id: items.id('refund-open') });
    },
    finds: ['events_match_states: event rf.refund-open.SUCCESS'],
  },
  {
    name: "the Amount of a chargeback's postback changed",
    does: (items) => void items.fields(chargebackKey(items, 'charged-back'), { Amount: '4000.00' }),
    finds: ['events_match_states: event cb.charged-backx1.CONFIRMED'],
  },
  {
    name: "a chargeback's postback removed",
    does: (items) => void items.remove(chargebackKey(items, 'charged-back')),
    finds: ['events_match_states: chargeback charged-back.chargeback.1'],
  },
  {
    name: 'a postback of a chargeback that was dismissed',
    does: (items) => chargebackPostback(items, 'not-charged-back', '6.00'),
    finds: ['events_match_states: event cb.not-charged-backx1.CONFIRMED'],
  },
  {
    name: 'a surplus posted as a chargeback',
    does(items) {
      const { decision } = items.get('CB#more-held 000001');
      items.change('CB#more-held 000001', { decision: { ...Object(decision), posted: true } });
      chargebackPostback(items, 'more-held', '5.00', Object(decision).at);
    },
    finds: ['events_match_states: chargeback more-held.chargeback.1'],
  },
  {
    name: 'a refund that an operator did not ask for',
    does: (items) =>
      void items.change(decided, ({ requestedBy }) => ({
        requestedBy: { ...Object(requestedBy), by: 'mallory' },
      })),
    finds: ['decisions_were_made: refund refund-decided'],
  },
  {
    name: "the reason of an operator's refund rewritten",
    does: (items) => void items.change(decided, { reason: 'another' }),
    finds: ['decisions_were_made: refund refund-decided'],
  },
  {
    name: "the decision behind an operator's refund removed",
    does(items) {
      const { requestedBy } = items.get(decided);
      items.remove(`OPERATOR#olga ${Object(requestedBy).id}`);
    },
    finds: ['decisions_were_made: refund refund-decided'],
  },
  {
    name: "the amount of an operator's refund raised in its decision",
    does(items) {
      const { requestedBy } = items.get(decided);
      items.change(`OPERATOR#olga ${Object(requestedBy).id}`, { amountMinor: 9_000 });
    },
    finds: ['decisions_were_made: refund refund-decided'],
  },
];
