import { parseArgs } from 'node:util';
import { type EnvironmentName, environmentNamed } from './environments.ts';

/** The environment that `--env` names; one sentence and exit code 1 when it can not be told. */
export function environmentArgument(fallback?: EnvironmentName): EnvironmentName {
  try {
    const { values } = parseArgs({ options: { env: { type: 'string' } } });
    const name = values.env ?? fallback;
    if (!name) throw new Error('Say which environment: --env dev, --env staging or --env prod.');
    return environmentNamed(name).name;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
