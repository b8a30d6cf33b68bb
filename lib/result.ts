/**
 * The outcome of an operation that may refuse its caller. Violated assumptions are thrown instead. `details` explains a
 * refusal further.
 */
export type Result<T, E, D = never> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E; readonly details?: D };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const fail = <const E, D = never>(
  error: E,
  details?: D,
): { readonly ok: false; readonly error: E; readonly details?: D } =>
  details === undefined ? { ok: false, error } : { ok: false, error, details };
