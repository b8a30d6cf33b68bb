import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Defect } from '../defect.ts';
import { isAddress } from '../merchant/merchant-url.ts';
import type { PostAnswer } from '../postback/ports.ts';
import { ok, type Result } from '../result.ts';
import { firstBytes, shownText } from './answer-body.ts';
import { retryAfterSeconds } from './retry-after.ts';
import type { Unreachable } from './unreachable.ts';
import { within } from './within.ts';

export type Limits = {
  /** From the name lookup to the end of the response's headers. */
  readonly totalMs: number;
  /** To establish the connection, TLS included. */
  readonly connectMs: number;
  /** To read the body once the status is known, so that an endless body does not occupy a worker. */
  readonly bodyMs: number;
  /** A receiver that has not responded by then counts as slow. */
  readonly slowMs: number;
};

type Target = { readonly url: URL; readonly address: string };
type Content = { readonly headers: Readonly<Record<string, string>>; readonly body: string };
type Terms = {
  readonly limits: Limits;
  readonly deadline: AbortSignal;
  readonly now: () => Date;
  readonly certificates?: readonly string[];
};

/** Sends one POST over its own connection. Does not follow redirects or decompress the response. */
export async function postTo(
  target: Target,
  content: Content,
  { limits, deadline, now, certificates }: Terms,
): Promise<Result<PostAnswer, Unreachable>> {
  const late = new AbortController();
  const signal = AbortSignal.any([deadline, late.signal]);
  const request = open(target, content.headers, certificates);
  const connecting = setTimeout(() => late.abort(), limits.connectMs);
  try {
    const response = await within(
      signal,
      answerTo(request, content.body, () => clearTimeout(connecting)),
    );
    if (!response.ok) return response;
    return ok(
      await read(response.value, AbortSignal.any([deadline, AbortSignal.timeout(limits.bodyMs)]), now()),
    );
  } finally {
    clearTimeout(connecting);
    request.destroy();
  }
}

function open(
  { url, address }: Target,
  headers: Content['headers'],
  certificates?: readonly string[],
): ClientRequest {
  const secure = url.protocol === 'https:';
  const name = isAddress(url.hostname) ? {} : { servername: url.hostname };
  const tls = { ...name, minVersion: 'TLSv1.2' as const, ...(certificates ? { ca: [...certificates] } : {}) };
  return (secure ? httpsRequest : httpRequest)({
    method: 'POST',
    host: address,
    // Empty for the protocol's default port.
    port: url.port,
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, connection: 'close', 'accept-encoding': 'identity' },
    agent: false,
    ...(secure ? tls : {}),
  });
}

function answerTo(request: ClientRequest, body: string, connected: () => void): Promise<IncomingMessage> {
  const answer = Promise.withResolvers<IncomingMessage>();
  const isSecure = request.protocol === 'https:';
  request.on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', connected));
  request.on('response', answer.resolve);
  // Errors from closing the connection have no effect: the promise is settled by then.
  request.on('error', answer.reject);
  request.on('close', () => answer.reject(new Defect('CLOSED_WITHOUT_ANSWER', 'closed without an answer')));
  // A receiver that switches protocols has not accepted the postback.
  request.on('upgrade', (_response, socket) => socket.destroy());
  request.end(body);
  return answer.promise;
}

async function read(response: IncomingMessage, signal: AbortSignal, now: Date): Promise<PostAnswer> {
  return {
    kind: 'answered',
    status: response.statusCode ?? 0,
    retryAfterSeconds: retryAfterSeconds(response.headers['retry-after'], now),
    body: shownText(await firstBytes(response, signal)),
  };
}
