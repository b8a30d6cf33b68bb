import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { PaymentId, RefundId } from '../ids.ts';
import {
  type ReceiptName,
  receiptSubjects,
  type UnregisteredReceipt,
  type UnregisteredReceipts,
} from '../payment/follow-receipts.ts';
import { type AttributeOf, orAbsent } from './attributes.ts';
import { batchGet } from './batch-get.ts';
import { conditionalWrite } from './conditional-write.ts';
import { moment } from './moment.ts';
import { storedId } from './stored-id.ts';
import type { Table } from './table.ts';
import type { TransactionStep } from './transact.ts';
import { everythingOn } from './work-list.ts';

const lists = { open: 'W#RECEIPT', closed: 'W#RECEIPT_CLOSED' } as const;
const receiptKey = ({ paymentId, refundId, of }: ReceiptName) => ({
  PK: `RECEIPT#${paymentId}`,
  SK: refundId === undefined ? of : `${of}.${refundId}`,
});

const item = z.object({
  paymentId: storedId<PaymentId>(),
  refundId: orAbsent(storedId<RefundId>()),
  of: z.enum(receiptSubjects),
  state: z.enum(['pending', 'failed']),
  at: moment,
  closed: orAbsent(z.object({ id: z.string(), by: z.string(), reason: z.string(), at: moment })),
} satisfies Record<AttributeOf<UnregisteredReceipt>, z.ZodMiniType>);

function itemOf({ closed, ...receipt }: UnregisteredReceipt) {
  const at = receipt.at.toISOString();
  return {
    ...receiptKey(receipt),
    ...receipt,
    at,
    ...(closed && { closed: { ...closed, at: closed.at.toISOString() } }),
    workList: lists[closed ? 'closed' : 'open'],
    workDue: at,
  };
}

/** The step that lists a receipt, together with the check that gave it up. */
export const putUnregistered = (
  { name: TableName }: Table,
  receipt: UnregisteredReceipt,
): TransactionStep => ({ write: { Put: { TableName, Item: itemOf(receipt) } } });

/** Receipts that a person has to make. They stay on the work index, open and closed, for `receipts list`. */
export const dynamoUnregisteredReceipts = (table: Table): UnregisteredReceipts => ({
  async find(about) {
    const Key = receiptKey(about);
    const get = new GetCommand({ TableName: table.name, Key, ConsistentRead: true });
    const { Item } = await table.client.send(get);
    return Item && item.parse(Item);
  },
  async list(which = 'open') {
    const found = await batchGet(table, await everythingOn(table, [lists[which]]));
    const receipts = found.map((raw) => item.parse(raw));
    return receipts.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  },
  async close(receipt, closed) {
    const put = new PutCommand({
      TableName: table.name,
      Item: itemOf({ ...receipt, closed }),
      ConditionExpression: 'attribute_exists(PK) AND attribute_not_exists(closed)',
    });
    return (await conditionalWrite(table.client.send(put))) !== undefined;
  },
});
