import type { MerchantId, ShopId } from '../ids.ts';
import type { Rate } from '../money/exchange.ts';
import type { BalanceCurrency, BillCurrency } from '../money/money.ts';
import type { Result } from '../result.ts';
import type { Caller, Merchant, MerchantFlags } from './merchant.ts';
import type { Shop } from './shop.ts';
import type { Terms, TermsOverrides } from './terms.ts';
import type { WebhookSecrets } from './webhook-secret.ts';

type ReplaceWebhookSecrets<Owner extends MerchantId | ShopId> = (
  id: Owner,
  replacement: { readonly seen: WebhookSecrets; readonly next: WebhookSecrets },
) => Promise<Result<void, 'webhook_secret_replaced_meanwhile'>>;

export interface Merchants {
  find(id: MerchantId): Promise<Merchant | undefined>;
  list(): Promise<readonly Merchant[]>;
  /** The merchant whose current token has this SHA-256 (hexadecimal); strongly consistent. */
  findByTokenHash(tokenHash: string): Promise<Caller | undefined>;
  create(merchant: Merchant): Promise<void>;
  /** Replaces the token atomically; refused when it was replaced since `merchant` was read. */
  replaceToken(
    merchant: Merchant,
    next: Pick<Merchant, 'tokenHash' | 'sealedToken' | 'tokenVersion'>,
  ): Promise<Result<void, 'token_replaced_meanwhile'>>;
  /** Replaces the secrets that were read; refused when they were replaced since. */
  replaceWebhookSecrets: ReplaceWebhookSecrets<MerchantId>;
  setFlags(id: MerchantId, flags: Partial<MerchantFlags>): Promise<Result<Merchant, 'merchant_not_found'>>;
  setSettings(
    id: MerchantId,
    settings: Partial<Pick<Merchant, 'payoutWebhookUrl' | 'payoutWebhookSince' | 'settlesKztIn' | 'name'>>,
  ): Promise<Result<Merchant, 'merchant_not_found'>>;
}

export interface Shops {
  find(id: ShopId): Promise<Shop | undefined>;
  listOf(merchantId: MerchantId): Promise<readonly Shop[]>;
  create(shop: Shop): Promise<void>;
  set(
    id: ShopId,
    changes: Partial<Omit<Shop, 'id' | 'merchantId' | 'webhookSecrets'>>,
  ): Promise<Result<Shop, 'shop_not_found'>>;
  /** As `Merchants.replaceWebhookSecrets`. */
  replaceWebhookSecrets: ReplaceWebhookSecrets<ShopId>;
}

export interface TermsOf {
  /** The merchant's terms for a currency, with the environment's defaults filled in. */
  find(merchantId: MerchantId, currency: BillCurrency): Promise<Terms>;
  set(merchantId: MerchantId, currency: BillCurrency, overrides: TermsOverrides): Promise<Terms>;
}

export interface Rates {
  find(from: BillCurrency, to: BalanceCurrency): Promise<Rate | undefined>;
  list(): Promise<readonly Rate[]>;
  set(rate: Rate): Promise<void>;
}

/** Encrypts a secret so that only the functions that use it can decrypt it. */
export interface Sealer {
  /** The context is bound to the ciphertext and is not encrypted: it must contain no secret. */
  seal(secret: string, context: Readonly<Record<string, string>>): Promise<string>;
}

/** Encrypts a sealed text again under another context. Whoever calls it never sees the plaintext. */
export interface Resealer {
  /** Throws `SealBroken` when the text was not sealed under `from`; any other error may be transient. */
  reseal(
    sealed: string,
    contexts: {
      readonly from: Readonly<Record<string, string>>;
      readonly to: Readonly<Record<string, string>>;
    },
  ): Promise<string>;
}

export interface Opener {
  /** Throws `SealBroken` when the text was not sealed under this context; any other error may be transient. */
  open(sealed: string, context: Readonly<Record<string, string>>): Promise<string>;
}
