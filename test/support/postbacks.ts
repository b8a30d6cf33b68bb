import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { toPaymentId } from '../../lib/ids.ts';
import { type Attempt, type PostbackEvent, paymentEventId } from '../../lib/postback/event.ts';
import { eventItem, eventKey } from '../../lib/store/event-item.ts';
import type { Table } from '../../lib/store/table.ts';
import { shopId, merchantId } from './builders.ts';

export const noon = new Date('2026-11-21T12:00:00Z');
export const afterNoon = (ms: number) => new Date(noon.getTime() + ms);

/** A SUCCESS postback to the shop, due since noon. */
export const anEvent = (changes: Partial<PostbackEvent> = {}): PostbackEvent => ({
  id: paymentEventId(toPaymentId('bill0000bill000000nonce123'), 'SUCCESS'),
  kind: 'payment',
  merchantId,
  shopId,
  supersededByBill: undefined,
  sealedPhone: undefined,
  sentAfter: undefined,
  extended: undefined,
  status: 'SUCCESS',
  fields: {
    InvId: 'order-1',
    OutSum: '100.50',
    Commission: '2.01',
    TrsId: 'bill0000bill000000nonce123',
    Status: 'SUCCESS',
    CurrencyIn: 'RUB',
  },
  state: 'PENDING',
  attempts: [],
  tries: 0,
  createdAt: noon,
  nextAt: noon,
  ...changes,
});

/** An attempt at noon that the receiver answered with 500. */
export const anAttempt = (changes: Partial<Attempt> = {}): Attempt => ({
  at: noon,
  outcome: '500',
  ms: undefined,
  answer: undefined,
  ...changes,
});

/** Writes an event as the transaction of its payment does. */
export async function given(table: Table, event: PostbackEvent): Promise<PostbackEvent> {
  await table.client.send(new PutCommand({ TableName: table.name, Item: eventItem(event) }));
  return event;
}

/** Returns the stored item, including its keys of the work index. */
export async function stored(table: Table, id: string): Promise<Record<string, unknown> | undefined> {
  const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: eventKey(id) }));
  return Item;
}
