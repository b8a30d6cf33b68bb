import type { Corruption } from './corruption.ts';

/** Corruptions of merchants, shops, tokens and references. */
export const merchantCorruptions: readonly Corruption[] = [
  {
    name: 'an orphan token',
    does: (items) => items.put({ ...items.get('T#tea-token T'), PK: `T#${'a'.repeat(64)}` }),
    finds: ['tokens_match_merchants: token aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  },
  {
    name: 'a token of a merchant that does not exist',
    does: (items) =>
      items.put({
        ...items.get('T#tea-token T'),
        PK: `T#${'a'.repeat(64)}`,
        merchantId: 'NobodyNobodyNob0',
      }),
    finds: ['tokens_match_merchants: token aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  },
  {
    name: "a token that opens another merchant's account",
    does: (items) => void items.change('T#salt-token T', { merchantId: items.id('tea') }),
    finds: ['tokens_match_merchants: token salt-token'],
  },
  {
    name: "a merchant's token removed",
    does: (items) => void items.remove('T#tea-token T'),
    finds: ['tokens_match_merchants: merchant tea'],
  },
  {
    name: 'a merchant banned, whose token is not',
    does: (items) => void items.change('M#tea M', { banned: true }),
    finds: ['tokens_match_merchants: token tea-token'],
  },
  {
    name: 'a token with a right that its merchant does not have',
    does: (items) => void items.change('M#tea M', { regularPayouts: false }),
    finds: ['tokens_match_merchants: token tea-token'],
  },
  {
    name: 'a token whose addresses were lifted',
    does: (items) => void items.change('T#tea-token T', { apiAddresses: undefined }),
    finds: ['tokens_match_merchants: token tea-token'],
  },
  {
    name: 'a merchant removed',
    does(items) {
      items.remove('M#salt M');
      items.remove('T#salt-token T');
    },
    finds: ['shops_match_merchants: shop salt-shop-1', 'shops_match_merchants: shop salt-shop-2'],
  },
  {
    name: 'a shop given to another merchant',
    does: (items) => void items.change('S#tea-shop-2 S', { merchantId: items.id('salt') }),
    finds: [
      'bills_match_shops: bill bill-without-url',
      'shops_match_merchants: shop tea-shop-2',
      'shops_match_merchants: shop_reference tea tea-shop-2',
    ],
  },
  {
    name: 'a shop that its merchant does not list',
    does: (items) => void items.remove('M#tea SHOP#tea-shop-2'),
    finds: ['shops_match_merchants: shop tea-shop-2'],
  },
  {
    name: 'a shop listed by another merchant',
    does: (items) => items.put({ ...items.get('M#tea SHOP#tea-shop-2'), PK: items.text('M#salt') }),
    finds: ['shops_match_merchants: shop_reference salt tea-shop-2'],
  },
  {
    name: 'a listed shop that does not exist',
    does: (items) => items.put({ ...items.get('M#tea SHOP#tea-shop-2'), SK: 'SHOP#NoSuchShopAtAll0' }),
    finds: ['shops_match_merchants: shop_reference tea NoSuchShopAtAll0'],
  },
  {
    name: "an order reference that points at another merchant's bill",
    does: (items) =>
      void items.change('O#tea#tea-shop-1#order-1 O', { billId: items.id('bill-other-merchants') }),
    finds: ['references_match: bill_reference order tea tea-shop-1 order-1'],
  },
  {
    name: 'an order reference that points at the bill of another order',
    does: (items) => void items.change('O#tea#tea-shop-1#order-1 O', { billId: items.id('bill-today') }),
    finds: ['references_match: bill_reference order tea tea-shop-1 order-1'],
  },
  {
    name: 'an order reference that points at nothing',
    does: (items) => void items.change('O#tea#tea-shop-1#order-1 O', { billId: 'NoSuchBillAtAll0' }),
    finds: ['references_match: bill_reference order tea tea-shop-1 order-1'],
  },
  {
    name: "the newest bill of an order is another merchant's",
    does: (items) => {
      const newest = items
        .all()
        .find(
          ({ PK, SK, billId }) =>
            PK.startsWith('OL#') && SK.startsWith('S#') && billId === items.id('bill-unpaid'),
        );
      if (newest) items.put({ ...newest, billId: items.id('bill-other-merchants') });
    },
    finds: ['references_match: bill_reference newest tea tea-shop-1 order-2'],
  },
  {
    name: "an idempotency key that answers with another merchant's payout",
    does: (items) => {
      const claim = items.all().find(({ PK }) => PK.startsWith('I#') && PK.includes('#payout/'));
      if (claim) items.put({ ...claim, groupId: items.id('group-less-fee') });
    },
    finds: [
      'references_match: payout_claim tea 7c36b0a9dedde119c75165957c6c9c187e65df1ee5db87c4c58ad503ad88cbe3',
    ],
  },
  {
    name: 'a banned account whose number is not banned',
    does: (items) => void items.change('M#tea PA#tea-account', { banned: true }),
    finds: ['accounts_match_numbers: payout_account tea tea-account'],
  },
  {
    name: 'a stored account moved to another number',
    does: (items) => void items.change('M#tea PA#tea-account', { numberHash: 'f'.repeat(64) }),
    finds: [
      'accounts_match_numbers: payout_account tea tea-account',
      'accounts_match_numbers: payout_number tea 32ac1e27ec03600c80e3a536ccac468f976cef7de559d4a78ed68ba358adf219',
    ],
  },
];
