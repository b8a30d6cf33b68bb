import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { CommandError } from '../command-error.ts';

/** Gives the value of this name, which is made once and kept: the material of keys, the values of secrets. */
export type KeepSecret = (name: string, make: () => string) => string;

const schema = z.record(z.string(), z.string());

/** Forgotten when the process ends. */
export function secretsInMemory(): KeepSecret {
  const values = new Map<string, string>();
  return (name, make) => {
    const value = values.get(name) ?? make();
    values.set(name, value);
    return value;
  };
}

/** Kept in a file that only its owner can read. */
export function secretFile(file: string): KeepSecret {
  const values = new Map(Object.entries(existsSync(file) ? read(file) : {}));
  return (name, make) => {
    const known = values.get(name);
    if (known !== undefined) return known;
    const value = make();
    values.set(name, value);
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
    return value;
  };
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
