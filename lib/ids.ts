import { Defect } from './defect.ts';

declare const kind: unique symbol;

/** Text with a checked shape. The brand keeps ids of different nouns apart at compile time. */
type Id<Kind extends string> = string & { readonly [kind]: Kind };
type Guard<I extends string> = (text: unknown) => text is I;
type NewId = (length: number) => string;

export type MerchantId = Id<'merchant'>;
export type ShopId = Id<'shop'>;
export type BillId = Id<'bill'>;
export type PaymentId = Id<'payment'>;
export type AccountId = Id<'payout account'>;
export type GroupId = Id<'payout group'>;
export type PayoutId = Id<'payout'>;
export type RefundId = Id<'refund'>;
export type RefundUrlId = Id<'refund URL'>;

/*
 * `is…` and `read…` check text from outside: text of another shape is `not_found` without a database read.
 * `to…` checks text that the service generated, and throws when it has another shape.
 */

const merchantIdLength = 16;
export const isMerchantId: Guard<MerchantId> = base62Of(merchantIdLength);
export const readMerchantId = reader(isMerchantId);
export const toMerchantId = maker('merchant', isMerchantId);
export const newMerchantId = (newId: NewId): MerchantId => toMerchantId(newId(merchantIdLength));

const shopIdLength = 16;
export const isShopId: Guard<ShopId> = base62Of(shopIdLength);
export const readShopId = reader(isShopId);
export const toShopId = maker('shop', isShopId);
export const newShopId = (newId: NewId): ShopId => toShopId(newId(shopIdLength));

/** A shop's refund URL has delivery health of its own, apart from that of its Result URL, which goes by the shop's id. */
const refundUrlSuffix = '.refund';
export const isRefundUrlId: Guard<RefundUrlId> = shapedLike(/^[0-9A-Za-z]{16}\.refund$/);
export const readRefundUrlId = reader(isRefundUrlId);
export const refundUrlIdOf = (id: ShopId): RefundUrlId =>
  maker('refund URL', isRefundUrlId)(`${id}${refundUrlSuffix}`);
export const shopIdOf = (id: RefundUrlId): ShopId => toShopId(id.slice(0, -refundUrlSuffix.length));

const billIdLength = 16;
export const isBillId: Guard<BillId> = base62Of(billIdLength);
export const readBillId = reader(isBillId);
export const toBillId = maker('bill', isBillId);
export const newBillId = (newId: NewId): BillId => toBillId(newId(billIdLength));

/** A payment's id starts with its bill's id, so one key finds it: 16 characters of bill id, 2 of shard, 8 of nonce. */
export const isPaymentId: Guard<PaymentId> = base62Of(26);
export const readPaymentId = reader(isPaymentId);
export const toPaymentId = maker('payment', isPaymentId);
export const newPaymentId = (billId: BillId, nonce: string): PaymentId => toPaymentId(`${billId}00${nonce}`);
export const shardOfPayment = (id: PaymentId): string => id.slice(billIdLength, billIdLength + 2);
export const billIdOf = (id: PaymentId): BillId => toBillId(id.slice(0, billIdLength));

const refundNonceLength = 6;
/** A refund's id starts with its payment's, so that the payment and the bill follow from it: 26 characters and 6 of its own. */
export const isRefundId: Guard<RefundId> = base62Of(26 + refundNonceLength);
export const readRefundId = reader(isRefundId);
export const toRefundId = maker('refund', isRefundId);
export const newRefundId = (paymentId: PaymentId, newId: NewId): RefundId =>
  toRefundId(`${paymentId}${newId(refundNonceLength)}`);
export const paymentIdOfRefund = (id: RefundId): PaymentId => toPaymentId(id.slice(0, -refundNonceLength));

const accountIdLength = 16;
/** A stored account that a merchant's personal payouts go to. */
export const isAccountId: Guard<AccountId> = base62Of(accountIdLength);
export const readAccountId = reader(isAccountId);
export const toAccountId = maker('payout account', isAccountId);
export const newAccountId = (newId: NewId): AccountId => toAccountId(newId(accountIdLength));

const groupIdLength = 20;
/** The payouts of one request share a group. */
export const isGroupId: Guard<GroupId> = base62Of(groupIdLength);
export const readGroupId = reader(isGroupId);
export const toGroupId = maker('payout group', isGroupId);
export const newGroupId = (newId: NewId): GroupId => toGroupId(newId(groupIdLength));

/** A payout's id begins with its group's, so one key finds it: 20 characters of group, 2 digits of part. */
export const isPayoutId: Guard<PayoutId> = shapedLike(/^[0-9A-Za-z]{20}\d{2}$/);
export const readPayoutId = reader(isPayoutId);
export const toPayoutId = maker('payout', isPayoutId);
/** Returns the id of a group's nth payout. */
export const newPayoutId = (groupId: GroupId, part: number): PayoutId =>
  toPayoutId(`${groupId}${String(part).padStart(2, '0')}`);
export const groupIdOf = (id: PayoutId): GroupId => toGroupId(id.slice(0, groupIdLength));

function base62Of<I extends string>(length: number): Guard<I> {
  return shapedLike(new RegExp(`^[0-9A-Za-z]{${length}}$`));
}

function shapedLike<I extends string>(shape: RegExp): Guard<I> {
  return (text): text is I => typeof text === 'string' && shape.test(text);
}

function reader<I extends string>(is: Guard<I>) {
  return (text: string | undefined): I | undefined => (is(text) ? text : undefined);
}

function maker<I extends string>(noun: string, is: Guard<I>) {
  return (text: string): I => {
    // The message omits the text, which may be a secret.
    if (!is(text)) throw new Defect('ID_MALFORMED', `Not the shape of a ${noun} id`);
    return text;
  };
}
