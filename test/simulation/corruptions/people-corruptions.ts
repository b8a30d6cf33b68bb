import type { Corruption } from './corruption.ts';
import { type Item, type Items } from './items.ts';

type Decided = { readonly id: string; readonly by: string };

/** The decisions of people that a payout names. */
const decisionsOf = (payout: Item): readonly Decided[] =>
  Array.isArray(payout['decisions']) ? payout['decisions'].map((each): Decided => ({ ...each })) : [];

/** The key of the decision that approved the payout. */
function approvalOf(items: Items, payout: string): string {
  const [approval] = decisionsOf(items.payout(payout));
  return `OPERATOR#olga ${approval?.id}`;
}

/** What people decided, and what follows from it. */
export const peopleCorruptions: readonly Corruption[] = [
  {
    name: 'a payout approved by somebody who did not',
    does: (items) =>
      void items.payout('paid-out', (item) => ({
        decisions: decisionsOf(item).map((each) => ({ ...each, by: 'mallory' })),
      })),
    finds: ['decisions_were_made: payout paid-out'],
  },
  {
    name: 'the decision that approved a payout removed',
    does: (items) => void items.remove(approvalOf(items, 'paid-out')),
    finds: ['decisions_were_made: payout paid-out'],
  },
  {
    name: 'the decision that approved a payout turned to another',
    does: (items) =>
      void items.change(approvalOf(items, 'paid-out'), { payouts: [{ id: 'Another', revision: 1 }] }),
    finds: ['decisions_were_made: payout paid-out'],
  },
  {
    name: 'an adjustment raised, with its ADJUST and balance',
    does(items) {
      items.change('ADJ#adjustment-credit ADJ', { amountMinor: 50_000 });
      items.lines('J#plain ADJUST#adjustment-credit', { available: 50_000, correction: -50_000 });
      items.balance('tea', { available: 45_000 });
    },
    finds: [
      'decisions_were_made: adjustment adjustment-credit',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a return that a third person approved',
    does: (items) =>
      void items.payout('returned', (item) => ({
        decisions: decisionsOf(item).map((each) =>
          'approvedBy' in each ? { ...each, approvedBy: 'ivan' } : each,
        ),
      })),
    finds: ['decisions_were_made: payout returned'],
  },
  {
    name: 'a rejected adjustment that somebody else rejected',
    does: (items) =>
      void items.change('ADJ#adjustment-rejected ADJ', (item) => ({
        decision: { ...Object(item['decision']), by: 'mallory' },
      })),
    finds: ['decisions_were_made: adjustment adjustment-rejected'],
  },
  {
    name: 'an account made known that nobody approved',
    does(items) {
      const { id, merchantId, accountHash } = items.payout('moderating-1');
      items.put({
        PK: ['G', merchantId, accountHash].join('#'),
        SK: 'KNOWN',
        lastPaidBy: id,
        approvedBy: 'olga',
      });
    },
    finds: [
      'payouts_match_decisions: known_account tea e0c7b4ba567dc1ab4a6d7357292161b1f5acc0a770ad06ee3df0858e186f9df0',
    ],
  },
  {
    name: 'a stored account that shows another number',
    does: (items) => void items.change('M#tea PA#tea-account', { mask: '555555******4444' }),
    finds: ['payout_groups_match: payout personal'],
  },
  {
    name: 'the number of a stored account removed',
    does(items) {
      const number = items.all().find(({ SK }) => SK.startsWith('PN#'));
      items.remove(`${number?.PK} ${number?.SK}`);
    },
    finds: ['accounts_match_numbers: payout_account salt salt-account'],
  },
  {
    name: 'a part of a split payout that shows another account',
    does: (items) => void items.payout('moderating-2', { accountHash: 'a'.repeat(64) }),
    finds: ['payout_groups_match: group group-moderating'],
  },
  {
    name: 'a payout that names another order',
    does: (items) => void items.payout('queued', { orderId: 'another' }),
    finds: ['payout_groups_match: group group-queued'],
  },
];
