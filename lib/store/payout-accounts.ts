import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { PayoutAccounts } from '../payout/ports.ts';
import { fail, ok } from '../result.ts';
import { assign } from './assign.ts';
import { conditionalWrite } from './conditional-write.ts';
import { payoutAccountItem, payoutAccountKey, toPayoutAccount } from './payout-account-item.ts';
import { queryAll } from './query-all.ts';
import type { Table } from './table.ts';

/** The stored payout accounts of merchants. */
export function dynamoPayoutAccounts(table: Table): PayoutAccounts {
  const { client, name: TableName } = table;
  return {
    async create(account) {
      const ConditionExpression = 'attribute_not_exists(PK)';
      await client.send(new PutCommand({ TableName, Item: payoutAccountItem(account), ConditionExpression }));
    },

    async set(merchantId, accountId, changes) {
      const told = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const command = new UpdateCommand({
        TableName,
        Key: payoutAccountKey(merchantId, accountId),
        // Naming an account by itself keeps the update valid when nothing is to change.
        ...assign({ ...told, id: accountId }),
        ConditionExpression: 'attribute_exists(PK)',
        ReturnValues: 'ALL_NEW',
      });
      const written = await conditionalWrite(client.send(command));
      return written ? ok(toPayoutAccount(written.Attributes)) : fail('payout_account_not_found');
    },

    async listOf(merchantId) {
      const { PK, SK } = payoutAccountKey(merchantId, '');
      const items = await queryAll(table, {
        KeyConditionExpression: 'PK = :merchant AND begins_with(SK, :account)',
        ExpressionAttributeValues: { ':merchant': PK, ':account': SK },
        ConsistentRead: true,
      });
      return items.map(toPayoutAccount);
    },
  };
}
