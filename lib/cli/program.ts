import { Command } from 'commander';
import { reportFailure } from './failure.ts';
import { nouns } from './nouns.ts';
import { folderOption } from './options.ts';
import type { Shell } from './shell.ts';
import { plainShell } from './terminal-text.ts';

/** Runs one command line, without `node` and the script. Returns the process's exit code. */
export async function run(words: readonly string[], given: Shell): Promise<number> {
  const shell = plainShell(given);
  const { program, load } = programFor(shell);
  program.hook('preSubcommand', (_program, noun) => load(noun));
  try {
    await program.parseAsync(words, { from: 'user' });
    return shell.exitCode;
  } catch (error) {
    return reportFailure(error, words, shell);
  }
}

/** Returns the program with all commands, as their own help describes them. */
export async function wholeProgram(shell: Shell): Promise<Command> {
  const { program, load } = programFor(shell);
  for (const noun of program.commands) await load(noun);
  return program;
}

/** Returns the program with its nouns, and `load`, which gives a noun its commands or options from its module. */
function programFor(shell: Shell) {
  const program = new Command('paylink')
    .description('The operator’s commands: everything about Paylink that no endpoint sets or shows.')
    .option('--env <name>', 'the environment to work on: local, dev, staging or prod', 'local')
    .option('--json', 'print one JSON document')
    .option('--yes', 'do not ask before money moves or a token or secret is replaced')
    .option(
      '--by <name>',
      'local service only: the name to record instead of your login; a deployed service uses your AWS identity',
    )
    .addOption(folderOption())
    .addHelpText('after', '\nEvery command has its own help: npm run paylink -- merchant set --help')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help for its options and an example.')
    .configureOutput({
      writeOut: (text) => shell.out(text.trimEnd()),
      writeErr: (text) => shell.err(text.trimEnd()),
    });
  // A command takes these settings from its parent when it is added.
  const loaders = new Map(
    nouns.map(({ usage, description, load }) => [program.command(usage).description(description), load]),
  );
  const load = async (noun: Command): Promise<void> => {
    const define = await loaders.get(noun)?.();
    define?.(noun, shell);
  };
  return { program, load };
}
