import type { Command } from 'commander';
import type { CommandOutput } from './output.ts';
import type { LocalRole } from '../installation/local-caller.ts';
import type { OperatorContext } from './operator-context.ts';
import { CommandError } from '../installation/command-error.ts';
import { maskCardNumbers } from '../card-number.ts';
import { terminalJson } from './terminal-text.ts';

/** The terminal and the connection to an environment: everything that a command uses besides its context. */
export type Shell = {
  readonly connect: (environment: string, folder: string) => Promise<OperatorContext>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The computer's login name, recorded with actions at the local service. */
  readonly operator: string;
  /** Whether a person can answer questions. */
  readonly isInteractive: boolean;
  readonly ask: (question: string) => Promise<boolean>;
  /** Asks for text without showing it. */
  readonly askHidden: (question: string) => Promise<string>;
  /** Reads standard input. */
  readonly readInput: () => Promise<string>;
  /** From now on an interruption (Ctrl-C) does not end the process but is told here; a second one ends it. */
  readonly watchInterrupt: () => { readonly isInterrupted: () => boolean };
  /** The exit code of the process. */
  exitCode: number;
};

/** The options of every command. */
type CommonOptions = {
  readonly env: string;
  readonly json?: true;
  readonly yes?: true;
  /** Replaces the login name, at the local service. */
  readonly by?: string;
  /** The local service's data folder. */
  readonly folder: string;
};

/** A command's parsed arguments, with its way to confirm and to identify the person. */
type CommandInput<O> = {
  readonly args: readonly string[];
  readonly options: O & CommonOptions;
  /** Asks before money moves or a token or secret is replaced. Throws a `CommandError` unless the answer is yes. */
  readonly confirm: (question: string) => Promise<void>;
  /** Returns the person, as recorded with their actions. */
  readonly by: () => Promise<string>;
};

export type Run<O> = (context: OperatorContext, input: CommandInput<O>) => Promise<CommandOutput>;

/** Returns a command's action: opens the context, runs the command, prints its output, closes the context. */
export function actionOf<O extends object>(shell: Shell, under: LocalRole, run: Run<O>) {
  return async function act(this: Command): Promise<void> {
    const options = this.optsWithGlobals<O & CommonOptions>();
    const context = await shell.connect(options.env, options.folder);
    try {
      const by = () => context.identify(options.by, shell.operator);
      context.workAs(by, nameOf(this), under);
      const input = { args: this.args, options, by, confirm: confirming(shell, options) };
      const { json, text, exitCode = 0 } = await run(context, input);
      shell.out(options.json ? terminalJson(JSON.stringify(json, masked, 2)) : maskCardNumbers(text));
      shell.exitCode = exitCode;
    } finally {
      context.close();
    }
  };
}

/** Returns the command's name with its group, such as `terms set`. */
export const nameOf = (command: Command): string =>
  [command.parent?.name(), command.name()]
    .filter((name) => name !== undefined && name !== 'paylink')
    .join(' ');

/** Masks card numbers in JSON output too: a merchant may have put one into an order_id or a name. */
const masked = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? maskCardNumbers(value) : value;

function confirming(shell: Shell, { yes }: CommonOptions) {
  return async (question: string): Promise<void> => {
    if (yes) return;
    if (!shell.isInteractive) {
      throw new CommandError(
        `${question} There is no terminal to answer in: add --yes to confirm.`,
        'not_confirmed',
      );
    }
    if (!(await shell.ask(question))) throw new CommandError('Nothing was done.', 'not_confirmed');
  };
}
