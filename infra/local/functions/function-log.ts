import { openSync, writeSync } from 'node:fs';
import * as z from 'zod/mini';

/** Receives the functions' console output, line by line. */
export type FunctionLog = (line: LogLine) => void;
export type LogLine = {
  readonly functionName: string;
  readonly text: string;
  readonly stream: 'stdout' | 'stderr' | 'runner';
};

/** Writes lines to a new file. Writes are synchronous, so that a crash loses none. */
export function fileLog(file: string, now: () => Date): FunctionLog {
  const log = openSync(file, 'w', 0o600);
  return ({ functionName, text }) => void writeSync(log, `${now().toISOString()} ${functionName} ${text}\n`);
}

/** Shows only warnings, errors and alarms, each in one line. */
export const warningsTo =
  (show: (line: string) => void): FunctionLog =>
  (line) => {
    const warning = warningIn(line);
    if (warning) show(`${line.functionName}: ${warning}`);
  };

/** A structured line has its level. Other lines are warnings when they are on stderr or the runner's own, except stack frames. */
function warningIn({ text, stream }: LogLine): string | undefined {
  const entry = parsed(text);
  if (!entry) return stream === 'stdout' || /^\s|^$/.test(text) ? undefined : text.split('\n')[0];
  const { level, ...fields } = entry;
  return /^(warn|error|fatal|alarm)/i.test(level) ? oneLine(fields) : undefined;
}

const oneLine = ({ message, ...fields }: Readonly<Record<string, unknown>>): string =>
  typeof message === 'string'
    ? message
    : Object.entries(fields)
        .map(([name, value]) => `${name} ${String(value)}`)
        .join(', ');

const entrySchema = z.looseObject({ level: z.string() });

function parsed(text: string): z.infer<typeof entrySchema> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return entrySchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
