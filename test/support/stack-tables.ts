import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { namesOf } from '../../lib/installation/names.ts';
import { backOff } from '../../lib/runtime/back-off.ts';
import { conditionalWrite } from '../../lib/store/conditional-write.ts';
import { openTable } from '../../lib/store/table.ts';
import { itemsOf } from './items-of.ts';
import type { Stack } from './stack.ts';

const names = namesOf('local');

/** Access to both tables of a running stack from outside; call `close` at the end. */
export function tablesOf(stack: Stack) {
  const database = new DynamoDBClient(stack.client('DYNAMODB'));
  const client = DynamoDBDocumentClient.from(database);
  const service = { client, name: names.table };
  const sandbox = { client, name: names.sandboxTable };
  const items = () => itemsOf(service);

  const put = async (key: { readonly PK: string; readonly SK: string }, name: string, value: string) => {
    const { PK, SK } = key;
    // An item that changed since it was read is no longer waiting.
    await conditionalWrite(
      client.send(
        new UpdateCommand({
          TableName: names.table,
          Key: { PK, SK },
          UpdateExpression: 'SET #name = :value',
          ConditionExpression: 'attribute_exists(#name)',
          ExpressionAttributeNames: { '#name': name },
          ExpressionAttributeValues: { ':value': value },
        }),
      ),
    );
  };

  return {
    /** For the stores, when no command creates what a test needs. */
    table: openTable(database, names.table, backOff),
    items,
    sandboxItems: () => itemsOf(sandbox),
    /** As if hours had passed: all scheduled work is due, and all leases have expired. */
    letTimePass: async () => {
      for (const item of await items()) {
        const waits = moments.filter((name) => typeof item[name] === 'string');
        for (const name of waits) await put(item, name, longAgo);
      }
    },
    /** As if the fifteen minutes of the bill's lock had passed. */
    letLockEnd: (billId: string) => put({ PK: `B#${billId}`, SK: 'B' }, 'lockUntil', longAgo),
    close: () => database.destroy(),
  };
}

export type Tables = ReturnType<typeof tablesOf>;

const moments = ['workDue', 'nextCheck', 'dueAt', 'nextAt', 'leaseUntil', 'openUntil', 'nextProbeAt'];
const longAgo = '2020-01-01T00:00:00.000Z';
