import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const channel = 'net.client.socket';

/** Counts the TCP sockets that this process opens as a client while `act` runs. */
export async function socketsOpenedBy<T>(act: () => Promise<T>): Promise<{ opened: number; value: T }> {
  let opened = 0;
  const count = () => {
    opened += 1;
  };
  subscribe(channel, count);
  try {
    const value = await act();
    return { value, opened };
  } finally {
    unsubscribe(channel, count);
  }
}
