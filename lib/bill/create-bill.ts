import { type MerchantId, newBillId, type ShopId } from '../ids.ts';
import { type Caller, whyRefused } from '../merchant/merchant.ts';
import type { Merchants, Rates, Shops, TermsOf } from '../merchant/ports.ts';
import type { Shop } from '../merchant/shop.ts';
import { feeOn } from '../money/fee.ts';
import { type BillCurrency, isBalanceCurrency, type Money, parseAmount } from '../money/money.ts';
import { nothingLeft } from '../nothing-left.ts';
import { fail, ok, type Result } from '../result.ts';
import type { Bill, BillType } from './bill.ts';
import { type ChargeLimits, type ChargeNumbers, isWithin, unionOf } from './charge-limits.ts';
import { claimKeys } from './claims.ts';
import { type CreatedBill, createOnce } from './create-once.ts';
import type { Bills } from './ports.ts';

export type CreateBillPorts = {
  readonly bills: Bills;
  readonly shops: Shops;
  readonly merchants: Merchants;
  readonly rates: Rates;
  readonly terms: Pick<TermsOf, 'find'>;
  readonly chargeLimits: ChargeLimits;
  readonly now: () => Date;
  readonly newId: (length: number) => string;
};

type CreateBill = {
  readonly caller: Caller;
  /** Undefined when the text is not a shop id. */
  readonly shopId: ShopId | undefined;
  /** As the merchant spelled it. */
  readonly amount: string;
  readonly currency: BillCurrency | undefined;
  readonly type: BillType;
  readonly payerPaysCommission: boolean;
  readonly orderId: string | undefined;
  readonly description: string | undefined;
  readonly name: string | undefined;
  readonly custom: string | undefined;
  readonly idempotencyKey: string | undefined;
};

const merchantRefusals = ['merchant_not_found', 'merchant_banned'] as const;
export type CreateBillRefusal =
  | (typeof merchantRefusals)[number]
  | 'shop_not_found'
  | 'access_denied'
  | 'shop_not_enabled'
  | 'invalid_amount'
  | 'no_payout'
  | 'idempotency_key_reused';

/** Creates a payment link for one of the caller's shops (contract 4.1). */
export async function createBill(
  ports: CreateBillPorts,
  command: CreateBill,
): Promise<Result<CreatedBill, CreateBillRefusal, ChargeNumbers>> {
  const { caller, shopId } = command;
  const refusal = whyRefused(caller, merchantRefusals);
  if (refusal) return fail(refusal);
  if (shopId === undefined) return fail('shop_not_found');

  const keys = claimKeys({ ...command, shopId, merchantId: caller.merchantId });
  const [shop, seen] = await Promise.all([
    ports.shops.find(shopId),
    keys.length > 0 ? ports.bills.findClaims(keys) : [],
  ]);
  if (!shop) return fail('shop_not_found');
  const bill = await newBill(ports, command, shop);
  return bill.ok ? createOnce(ports, bill.value, keys, seen) : bill;
}

/** Returns the requested bill, or the reason why it is refused for this shop. */
async function newBill(
  ports: CreateBillPorts,
  { caller, amount, currency: requested, type, ...command }: Omit<CreateBill, 'shopId' | 'idempotencyKey'>,
  shop: Shop,
): Promise<Result<Bill, CreateBillRefusal, ChargeNumbers>> {
  const { payerPaysCommission, orderId, description, name, custom, ...rest } = command;
  nothingLeft(rest);
  if (shop.merchantId !== caller.merchantId) return fail('access_denied');
  if (!caller.enabled || !shop.enabled) return fail('shop_not_enabled');
  const minor = parseAmount(amount);
  if (minor === undefined) return fail('invalid_amount');
  const currency = requested ?? shop.defaultCurrency ?? 'RUB';
  const refused = await whyNotCharged(ports, caller.merchantId, { minor, currency }, payerPaysCommission);
  if (refused) return refused;
  if (!(await canBePaidOut(ports, caller.merchantId, currency))) return fail('no_payout');

  const createdAt = ports.now();
  const bill = {
    id: newBillId(ports.newId),
    merchantId: caller.merchantId,
    shopId: shop.id,
    status: 'NEW' as const,
    active: true,
    amount: { minor, currency },
    payerPaysCommission,
    orderId,
    description,
    name,
    custom,
    hasContact: false,
    createdAt,
    expiresAt: expiry(shop, createdAt),
  };
  return ok(
    type === 'NORMAL'
      ? {
          ...bill,
          type,
          current: undefined,
          lockUntil: undefined,
          fenced: false,
          paidBy: undefined,
          failures: 0,
        }
      : { ...bill, type },
  );
}

/**
 * Returns the refusal of a charge that no provider takes, from the environment's record. The surcharge is that of the merchant's
 * terms now; the payment page compares the charge again.
 */
async function whyNotCharged(
  { terms, chargeLimits }: CreateBillPorts,
  merchantId: MerchantId,
  { minor, currency }: Money,
  payerPaysCommission: boolean,
) {
  const ranges = chargeLimits.rangesIn(currency);
  if (ranges === undefined) return undefined;
  if (ranges.length === 0) return fail('no_payout');
  const surchargeMinor = payerPaysCommission
    ? feeOn(minor, (await terms.find(merchantId, currency)).paymentFee)
    : 0n;
  const chargeMinor = minor + surchargeMinor;
  if (ranges.some((range) => isWithin(chargeMinor, range))) return undefined;
  return fail('invalid_amount', {
    kind: 'charge' as const,
    currency,
    chargeMinor,
    surchargeMinor,
    ranges: unionOf(ranges),
  });
}

/** Whether the merchant can settle this currency: KZT has no balance, so it needs a rate to one that has. */
async function canBePaidOut(
  { merchants, rates }: CreateBillPorts,
  merchantId: MerchantId,
  currency: BillCurrency,
): Promise<boolean> {
  if (isBalanceCurrency(currency)) return true;
  const merchant = await merchants.find(merchantId);
  return merchant !== undefined && (await rates.find(currency, merchant.settlesKztIn)) !== undefined;
}

const expiry = ({ billLifetimeMinutes: minutes }: Shop, from: Date): Date | undefined =>
  minutes === undefined ? undefined : new Date(from.getTime() + minutes * 60_000);
