import type { LambdaClient } from '@aws-sdk/client-lambda';
import { type Command, Option } from 'commander';
import * as z from 'zod/mini';
import type { RefreshedBanks } from '../../payout/refresh-sbp-banks.ts';
import { activeOf } from '../../payout/sbp-banks.ts';
import { invokeFunction } from '../../provider/lambda-function.ts';
import { addCommand, addGroup } from '../add-command.ts';
import { table } from '../output.ts';
import { refuse } from '../refusals.ts';
import type { Shell } from '../shell.ts';

const ids = z.array(z.number());
const refreshed = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('refreshed'),
    rail: z.string(),
    banks: z.number(),
    added: ids,
    gone: ids,
  }),
  z.object({
    outcome: z.literal('kept'),
    rail: z.string(),
    why: z.enum(['no_answer', 'no_banks', 'bank_listed_twice', 'too_many_banks', 'half_of_the_banks_gone']),
  }),
  z.object({ outcome: z.literal('built_in') }),
]);

/** Invokes the function that reads the dictionary of SBP banks from the provider. */
export const refreshBanksBy =
  (lambda: LambdaClient, functionName: string) =>
  async (how: { readonly acceptFewer: boolean }): Promise<RefreshedBanks> =>
    refreshed.parse(await invokeFunction(lambda, functionName, how));

export function bankCommands(program: Command, shell: Shell): void {
  const banks = addGroup(program, 'banks', 'the banks that SBP payouts may go to');

  addCommand(banks, shell, {
    usage: 'list',
    description: 'show the banks that payouts may go to, and when the list was read from the provider',
    example: 'banks list',
    run: async ({ sbpBanks }) => {
      const stored = await sbpBanks.find();
      const active = activeOf(stored);
      const isRead = stored !== undefined && stored.banks.length > 0;
      const source = isRead ? stored.rail : 'built-in';
      const refreshedAt = isRead ? stored.refreshedAt.toISOString() : null;
      const rows = active.map(({ memberId, name, bic }) => [String(memberId), name, bic]);
      const where = isRead
        ? `${active.length} banks, read from ${source} at ${refreshedAt}.`
        : `${active.length} banks of the built-in list: none was read from a provider.`;
      return {
        json: { source, refreshedAt, banks: active },
        text: [table(['member id', 'name', 'BIC'], rows, 'There is no bank.'), where].join('\n\n'),
      };
    },
  });

  addCommand<{ readonly acceptFewer?: true }>(banks, shell, {
    usage: 'refresh',
    description: 'read the list from the provider now, instead of at the daily time',
    options: [
      new Option('--accept-fewer', 'also when half of the known banks are gone: compare the lists before'),
    ],
    example: 'banks refresh',
    run: async ({ refreshBanks }, { options }) => {
      const json = await refreshBanks({ acceptFewer: options.acceptFewer === true });
      if (json.outcome === 'kept') return refuse(`banks_kept_${json.why}`);
      return { json, text: textOf(json) };
    },
  });
}

function textOf(done: Exclude<RefreshedBanks, { readonly outcome: 'kept' }>): string {
  if (done.outcome === 'built_in')
    return 'The provider of SBP payouts has no list of banks: the built-in one is in use.';
  const { rail, banks, added, gone } = done;
  return `${banks} banks were read from ${rail}: ${named(added)} new, ${named(gone)} gone. They are in use within a minute.`;
}

const named = (members: readonly number[]): string =>
  members.length === 0 ? 'none' : `${members.length} (${members.slice(0, 10).join(', ')})`;
