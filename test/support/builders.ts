import { toBillId, toMerchantId, toPaymentId, toShopId } from '../../lib/ids.ts';
import type { Bill, MultiBill, NormalBill } from '../../lib/bill/bill.ts';
import { type Caller, flagsOf, type Merchant } from '../../lib/merchant/merchant.ts';
import type { Shop } from '../../lib/merchant/shop.ts';
import { firstSecret } from '../../lib/merchant/webhook-secret.ts';
import type { Call } from '../../lib/payment/call.ts';
import type { Payment } from '../../lib/payment/payment.ts';

export const merchantId = toMerchantId('MerchantMerchant');
export const shopId = toShopId('ShopShopShopShop');
export const otherShopId = toShopId('SecondSecondShop');
export const billId = toBillId('BillBillBillBill');
export const paymentId = toPaymentId(`${billId}00Payment1`);
export const otherPaymentId = toPaymentId('AnotherPaymentOfThisBill01');

/** The day on which the tests take place. */
export const today = new Date('2026-11-21T12:34:56.789Z');

export const aMerchant = (traits: Partial<Merchant> = {}): Merchant => ({
  id: merchantId,
  name: 'Tea house',
  createdAt: today,
  enabled: true,
  banned: false,
  verified: false,
  regularPayouts: false,
  subscription: 'active',
  apiAddresses: undefined,
  shards: undefined,
  tokenHash: '0'.repeat(64),
  tokenVersion: 1,
  sealedToken: 'sealed',
  payoutWebhookUrl: undefined,
  payoutWebhookSince: undefined,
  webhookSecrets: firstSecret('sealed'),
  settlesKztIn: 'RUB',
  ...traits,
});

/** The caller that the merchant's token item names. */
export const aCaller = (traits: Partial<Caller> = {}): Caller => {
  const merchant = aMerchant();
  return { merchantId: merchant.id, ...flagsOf(merchant), ...traits };
};

export const aShop = (traits: Partial<Shop> = {}): Shop => ({
  id: shopId,
  merchantId,
  name: 'Tea house',
  enabled: true,
  createdAt: today,
  defaultCurrency: undefined,
  resultUrl: undefined,
  resultUrlSince: undefined,
  refundUrl: undefined,
  refundUrlSince: undefined,
  successUrl: undefined,
  failUrl: undefined,
  hosts: undefined,
  postbackFormat: 'form',
  extendedPostbacks: undefined,
  billLifetimeMinutes: undefined,
  webhookSecrets: firstSecret('sealed'),
  ...traits,
});

const unheld = {
  current: undefined,
  lockUntil: undefined,
  fenced: false,
  paidBy: undefined,
  failures: 0,
} as const;

type MultiTraits = Partial<MultiBill> & Pick<MultiBill, 'type'>;
export type BillTraits = Partial<NormalBill> | MultiTraits;

/** A NORMAL bill, unless its type is given. */
export function aBill(traits?: Partial<NormalBill>): NormalBill;
export function aBill(traits: MultiTraits): MultiBill;
export function aBill(traits?: BillTraits): Bill;
export function aBill(traits: BillTraits = {}): Bill {
  const bill = {
    id: billId,
    merchantId,
    shopId,
    status: 'NEW',
    active: true,
    amount: { minor: 10_050n, currency: 'RUB' },
    payerPaysCommission: false,
    orderId: undefined,
    description: undefined,
    name: undefined,
    custom: undefined,
    items: undefined,
    options: undefined,
    hasContact: false,
    createdAt: today,
    expiresAt: undefined,
  } as const;
  return traits.type === 'MULTI' ? { ...bill, ...traits } : { ...bill, type: 'NORMAL', ...unheld, ...traits };
}

/** The first call under a key, not answered yet. */
export const aCall = (traits: Partial<Call> = {}): Call => ({
  attempt: 1,
  unanswered: 1,
  answer: undefined,
  outcome: undefined,
  amountMinor: undefined,
  firstAt: today,
  lastAt: today,
  ...traits,
});

export const aPayment = (traits: Partial<Payment> = {}): Payment => ({
  id: paymentId,
  billId,
  billType: 'NORMAL',
  merchantId,
  shopId,
  status: 'PROCESS',
  phase: 'AUTHORIZING',
  acquirer: 'sandbox',
  method: 'card',
  holds: true,
  payableUntil: new Date(today.getTime() + 3600_000),
  reference: paymentId,
  startRequest: undefined,
  startCall: aCall(),
  captureCall: undefined,
  cancelCall: undefined,
  refundCall: undefined,
  amount: { minor: 10_050n, currency: 'RUB' },
  surchargeMinor: 0n,
  payerPaysCommission: false,
  fee: { bps: 200, fixedMinor: 0n, minimumMinor: 0n },
  settlement: { currency: 'RUB', numerator: 1n, denominator: 1n },
  reserveTerms: undefined,
  receivedMinor: undefined,
  feeMinor: undefined,
  reserve: undefined,
  refunds: undefined,
  providerFeeMinor: undefined,
  fromCard: undefined,
  accountBank: undefined,
  declineReason: undefined,
  outcome: undefined,
  browserHash: undefined,
  cardPage: undefined,
  askedAt: undefined,
  payerHash: undefined,
  orderId: undefined,
  custom: undefined,
  contactUntil: undefined,
  receiptTerms: undefined,
  receipt: undefined,
  refundReceipt: undefined,
  createdAt: today,
  checks: 0,
  deliveredAt: undefined,
  nextCheck: undefined,
  lateQuery: undefined,
  afterCapture: undefined,
  decisions: undefined,
  ...traits,
});
