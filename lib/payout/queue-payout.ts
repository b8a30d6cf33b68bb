import type { Payout } from './payout.ts';
import type { PayoutQueue } from './ports.ts';

/** Wakes the dispatcher. A message that is lost costs only the time until the next sweep, so a failed send is no failure. */
export async function queuePayout(
  queue: PayoutQueue,
  { id, merchantId }: Pick<Payout, 'id' | 'merchantId'>,
  delaySeconds?: number,
): Promise<void> {
  const delay = delaySeconds === undefined ? {} : { delaySeconds };
  await Promise.allSettled([queue.send(id, { group: merchantId, ...delay })]);
}
