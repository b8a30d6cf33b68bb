import { errorNames } from './error-names.ts';
import { build, positionsOf } from './stack-positions.ts';

/**
 * The fields of a log line besides its event: ids, names from the code and positions. Request events, bodies, headers and error
 * messages are never logged, because they may contain secrets. A payment's id starts with its bill's id, and a postback's id contains
 * its payment's or payout's id: a search for one id finds all its lines.
 */
export type LogFields = {
  /** The function; in an alarm about a postback URL, the id of the shop, its refund URL or the merchant whose URL it is. */
  readonly endpoint?: string;
  readonly page?: string;
  /** The error's name, and its code: that of a defect (lib/defect.ts) or Node's code of a network error. */
  readonly error?: string;
  readonly code?: string;
  /** The id of the bundle, and where in it the error was created, as `line:column` of each call. */
  readonly build?: string;
  readonly at?: string;
  readonly why?: string;
  /** API Gateway's request id, and Lambda's invocation id. */
  readonly requestId?: string;
  readonly invocation?: string;
  readonly messageId?: string;
  readonly merchant?: string;
  readonly bill?: string;
  readonly payment?: string;
  readonly refund?: string;
  readonly payout?: string;
  readonly postback?: string;
  /** A calendar day, `2026-11-20`. */
  readonly day?: string;
  /** The hash of a seal or checkpoint. */
  readonly seal?: string;
  /** A provider's name. */
  readonly provider?: string;
};

/** Writes one line. Failures have the level `error`, which `npm start` shows and CloudWatch can search for. */
export type Log = (level: 'info' | 'error', event: string, fields: LogFields) => void;

/** Returns the fields that describe an error in a log line; never its message. */
export function kindOf(error: unknown): Pick<LogFields, 'error' | 'code' | 'build' | 'at'> {
  if (!(error instanceof Error)) return { error: 'unknown', ...(build && { build }) };
  const at = build && positionsOf(error);
  return {
    error: errorNames.has(error.name) ? error.name : 'OtherError',
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(build && { build }),
    ...(at && { at }),
  };
}

/** A 16-digit card number has the shape of a bill id. Of a billion real ids not one has 13 digits in a row. */
export const mayHoldCard = (text: string): boolean => /\d{13}/.test(text);
