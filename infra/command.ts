import { parseArgs } from 'node:util';
import {
  type Environment,
  type EnvironmentName,
  environmentNamed,
} from '../lib/installation/environments.ts';

/** Runs a command and sets the process's exit code. Of an error it prints only the message, and the exit code is 1. */
export async function command(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/** Returns the environment that `--env` or the first argument names. Throws if its record is not complete. */
export function environmentArgument(fallback?: EnvironmentName): Environment {
  const { values, positionals } = parseArgs({ options: { env: { type: 'string' } }, allowPositionals: true });
  const name = values.env ?? positionals[0] ?? fallback;
  if (!name) throw new Error('Name the environment: --env dev, --env staging or --env prod.');
  return environmentNamed(name);
}
