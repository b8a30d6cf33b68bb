import type { Command, Option } from 'commander';
import type { LocalRole } from '../installation/local-caller.ts';
import { actionOf, type Run, type Shell } from './shell.ts';

type CommandSpec<O> = {
  /** As commander spells it: `create <name>`. */
  readonly usage: string;
  readonly description: string;
  readonly options?: readonly Option[];
  /** What can be typed after `npm run paylink --`. */
  readonly example: string;
  /** Whose command it is: the operator's unless said otherwise. The local service lets it do what that policy allows. */
  readonly under?: LocalRole;
  readonly run: Run<O>;
};

/** Commands under one name, as `create` and `list` under `merchant`. */
export const addGroup = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description);

/** One command: what it takes, an example in its help, and what it does. */
export function addCommand<O extends object = object>(
  parent: Command,
  shell: Shell,
  { usage, description, options = [], example, under = 'operator', run }: CommandSpec<O>,
): void {
  const command = parent.command(usage).description(description);
  for (const option of options) command.addOption(option);
  command.addHelpText('after', `\nExample:\n  npm run paylink -- ${example}`);
  command.action(actionOf<O>(shell, under, run));
}
