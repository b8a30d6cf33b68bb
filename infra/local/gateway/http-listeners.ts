import type { FunctionLog } from '../functions/function-log.ts';
import type { Gateway } from './gateway.ts';
import { gatewayServer } from './gateway-server.ts';
import { close, listen, loopback } from '../http-server.ts';

/** The API's origins, and the switch that opens them. */
export type HttpListeners = {
  /** The API's base URL on this machine, without a trailing slash. */
  readonly baseUrl: string;
  readonly secondOrigin: string | undefined;
  /** Passes requests to the gateway from now on. Before, they are answered 503. */
  readonly open: (gateway: Gateway) => void;
};

type Options = {
  readonly port: number;
  readonly second?: { readonly port: number };
  readonly host?: string;
  readonly log: FunctionLog;
  readonly now: () => Date;
};

/** Opens the ports before anything is built, so that a port in use is reported at once. */
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

/** Returns the host name for a URL on this machine. A server on all addresses is reachable on loopback too. */
function nearby(host: string): string {
  if (host === '0.0.0.0' || host === '::') return loopback;
  return host.includes(':') ? `[${host}]` : host;
}
