import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { CommandError } from '../../../lib/installation/command-error.ts';

/** Gives the value of this name, which is made once and kept: the material of keys, the values of secrets. */
export type KeepSecret = {
  (name: string, make: () => string): string;
  /** Another value from now on. */
  readonly replace: (name: string, value: string) => void;
};

const schema = z.record(z.string(), z.string());

/** Forgotten when the process ends. */
export function secretsInMemory(): KeepSecret {
  return keeping(new Map(), () => undefined);
}

/** Kept in a file that only its owner can read. */
export function secretFile(file: string): KeepSecret {
  const values = new Map(Object.entries(existsSync(file) ? read(file) : {}));
  return keeping(values, () => {
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  });
}

function keeping(values: Map<string, string>, save: () => void): KeepSecret {
  const replace = (name: string, value: string): void => {
    values.set(name, value);
    save();
  };
  const keep = (name: string, make: () => string): string => {
    const known = values.get(name);
    if (known !== undefined) return known;
    const value = make();
    replace(name, value);
    return value;
  };
  return Object.assign(keep, { replace });
}

function read(file: string): Record<string, string> {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new CommandError(
      `${file} is damaged, and without it the local data cannot be opened: run npm start -- --reset.`,
    );
  }
}
