import { describe, expect, it } from 'vitest';
import type { Bills } from '../../lib/bill/ports.ts';
import {
  type BillId,
  type AccountId,
  type GroupId,
  isAccountId,
  isBillId,
  isGroupId,
  isMerchantId,
  isPaymentId,
  isPayoutId,
  isRefundId,
  isShopId,
  type MerchantId,
  newPayoutId,
  newRefundId,
  type PaymentId,
  type PayoutId,
  readAccountId,
  readBillId,
  readGroupId,
  readMerchantId,
  readPaymentId,
  readPayoutId,
  readRefundId,
  readShopId,
  type ShopId,
  groupIdOf,
  paymentIdOfRefund,
  toAccountId,
  toBillId,
  toGroupId,
  toMerchantId,
  toPaymentId,
  toPayoutId,
  toRefundId,
  toShopId,
} from '../../lib/ids.ts';
import type { Merchants, Shops } from '../../lib/merchant/ports.ts';
import type { Payments } from '../../lib/payment/ports.ts';
import type { PayoutAccounts, Payouts } from '../../lib/payout/ports.ts';

const sixteen = 'aB3dE6gH9jK2mN5p';
const nouns = [
  { noun: 'merchant', is: isMerchantId, read: readMerchantId, to: toMerchantId, fits: sixteen },
  { noun: 'shop', is: isShopId, read: readShopId, to: toShopId, fits: sixteen },
  { noun: 'bill', is: isBillId, read: readBillId, to: toBillId, fits: sixteen },
  { noun: 'payment', is: isPaymentId, read: readPaymentId, to: toPaymentId, fits: `${sixteen}00aB3dE6gH` },
  { noun: 'refund', is: isRefundId, read: readRefundId, to: toRefundId, fits: `${sixteen}00aB3dE6gH7jK2mN` },
  { noun: 'payout account', is: isAccountId, read: readAccountId, to: toAccountId, fits: sixteen },
  { noun: 'payout group', is: isGroupId, read: readGroupId, to: toGroupId, fits: `${sixteen}q7rS` },
  { noun: 'payout', is: isPayoutId, read: readPayoutId, to: toPayoutId, fits: `${sixteen}q7rS01` },
];

it('the id of a refund names its payment', () => {
  const id = newRefundId(toPaymentId(`${sixteen}00aB3dE6gH`), (length) => 'x'.repeat(length));
  expect([id, paymentIdOfRefund(id)]).toEqual([`${sixteen}00aB3dE6gHxxxxxx`, `${sixteen}00aB3dE6gH`]);
});

describe.each(nouns)('the id of a $noun', ({ is, read, to, fits }) => {
  it('is read from text of its shape', () => {
    expect([is(fits), read(fits), to(fits)]).toEqual([true, fits, fits]);
  });

  it.each(['', `${fits}x`, fits.slice(1), `${fits}\n`, fits.replace('a', 'ä'), fits.replace('a', '-')])(
    'is not read from %j',
    (text) => {
      expect([is(text), read(text)]).toEqual([false, undefined]);
      expect(() => to(text)).toThrow(expect.objectContaining({ code: 'ID_MALFORMED' }));
    },
  );

  it.each([undefined, null, 1234567890123456, [fits]])('is not %j', (value) => {
    expect(is(value)).toBe(false);
  });

  it('leaves the text out of its error: that may be a secret', () => {
    expect(() => to('pl_live_secret')).toThrow(/^Not the shape of a [\w ]+ id$/);
  });
});

it('gives a payout its group and its part', () => {
  const groupId = toGroupId(`${sixteen}q7rS`);
  expect([newPayoutId(groupId, 1), newPayoutId(groupId, 10)]).toEqual([`${groupId}01`, `${groupId}10`]);
  expect(groupIdOf(newPayoutId(groupId, 10))).toBe(groupId);
});

it.each(['x1', '1x', 'xx'])('reads no payout id whose part is %j', (part) => {
  expect(isPayoutId(`${sixteen}q7rS${part}`)).toBe(false);
});

type Stores = {
  readonly merchants: Merchants;
  readonly shops: Shops;
  readonly bills: Bills;
  readonly payments: Payments;
  readonly payouts: Payouts;
  readonly payoutAccounts: PayoutAccounts;
};
type Ids = {
  readonly merchantId: MerchantId;
  readonly shopId: ShopId;
  readonly billId: BillId;
  readonly paymentId: PaymentId;
  readonly groupId: GroupId;
  readonly payoutId: PayoutId;
  readonly accountId: AccountId;
};

/** Checked by the compiler alone: each line below an expectation must not compile. */
export const mixUps = (
  { merchants, shops, bills, payments, payouts, payoutAccounts }: Stores,
  { merchantId, shopId, billId, paymentId, groupId, payoutId, accountId }: Ids,
  text: string,
) => [
  // @ts-expect-error -- text from outside has to be read first
  bills.find(text),
  // @ts-expect-error -- and what was read may not be an id
  bills.find(readBillId(text)),
  // @ts-expect-error -- a shop is no bill
  bills.find(shopId),
  // @ts-expect-error -- a merchant is no shop
  shops.find(merchantId),
  // @ts-expect-error -- a shop is no merchant
  merchants.find(shopId),
  // @ts-expect-error -- nor whose shops are listed
  shops.listOf(shopId),
  // @ts-expect-error -- a bill is no payment
  payments.find(billId),
  // @ts-expect-error -- a payment is no payout
  payouts.find(paymentId),
  // @ts-expect-error -- a payout's group is no payout
  payouts.find(groupId),
  // @ts-expect-error -- nor a payout its group
  payouts.findGroup(payoutId),
  // @ts-expect-error -- a payout is no account
  payoutAccounts.find(merchantId, payoutId),
  // @ts-expect-error -- nor a merchant
  payoutAccounts.find(merchantId, merchantId),
  // @ts-expect-error -- an account is no payout
  payouts.find(accountId),
  // @ts-expect-error -- two ids of one record, each in the other's place
  bills.findNewestOfOrder({ merchantId: shopId, shopId: merchantId, orderId: text }),
];
