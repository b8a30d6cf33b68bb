import type { AlarmName } from '../alarms.ts';

type Field = string | number | boolean;

/**
 * One JSON line of named fields on standard output, which is what the log group keeps. No event, body, header or
 * error message is ever passed in: secrets ride in them.
 */
export function log(event: string, fields: Readonly<Record<string, Field>>): void {
  process.stdout.write(`${JSON.stringify({ level: 'info', event, ...fields })}\n`);
}

/** A line that raises an operator alarm: the template counts `"level":"alarm"` and tells the operator. */
export function alarm(event: AlarmName, fields: Readonly<Record<string, Field>>): void {
  process.stdout.write(`${JSON.stringify({ level: 'alarm', event, ...fields })}\n`);
}
