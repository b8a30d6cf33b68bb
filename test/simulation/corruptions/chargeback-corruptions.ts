import type { Corruption } from './corruption.ts';
import type { Item } from './items.ts';

const decided = (item: Item): object => Object(item['decision']);

/** Replaces the second person of an entry. */
const approvedInstead =
  (approvedBy: string) =>
  (item: Item): object => ({ adjustment: { ...Object(item['adjustment']), approvedBy } });

/** Corruptions of chargebacks, claims and adjustments. */
export const chargebackCorruptions: readonly Corruption[] = [
  {
    name: 'a confirmed chargeback removed, with its entry and balance',
    does(items) {
      items.remove('CB#charged-back 000001');
      items.remove('J#charged-back CHARGEBACK#charged-back.chargeback.1');
      items.balance('tea', { available: 4_000 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-22 acquirer sandbox RUB',
      'decisions_were_made: proposal confirm_chargeback charged-back.chargeback.1',
      'events_match_states: event cb.charged-backx1.CONFIRMED',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'a CHARGEBACK removed, with a balance to match',
    does(items) {
      items.remove('J#charged-back CHARGEBACK#charged-back.chargeback.1');
      items.balance('tea', { available: 4_000 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-22 acquirer sandbox RUB',
      'chargebacks_match_entries: chargeback charged-back.chargeback.1',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'a confirmed chargeback dismissed, its entry still there',
    does: (items) =>
      void items.change('CB#charged-back 000001', (item) => ({
        status: 'DISMISSED',
        decision: { ...decided(item), bearer: undefined },
      })),
    finds: [
      'chargebacks_match_entries: entry charged-back CHARGEBACK#charged-back.chargeback.1',
      'decisions_were_made: chargeback charged-back.chargeback.1',
      'events_match_states: chargeback charged-back.chargeback.1',
      'events_match_states: event cb.charged-backx1.CONFIRMED',
    ],
  },
  {
    name: "a chargeback's amount changed",
    does: (items) => void items.change('CB#charged-back 000001', { amountMinor: 1_000 }),
    finds: [
      'chargebacks_match_entries: entry charged-back CHARGEBACK#charged-back.chargeback.1',
      'decisions_were_made: chargeback charged-back.chargeback.1',
      'events_match_states: event cb.charged-backx1.CONFIRMED',
    ],
  },
  {
    name: 'a chargeback of less, with its entry and balance',
    does(items) {
      items.lines('J#charged-back CHARGEBACK#charged-back.chargeback.1', {
        acquirer: 1_000,
        available: -1_000,
      });
      items.balance('tea', { available: 3_000 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-22 acquirer sandbox RUB',
      'chargebacks_match_entries: entry charged-back CHARGEBACK#charged-back.chargeback.1',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'a chargeback of more than the payment received',
    does(items) {
      items.change('CB#charged-back 000001', { amountMinor: 40_000 });
      items.lines('J#charged-back CHARGEBACK#charged-back.chargeback.1', {
        acquirer: 40_000,
        available: -40_000,
      });
      items.balance('tea', { available: -36_000 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-22 acquirer sandbox RUB',
      'chargebacks_match_entries: chargeback charged-back.chargeback.1',
      'decisions_were_made: chargeback charged-back.chargeback.1',
      'events_match_states: event cb.charged-backx1.CONFIRMED',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: "a chargeback's merchant changed, with entry and balances to match",
    does(items) {
      const merchantId = items.id('silk');
      items.change('CB#charged-back 000001', { merchantId, timeline: items.text('CB#silk') });
      items.change('J#charged-back CHARGEBACK#charged-back.chargeback.1', {
        merchantId,
        timeline: items.text('L#silk#RUB#202611'),
      });
      items.balance('tea', { available: 4_000 });
      items.balance('silk', { available: -4_000 });
    },
    finds: [
      'chargebacks_match_entries: chargeback charged-back.chargeback.1',
      'events_match_states: event cb.charged-backx1.CONFIRMED',
      'seals_match_journal: day tea RUB 2026-11-22',
      'seals_match_journal: unsealed silk RUB charged-back CHARGEBACK#charged-back.chargeback.1',
    ],
  },
  {
    name: 'a chargeback that the platform bears instead, with its entry and balance',
    does(items) {
      items.lines('J#charged-back CHARGEBACK#charged-back.chargeback.1', {
        available: 0,
        correction: -4_000,
      });
      items.balance('tea', { available: 4_000 });
    },
    finds: [
      'chargebacks_match_entries: entry charged-back CHARGEBACK#charged-back.chargeback.1',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'a chargeback at a worse rate than the payment',
    does(items) {
      items.change('J#tenge CHARGEBACK#tenge.chargeback.1', ({ lines }) => ({
        lines: Array.isArray(lines)
          ? lines.map((line) => (line.currency === 'RUB' ? { ...line, minor: line.minor / 2 } : line))
          : lines,
      }));
      items.balance('tea', { available: 8_500 });
    },
    finds: [
      'chargebacks_match_entries: entry tenge CHARGEBACK#tenge.chargeback.1',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'the approver of a chargeback replaced in its entry',
    does: (items) =>
      void items.change('J#charged-back CHARGEBACK#charged-back.chargeback.1', approvedInstead('vera')),
    finds: [
      'chargebacks_match_entries: entry charged-back CHARGEBACK#charged-back.chargeback.1',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'a chargeback that one person decided',
    does(items) {
      items.change('CB#charged-back 000001', (item) => ({
        decision: { ...decided(item), approvedBy: 'olga' },
      }));
      items.change('J#charged-back CHARGEBACK#charged-back.chargeback.1', approvedInstead('olga'));
    },
    finds: [
      'chargebacks_match_entries: chargeback charged-back.chargeback.1',
      'decisions_were_made: chargeback charged-back.chargeback.1',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'an open chargeback on no list',
    does: (items) => void items.change('CB#disputed 000001', { workList: undefined, workDue: undefined }),
    finds: ['work_lists_complete: chargeback disputed.chargeback.1'],
  },
  {
    name: 'a chargeback numbered with a gap, as after one that was removed',
    does: (items) =>
      void items.move('CB#not-charged-back 000001', 'CB#not-charged-back 000002', {
        number: 2,
        id: items.text('not-charged-back.chargeback.2'),
      }),
    finds: [
      'chargebacks_match_entries: chargeback not-charged-back.chargeback.2',
      'decisions_were_made: chargeback not-charged-back.chargeback.2',
      'decisions_were_made: proposal dismiss_chargeback not-charged-back.chargeback.1',
    ],
  },
  {
    name: 'a surplus removed, its entry still there',
    does: (items) => void items.remove('CB#more-held 000001'),
    finds: [
      'chargebacks_match_entries: entry more-held SURPLUS#more-held.chargeback.1',
      'decisions_were_made: proposal confirm_chargeback more-held.chargeback.1',
    ],
  },
  {
    name: 'a claim removed',
    does: (items) => void items.remove('CL#still-owed 000001'),
    finds: [
      'chargebacks_match_entries: entry still-owed CHARGEBACK#still-owed.chargeback.1',
      'claims_match_entries: entry still-owed COLLECT#still-owed.chargeback.1.1',
    ],
  },
  {
    name: 'a claim that is owed no longer, without a move',
    does: (items) =>
      void items.change('CL#still-owed 000001', { openMinor: 0, workList: undefined, workDue: undefined }),
    finds: ['claims_match_entries: claim still-owed.chargeback.1'],
  },
  {
    name: 'a claim of less, which was never posted',
    does: (items) => void items.change('CL#still-owed 000001', { amountMinor: 5_000, openMinor: 3_000 }),
    finds: ['chargebacks_match_entries: entry still-owed CHARGEBACK#still-owed.chargeback.1'],
  },
  {
    name: 'a write-off recorded with a claim, and not posted',
    does: (items) =>
      void items.change('CL#still-owed 000001', (item) => ({
        openMinor: 0,
        workList: undefined,
        workDue: undefined,
        moves: [
          ...(Array.isArray(item['moves']) ? item['moves'] : []),
          {
            id: 'Decision00000001',
            kind: 'written_off',
            minor: 8_000,
            by: 'olga',
            approvedBy: 'petr',
            reason: 'case',
            at: '2026-11-22T14:00:00.000Z',
          },
        ],
      })),
    finds: [
      'claims_match_entries: claim still-owed.chargeback.1',
      'decisions_were_made: claim still-owed.chargeback.1',
    ],
  },
  {
    name: 'a WRITE_OFF posted without a move of its claim',
    does: (items) =>
      items.put({
        ...items.lines('J#owed WRITE_OFF#owed.chargeback.1.2', {}),
        PK: items.text('J#still-owed'),
        SK: items.text('WRITE_OFF#still-owed.chargeback.1.2'),
        about: items.id('still-owed'),
        adjustment: {
          id: items.text('still-owed.chargeback.1.2'),
          reason: 'case 4711',
          proposedBy: 'olga',
          approvedBy: 'petr',
        },
      }),
    finds: [
      'claims_match_entries: entry still-owed WRITE_OFF#still-owed.chargeback.1.2',
      'seals_match_journal: day salt RUB 2026-11-22',
    ],
  },
  {
    name: 'a COLLECT that took less, with a balance to match',
    does(items) {
      items.lines('J#still-owed COLLECT#still-owed.chargeback.1.1', { available: -500, claims: 500 });
      items.balance('salt', { available: 1_500 });
    },
    finds: [
      'claims_match_entries: entry still-owed COLLECT#still-owed.chargeback.1.1',
      'seals_match_journal: day salt RUB 2026-11-22',
    ],
  },
  {
    name: "a claim's merchant changed",
    does: (items) => void items.change('CL#still-owed 000001', { merchantId: items.id('silk') }),
    finds: [
      'claims_match_entries: claim still-owed.chargeback.1',
      'claims_match_entries: entry still-owed COLLECT#still-owed.chargeback.1.1',
    ],
  },
  {
    name: 'a claim that is owed on no list',
    does: (items) => void items.change('CL#still-owed 000001', { workList: undefined, workDue: undefined }),
    finds: ['work_lists_complete: claim still-owed.chargeback.1'],
  },
  {
    name: 'a claim about a chargeback that does not exist',
    does: (items) =>
      items.put({
        ...items.get('CL#owed 000001'),
        PK: items.text('CL#plain'),
        id: items.text('plain.chargeback.1'),
        paymentId: items.id('plain'),
        moves: [],
        openMinor: 0,
        amountMinor: 0,
      }),
    finds: ['claims_match_entries: claim plain.chargeback.1'],
  },
  {
    name: 'an ADJUST of more, with a balance to match',
    does(items) {
      items.lines('J#plain ADJUST#adjustment-credit', { available: 50_000, correction: -50_000 });
      items.balance('tea', { available: 45_000 });
    },
    finds: [
      'adjustments_match_entries: entry plain ADJUST#adjustment-credit',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'an ADJUST without an adjustment, with a balance to match',
    does(items) {
      const id = 'InventedAdjust01';
      items.put({
        ...items.get('J#plain ADJUST#adjustment-credit'),
        PK: `J#${id}`,
        SK: `ADJUST#${id}`,
        about: id,
        adjustment: { id, reason: 'none', proposedBy: 'olga', approvedBy: 'petr' },
      });
      items.balance('tea', { available: 5_000 });
    },
    finds: [
      'adjustments_match_entries: entry InventedAdjust01 ADJUST#InventedAdjust01',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'an ADJUST of a rejected adjustment, with a balance to match',
    does(items) {
      const id = items.id('adjustment-rejected');
      items.put({
        ...items.get('J#plain ADJUST#adjustment-credit'),
        PK: `J#${id}`,
        SK: `ADJUST#${id}`,
        about: id,
        adjustment: { id, reason: 'rejected', proposedBy: 'olga', approvedBy: 'petr' },
      });
      items.balance('tea', { available: 5_000 });
    },
    finds: [
      'adjustments_match_entries: entry adjustment-rejected ADJUST#adjustment-rejected',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'an ADJUST removed, with a balance to match',
    does(items) {
      items.remove('J#adjustment-debit ADJUST#adjustment-debit');
      items.balance('tea', { available: 5_000 });
    },
    finds: [
      'adjustments_match_entries: adjustment adjustment-debit',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a rejected adjustment approved',
    does: (items) =>
      void items.change('ADJ#adjustment-rejected ADJ', (item) => ({
        status: 'APPROVED',
        decision: { ...decided(item), reason: undefined },
      })),
    finds: [
      'adjustments_match_entries: adjustment adjustment-rejected',
      'decisions_were_made: adjustment adjustment-rejected',
    ],
  },
  {
    name: 'an approved adjustment that its proposer approved',
    does(items) {
      items.change('ADJ#adjustment-credit ADJ', (item) => ({
        decision: { ...decided(item), by: 'olga' },
      }));
      items.change('J#plain ADJUST#adjustment-credit', approvedInstead('olga'));
    },
    finds: [
      'decisions_were_made: adjustment adjustment-credit',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'the reason of an adjustment rewritten',
    does: (items) => void items.change('ADJ#adjustment-credit ADJ', { reason: 'another' }),
    finds: [
      'adjustments_match_entries: entry plain ADJUST#adjustment-credit',
      'decisions_were_made: adjustment adjustment-credit',
    ],
  },
  {
    name: 'a debit turned into a credit, with its entry and balance',
    does(items) {
      items.change('ADJ#adjustment-debit ADJ', { direction: 'debit' });
      items.lines('J#adjustment-debit ADJUST#adjustment-debit', { available: 5_000, correction: -5_000 });
      items.balance('tea', { available: 10_000 });
    },
    finds: [
      'adjustments_match_entries: entry adjustment-debit ADJUST#adjustment-debit',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'an adjustment for one merchant about the payment of another',
    does(items) {
      const merchantId = items.id('silk');
      items.change('ADJ#adjustment-credit ADJ', { merchantId });
      items.change('J#plain ADJUST#adjustment-credit', {
        merchantId,
        timeline: items.text('L#silk#RUB#202611'),
      });
      items.balance('tea', { available: -5_000 });
      items.balance('silk', { available: 5_000 });
    },
    finds: [
      'decisions_were_made: adjustment adjustment-credit',
      'seals_match_journal: day silk RUB 2026-11-21',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a proposed adjustment on no list',
    does: (items) =>
      void items.change('ADJ#adjustment-proposed ADJ', { workList: undefined, workDue: undefined }),
    finds: ['work_lists_complete: adjustment adjustment-proposed'],
  },
  {
    name: 'a chargeback of another amount than the one entered, with its entry and balance',
    does(items) {
      items.change('CB#charged-back 000001', { amountMinor: 1_000 });
      items.lines('J#charged-back CHARGEBACK#charged-back.chargeback.1', {
        acquirer: 1_000,
        available: -1_000,
      });
      items.balance('tea', { available: 3_000 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-22 acquirer sandbox RUB',
      'decisions_were_made: chargeback charged-back.chargeback.1',
      'events_match_states: event cb.charged-backx1.CONFIRMED',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'a chargeback that the platform bears instead, with its decision, entry and balance',
    does(items) {
      items.change('CB#charged-back 000001', (item) => ({
        decision: { ...decided(item), bearer: 'platform' },
      }));
      items.lines('J#charged-back CHARGEBACK#charged-back.chargeback.1', {
        available: 0,
        correction: -4_000,
      });
      items.balance('tea', { available: 4_000 });
    },
    finds: [
      'decisions_were_made: chargeback charged-back.chargeback.1',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'a claim written off by a decision that nobody made, with its entry',
    does(items) {
      const id = 'Decision00000004';
      const at = '2026-11-22T15:00:00.000Z';
      items.change('CL#still-owed 000001', (item) => ({
        openMinor: 0,
        workList: undefined,
        workDue: undefined,
        moves: [
          ...(Array.isArray(item['moves']) ? item['moves'] : []),
          { id, kind: 'written_off', minor: 8_000, by: 'olga', approvedBy: 'petr', reason: 'case', at },
        ],
      }));
      items.put({
        ...items.lines('J#owed WRITE_OFF#owed.chargeback.1.2', {}),
        PK: items.text('J#still-owed'),
        SK: items.text('WRITE_OFF#still-owed.chargeback.1.2'),
        about: items.id('still-owed'),
        at,
        lines: [
          { account: 'correction', currency: 'RUB', minor: -8_000 },
          { account: 'claims', currency: 'RUB', minor: 8_000 },
        ],
        adjustment: {
          id: items.text('still-owed.chargeback.1.2'),
          reason: 'case',
          proposedBy: 'olga',
          approvedBy: 'petr',
        },
      });
    },
    finds: [
      'decisions_were_made: claim still-owed.chargeback.1',
      'seals_match_journal: day salt RUB 2026-11-22',
    ],
  },
  {
    name: 'a claim about to be deleted',
    does: (items) => void items.change('CL#still-owed 000001', { ttl: 1_800_000_000 }),
    finds: ['keys_match_content: claim still-owed.chargeback.1'],
  },
];
