import { parseArgs } from 'node:util';
import {
  type Environment,
  type EnvironmentName,
  environmentNamed,
} from '../lib/installation/environments.ts';

/** Runs a command to its exit code; what goes wrong is told in the error's own sentence. */
export async function command(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/** The environment that `--env` or the first word names, its record complete. */
export function environmentArgument(fallback?: EnvironmentName): Environment {
  const { values, positionals } = parseArgs({ options: { env: { type: 'string' } }, allowPositionals: true });
  const name = values.env ?? positionals[0] ?? fallback;
  if (!name) throw new Error('Say which environment: --env dev, --env staging or --env prod.');
  return environmentNamed(name);
}
