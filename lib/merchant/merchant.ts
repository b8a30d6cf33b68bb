import type { MerchantId } from '../ids.ts';
import type { BalanceCurrency } from '../money/money.ts';
import type { WebhookSecrets } from './webhook-secret.ts';

export const subscriptions = ['none', 'inactive', 'active'] as const;
type Subscription = (typeof subscriptions)[number];

/** The flags that the operator sets. The token item carries a copy, so the authorizer needs no second read. */
export type MerchantFlags = {
  readonly enabled: boolean;
  readonly banned: boolean;
  readonly verified: boolean;
  readonly regularPayouts: boolean;
  readonly subscription: Subscription;
  /** The addresses and CIDR ranges that its token may be used from (lib/http/api-addresses.ts); undefined: any. */
  readonly apiAddresses: readonly string[] | undefined;
  /** In how many parts its lists are stored, so that a part of the index is never too busy; undefined: one. It never gets smaller. */
  readonly shards: number | undefined;
};

/** Returns the flags alone. A flag that is added without a place here does not compile. */
export const flagsOf = ({
  enabled,
  banned,
  verified,
  regularPayouts,
  subscription,
  apiAddresses,
  shards,
}: MerchantFlags): MerchantFlags => ({
  enabled,
  banned,
  verified,
  regularPayouts,
  subscription,
  apiAddresses,
  shards,
});

/** The merchant behind a bearer token, as the authorizer read it for this request. */
export type Caller = MerchantFlags & { readonly merchantId: MerchantId };

export type Merchant = MerchantFlags & {
  readonly id: MerchantId;
  readonly name: string;
  readonly createdAt: Date;
  /** SHA-256 of the current token, hexadecimal. */
  readonly tokenHash: string;
  /** Counts refreshes; part of the encryption context, so an old sealed token cannot be passed off as the new one. */
  readonly tokenVersion: number;
  readonly sealedToken: string;
  readonly payoutWebhookUrl: string | undefined;
  /** Since when a payout webhook URL has been set without interruption: every payout created since owes a postback. */
  readonly payoutWebhookSince: Date | undefined;
  readonly webhookSecrets: WebhookSecrets;
  /** The balance currency that KZT payments settle in. */
  readonly settlesKztIn: BalanceCurrency;
};

export type MerchantRefusal =
  | 'merchant_not_found'
  | 'merchant_banned'
  | 'merchant_subscription_inactive'
  | 'merchant_subscription_not_found'
  | 'merchant_not_verified';

/**
 * Returns the first reason why an endpoint refuses this merchant; undefined when it does not.
 * `among` lists the refusals in the endpoint's table in the contract, in its order.
 */
export function whyRefused<R extends MerchantRefusal>(
  flags: MerchantFlags | undefined,
  among: readonly R[],
): R | undefined {
  const applies: Record<MerchantRefusal, boolean> = {
    merchant_not_found: !flags,
    merchant_banned: flags?.banned === true,
    merchant_subscription_inactive: flags?.subscription === 'inactive',
    merchant_subscription_not_found: flags?.subscription === 'none',
    merchant_not_verified: flags?.verified === false,
  };
  return among.find((refusal) => applies[refusal]);
}
