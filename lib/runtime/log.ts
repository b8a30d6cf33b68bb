import { AsyncLocalStorage } from 'node:async_hooks';
import type { AlarmName } from '../alarms.ts';
import { isBillId, isPaymentId } from '../ids.ts';
import { type Log, type LogFields, mayHoldCard } from '../log.ts';
import { isPayoutId } from '../payout/payout-id.ts';
import { isEventId } from '../postback/event.ts';

type Shape = (value: unknown) => boolean;

const text =
  (fits: (value: string) => boolean): Shape =>
  (value) =>
    typeof value === 'string' && fits(value) && !mayHoldCard(value);
const like = (pattern: RegExp): Shape => text((value) => pattern.test(value));

/** No underscore, which every token of ours has, and no digit at the beginning. */
const name = like(/^[A-Za-z$][A-Za-z0-9$.-]{0,63}$/);
const reason = like(/^[a-z]+(?:_[a-z]+)*$/);
const partyId = like(/^[0-9A-Za-z]{16}$/);
const uuid = like(/^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/);

/** The only fields that are written, each only in its own shape: a secret in the wrong place stays where it is. */
const shapes: Readonly<Record<keyof LogFields, Shape>> = {
  endpoint: (value) => name(value) || partyId(value),
  page: name,
  error: name,
  code: like(/^[A-Z][A-Z0-9_]{0,40}$/),
  why: reason,
  requestId: uuid,
  invocation: uuid,
  messageId: uuid,
  merchant: partyId,
  bill: text(isBillId),
  payment: text(isPaymentId),
  payout: text(isPayoutId),
  postback: text(isEventId),
};

const invocations = new AsyncLocalStorage<LogFields>();

/** Does the work of one invocation; each line that it logs, alarms too, says which one it was. */
export const duringInvocation = <T>(ids: LogFields, work: () => Promise<T>): Promise<T> =>
  invocations.run(ids, work);

function write(level: 'info' | 'error' | 'alarm', event: string, fields: LogFields): void {
  const given: Readonly<Record<string, unknown>> = { ...invocations.getStore(), ...fields };
  const said = Object.entries(shapes)
    .filter(([field]) => given[field] !== undefined)
    .map(([field, fits]) => [field, fits(given[field]) ? given[field] : '[removed]']);
  process.stdout.write(`${JSON.stringify({ level, event, ...Object.fromEntries(said) })}\n`);
}

/** One JSON line on standard output, which is what the log group keeps. */
export const log: Log = write;

/** A line that raises an operator alarm: the template counts `"level":"alarm"` and tells the operator. */
export const alarm = (event: AlarmName, fields: LogFields): void => write('alarm', event, fields);
