import type { FunctionLog } from '../functions/function-log.ts';
import type { Gateway } from './gateway.ts';
import { gatewayServer } from './gateway-server.ts';
import { close, listen, loopback } from '../http-server.ts';

/** Where the API can be reached, and its switch. */
export type HttpListeners = {
  /** As this machine reaches it. */
  readonly baseUrl: string;
  /** The second origin, when there is one. */
  readonly secondOrigin?: string | undefined;
  /** From now on requests go to the gateway; before, they were told that the service is starting. */
  readonly open: (gateway: Gateway) => void;
};

type Options = {
  readonly port: number;
  readonly second?: { readonly port: number } | undefined;
  readonly host?: string | undefined;
  readonly log: FunctionLog;
  readonly now: () => Date;
};

/** Takes the ports first of all, so that a taken one is known before anything is built. */
export async function openListeners(options: Options, started: AsyncDisposableStack): Promise<HttpListeners> {
  const { port, second, host = loopback } = options;
  let gateway: Gateway | undefined;
  const take = async (at: number): Promise<string> => {
    const server = started.adopt(
      gatewayServer(() => gateway, options),
      close,
    );
    return `http://${nearby(host)}:${await listen(server, at, host)}`;
  };
  const baseUrl = await take(port);
  const secondOrigin = second && (await take(second.port));
  const open = (opened: Gateway): void => {
    gateway = opened;
  };
  return { baseUrl, secondOrigin, open };
}

/** What listens at every address is reached at loopback too. */
function nearby(host: string): string {
  if (host === '0.0.0.0' || host === '::') return loopback;
  return host.includes(':') ? `[${host}]` : host;
}
