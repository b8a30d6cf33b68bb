import type { IncomingMessage, Server } from 'node:http';

/** Listens on loopback: nobody else reaches the emulator. Returns the origin. */
export function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const actual = typeof address === 'object' && address ? address.port : port;
      resolve(`http://127.0.0.1:${actual}`);
    });
  });
}

/** Closes the server and its connections, also those that are held without an answer. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Reads the body as text. Throws when it is larger than a megabyte. */
export async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > 1_000_000) throw new Error('The request body is larger than a megabyte.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
