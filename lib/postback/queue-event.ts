import { endpointIdOf, type PostbackEvent } from './event.ts';
import type { PostbackQueue } from './ports.ts';

type Queued = Pick<PostbackEvent, 'id' | 'kind' | 'shopId' | 'merchantId'>;

/**
 * Tells the worker of an event that was just written. A send that fails is no failure of what was written: the event
 * lies on the work index and the sweeper sends it within two minutes.
 */
export async function queueEvent(
  queue: Pick<PostbackQueue, 'send'>,
  event: Queued,
  delaySeconds?: number,
): Promise<void> {
  const delay = delaySeconds === undefined ? {} : { delaySeconds };
  await queue.send(event.id, { group: endpointIdOf(event), ...delay }).catch(() => undefined);
}
