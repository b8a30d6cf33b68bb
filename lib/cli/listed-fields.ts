import { type Bill } from '../bill/bill.ts';
import type { Merchant } from '../merchant/merchant.ts';
import type { Shop } from '../merchant/shop.ts';
import { type Money, toDecimal } from '../money/money.ts';
import { chargeMinor, type Payment } from '../payment/payment.ts';
import { type Payout, sentMinor } from '../payout/payout.ts';
import type { Refund } from '../refund/refund.ts';
import type { CsvCell } from './csv.ts';
import { timestamp } from './output.ts';
import { merchantView, shopView } from './views.ts';

/** A name with what an item has under it: of a field in JSON and CSV, or of a column of a table. */
export type Named<T> = readonly (readonly [name: string, of: (item: T) => CsvCell])[];

// Fields are for scripts and spreadsheets: each value alone, amounts as decimals beside their currency. Columns are for people.

const createdAt = ({ createdAt: at }: { readonly createdAt: Date }): string => at.toISOString();
const created = ({ createdAt: at }: { readonly createdAt: Date }): string => timestamp(at);
const withCurrency = ({ minor, currency }: Money): string => `${toDecimal(minor)} ${currency}`;
const decimalOf = (minor: bigint | undefined): string | null =>
  minor === undefined ? null : toDecimal(minor);
const charge = (payment: Payment): Money => ({
  minor: chargeMinor(payment),
  currency: payment.amount.currency,
});

export const billFields: Named<Bill> = [
  ['id', ({ id }) => id],
  ['createdAt', createdAt],
  ['status', ({ status }) => status],
  ['amount', ({ amount }) => toDecimal(amount.minor)],
  ['currency', ({ amount }) => amount.currency],
  ['type', ({ type }) => type],
  ['active', ({ active }) => active],
  ['orderId', ({ orderId = null }) => orderId],
  ['merchantId', ({ merchantId }) => merchantId],
  ['shopId', ({ shopId }) => shopId],
  ['expiresAt', ({ expiresAt }) => expiresAt?.toISOString() ?? null],
];
export const billColumns: Named<Bill> = [
  ['bill', ({ id }) => id],
  ['created', created],
  ['status', ({ status }) => status],
  ['amount', ({ amount }) => withCurrency(amount)],
  ['merchant', ({ merchantId }) => merchantId],
  ['order', ({ orderId = null }) => orderId],
];

export const paymentFields: Named<Payment> = [
  ['id', ({ id }) => id],
  ['createdAt', createdAt],
  ['status', ({ status }) => status],
  ['amount', (payment) => toDecimal(chargeMinor(payment))],
  ['currency', ({ amount }) => amount.currency],
  ['received', ({ receivedMinor }) => decimalOf(receivedMinor)],
  ['commission', ({ feeMinor }) => decimalOf(feeMinor)],
  ['refunded', ({ refunds }) => toDecimal(refunds?.refundedMinor ?? 0n)],
  ['method', ({ method }) => method],
  ['account', ({ fromCard = null }) => fromCard],
  ['reason', ({ declineReason = null }) => declineReason],
  ['acquirer', ({ acquirer = null }) => acquirer],
  ['reference', ({ reference = null }) => reference],
  ['orderId', ({ orderId = null }) => orderId],
  ['billId', ({ billId }) => billId],
  ['merchantId', ({ merchantId }) => merchantId],
  ['shopId', ({ shopId }) => shopId],
];
export const paymentColumns: Named<Payment> = [
  ['payment', ({ id }) => id],
  ['created', created],
  ['status', ({ status }) => status],
  ['amount', (payment) => withCurrency(charge(payment))],
  ['account', ({ fromCard, method }) => fromCard ?? method],
  ['merchant', ({ merchantId }) => merchantId],
  ['order', ({ orderId = null }) => orderId],
];

export const payoutFields: Named<Payout> = [
  ['id', ({ id }) => id],
  ['createdAt', createdAt],
  ['status', ({ status }) => status],
  ['amount', ({ amount }) => toDecimal(amount.minor)],
  ['currency', ({ amount }) => amount.currency],
  ['sent', (payout) => toDecimal(sentMinor(payout))],
  ['commission', ({ commissionMinor }) => toDecimal(commissionMinor)],
  ['type', ({ accountType }) => accountType],
  ['account', ({ mask }) => mask],
  ['reason', ({ reason = null }) => reason],
  ['rail', ({ rail = null }) => rail],
  ['reference', ({ reference = null }) => reference],
  ['orderId', ({ orderId = null }) => orderId],
  ['merchantId', ({ merchantId }) => merchantId],
];
export const payoutColumns: Named<Payout> = [
  ['payout', ({ id }) => id],
  ['created', created],
  ['status', ({ status }) => status],
  ['amount', ({ amount }) => withCurrency(amount)],
  ['account', ({ mask }) => mask],
  ['merchant', ({ merchantId }) => merchantId],
  ['order', ({ orderId = null }) => orderId],
];

export const refundFields: Named<Refund> = [
  ['id', ({ id }) => id],
  ['createdAt', createdAt],
  ['status', ({ status }) => status],
  ['amount', ({ amount }) => toDecimal(amount.minor)],
  ['currency', ({ amount }) => amount.currency],
  ['reason', ({ reason = null }) => reason],
  ['requestedBy', ({ requestedBy }) => (requestedBy.kind === 'operator' ? requestedBy.by : 'merchant')],
  ['paymentId', ({ paymentId }) => paymentId],
  ['billId', ({ billId }) => billId],
  ['merchantId', ({ merchantId }) => merchantId],
  ['shopId', ({ shopId }) => shopId],
];
export const refundColumns: Named<Refund> = [
  ['refund', ({ id }) => id],
  ['created', created],
  ['status', ({ status }) => status],
  ['amount', ({ amount }) => withCurrency(amount)],
  ['merchant', ({ merchantId }) => merchantId],
  ['reason', ({ reason = null }) => reason],
];

const fieldsOf = <T, V extends object>(
  view: (item: T) => V,
  names: readonly (keyof V & string)[],
): Named<T> =>
  names.map((name) => [
    name,
    (item) => {
      const value: unknown = view(item)[name];
      return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
        ? value
        : null;
    },
  ]);

export const merchantFields: Named<Merchant> = fieldsOf(merchantView, [
  'merchantId',
  'createdAt',
  'name',
  'enabled',
  'banned',
  'verified',
  'regularPayouts',
  'subscription',
  'apiAddresses',
  'payoutWebhookUrl',
  'settlesKztIn',
]);
export const merchantColumns: Named<Merchant> = [
  ['merchant', ({ id }) => id],
  ['created', created],
  ['enabled', ({ enabled }) => enabled],
  ['banned', ({ banned }) => banned],
  ['verified', ({ verified }) => verified],
  ['name', ({ name }) => name],
];

export const shopFields: Named<Shop> = fieldsOf(shopView, [
  'shopId',
  'createdAt',
  'merchantId',
  'name',
  'enabled',
  'defaultCurrency',
  'resultUrl',
  'successUrl',
  'failUrl',
  'refundUrl',
  'hosts',
  'postbackFormat',
  'extendedPostbacks',
  'billLifetimeMinutes',
]);
export const shopColumns: Named<Shop> = [
  ['shop', ({ id }) => id],
  ['created', created],
  ['merchant', ({ merchantId }) => merchantId],
  ['enabled', ({ enabled }) => enabled],
  ['name', ({ name }) => name],
];
