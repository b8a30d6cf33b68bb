import type { PostAnswer } from '../postback/ports.ts';

export type Unreachable = Extract<PostAnswer, { readonly kind: 'unreachable' }>['why'];

/** Returns why the merchant's server was unreachable, from the error codes of Node and OpenSSL. */
export function whyUnreachable(error: unknown): Unreachable {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return meanings.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection_closed';
}

const meanings: readonly (readonly [RegExp, Unreachable])[] = [
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'no_route'],
  [
    /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/,
    'bad_certificate',
  ],
  [/^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/, 'tls_failed'],
  [/^HPE_/, 'not_http'],
];
