import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Bill } from '../bill/bill.ts';
import type { Bills } from '../bill/ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { findClaims, moveClaims } from './bill-claims.ts';
import { billItem, billKey, toBill } from './bill-item.ts';
import { putContact } from './contact-item.ts';
import { getItem } from './get-item.ts';
import { findNewestOfOrder, pointOrderAt } from './order-bills.ts';
import type { Table } from './table.ts';
import { transact } from './transact.ts';

/** Bills, and the claims of their order ids and idempotency keys. A claim has expired when its time is before `now`. */
export const dynamoBills = (table: Table, now: () => Date): Bills => ({
  find: (id) => getItem(table, billKey(id), toBill),
  findNewestOfOrder: (query) => findNewestOfOrder(table, query, now()),
  findClaims: (claims) => findClaims(table, claims, now()),
  create: (bill, claims, seen, contact, shards) =>
    transact(table, [
      {
        write: {
          Put: {
            TableName: table.name,
            Item: billItem(bill, shards),
            ConditionExpression: 'attribute_not_exists(PK)',
          },
        },
      },
      ...moveClaims(table, { billId: bill.id, claims, seen, now: now() }),
      ...pointOrderAt(table, bill),
      ...(contact ? [putContact(table, { billId: bill.id }, contact)] : []),
    ]),
  claim: (billId, claims, seen) => transact(table, moveClaims(table, { billId, claims, seen, now: now() })),
  setActive: (command) => setActive(table, command),
});

type Refusal = 'bill_not_found' | 'bill_is_finished';

/** One write. A failed condition returns the item, so the reason is known without a second read. */
async function setActive(
  { client, name: TableName }: Table,
  { merchantId, billId, active }: Parameters<Bills['setActive']>[0],
): Promise<Result<Bill, Refusal>> {
  const update = new UpdateCommand({
    TableName,
    Key: billKey(billId),
    UpdateExpression: 'SET active = :active',
    ConditionExpression: 'merchantId = :merchant AND (#type = :multi OR attribute_not_exists(paidBy))',
    ExpressionAttributeNames: { '#type': 'type' },
    ExpressionAttributeValues: { ':active': active, ':merchant': merchantId, ':multi': 'MULTI' },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes } = await client.send(update);
    return ok(toBill(Attributes));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return fail(error.Item?.['merchantId']?.S === merchantId ? 'bill_is_finished' : 'bill_not_found');
  }
}
