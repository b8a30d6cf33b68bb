import { appendFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** Where the functions' console goes: one line at a time. */
export type FunctionLog = (line: LogLine) => void;
export type LogLine = {
  readonly functionName: string;
  readonly text: string;
  readonly stream: 'stdout' | 'stderr' | 'runner';
};

/** Lines to a file, as they come: a crash loses none. */
export const fileLog =
  (file: string, now: () => Date): FunctionLog =>
  ({ functionName, text }) =>
    appendFileSync(file, `${now().toISOString()} ${functionName} ${text}\n`);

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
  return /^(warn|error|fatal|critical)/i.test(entry.level) ? (entry.message ?? text) : undefined;
}

const entrySchema = z.object({ level: z.string(), message: z.optional(z.string()) });

function parsed(text: string): z.infer<typeof entrySchema> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return entrySchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
