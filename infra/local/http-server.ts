import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { CommandError } from '../../lib/installation/command-error.ts';

/** The address that every server of the runner listens on, so that other machines cannot reach it. Only the API takes another host. */
export const loopback = '127.0.0.1';

/** Starts listening, by default on loopback. Port 0 selects a free port. Returns the port. */
export function listen(server: Server, port: number, host: string = loopback): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, port, host)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Closes the server and all open connections. */
export function close(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Returns the request body; undefined when it is larger than `largest` bytes. */
export function readBody(request: IncomingMessage, largest: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largest) chunks.push(chunk);
    });
    request.once('end', () => resolve(size <= largest ? Buffer.concat(chunks) : undefined));
    request.once('error', reject);
  });
}

function portError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new CommandError(
      `This machine has no address ${host}: set --host to one of its addresses, or to 0.0.0.0 for all.`,
    );
  if (error.code === 'EADDRINUSE') {
    return new CommandError(
      `Port ${port} is in use: stop the process that listens on it, or choose another with npm start -- --port ${port + 1}.`,
    );
  }
  if (error.code === 'EACCES')
    return new CommandError(`Port ${port} needs more privileges: choose one above 1023 with --port.`);
  return error;
}

/** Returns a free port. Another process may take it before it is used. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, 0);
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}
