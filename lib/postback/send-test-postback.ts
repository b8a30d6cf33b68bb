import type { ShopId } from '../ids.ts';
import { type Caller, whyRefused } from '../merchant/merchant.ts';
import type { Merchants, Opener, Shops } from '../merchant/ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { attemptOf } from './attempt-outcome.ts';
import { type Attempt, endpointIdOf } from './event.ts';
import { openKeys } from './open-keys.ts';
import type { Endpoints, MerchantPost } from './ports.ts';
import { targetOf } from './recipient.ts';
import { sampleEvent, type sampleStatuses } from './sample-event.ts';
import { signedRequest } from './signed-request.ts';
import { verdictOf } from './verdict.ts';

/** How many postbacks a merchant may ask for in a minute, for each of its URLs: tests and replays together. */
export const mostAskedPerMinute = 10;

export type TestPostbackPorts = {
  readonly merchants: Pick<Merchants, 'find'>;
  readonly shops: Pick<Shops, 'find'>;
  readonly endpoints: Pick<Endpoints, 'countAsked'>;
  readonly opener: Opener;
  readonly post: MerchantPost;
  readonly now: () => Date;
  readonly newId: (length: number) => string;
};

type Command = {
  readonly caller: Caller;
  readonly kind: keyof typeof sampleStatuses;
  readonly status: string;
  /** Undefined when the text is not a shop id, and for payouts. */
  readonly shopId: ShopId | undefined;
};

/** What the endpoint answered to a test postback. */
export type TestedPostback = {
  readonly id: string;
  readonly url: string;
  readonly delivered: boolean;
  readonly attempt: Attempt;
};

const merchantRefusals = ['merchant_not_found', 'merchant_banned'] as const;
export type TestPostbackRefusal =
  | (typeof merchantRefusals)[number]
  | 'shop_not_found'
  | 'access_denied'
  | 'postback_url_missing'
  | 'too_many_requests';

/**
 * Sends a signed example to the caller's own URL, once, as a real postback is sent, and returns the answer. It is sent to a paused URL,
 * too: whoever repaired it wants to know. It is not stored, and changes nothing of the URL's health.
 */
export async function sendTestPostback(
  ports: TestPostbackPorts,
  { caller, kind, status, shopId }: Command,
): Promise<Result<TestedPostback, TestPostbackRefusal>> {
  const refusal = whyRefused(caller, merchantRefusals);
  if (refusal) return fail(refusal);
  const ofShop = kind !== 'payout';
  const [merchant, shop] = await Promise.all([
    ports.merchants.find(caller.merchantId),
    ofShop && shopId !== undefined ? ports.shops.find(shopId) : undefined,
  ]);
  if (ofShop && !shop) return fail('shop_not_found');
  if (shop && shop.merchantId !== caller.merchantId) return fail('access_denied');

  const at = ports.now();
  const event = sampleEvent({
    kind,
    status,
    id: ports.newId(16),
    merchantId: caller.merchantId,
    shopId: shop?.id,
    currency: shop?.defaultCurrency ?? 'RUB',
    extended: shop?.extendedPostbacks === true,
    at,
  });
  const target = targetOf(event, { merchant, shop });
  if (target.url === '') return fail('postback_url_missing');
  if (!(await ports.endpoints.countAsked(endpointIdOf(event), at, mostAskedPerMinute)))
    return fail('too_many_requests');

  const keys = await openKeys(ports.opener, target, at);
  const { headers, body, signature, redactions } = signedRequest(event, target.format, keys, at);
  const answer = await ports.post.post({
    url: target.url,
    headers: { ...headers, 'paylink-test': '1' },
    body,
  });
  return ok({
    id: event.id,
    url: target.url,
    delivered: verdictOf(answer) === 'delivered',
    attempt: attemptOf({ answer, at, now: ports.now(), signature, redactions }),
  });
}
