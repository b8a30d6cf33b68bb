import type { Command } from 'commander';
import type { CommandOutput } from './output.ts';
import type { LocalRole } from '../installation/local-caller.ts';
import type { OperatorContext } from './operator-context.ts';
import { CommandError } from '../installation/command-error.ts';
import { maskCardNumbers } from '../card-number.ts';

/** The terminal, and the way to an environment: all that a command touches besides its context. */
export type Shell = {
  readonly connect: (environment: string, folder: string) => Promise<OperatorContext>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Who types, by the computer's login: what they do at the local service is kept with this name. */
  readonly operator: string;
  /** A person sits at the terminal. */
  readonly isInteractive: boolean;
  readonly ask: (question: string) => Promise<boolean>;
  /** Asks for text that is not shown while it is typed. */
  readonly askHidden: (question: string) => Promise<string>;
  /** What is piped into the command. */
  readonly readInput: () => Promise<string>;
  /** The exit code of the process. */
  exitCode: number;
};

/** The options that every command takes. */
type CommonOptions = {
  readonly env: string;
  readonly json?: true;
  readonly yes?: true;
  /** A name in the place of the login's, at the local service. */
  readonly by?: string;
  /** Where the local service keeps its data. */
  readonly folder: string;
};

/** What was typed after the command's name. */
type CommandInput<O> = {
  readonly args: readonly string[];
  readonly options: O & CommonOptions;
  /** Asks before money moves or a token or secret is replaced; ends the command unless the answer is yes. */
  readonly confirm: (question: string) => Promise<void>;
  /** Who types, as it is kept with what they do. */
  readonly by: () => Promise<string>;
};

export type Run<O> = (context: OperatorContext, input: CommandInput<O>) => Promise<CommandOutput>;

/** The action of a command: opens the context, runs it, prints the answer, closes the context. */
export function actionOf<O extends object>(shell: Shell, under: LocalRole, run: Run<O>) {
  return async function act(this: Command): Promise<void> {
    const options = this.optsWithGlobals<O & CommonOptions>();
    const context = await shell.connect(options.env, options.folder);
    try {
      const by = () => context.identify(options.by, shell.operator);
      context.workAs(by, nameOf(this), under);
      const input = { args: this.args, options, by, confirm: confirming(shell, options) };
      const { json, text, exitCode = 0 } = await run(context, input);
      shell.out(options.json ? JSON.stringify(json, masked, 2) : maskCardNumbers(text));
      shell.exitCode = exitCode;
    } finally {
      context.close();
    }
  };
}

/** `terms set`: the command under its group. */
export const nameOf = (command: Command): string =>
  [command.parent?.name(), command.name()]
    .filter((name) => name !== undefined && name !== 'paylink')
    .join(' ');

/** Whatever a merchant put into an order_id or a name: no card number is shown, in a document neither. */
const masked = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? maskCardNumbers(value) : value;

function confirming(shell: Shell, { yes }: CommonOptions) {
  return async (question: string): Promise<void> => {
    if (yes) return;
    if (!shell.isInteractive) {
      throw new CommandError(`${question} Nobody can answer here: add --yes to do it.`, 'not_confirmed');
    }
    if (!(await shell.ask(question))) throw new CommandError('Nothing was done.', 'not_confirmed');
  };
}
