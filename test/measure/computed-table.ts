import { createServer, type Server } from 'node:http';

/** Starts a server of DynamoDB's protocol that computes its answers: the text of each, by operation and request. */
export async function computedTable(
  answer: (operation: string, body: unknown) => string,
): Promise<{ readonly server: Server; readonly endpoint: string }> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      response.setHeader('content-type', 'application/x-amz-json-1.0');
      response.end(answer(operation, JSON.parse(Buffer.concat(parts).toString())));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}
