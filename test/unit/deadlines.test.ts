import { createServer } from 'node:net';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { requestHandler } from '../../lib/runtime/deadlines.ts';

it('a service that takes a request and never answers it is given up', async () => {
  let asked = 0;
  const silent = createServer((socket) => socket.on('data', () => (asked += 1)).on('error', () => undefined));
  await new Promise<void>((ready) => void silent.listen(0, '127.0.0.1', ready));
  const address = silent.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const client = new DynamoDBClient({
    requestHandler: { ...requestHandler, requestTimeout: 50 },
    endpoint: `http://127.0.0.1:${address.port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 2,
  });

  await expect(client.send(new ListTablesCommand({}))).rejects.toMatchObject({ name: 'TimeoutError' });

  expect(asked).toBe(2);
  client.destroy();
  silent.close();
});
