import { errorNames } from './error-names.ts';
import { build, positionsOf } from './stack-positions.ts';

/**
 * All that a line may say besides its event. Each is an id, a name of our code or a count, and nothing else is ever
 * written: not an event, a body, a header or an error's message, for secrets ride in them. A payment's id begins with its
 * bill's, a postback's holds its payment's or payout's: a search for one id finds every line about it.
 */
export type LogFields = {
  /** The function that answers; of an alarm, whose URL it is about: a shop's or a merchant's id. */
  readonly endpoint?: string | undefined;
  readonly page?: string | undefined;
  /** The error's name, and its code: a defect's (lib/defect.ts), or the one that Node gives errors of the network. */
  readonly error?: string | undefined;
  readonly code?: string | undefined;
  /** Which bundle this is, and where in it the error was made, as `line:column` of each call. */
  readonly build?: string | undefined;
  readonly at?: string | undefined;
  readonly why?: string | undefined;
  /** API Gateway's id of the request, and Lambda's of the invocation. */
  readonly requestId?: string | undefined;
  readonly invocation?: string | undefined;
  readonly messageId?: string | undefined;
  readonly merchant?: string | undefined;
  readonly bill?: string | undefined;
  readonly payment?: string | undefined;
  readonly payout?: string | undefined;
  readonly postback?: string | undefined;
};

/** Writes one line. Whatever failed is an error, which `npm start` shows and CloudWatch can look for. */
export type Log = (level: 'info' | 'error', event: string, fields: LogFields) => void;

/** What a line says of an error: never its message. */
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

/** The number of a card has the shape of a bill's id; among a billion real ids not one has so many digits in a row. */
export const mayHoldCard = (text: string): boolean => /\d{13}/.test(text);
