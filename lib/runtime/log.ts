import { AsyncLocalStorage } from 'node:async_hooks';
import type { AlarmName } from '../alarms.ts';
import { isBillId, isPaymentId, isPayoutId, isRefundId, isRefundUrlId } from '../ids.ts';
import { defectCodes } from '../defect.ts';
import { errorNames } from '../error-names.ts';
import { type Log, type LogFields, mayHoldCard } from '../log.ts';
import { isEventId } from '../postback/event.ts';

type Shape = (value: unknown) => boolean;

const text =
  (fits: (value: string) => boolean): Shape =>
  (value) =>
    typeof value === 'string' && fits(value) && !mayHoldCard(value);
const like = (pattern: RegExp): Shape => text((value) => pattern.test(value));

/** Without underscores, because every Paylink token has one, and without a leading digit. */
const name = like(/^[A-Za-z$][A-Za-z0-9$.-]{0,63}$/);
const reason = like(/^[a-z]+(?:_[a-z]+)*$/);
const partyId = like(/^[0-9A-Za-z]{16}$/);
const refundUrlId = text(isRefundUrlId);
const uuid = like(/^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/);

const knownDefects: ReadonlySet<string> = new Set(defectCodes);
/** Node's error codes of sockets, DNS, TLS and HTTP, such as `ECONNREFUSED` and `ERR_TLS_CERT_ALTNAME_INVALID`. */
const codeOfNode =
  /^(?:E[A-Z]{2,20}|EAI_[A-Z]{2,20}|(?:ERR|UND_ERR|HPE|CERT|UNABLE|DEPTH|SELF|HOSTNAME)_[A-Z_]{2,40})$/;

/** The allowlist of fields, each with the shape of its values, so that a secret passed by mistake is not written. */
const shapes: Readonly<Record<keyof LogFields, Shape>> = {
  endpoint: (value) => name(value) || partyId(value) || refundUrlId(value),
  page: name,
  error: text((value) => errorNames.has(value) || ['OtherError', 'unknown'].includes(value)),
  code: text((value) => knownDefects.has(value) || codeOfNode.test(value)),
  build: like(/^[0-9a-f]{12}$/),
  at: like(/^\d{1,6}:\d{1,7}(?: \d{1,6}:\d{1,7}){0,7}$/),
  why: reason,
  requestId: uuid,
  invocation: uuid,
  messageId: uuid,
  merchant: partyId,
  bill: text(isBillId),
  payment: text(isPaymentId),
  refund: text(isRefundId),
  payout: text(isPayoutId),
  postback: text(isEventId),
  day: like(/^\d{4}-\d{2}-\d{2}$/),
  // A hash may have the digits of a card number by chance.
  seal: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  provider: like(/^[a-z]{1,20}$/),
};

const invocations = new AsyncLocalStorage<LogFields>();

/** Runs the work of one invocation; every line that it logs, alarms included, carries these ids. */
export const duringInvocation = <T>(ids: LogFields, work: () => Promise<T>): Promise<T> =>
  invocations.run(ids, work);

function write(level: 'info' | 'error' | 'alarm', event: string, fields: LogFields): void {
  const given: Readonly<Record<string, unknown>> = { ...invocations.getStore(), ...fields };
  const written = Object.entries(shapes)
    .filter(([field]) => given[field] !== undefined)
    .map(([field, fits]) => [field, fits(given[field]) ? given[field] : '[removed]']);
  process.stdout.write(`${JSON.stringify({ level, event, ...Object.fromEntries(written) })}\n`);
}

/** Writes one JSON line to standard output, which Lambda sends to the log group. */
export const log: Log = write;

/** Writes a line that raises an alarm: a metric filter of the template counts `"level":"alarm"`. */
export const alarm = (event: AlarmName, fields: LogFields): void => write('alarm', event, fields);
