import { dispatchList } from '../../../lib/store/payout-item.ts';
import { shardOf } from '../../../lib/store/shards.ts';
import type { Corruption } from './corruption.ts';

const decision = {
  verdict: 'returned',
  by: 'olga',
  approvedBy: 'petr',
  reason: 'letter',
  id: 'Decision00000002',
};

/** Corruptions of payouts and what was posted about them. */
export const payoutCorruptions: readonly Corruption[] = [
  {
    name: 'a RETURN without its decision, with a balance to match',
    does(items) {
      items.put({
        ...items.get('J#returned RETURN'),
        PK: items.text('J#paid-out'),
        about: items.id('paid-out'),
      });
      items.balance('tea', { available: 120_000 });
    },
    finds: [
      'clearing_matches_reconciliation: day 2026-11-21 rail sandbox RUB',
      'reserves_match_payouts: entry paid-out RETURN',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a RETURN of the very amount without its decision, with a balance to match',
    does(items) {
      items.put({
        ...items.get('J#returned RETURN'),
        PK: items.text('J#paid-out'),
        about: items.id('paid-out'),
      });
      items.lines('J#paid-out RETURN', { available: 100_000, clearing: -100_000 });
      items.balance('tea', { available: 100_000 });
    },
    finds: [
      'clearing_matches_reconciliation: day 2026-11-21 rail sandbox RUB',
      'reserves_match_payouts: entry paid-out RETURN',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a decision to return without its RETURN',
    does: (items) =>
      void items.payout('paid-out', (item) => ({
        decisions: [
          ...(Array.isArray(item['decisions']) ? item['decisions'] : []),
          { ...decision, at: '2026-11-22T12:00:00.000Z' },
        ],
      })),
    finds: ['decisions_were_made: payout paid-out', 'reserves_match_payouts: payout paid-out'],
  },
  {
    name: 'a RETURN with the fee, with a balance to match',
    does(items) {
      items.lines('J#returned RETURN', { available: 121_200, clearing: -120_000, fees: -1_200 });
      items.balance('tea', { available: 1_200 });
    },
    finds: ['reserves_match_payouts: entry returned RETURN', 'seals_match_journal: day tea RUB 2026-11-21'],
  },
  {
    name: 'a payout returned by one person',
    does: (items) =>
      void items.payout('returned', (item) => ({
        decisions: (Array.isArray(item['decisions']) ? item['decisions'] : []).map((each) => ({
          ...each,
          approvedBy: undefined,
        })),
      })),
    finds: ['payouts_match_decisions: payout returned'],
  },
  {
    name: "a paid payout's amount lowered",
    does: (items) => void items.payout('paid-out', { amountMinor: 1_000 }),
    finds: [
      'events_match_states: event po.paid-out.SUCCESS',
      'reserves_match_payouts: entry group-paid-out RESERVE',
      'reserves_match_payouts: entry paid-out SETTLE',
    ],
  },
  {
    name: "a queued payout's amount raised",
    does: (items) => void items.payout('queued', { amountMinor: 500_000 }),
    finds: ['payout_limits: group group-queued', 'reserves_match_payouts: entry group-queued RESERVE'],
  },
  {
    name: "a queued payout's amount raised, with its RESERVE and balance",
    does(items) {
      items.payout('queued', { amountMinor: 500_000 });
      items.lines('J#group-queued RESERVE', { available: -500_050, locked: 500_000 });
      items.balance('tea', { available: -495_000, locked: 495_000 });
    },
    finds: ['payout_limits: group group-queued'],
  },
  {
    name: 'a RESERVE of less, with a balance to match',
    does(items) {
      items.lines('J#group-moderating RESERVE', { available: -101_000, locked: 100_000, held: 1_000 });
      items.balance('tea', { available: 404_000, locked: -400_000, held: -4_000 });
    },
    finds: ['reserves_match_payouts: entry group-moderating RESERVE'],
  },
  {
    name: "a RESERVE from another merchant's balance, with balances to match",
    does(items) {
      items.change('J#group-moderating RESERVE', {
        merchantId: items.id('silk'),
        timeline: items.text('L#silk#RUB#202611'),
      });
      items.balance('tea', { available: 505_000, locked: -500_000, held: -5_000 });
      items.balance('silk', { available: -505_000, locked: 500_000, held: 5_000 });
    },
    finds: [
      'balance_not_negative: balance silk RUB',
      'reserves_match_payouts: entry group-moderating RESERVE',
    ],
  },
  {
    name: 'a RESERVE removed, with a balance to match',
    does(items) {
      items.remove('J#group-moderating RESERVE');
      items.balance('tea', { available: 505_000, locked: -500_000, held: -5_000 });
    },
    finds: ['reserves_match_payouts: payout moderating-2'],
  },
  {
    name: 'a payout that nobody reserved, queued for sending',
    does(items) {
      const group = 'InventedGroupOf20dig';
      items.put({ ...items.get('G#group-queued G'), PK: `G#${group}`, groupId: group });
      items.put({
        ...items.payout('queued'),
        PK: `G#${group}`,
        id: `${group}01`,
        groupId: group,
        workList: dispatchList(shardOf(`${group}01`)),
      });
    },
    finds: [
      'payout_groups_match: group InventedGroupOf20dig',
      'reserves_match_payouts: payout InventedGroupOf20dig01',
    ],
  },
  {
    name: 'a part added to a group',
    does: (items) =>
      items.put({
        ...items.payout('moderating-2'),
        SK: 'PO#03',
        id: `${items.id('moderating-2').slice(0, -2)}03`,
      }),
    finds: ['payout_limits: group group-moderating', 'reserves_match_payouts: payout group-moderating03'],
  },
  {
    name: 'a part of a group removed',
    does: (items) => void items.remove('G#group-moderating PO#02'),
    finds: ['reserves_match_payouts: entry group-moderating RESERVE'],
  },
  {
    name: 'all of a group removed, its RESERVE still there',
    does(items) {
      items.remove('G#group-moderating PO#01');
      items.remove('G#group-moderating PO#02');
      items.remove('G#group-moderating G');
    },
    finds: ['reserves_match_payouts: entry group-moderating RESERVE'],
  },
  {
    name: 'a group without its item',
    does: (items) => void items.remove('G#group-moderating G'),
    finds: ['payout_groups_match: payout moderating-1', 'payout_groups_match: payout moderating-2'],
  },
  {
    name: 'a SETTLE removed, with a balance to match',
    does(items) {
      items.remove('J#paid-out SETTLE');
      items.balance('tea', { locked: 100_000, held: 1_000 });
    },
    finds: [
      'clearing_matches_reconciliation: day 2026-11-21 rail sandbox RUB',
      'reserves_match_payouts: payout paid-out',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a SETTLE of less, with a balance to match',
    does(items) {
      items.lines('J#paid-out SETTLE', { locked: -50_000, clearing: 50_000 });
      items.balance('tea', { locked: 50_000 });
    },
    finds: [
      'clearing_matches_reconciliation: day 2026-11-21 rail sandbox RUB',
      'reserves_match_payouts: entry paid-out SETTLE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a SETTLE about a payout that is under way, with a balance to match',
    does(items) {
      items.put({ ...items.get('J#paid-out SETTLE'), PK: items.text('J#sent'), about: items.id('sent') });
      items.lines('J#sent SETTLE', { locked: -5_100, held: -51, clearing: 5_100, fees: 51 });
      items.balance('tea', { locked: -5_100, held: -51 });
    },
    finds: [
      'clearing_matches_reconciliation: day 2026-11-21 rail sandbox RUB',
      'reserves_match_payouts: entry sent SETTLE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a RELEASE about a paid payout, with a balance to match',
    does(items) {
      items.put({
        ...items.get('J#refused RELEASE'),
        PK: items.text('J#paid-out'),
        about: items.id('paid-out'),
      });
      items.lines('J#paid-out RELEASE', { available: 101_000, locked: -100_000, held: -1_000 });
      items.balance('tea', { available: 101_000, locked: -100_000, held: -1_000 });
    },
    finds: ['reserves_match_payouts: entry paid-out RELEASE', 'seals_match_journal: day tea RUB 2026-11-21'],
  },
  {
    name: 'a RELEASE in place of a SETTLE, with a balance to match',
    does(items) {
      items.remove('J#paid-out SETTLE');
      items.put({
        ...items.get('J#refused RELEASE'),
        PK: items.text('J#paid-out'),
        about: items.id('paid-out'),
      });
      items.lines('J#paid-out RELEASE', { available: 101_000, locked: -100_000, held: -1_000 });
      items.balance('tea', { available: 101_000 });
    },
    finds: [
      'clearing_matches_reconciliation: day 2026-11-21 rail sandbox RUB',
      'reserves_match_payouts: entry paid-out RELEASE',
      'reserves_match_payouts: payout paid-out',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a paid payout turned FAIL, with its postback, RELEASE and balance',
    does(items) {
      items.payout('paid-out', { status: 'FAIL' });
      items.move('E#po.paid-out.SUCCESS E', 'E#po.paid-out.FAIL E', {
        id: items.text('po.paid-out.FAIL'),
        status: 'FAIL',
      });
      items.fields('E#po.paid-out.FAIL E', { Status: 'FAIL' });
      const { at } = items.remove('J#paid-out SETTLE');
      items.put({
        ...items.get('J#refused RELEASE'),
        PK: items.text('J#paid-out'),
        about: items.id('paid-out'),
        at,
      });
      items.lines('J#paid-out RELEASE', { available: 101_000, locked: -100_000, held: -1_000 });
      items.balance('tea', { available: 101_000 });
    },
    finds: [
      'clearing_matches_reconciliation: day 2026-11-21 rail sandbox RUB',
      'payouts_match_decisions: payout paid-out',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: "a payout's merchant changed",
    does: (items) => void items.payout('paid-out', { merchantId: items.id('silk') }),
    finds: [
      'events_match_states: event po.paid-out.SUCCESS',
      'payout_groups_match: group group-paid-out',
      'reserves_match_payouts: entry group-paid-out RESERVE',
      'reserves_match_payouts: entry paid-out SETTLE',
    ],
  },
  {
    name: "a group's merchant changed",
    does: (items) => void items.change('G#group-paid-out G', { merchantId: items.id('silk') }),
    finds: ['payout_groups_match: group group-paid-out'],
  },
  {
    name: "a payout's fee waived",
    does: (items) => void items.payout('paid-out', { commissionMinor: 0 }),
    finds: [
      'events_match_states: event po.paid-out.SUCCESS',
      'reserves_match_payouts: entry group-paid-out RESERVE',
      'reserves_match_payouts: entry paid-out SETTLE',
    ],
  },
  {
    name: 'the fee of a payout moved from the sender to the recipient',
    does: (items) => void items.payout('paid-out', { commissionPayer: 'recipient' }),
    finds: [
      'events_match_states: event po.paid-out.SUCCESS',
      'reserves_match_payouts: entry group-paid-out RESERVE',
      'reserves_match_payouts: entry paid-out SETTLE',
    ],
  },
  {
    name: 'a payout released for sending that nobody approved',
    does: (items) => {
      const { createdAt } = items.payout('moderating-1');
      const workList = dispatchList(shardOf(items.id('moderating-1')));
      items.payout('moderating-1', { status: 'NEW', dueAt: createdAt, workDue: createdAt, workList });
    },
    finds: ['payouts_match_decisions: payout moderating-1'],
  },
  {
    name: 'a paid payout that nobody approved',
    does: (items) => void items.payout('paid-out', { decisions: [] }),
    finds: ['payouts_match_decisions: payout paid-out'],
  },
  {
    name: 'a declined payout that nobody declined',
    does: (items) => void items.payout('turned-down', { decisions: [] }),
    finds: ['payouts_match_decisions: payout turned-down'],
  },
  {
    name: 'a payout that another merchant cancelled',
    does: (items) =>
      void items.payout('cancelled-1', ({ decisions }) => ({
        decisions: [
          { ...Object((Array.isArray(decisions) ? decisions : [])[0]), by: 'merchant:AnotherMerchant0' },
        ],
      })),
    finds: ['payouts_match_decisions: payout cancelled-1'],
  },
  {
    name: 'a cancelled payout without its RELEASE, with a balance to match',
    does(items) {
      items.remove('J#cancelled-2 RELEASE');
      items.balance('tea', { available: -101_000, locked: 100_000, held: 1_000 });
    },
    finds: ['reserves_match_payouts: payout cancelled-2', 'seals_match_journal: day tea RUB 2026-11-21'],
  },
  {
    name: 'a declined payout turned SUCCESS',
    does: (items) => void items.payout('turned-down', { status: 'SUCCESS' }),
    finds: [
      'events_match_states: event po.turned-down.DECLINED',
      'events_match_states: payout turned-down',
      'payouts_match_decisions: payout turned-down',
      'reserves_match_payouts: entry turned-down RELEASE',
      'reserves_match_payouts: payout turned-down',
    ],
  },
  {
    name: 'a payout in ERROR on no list',
    does: (items) => void items.payout('in-error', { workList: undefined, workDue: undefined }),
    finds: ['work_lists_complete: payout in-error'],
  },
  {
    name: 'a payout that waits for a moderator on the list for sending',
    does: (items) => void items.payout('moderating-1', { workList: 'W#PO#00' }),
    finds: ['work_lists_complete: payout moderating-1'],
  },
  {
    name: 'a paid payout on the list for sending',
    does: (items) =>
      void items.payout('paid-out', { workList: 'W#PO#00', workDue: '2026-11-23T00:00:00.000Z' }),
    finds: ['work_lists_complete: payout paid-out'],
  },
  {
    name: 'a queued payout that is due in a hundred years on the list alone',
    does: (items) => void items.payout('queued', { workDue: '2126-11-23T00:00:00.000Z' }),
    finds: ['work_lists_complete: payout queued'],
  },
  {
    name: 'a payout that counts against the limit of another day',
    does: (items) => void items.payout('queued', { limitDay: '2026-11-01', limitMonth: '2026-10' }),
    finds: ['payouts_match_decisions: payout queued'],
  },
  {
    name: "the day's total of the payout limit set back",
    does: (items) => void items.change('BAL#tea A#RUB', { limDayTotal: 0 }),
    finds: [
      'payout_limits: group group-moderating',
      'payout_limits: group group-paid-by-hand',
      'payout_limits: group group-queued',
      'payout_limits: group group-sent',
    ],
  },
  {
    name: "the month's total of the payout limit set back",
    does: (items) => void items.change('BAL#tea A#RUB', { limMonthTotal: 0 }),
    finds: [
      'payout_limits: group group-by-rule',
      'payout_limits: group group-in-error',
      'payout_limits: group group-moderating',
      'payout_limits: group group-paid-by-hand',
      'payout_limits: group group-paid-out',
      'payout_limits: group group-personal',
      'payout_limits: group group-queued',
      'payout_limits: group group-returned',
      'payout_limits: group group-sent',
      'payout_limits: group group-split',
      'payout_limits: group group-to-phone',
    ],
  },
  {
    name: "the day's total of the automatic approvals set back",
    does: (items) => void items.change('BAL#tea A#RUB', { ruleDayTotal: 0 }),
    finds: ['payout_limits: group group-queued', 'payout_limits: group group-sent'],
  },
];
