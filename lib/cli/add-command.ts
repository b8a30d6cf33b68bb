import type { Command, Option } from 'commander';
import type { LocalRole } from '../installation/local-caller.ts';
import { actionOf, type Run, type Shell } from './shell.ts';

type CommandSpec<O> = {
  /** In commander's syntax: `create <name>`. */
  readonly usage: string;
  readonly description: string;
  readonly options?: readonly Option[];
  /** The arguments after `npm run paylink --`. */
  readonly example: string;
  /** The role that the command needs (default: operator). The local service enforces that role's policy. */
  readonly under?: LocalRole;
  /** Whether the group's name alone, with options, is this command. */
  readonly isDefault?: true;
  readonly run: Run<O>;
};

/** Adds a command group, such as `merchant` with `create` and `list`. */
export const addGroup = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description);

/** Adds a command with its options, an example in its help, and its action. */
export function addCommand<O extends object = object>(
  parent: Command,
  shell: Shell,
  { usage, description, options = [], example, under = 'operator', isDefault, run }: CommandSpec<O>,
): void {
  const command = parent.command(usage, { isDefault: isDefault === true }).description(description);
  for (const option of options) command.addOption(option);
  command.addHelpText('after', `\nExample:\n  npm run paylink -- ${example}`);
  command.action(actionOf<O>(shell, under, run));
}
