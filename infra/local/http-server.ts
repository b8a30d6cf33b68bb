import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { CommandError } from '../../lib/installation/command-error.ts';

/** Nothing that the runner serves can be reached from another machine, unless it is told another host for the API. */
export const loopback = '127.0.0.1';

/** Listens on loopback unless told otherwise; 0 takes any free port. Gives the port taken. */
export function listen(server: Server, port: number, host: string = loopback): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, port, host)));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Closes the server and every connection that is still open. */
export function close(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The whole body; undefined when it is larger than allowed. */
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
      `This machine has no address ${host}: give --host one that it has, or 0.0.0.0 for all.`,
    );
  if (error.code === 'EADDRINUSE') {
    return new CommandError(
      `Port ${port} is taken: stop what listens there, or choose another with npm start -- --port ${port + 1}.`,
    );
  }
  if (error.code === 'EACCES')
    return new CommandError(`Port ${port} may not be used by you: choose one above 1023 with --port.`);
  return error;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, 0);
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}
