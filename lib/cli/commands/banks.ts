import { type Command, Option } from 'commander';
import type { RefreshedBanks } from '../../payout/refresh-sbp-banks.ts';
import { activeOf } from '../../payout/sbp-banks.ts';
import { addCommand } from '../add-command.ts';
import { table } from '../output.ts';
import { refuse } from '../refusals.ts';
import type { Shell } from '../shell.ts';

export function bankCommands(banks: Command, shell: Shell): void {
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
