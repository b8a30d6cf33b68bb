import type { Command } from 'commander';
import { addList } from '../list-command.ts';
import { openMerchants, merchantFilters } from '../list-sources.ts';
import { merchantColumns, merchantFields } from '../listed-fields.ts';
import type { Shell } from '../shell.ts';

export const merchantListCommands = (group: Command, shell: Shell): void =>
  addList(group, shell, {
    noun: 'merchants',
    example: 'merchants list --banned yes',
    filters: merchantFilters(),
    open: openMerchants,
    fields: merchantFields,
    columns: merchantColumns,
  });
