import type { Bill } from '../bill/bill.ts';
import type { Merchants, Rates, Shops, TermsOf } from '../merchant/ports.ts';
import type { Shop } from '../merchant/shop.ts';
import { feeOn } from '../money/fee.ts';
import { isBalanceCurrency } from '../money/money.ts';
import type { Terms } from '../merchant/terms.ts';
import type { Payment, ReserveTerms, Settlement } from './payment.ts';

export type PricePorts = {
  readonly merchants: Pick<Merchants, 'find'>;
  readonly shops: Pick<Shops, 'find'>;
  readonly terms: Pick<TermsOf, 'find'>;
  readonly rates: Pick<Rates, 'find'>;
};

/** What a payment of this bill would cost now and how it would be posted. */
export type Price = { readonly shop: Shop; readonly chargeMinor: bigint } & Pick<
  Payment,
  'surchargeMinor' | 'fee' | 'settlement' | 'reserveTerms'
>;

/** Returns the price; undefined when merchant or shop is disabled, the merchant is banned, or the rate is missing. */
export async function priceOf(ports: PricePorts, bill: Bill): Promise<Price | undefined> {
  const { amount, merchantId, shopId, payerPaysCommission } = bill;
  const [merchant, shop, terms] = await Promise.all([
    ports.merchants.find(merchantId),
    ports.shops.find(shopId),
    ports.terms.find(merchantId, amount.currency),
  ]);
  if (!merchant?.enabled || merchant.banned || !shop?.enabled) return undefined;
  const settlement = await settlementOf(ports, bill, merchant.settlesKztIn);
  if (!settlement) return undefined;
  const surchargeMinor = payerPaysCommission ? feeOn(amount.minor, terms.paymentFee) : 0n;
  const chargeMinor = amount.minor + surchargeMinor;
  return {
    shop,
    chargeMinor,
    surchargeMinor,
    fee: terms.paymentFee,
    settlement,
    reserveTerms: reserveTermsOf(terms),
  };
}

const reserveTermsOf = ({ reserveBasisPoints, reserveDays }: Terms): ReserveTerms | undefined =>
  reserveBasisPoints === 0 ? undefined : { basisPoints: reserveBasisPoints, days: reserveDays };

async function settlementOf(
  { rates }: PricePorts,
  { amount: { currency } }: Bill,
  settlesIn: Settlement['currency'],
): Promise<Settlement | undefined> {
  if (isBalanceCurrency(currency)) return { currency, numerator: 1n, denominator: 1n };
  const rate = await rates.find(currency, settlesIn);
  return rate && { currency: settlesIn, numerator: rate.numerator, denominator: rate.denominator };
}
