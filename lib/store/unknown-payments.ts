import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { AcquirerView } from '../payment/acquirer.ts';
import type { UnknownOrder, UnknownPayment, UnknownPayments } from '../payment/unknown-payments.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { batchGet } from './batch-get.ts';
import { conditionalWrite } from './conditional-write.ts';
import { minor } from './minor.ts';
import { moment } from './moment.ts';
import type { Table } from './table.ts';
import { everythingOn } from './work-list.ts';

const lists = { open: 'W#UNKNOWN', closed: 'W#UNKNOWN_CLOSED' } as const;
const unknownKey = ({ provider, reference }: UnknownOrder) => ({
  PK: `UNKNOWN#${provider}#${reference}`,
  SK: 'UNKNOWN',
});

export const orderStates = [
  'pending',
  'authorised',
  'captured',
  'declined',
  'cancelled',
  'voided',
] as const satisfies readonly AcquirerView['state'][];

const item = z.object({
  provider: z.string(),
  reference: z.string(),
  paymentId: orAbsent(z.string()),
  state: z.enum(orderStates),
  amountMinor: orAbsent(minor),
  at: moment,
  closed: orAbsent(z.object({ id: z.string(), by: z.string(), reason: z.string(), at: moment })),
} satisfies Record<AttributeOf<UnknownPayment>, z.ZodMiniType>);

function itemOf({ closed, ...payment }: UnknownPayment) {
  const at = payment.at.toISOString();
  return {
    ...unknownKey(payment),
    ...payment,
    at,
    ...(closed && { closed: { ...closed, at: closed.at.toISOString() } }),
    workList: lists[closed ? 'closed' : 'open'],
    workDue: at,
  };
}

/** Orders of acquirers that no payment has. They stay on the work index, open and closed, for `payments unknown`. */
export const dynamoUnknownPayments = (table: Table): UnknownPayments => ({
  async find(order) {
    const get = new GetCommand({ TableName: table.name, Key: unknownKey(order), ConsistentRead: true });
    const { Item } = await table.client.send(get);
    return Item && item.parse(Item);
  },
  async keep(payment) {
    const put = new PutCommand({
      TableName: table.name,
      Item: itemOf(payment),
      ConditionExpression: 'attribute_not_exists(PK) OR #state <> :state',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':state': payment.state },
    });
    await conditionalWrite(table.client.send(put));
  },
  async close(payment, closed) {
    const put = new PutCommand({
      TableName: table.name,
      Item: itemOf({ ...payment, closed }),
      ConditionExpression: 'attribute_not_exists(closed) AND #state = :state',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':state': payment.state },
    });
    return (await conditionalWrite(table.client.send(put))) !== undefined;
  },
  async list(which = 'open') {
    const found = await batchGet(table, await everythingOn(table, [lists[which]]));
    const payments = found.map((raw) => item.parse(raw));
    return payments.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  },
});
