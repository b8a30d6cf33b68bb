import type { Corruption } from './corruption.ts';

/** Corruptions of the keys by which searches find items. */
export const listCorruptions: readonly Corruption[] = [
  {
    name: 'a bill in the list of another merchant',
    does: (items) => void items.change('B#bill-plain B', { list: items.text('LIST#B#salt#202611#00') }),
    finds: ['keys_match_content: bill bill-plain'],
  },
  {
    name: 'a bill in the list of payments',
    does: (items) => void items.change('B#bill-plain B', { list: items.text('LIST#P#tea#202611#00') }),
    finds: ['keys_match_content: bill bill-plain'],
  },
  {
    name: 'a bill in a shard that no number of shards gives it',
    does: (items) => void items.change('B#bill-plain B', { list: items.text('LIST#B#tea#202611#64') }),
    finds: ['keys_match_content: bill bill-plain'],
  },
  {
    name: 'a payment in the list of another month',
    does: (items) => void items.payment('plain', { list: items.text('LIST#P#tea#202612#00') }),
    finds: ['keys_match_content: payment plain'],
  },
  {
    name: 'a payment at another place of its list',
    does: (items) => void items.payment('plain', { listAt: `2026-11-21T00:00:00.000Z#${items.id('plain')}` }),
    finds: ['keys_match_content: payment plain'],
  },
  {
    name: 'a payment that has lost the half of its keys',
    does: (items) => void items.payment('plain', { list: undefined }),
    finds: ['keys_match_content: payment plain'],
  },
  {
    name: 'a payout in the list of another merchant',
    does: (items) => void items.payout('paid-out', { list: items.text('LIST#PO#salt#202611#00') }),
    finds: ['keys_match_content: payout paid-out'],
  },
  {
    name: 'a merchant in the list of bills',
    does: (items) => void items.change('M#tea M', { list: items.text('LIST#B#tea#202611#00') }),
    finds: ['keys_match_content: merchant tea'],
  },
  {
    name: 'a shop in a list',
    does: (items) =>
      void items.change('S#tea-shop-1 S', { list: items.text('LIST#B#tea#202611#00'), listAt: 'x' }),
    finds: ['keys_match_content: shop tea-shop-1'],
  },
  {
    name: 'a bill of an order that is another order’s',
    does(items) {
      const one = items
        .all()
        .find(({ PK, SK }) => PK.startsWith('OL#') && SK === `B#${items.id('bill-unpaid')}`);
      if (one) items.put({ ...one, PK: items.text('OL#tea#order-1') });
    },
    finds: ['references_match: bill_reference order_bill tea order-1 bill-unpaid'],
  },
  {
    name: 'a bill of an order under the key of another bill',
    does(items) {
      const one = items
        .all()
        .find(({ PK, SK }) => PK.startsWith('OL#') && SK === `B#${items.id('bill-unpaid')}`);
      if (one) items.put({ ...one, billId: items.id('bill-plain') });
    },
    finds: [
      'keys_match_content: bill_reference order_bill tea order-2 bill-plain',
      'references_match: bill_reference order_bill tea order-2 bill-plain',
    ],
  },
];
