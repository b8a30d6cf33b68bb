import type { Command } from 'commander';
import { addList } from '../list-command.ts';
import { openBills, billFilters } from '../list-sources.ts';
import { billColumns, billFields } from '../listed-fields.ts';
import type { Shell } from '../shell.ts';

export const billListCommands = (group: Command, shell: Shell): void =>
  addList(group, shell, {
    noun: 'bills',
    example: 'bills list --order order-7',
    filters: billFilters(),
    open: openBills,
    fields: billFields,
    columns: billColumns,
  });
