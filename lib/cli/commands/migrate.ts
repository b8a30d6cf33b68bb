import { type Command, Option } from 'commander';
import { type Migration, migrateLists } from '../../search/migrate-lists.ts';
import { listedKinds } from '../../search/ports.ts';
import { defineCommand } from '../add-command.ts';
import { commandLine } from '../command-line.ts';
import { wholeNumber } from '../options.ts';
import { type CommandOutput, counted, timestamp } from '../output.ts';
import type { Shell } from '../shell.ts';

type Options = { readonly again?: true; readonly perSecond: number };
type Asked = Options & { readonly env: string; readonly folder: string };

/** How often the command says how far it is. */
const progressMs = 10_000;

export function migrateCommand(command: Command, shell: Shell): void {
  defineCommand<Options>(command, shell, {
    options: [
      new Option('--again', 'begin anew: a version before the lists has run since'),
      wholeNumber('per-second', [1, 10_000], 'the most items that are written in a second').default(500),
    ],
    example: 'migrate --env prod',
    run: async (context, { options }) => {
      const { isInterrupted } = shell.watchInterrupt();
      let told = context.now().getTime();
      const mayGoOn = (migration: Migration) => {
        if (context.now().getTime() - told >= progressMs) {
          told = context.now().getTime();
          shell.err(`${countsOf(migration)} so far; cursor ${migration.cursor}.`);
        }
        return !isInterrupted();
      };
      const how = { again: options.again === true, perSecond: options.perSecond, mayGoOn };
      return outputOf(await migrateLists(context, how), options);
    },
  });
}

function outputOf(migration: Migration, options: Asked): CommandOutput {
  const { startedAt, endedAt, cursor, read, given } = migration;
  return {
    json: { startedAt, endedAt: endedAt ?? null, cursor: cursor ?? null, read, given },
    text: endedAt
      ? `Every item is on its list since ${timestamp(endedAt)}: ${countsOf(migration)}. Searches have everything.`
      : `Interrupted: ${countsOf(migration)}; cursor ${cursor}. Go on with: ${commandLine(options, ['migrate'])}`,
    exitCode: endedAt ? 0 : 1,
  };
}

const countsOf = ({ read, given }: Migration): string => {
  const kinds = listedKinds.flatMap((kind) => (given[kind] ? [counted(given[kind], kind)] : []));
  return `${counted(read, 'item')} read, ${kinds.length === 0 ? 'none' : kinds.join(', ')} given keys`;
};
