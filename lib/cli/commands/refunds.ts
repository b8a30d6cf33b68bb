import type { Command } from 'commander';
import { addList } from '../list-command.ts';
import { openRefunds, refundFilters } from '../list-sources.ts';
import { refundColumns, refundFields } from '../listed-fields.ts';
import type { Shell } from '../shell.ts';

export function refundCommands(group: Command, shell: Shell): void {
  addList(group, shell, {
    noun: 'refunds',
    example: 'refunds list --payment uW3kZ9sLq0TbXc5V00aB4dE6fG',
    filters: refundFilters(),
    open: openRefunds,
    fields: refundFields,
    columns: refundColumns,
  });
}
