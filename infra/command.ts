import { parseArgs } from 'node:util';
import { type EnvironmentName, environmentNamed } from './environments.ts';

/** Runs a command to its exit code; what goes wrong is told in the error's own sentence. */
export async function command(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/** The environment that `--env` names. */
export function environmentArgument(fallback?: EnvironmentName): EnvironmentName {
  const { values } = parseArgs({ options: { env: { type: 'string' } } });
  const name = values.env ?? fallback;
  if (!name) throw new Error('Say which environment: --env dev, --env staging or --env prod.');
  return environmentNamed(name).name;
}
