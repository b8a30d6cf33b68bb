import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export type Raw = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
};
type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
};

/** Sends a request unchanged: unlike `fetch` it neither normalizes the path nor checks the method. */
export function rawRequest(origin: string, path: string, { method = 'GET', headers, body }: Raw = {}) {
  const { hostname, port } = new URL(origin);
  return new Promise<RawAnswer>((resolve, reject) => {
    const sent = request({ hostname, port, path, method, agent: false, headers: headersOf(headers, body) });
    sent.on('response', (answer) => {
      const { statusCode: status = 0, headers: received } = answer;
      buffer(answer).then((bytes) => resolve({ status, headers: received, body: bytes.toString() }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const headersOf = (headers: Raw['headers'] = {}, body: Raw['body']): Record<string, string | string[]> => ({
  ...Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  ),
  ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
});
