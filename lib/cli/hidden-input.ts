import { CommandError } from '../installation/command-error.ts';
import type { Shell } from './shell.ts';

type Input = Pick<Shell, 'isInteractive' | 'askHidden' | 'readInput'>;

const elsewhere = 'leave it out to be asked for it, or pipe it in with --number -';

/**
 * A card or phone number: as the option says it, `-` for the first line of standard input, or asked for without being
 * shown. A command line stays in npm's log, the list of processes and the shell's history, so it may name a number of the
 * local service only, whose numbers are made up.
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

const firstLine = (text: string): string => text.split('\n', 1)[0]?.trim() ?? '';
