import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Parses the options of the command line; `--help` or an invalid option prints the usage and ends the process. */
export function optionsOf<O extends NonNullable<ParseArgsConfig['options']>>(usage: string, options: O) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' as const } } });
    if (!('help' in values) || values.help !== true) return parseArgs({ options }).values;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
