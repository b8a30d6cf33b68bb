import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type TransactionStep, transact } from '../../../lib/store/transact.ts';
import type { World } from '../harness/world.ts';

/** The SDK retries a call: the second attempt conflicts with another transaction, and the first is applied before the store retries. */
export async function repeatedBelow(world: World): Promise<void> {
  const { client, name } = world.table;
  const late: TransactWriteCommand[] = [];
  let calls = 0;
  const line = Object.assign(Object.create(client), {
    async send(command: TransactWriteCommand) {
      calls += 1;
      if (calls > 1) return client.send(command);
      late.push(command);
      const $metadata = { attempts: 2 };
      const CancellationReasons = [{ Code: 'TransactionConflict' }];
      throw new TransactionCanceledException({ $metadata, message: 'cancelled', CancellationReasons });
    },
  });
  const backOff = () => async () => {
    for (const command of late.splice(0)) await client.send(command);
    return true;
  };
  const Item = { PK: 'RL#once', SK: 'RL' };
  const put: TransactionStep<'refused'> = {
    write: { Put: { TableName: name, Item, ConditionExpression: 'attribute_not_exists(PK)' } },
    onConditionFailed: 'refused',
  };
  const written = await transact({ client: line, name, backOff }, [put]);
  if (!written.ok) world.violate('applied', 'a transaction that was applied was reported as refused');
  await client.send(new DeleteCommand({ TableName: name, Key: Item }));
}
