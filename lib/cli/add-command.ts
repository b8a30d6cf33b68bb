import type { Command, Option } from 'commander';
import type { LocalRole } from '../installation/local-caller.ts';
import { actionOf, type Run, type Shell } from './shell.ts';

type CommandDefinition<O> = {
  readonly options?: readonly Option[];
  /** The arguments after `npm run paylink --`. */
  readonly example: string;
  /** The role that the command needs (default: operator). The local service enforces that role's policy. */
  readonly under?: LocalRole;
  readonly run: Run<O>;
};

type CommandSpec<O> = CommandDefinition<O> & {
  /** In commander's syntax: `create <name>`. */
  readonly usage: string;
  readonly description: string;
  /** Whether the group's name alone, with options, is this command. */
  readonly isDefault?: true;
};

/** Adds a command to its group: its options, an example in its help, and its action. */
export function addCommand<O extends object = object>(
  group: Command,
  shell: Shell,
  { usage, description, isDefault, ...definition }: CommandSpec<O>,
): void {
  const command = group.command(usage, { isDefault: isDefault === true }).description(description);
  defineCommand<O>(command, shell, definition);
}

/** Gives a command, whose name and arguments are known, its options, an example in its help, and its action. */
export function defineCommand<O extends object = object>(
  command: Command,
  shell: Shell,
  { options = [], example, under = 'operator', run }: CommandDefinition<O>,
): void {
  for (const option of options) command.addOption(option);
  command.addHelpText('after', `\nExample:\n  npm run paylink -- ${example}`);
  command.action(actionOf<O>(shell, under, run));
}
