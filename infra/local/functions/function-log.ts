import { openSync, writeSync } from 'node:fs';
import * as z from 'zod/mini';

/** Where the functions' console goes: one line at a time. */
export type FunctionLog = (line: LogLine) => void;
export type LogLine = {
  readonly functionName: string;
  readonly text: string;
  readonly stream: 'stdout' | 'stderr' | 'runner';
};

/** Lines to a new file, as they come: a crash loses none. */
export function fileLog(file: string, now: () => Date): FunctionLog {
  const log = openSync(file, 'w', 0o600);
  return ({ functionName, text }) => void writeSync(log, `${now().toISOString()} ${functionName} ${text}\n`);
}

/** Only what a person should see: warnings and errors, each in one line. */
export const warningsTo =
  (show: (line: string) => void): FunctionLog =>
  (line) => {
    const warning = warningIn(line);
    if (warning) show(`${line.functionName}: ${warning}`);
  };

/** Structured lines say their level; of others, those on stderr and the runner's own are warnings, but for stack frames. */
function warningIn({ text, stream }: LogLine): string | undefined {
  const entry = parsed(text);
  if (!entry) return stream === 'stdout' || /^\s|^$/.test(text) ? undefined : text.split('\n')[0];
  const { level, ...said } = entry;
  return /^(warn|error|fatal|alarm)/i.test(level) ? inWords(said) : undefined;
}

const inWords = ({ message, ...fields }: Readonly<Record<string, unknown>>): string =>
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
