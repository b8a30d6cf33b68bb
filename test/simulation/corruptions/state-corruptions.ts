import type { Corruption } from './corruption.ts';
import type { Item, Items } from './items.ts';

const decided = (item: Item): object => Object(item['decision']);

/** Copies an open chargeback to another payment. */
function copyChargeback(items: Items, paymentId: string): void {
  const disputed = items.get('CB#disputed 000001');
  items.put({ ...disputed, PK: `CB#${paymentId}`, id: `${paymentId}.chargeback.1`, paymentId });
}

/** Corruptions of one field, which one comparison alone shows. */
export const stateCorruptions: readonly Corruption[] = [
  {
    name: 'a paid payment whose card was refused',
    does: (items) => void items.payment('plain', { declineReason: 'insufficient_funds' }),
    finds: ['payments_match_states: payment plain'],
  },
  {
    name: 'an open payment that received money before its capture',
    does: (items) => void items.payment('open', { receivedMinor: 10_000 }),
    finds: ['captures_match_payments: payment open', 'payments_match_states: payment open'],
  },
  {
    name: 'an open refund of money that was never received',
    does: (items) => void items.payment('refunding', { receivedMinor: undefined }),
    finds: [
      'captures_match_payments: entry refunding DUPLICATE_CAPTURE',
      'payments_match_states: payment refunding',
    ],
  },
  {
    name: 'a bill UNDERPAID though its payment is SUCCESS',
    does: (items) => void items.change('B#bill-plain B', { status: 'UNDERPAID' }),
    finds: ['bills_match_payments: bill bill-plain'],
  },
  {
    name: 'a paid bill that is held by a payment which failed',
    does: (items) => void items.change('B#bill-retried B', { current: items.id('first-try') }),
    finds: ['bills_match_payments: bill bill-retried'],
  },
  {
    name: 'a bill FAIL whose payment is open',
    does: (items) => void items.change('B#bill-open B', { status: 'FAIL', lockUntil: undefined }),
    finds: ['bills_match_payments: bill bill-open'],
  },
  {
    name: 'a bill locked after its payment failed, so that nobody can try again',
    does: (items) => void items.change('B#bill-declined B', { lockUntil: '2026-11-24T00:00:00.000Z' }),
    finds: ['bills_match_payments: bill bill-declined'],
  },
  {
    name: 'a bill whose lock never ends',
    does: (items) => void items.change('B#bill-open B', { lockUntil: undefined }),
    finds: ['bills_match_payments: bill bill-open'],
  },
  {
    name: 'a bill of a shop that does not exist',
    does: (items) => void items.change('B#bill-unpaid B', { shopId: 'NoSuchShop000001' }),
    finds: [
      'bills_match_shops: bill bill-unpaid',
      'references_match: bill_reference newest tea tea-shop-1 order-2',
    ],
  },
  {
    name: 'a delivered postback whose payment stores no delivery',
    does: (items) => void items.payment('plain', { deliveredAt: undefined }),
    finds: ['events_match_states: event pay.plain.SUCCESS'],
  },
  {
    name: 'a postback taken for delivered, whose last attempt was refused',
    does(items) {
      items.payment('retrying', { deliveredAt: '2026-11-21T12:00:00.000Z' });
      items.change('E#pay.retrying.SUCCESS E', {
        state: 'DELIVERED',
        workList: undefined,
        workDue: undefined,
      });
    },
    finds: ['events_match_states: event pay.retrying.SUCCESS'],
  },
  {
    name: 'a postback of a failure that no payment of its bill supersedes any more',
    does: (items) => void items.change('E#pay.declined.FAIL E', { supersededByBill: undefined }),
    finds: ['events_match_states: event pay.declined.FAIL'],
  },
  {
    name: 'the fields of a postback in another order, so that its signature differs',
    does: (items) =>
      void items.change('E#pay.pending.SUCCESS E', ({ fields }) => ({
        fields: Array.isArray(fields) ? fields.toReversed() : fields,
      })),
    finds: ['events_match_states: event pay.pending.SUCCESS'],
  },
  {
    name: 'a chargeback in another currency than its payment',
    does: (items) => void items.change('CB#disputed 000001', { currency: 'USD' }),
    finds: ['chargebacks_match_entries: chargeback disputed.chargeback.1'],
  },
  {
    name: 'a chargeback about a payment that is not paid',
    does: (items) => copyChargeback(items, items.id('declined')),
    finds: [
      'chargebacks_match_entries: chargeback declined.chargeback.1',
      'decisions_were_made: chargeback declined.chargeback.1',
    ],
  },
  {
    name: 'a chargeback about a payment that does not exist',
    does: (items) => copyChargeback(items, `${items.id('bill-unpaid')}00Nothing1`),
    finds: [
      'chargebacks_match_entries: chargeback bill-unpaid00Nothing1.chargeback.1',
      'decisions_were_made: chargeback bill-unpaid00Nothing1.chargeback.1',
    ],
  },
  {
    name: 'a chargeback of nothing',
    does: (items) => void items.change('CB#disputed 000001', { amountMinor: 0 }),
    finds: [
      'chargebacks_match_entries: chargeback disputed.chargeback.1',
      'decisions_were_made: chargeback disputed.chargeback.1',
    ],
  },
  {
    name: 'a dismissed chargeback that the platform bears',
    does: (items) =>
      void items.change('CB#not-charged-back 000001', (item) => ({
        decision: { ...decided(item), bearer: 'platform' },
      })),
    finds: ['chargebacks_match_entries: chargeback not-charged-back.chargeback.1'],
  },
  {
    name: 'a claim that one person wrote off',
    does(items) {
      items.change('CL#owed 000001', ({ moves }) => ({
        moves: Array.isArray(moves)
          ? moves.map((move) => (move.kind === 'written_off' ? { ...move, approvedBy: 'olga' } : move))
          : moves,
      }));
      items.change('J#owed WRITE_OFF#owed.chargeback.1.2', (item) => ({
        adjustment: { ...Object(item['adjustment']), approvedBy: 'olga' },
      }));
    },
    finds: [
      'claims_match_entries: claim owed.chargeback.1',
      'decisions_were_made: claim owed.chargeback.1',
      'seals_match_journal: day salt RUB 2026-11-22',
    ],
  },
  {
    name: 'an order reference that leads to another order of its shop',
    does: (items) => void items.change('O#tea#tea-shop-1#order-1 O', { billId: items.id('bill-unpaid') }),
    finds: ['references_match: bill_reference order tea tea-shop-1 order-1'],
  },
  {
    name: 'an open payment that is due at a time which sorts after every other',
    does: (items) => void items.payment('open', { workDue: 'never' }),
    finds: ['work_lists_complete: payment open'],
  },
];
