import { open } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readMerchantId } from '../../ids.ts';
import { CommandError } from '../../installation/command-error.ts';
import { exportJournal, type ExportLine } from '../../seal/export-journal.ts';
import { addCommand } from '../add-command.ts';
import { counted } from '../output.ts';
import { required } from '../refusals.ts';
import type { Shell } from '../shell.ts';

type Options = { readonly month: string; readonly out?: string; readonly people?: true };

export function journalCommands(group: Command, shell: Shell): void {
  addCommand<Options>(group, shell, {
    usage: 'export <merchant>',
    description:
      'write the entries and seals of a month to a file, which docs/verify.mjs verifies offline; changes nothing',
    options: [
      new Option('--month <month>', 'in the record’s time zone').argParser(monthOf).makeOptionMandatory(),
      new Option('--out <file>', 'a new file; default: <merchant>-<month>.jsonl here'),
      new Option('--people', 'names the people and reasons behind adjustments, chargebacks and claims too'),
    ],
    example: 'journal export <merchant> --month 2026-11',
    run: async (context, { args: [id = ''], options: { month, people, out } }) => {
      const merchantId = required(readMerchantId(id), 'merchant_not_found');
      required(await context.merchants.find(merchantId), 'merchant_not_found');
      const file = out ?? `${merchantId}-${month}.jsonl`;
      shell.err(`Reading the journal of ${month}.`);
      const { timeZone } = context;
      const lines = exportJournal(context, { merchantId, month, timeZone, withPeople: people === true });
      const { entry, seal } = await write(file, lines);
      const what = `${entry === 1 ? '1 entry' : `${entry} entries`} and ${counted(seal, 'seal')}`;
      return {
        json: { merchantId, month, file, entries: entry, seals: seal },
        text: `${what} of ${month} are in ${file}. Verify them with: node docs/verify.mjs ${file}`,
      };
    },
  });
}

/** Writes a new file: an export that somebody relies on is not replaced. Returns the number of its lines by their type. */
async function write(file: string, lines: AsyncIterable<ExportLine>) {
  const output = await open(file, 'wx').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new CommandError(`${file} exists: name another file with --out.`, 'file_exists');
    throw error;
  });
  const counts = { header: 0, opening: 0, entry: 0, seal: 0, end: 0 };
  try {
    for await (const line of lines) {
      counts[line.type] += 1;
      await output.write(`${JSON.stringify(line)}\n`);
    }
  } finally {
    await output.close();
  }
  return counts;
}

function monthOf(text: string): string {
  if (/^20\d{2}-(?:0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('Give a month like 2026-11.');
}
