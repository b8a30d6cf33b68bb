import type { PostbackEvent } from '../postback/event.ts';
import { paymentEvent } from './payment-postback.ts';
import { queueEvent } from '../postback/queue-event.ts';
import type { Payment } from './payment.ts';
import type { OutcomePorts } from './resolve-step.ts';

/** Returns the postback for a payment's outcome; undefined when the shop has no Result URL. */
export async function outcomePostback(
  { shops }: Pick<OutcomePorts, 'shops'>,
  payment: Payment,
  now: Date,
): Promise<PostbackEvent | undefined> {
  const shop = await shops.find(payment.shopId);
  if (shop?.resultUrl === undefined) return undefined;
  return paymentEvent(payment, { now, extended: shop.extendedPostbacks === true });
}

export const enqueuePostback = async (
  { postbackQueue }: Pick<OutcomePorts, 'postbackQueue'>,
  event: PostbackEvent | undefined,
): Promise<void> => event && queueEvent(postbackQueue, event);
