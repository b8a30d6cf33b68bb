import type { Payout } from './payout.ts';
import type { PayoutQueue } from './ports.ts';

/** Queues a payout for the dispatcher. A failed send is ignored: the next sweep queues the payout again. */
export async function queuePayout(
  queue: PayoutQueue,
  { id, merchantId }: Pick<Payout, 'id' | 'merchantId'>,
  delaySeconds?: number,
): Promise<void> {
  const delay = delaySeconds === undefined ? {} : { delaySeconds };
  await Promise.allSettled([queue.send(id, { group: merchantId, ...delay })]);
}
