import { endpointIdOf, type PostbackEvent } from './event.ts';
import type { PostbackQueue } from './ports.ts';

type Queued = Pick<PostbackEvent, 'id' | 'kind' | 'shopId' | 'merchantId'>;

/**
 * Queues an event that was just written. A failed send is ignored: the event is on the work index, and the sweeper
 * queues it within two minutes.
 */
export async function queueEvent(
  queue: Pick<PostbackQueue, 'send'>,
  event: Queued,
  delaySeconds?: number,
): Promise<void> {
  const delay = delaySeconds === undefined ? {} : { delaySeconds };
  await queue.send(event.id, { group: endpointIdOf(event), ...delay }).catch(() => undefined);
}
