import { describe, expect, it } from 'vitest';
import { sqsQueue } from '../../lib/provider/sqs-queue.ts';
import { countMessages, freshQueue, takeMessages } from '../support/queue.ts';

describe('the queue of postbacks', () => {
  it('sends messages that contain only the id', async () => {
    const queue = await freshQueue();
    await sqsQueue(queue.client, queue.url, 'eventId').send('pay.p1.SUCCESS', { group: 'shop-1' });
    expect(await takeMessages(queue)).toEqual(['{"eventId":"pay.p1.SUCCESS"}']);
  });

  it('delays a message for the given time', async () => {
    const queue = await freshQueue();
    await sqsQueue(queue.client, queue.url, 'eventId').send('pay.p1.SUCCESS', {
      group: 's',
      delaySeconds: 900,
    });
    expect(await countMessages(queue)).toEqual({ waiting: 0, delayed: 1 });
  });

  it('counts the visible messages', async () => {
    const queue = await freshQueue();
    const postbacks = sqsQueue(queue.client, queue.url, 'eventId');
    expect(await postbacks.length()).toBe(0);
    for (const id of ['a', 'b', 'c']) await postbacks.send(id, { group: 'shop-1' });
    expect(await postbacks.length()).toBe(3);
  });
});
