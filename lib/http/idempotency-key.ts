import { fail, ok, type Result } from '../result.ts';

const quoted = /^"((?:[^"\\]|\\["\\])*)"$/;
const printable = /^[\x20-\x7e]{1,255}$/;

/**
 * Reads the `Idempotency-Key` header: 1 to 255 printable ASCII characters, quoted or not. Undefined when it is absent or blank;
 * the error is a sentence for the caller.
 */
export function readIdempotencyKey(header: string | undefined): Result<string | undefined, string> {
  const text = header?.trim() ?? '';
  if (text === '') return ok(undefined);
  const inner = quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? text;
  return printable.test(inner)
    ? ok(inner)
    : fail('The Idempotency-Key must be 1 to 255 printable ASCII characters.');
}
