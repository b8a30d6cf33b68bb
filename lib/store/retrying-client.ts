import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mayPass } from './may-pass.ts';
import type { BackOff } from './table.ts';

type Client = Pick<DynamoDBDocumentClient, 'send'>;
type Command = Parameters<Client['send']>[0];

/**
 * Returns a client that retries reads and plain writes, within the time limit of one call, after a conflict with a
 * transaction, throttling or a lost response. A plain write may be applied twice, so each must be harmless when repeated;
 * after a lost response its condition may fail because of its own first attempt. A write whose result matters is a
 * transaction of one step. Transactions pass through: `transact` retries them under their token.
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
