import type { MerchantId } from '../ids.ts';
import type { Merchant, MerchantFlags } from './merchant.ts';
import type { Merchants } from './ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { badUrl, sinceWhen, type UrlPolicy } from './shop-settings.ts';

type Ports = { readonly now: () => Date; readonly merchants: Merchants } & UrlPolicy;
type Settings = Partial<Pick<Merchant, 'name' | 'payoutWebhookUrl' | 'settlesKztIn'>>;
type Command = {
  /** Undefined when the text is not a merchant id. */
  readonly merchantId: MerchantId | undefined;
  readonly flags?: Partial<MerchantFlags>;
  readonly settings?: Settings;
};

/** Changes the flags and settings in the command. Flags take effect with the merchant's next request. */
export async function setMerchant(
  { now, merchants, merchantUrls }: Ports,
  { merchantId, flags = {}, settings = {} }: Command,
): Promise<Result<Merchant, 'merchant_not_found' | { readonly badUrl: string }>> {
  const url = settings.payoutWebhookUrl;
  const why = url === undefined ? undefined : badUrl(url, merchantUrls);
  if (why) return fail({ badUrl: `The payout webhook URL is refused: ${why}.` });

  const merchant = merchantId && (await merchants.find(merchantId));
  if (!merchant) return fail('merchant_not_found');
  const flagged = isEmpty(flags) ? ok(merchant) : await merchants.setFlags(merchant.id, flags);
  if (!flagged.ok || isEmpty(settings)) return flagged;
  const payoutWebhookSince = sinceWhen(url, merchant.payoutWebhookSince, now());
  return merchants.setSettings(merchant.id, {
    ...settings,
    ...('payoutWebhookUrl' in settings && { payoutWebhookSince }),
  });
}

const isEmpty = (changes: object): boolean => Object.keys(changes).length === 0;
