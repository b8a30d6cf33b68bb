import type { Command } from 'commander';
import { addList } from '../list-command.ts';
import { openShops, shopFilters } from '../list-sources.ts';
import { shopColumns, shopFields } from '../listed-fields.ts';
import type { Shell } from '../shell.ts';

export const shopListCommands = (group: Command, shell: Shell): void =>
  addList(group, shell, {
    noun: 'shops',
    example: 'shops list --merchant 3f9KpQ7sXv2LmN8b',
    filters: shopFilters(),
    open: openShops,
    fields: shopFields,
    columns: shopColumns,
  });
