import { cut } from '../../cut.ts';
import type { PaymentMethod, StartRequest } from '../../payment/acquirer.ts';
import { amountOf } from './amount.ts';
import { withReceipt } from './receipt-body.ts';

const methodTypes: Readonly<Record<PaymentMethod, string>> = { card: 'bank_card', sbp: 'sbp' };
const locales = { ru: 'ru_RU', en: 'en_US' } as const;
const longestDescription = 128;
const longestMetadata = 512;

/**
 * The body of `POST /payments`. The method is always named, so that the provider's page offers no other. The metadata lets a lost
 * hour be rebuilt from the provider.
 */
export function orderBody(request: StartRequest): object {
  const { amountMinor, currency, holds, method, description, about } = request;
  return {
    amount: amountOf(amountMinor, currency),
    capture: !holds,
    ...described(description),
    confirmation: { type: 'redirect', return_url: request.returnUrl, locale: locales[request.language] },
    payment_method_data: { type: methodTypes[method] },
    metadata: metadataOf({
      payment_id: request.paymentId,
      merchant_id: about.merchantId,
      shop_id: about.shopId,
      bill_id: about.billId,
      order_id: about.orderId,
    }),
    ...withReceipt(request.receipt, currency),
  };
}

/** At most 128 characters, which end with a whole one. */
function described(description: string): { readonly description?: string } {
  const text = cut(description, longestDescription);
  return text === '' ? {} : { description: text };
}

export const metadataOf = (
  values: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, cut(value, longestMetadata)]],
    ),
  );
