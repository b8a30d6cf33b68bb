import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { CommandError } from '../../../lib/installation/command-error.ts';

/** Returns the value of this name. It is generated once and stored: key material, the values of secrets. */
export type KeepSecret = {
  (name: string, make: () => string): string;
  /** Replaces the value. */
  readonly replace: (name: string, value: string) => void;
};

const schema = z.record(z.string(), z.string());

/** Stores values in memory only. */
export function secretsInMemory(): KeepSecret {
  return keeping(new Map(), () => undefined);
}

/** Stores values in a file that only its owner can read. */
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
      `${file} is damaged, and without it the local data cannot be decrypted: run npm start -- --reset.`,
    );
  }
}
