import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

const channel = 'net.client.socket';

/** Counts the client TCP sockets that this process opens while `act` runs, and returns their ports. */
export async function socketsOpenedBy<T>(
  act: () => Promise<T>,
): Promise<{ opened: number; ports: readonly number[]; value: T }> {
  let opened = 0;
  const ports: number[] = [];
  const count = (message: unknown) => {
    opened += 1;
    const socket = Object(message).socket;
    if (socket instanceof Socket) socket.once('connectionAttempt', (_address, port) => ports.push(port));
  };
  subscribe(channel, count);
  try {
    const value = await act();
    return { value, opened, ports };
  } finally {
    unsubscribe(channel, count);
  }
}
