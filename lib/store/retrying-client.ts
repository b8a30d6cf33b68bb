import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mayPass } from './may-pass.ts';
import type { BackOff } from './table.ts';

type Client = Pick<DynamoDBDocumentClient, 'send'>;
type Command = Parameters<Client['send']>[0];

/**
 * A client whose reads and plain writes are made again, within the time of one call, after a conflict with a transaction,
 * throttling or a lost answer. A write may be applied twice, so each is one that this does no harm to; and after a lost
 * answer its own first attempt may be what refuses it. Where it matters whether it was applied, a write is a transaction
 * of one step. Transactions pass: `transact` knows what their repetition means.
 */
export function retryingClient(client: Client, backOff: BackOff): Client {
  const send = async (command: Command): Promise<unknown> => {
    if (command instanceof TransactWriteCommand) return client.send(command);
    const pause = backOff();
    for (let retry = 1; ; retry += 1) {
      try {
        return await client.send(command);
      } catch (error) {
        if (!mayPass(error) || !(await pause(retry))) throw error;
      }
    }
  };
  return Object.assign(Object.create(client), { send });
}
