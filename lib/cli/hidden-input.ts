import { CommandError } from '../installation/command-error.ts';
import type { Shell } from './shell.ts';

type Input = Pick<Shell, 'isInteractive' | 'askHidden' | 'readInput'>;

const elsewhere = 'omit --number to be asked for it, or pipe it in with --number -';

/**
 * Reads a card or phone number: from the option, from the first line of standard input with `-`, or from a prompt that does
 * not show it. A command line is visible in npm's log, the process list and the shell's history, so the option takes a
 * number only for the local service, where numbers are not real.
 */
export async function readNumber(
  named: string | undefined,
  environment: string,
  { isInteractive, askHidden, readInput }: Input,
): Promise<string> {
  if (named === '-') return firstLine(await readInput());
  if (named !== undefined) {
    if (environment === 'local') return named;
    throw new CommandError(
      `Nothing was stored: a number on the command line stays in logs and the shell’s history. Remove it there; ${elsewhere}.`,
      'number_on_command_line',
    );
  }
  if (isInteractive) return (await askHidden('Card or phone number (it is not shown):')).trim();
  throw new CommandError(
    `There is no terminal to ask for the number: pipe it in with --number -.`,
    'number_missing',
  );
}

/** Standard input that is a terminal shows what is typed. */
export const shownInput = (): CommandError =>
  new CommandError(
    'Nothing was read: standard input is a terminal, which would show it. Pipe the text in, or leave standard output to the terminal to be asked for it.',
    'input_is_shown',
  );

const firstLine = (text: string): string => text.split('\n', 1)[0]?.trim() ?? '';
