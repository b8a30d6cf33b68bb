import type { Corruption } from './corruption.ts';

/** Corruptions of balances, of entries whatever they are about, and of items that belong to nothing. */
export const ledgerCorruptions: readonly Corruption[] = [
  {
    name: 'a balance that is off',
    does: (items) => void items.balance('tea', { available: 1 }),
    finds: ['balance_matches_journal: tea RUB available'],
  },
  {
    name: 'a balance in another currency that is off',
    does: (items) => void items.balance('tea', { available: 1 }, 'USD'),
    finds: ['balance_matches_journal: tea USD available'],
  },
  {
    name: 'money moved within a balance, from locked to available',
    does: (items) => void items.balance('tea', { available: 5_000, locked: -5_000 }),
    finds: ['balance_matches_journal: tea RUB available', 'balance_matches_journal: tea RUB locked'],
  },
  {
    name: 'money moved from one balance to another',
    does(items) {
      items.balance('tea', { available: -5_000 });
      items.balance('silk', { available: 5_000 });
    },
    finds: ['balance_matches_journal: silk RUB available', 'balance_matches_journal: tea RUB available'],
  },
  {
    name: 'a balance removed',
    does: (items) => void items.remove('BAL#silk A#RUB'),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'balance_matches_journal: silk RUB available',
      'clearing_matches_reconciliation: day 2026-11-21 rail sandbox RUB',
    ],
  },
  {
    name: 'a balance without any journal',
    does: (items) =>
      items.put({
        ...items.get('BAL#silk A#RUB'),
        SK: 'A#EUR',
        currency: 'EUR',
        available: 1_000,
      }),
    finds: ['balance_matches_journal: silk EUR available'],
  },
  {
    name: 'a balance below zero, as its journal says',
    does(items) {
      items.lines('J#opening-silk-1 ADJUST#opening-silk-1', { available: 0, correction: 0 });
      items.balance('silk', { available: -20_000_000 });
    },
    finds: [
      'adjustments_match_entries: entry opening-silk-1 ADJUST#opening-silk-1',
      'balance_matches_journal: silk RUB available',
      'balance_not_negative: balance silk RUB',
      'keys_match_content: entry opening-silk-1 ADJUST#opening-silk-1',
      'seals_match_journal: day silk RUB 2026-11-21',
    ],
  },
  {
    name: 'a balance that no list has, so that no reconciliation reads its journal',
    does: (items) => void items.change('BAL#silk A#RUB', { workList: undefined, workDue: undefined }),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'clearing_matches_reconciliation: day 2026-11-21 rail sandbox RUB',
      'work_lists_complete: balance silk RUB',
    ],
  },
  {
    name: 'an entry that does not balance, with a balance to match',
    does(items) {
      items.lines('J#plain CAPTURE', { available: 9_900 });
      items.balance('tea', { available: 100 });
    },
    finds: [
      'captures_match_payments: entry plain CAPTURE',
      'entry_balances: entry plain CAPTURE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'an entry whose key and subject differ',
    does: (items) => void items.change('J#plain CAPTURE', { about: items.id('today') }),
    finds: [
      'captures_match_payments: entry today CAPTURE',
      'captures_match_payments: payment plain',
      'keys_match_content: entry today CAPTURE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'an entry whose key and kind differ',
    does: (items) => void items.change('J#plain CAPTURE', { kind: 'SURPLUS' }),
    finds: [
      'captures_match_payments: payment plain',
      'chargebacks_match_entries: entry plain SURPLUS',
      'keys_match_content: entry plain SURPLUS',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a second CAPTURE under a key that no use case writes, with a balance to match',
    does(items) {
      items.put({ ...items.get('J#plain CAPTURE'), SK: 'CAPTURE#2' });
      items.balance('tea', { available: 9_800 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'keys_match_content: entry plain CAPTURE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'an entry on no timeline',
    does: (items) => void items.change('J#plain CAPTURE', { timeline: undefined }),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'keys_match_content: entry plain CAPTURE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'an entry on the timeline of another month',
    does: (items) => void items.change('J#plain CAPTURE', { timeline: items.text('L#tea#RUB#202610') }),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'keys_match_content: entry plain CAPTURE',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'an entry on the timeline of another merchant',
    does: (items) => void items.change('J#plain CAPTURE', { timeline: items.text('L#silk#RUB#202611') }),
    finds: [
      'keys_match_content: entry plain CAPTURE',
      'seals_match_journal: day silk RUB 2026-11-21',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'an entry dated before its payment began',
    does: (items) => void items.change('J#plain CAPTURE', { at: '2026-11-20T09:00:06.000Z' }),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'captures_match_payments: entry plain CAPTURE',
      'events_match_states: event pay.plain.SUCCESS',
      'seals_match_journal: day tea RUB 2026-11-21',
      'seals_match_journal: unsealed tea RUB plain CAPTURE',
    ],
  },
  {
    name: 'an entry dated in the future',
    does: (items) => void items.change('J#plain CAPTURE', { at: '2026-11-29T09:00:06.000Z' }),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'entry_balances: entry plain CAPTURE',
      'events_match_states: event pay.plain.SUCCESS',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: "an adjustment's entry dated to another day",
    does: (items) =>
      void items.change('J#plain ADJUST#adjustment-credit', { at: '2026-11-22T11:13:03.000Z' }),
    finds: [
      'adjustments_match_entries: entry plain ADJUST#adjustment-credit',
      'seals_match_journal: day tea RUB 2026-11-21',
      'seals_match_journal: day tea RUB 2026-11-22',
    ],
  },
  {
    name: 'an entry of an unknown kind',
    does: (items) => void items.change('J#plain CAPTURE', { kind: 'GIFT' }),
    finds: [
      'captures_match_payments: payment plain',
      'items: J#plain CAPTURE',
      'items: day 2026-11-21',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'an item that no part of the service writes',
    does: (items) => items.put({ PK: 'X#plain', SK: 'X', text: 'left by a script' }),
    finds: ['items: X#plain X'],
  },
  {
    name: "a second item in a payment's place that no reader knows",
    does: (items) => items.put({ ...items.get('B#bill-plain B'), SK: 'B2' }),
    finds: ['items: B#bill-plain B2'],
  },
  {
    name: 'a payment that cannot be read',
    does: (items) => void items.payment('plain', { amountMinor: 'much' }),
    finds: [
      'bills_match_payments: bill bill-plain',
      'captures_match_payments: entry plain CAPTURE',
      'decisions_were_made: adjustment adjustment-credit',
      'events_match_states: event pay.plain.SUCCESS',
      'items: B#bill-plain P#plain',
      'items: day 2026-11-21',
    ],
  },
  {
    name: 'a payment in the partition of another bill',
    does: (items) => void items.move('B#bill-plain P#plain', 'B#bill-today P#plain'),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer unknown RUB',
      'bills_match_payments: bill bill-plain',
      'bills_match_payments: bill bill-today',
      'captures_match_payments: entry plain CAPTURE',
      'decisions_were_made: adjustment adjustment-credit',
      'events_match_states: event pay.plain.SUCCESS',
      'keys_match_content: payment plain',
    ],
  },
  {
    name: 'a payment whose key and id differ',
    does: (items) => void items.move('B#bill-plain P#plain', `B#bill-plain P#plain2`),
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer unknown RUB',
      'captures_match_payments: entry plain CAPTURE',
      'decisions_were_made: adjustment adjustment-credit',
      'events_match_states: event pay.plain.SUCCESS',
      'keys_match_content: payment plain',
    ],
  },
  {
    name: 'an open payment on no list',
    does: (items) => void items.payment('open', { workList: undefined, workDue: undefined }),
    finds: ['work_lists_complete: payment open'],
  },
  {
    name: 'an open payment on the list of those that are captured',
    does: (items) => void items.payment('open', { workList: 'W#PAID#10' }),
    finds: ['work_lists_complete: payment open'],
  },
  {
    name: 'an open payment that is checked in a hundred years',
    does: (items) => void items.payment('open', { workDue: '2126-11-23T00:00:00.000Z' }),
    finds: ['work_lists_complete: payment open'],
  },
  {
    name: 'a payment that is done on the list of those that are open',
    does: (items) =>
      void items.payment('plain', { workList: 'W#PAY#10', workDue: '2026-11-23T00:00:00.000Z' }),
    finds: ['work_lists_complete: payment plain'],
  },
  {
    name: 'a reserve that waits on no list',
    does: (items) => void items.payment('reserved', { workList: undefined, workDue: undefined }),
    finds: ['work_lists_complete: payment reserved'],
  },
  {
    name: 'an entry that will be deleted',
    does: (items) => void items.change('J#plain CAPTURE', { ttl: 1_800_000_000 }),
    finds: ['keys_match_content: entry plain CAPTURE'],
  },
  {
    name: 'a balance that will be deleted',
    does: (items) => void items.change('BAL#silk A#RUB', { ttl: 1_800_000_000 }),
    finds: ['keys_match_content: balance silk RUB'],
  },
  {
    name: 'a sale erased: payment, bill, CAPTURE and balance',
    does(items) {
      items.remove('B#bill-without-url P#without-url');
      items.remove('B#bill-without-url B');
      items.remove('J#without-url CAPTURE');
      items.balance('tea', { available: -9_800 });
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
  {
    name: 'a provider fee erased, with what its payment says of it',
    does(items) {
      items.payment('with-fee', { providerFeeMinor: undefined });
      items.remove('J#with-fee PROVIDER_FEE');
    },
    finds: [
      'acquirer_matches_reconciliation: day 2026-11-21 acquirer sandbox RUB',
      'seals_match_journal: day tea RUB 2026-11-21',
    ],
  },
];
