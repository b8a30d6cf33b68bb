import type { Command, Option } from 'commander';
import { answering, type Shell, type Work } from './shell.ts';

type Verb<O> = {
  /** As commander spells it: `create <name>`. */
  readonly usage: string;
  readonly meaning: string;
  readonly options?: readonly Option[];
  /** What can be typed after `npm run paylink --`. */
  readonly example: string;
  readonly work: Work<O>;
};

/** A noun of the command line, as `merchant` in `merchant create`. */
export const noun = (program: Command, name: string, meaning: string): Command =>
  program.command(name).description(meaning);

/** One command: what it takes, an example in its help, and what it does. */
export function verb<O extends object = object>(parent: Command, shell: Shell, given: Verb<O>): void {
  const command = parent.command(given.usage).description(given.meaning);
  for (const option of given.options ?? []) command.addOption(option);
  command.addHelpText('after', `\nExample:\n  npm run paylink -- ${given.example}`);
  command.action(answering<O>(shell, given.work));
}
