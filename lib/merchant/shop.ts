import type { MerchantId, ShopId } from '../ids.ts';
import type { BillCurrency } from '../money/money.ts';
import type { WebhookSecrets } from './webhook-secret.ts';

export const postbackFormats = ['form', 'json'] as const;
export type PostbackFormat = (typeof postbackFormats)[number];

export type Shop = {
  readonly id: ShopId;
  readonly merchantId: MerchantId;
  readonly name: string;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly defaultCurrency: BillCurrency | undefined;
  readonly resultUrl: string | undefined;
  /** Since when a Result URL has been set without interruption: every payment started since owes a postback. */
  readonly resultUrlSince: Date | undefined;
  /** Refunds and chargebacks are posted there; undefined: they are not posted. */
  readonly refundUrl: string | undefined;
  /** Since when a refund URL has been set without interruption: every refund created since owes a postback. */
  readonly refundUrlSince: Date | undefined;
  readonly successUrl: string | undefined;
  readonly failUrl: string | undefined;
  /** Hosts besides those of its URLs to which its bills may send payers: names in lower case and ASCII. */
  readonly hosts: readonly string[] | undefined;
  readonly postbackFormat: PostbackFormat;
  /** Whether its payment postbacks have fields that the contract does not have; undefined: they do not. */
  readonly extendedPostbacks: boolean | undefined;
  /** Bills of this shop expire this many minutes after creation; undefined: they do not expire. */
  readonly billLifetimeMinutes: number | undefined;
  readonly webhookSecrets: WebhookSecrets;
};
