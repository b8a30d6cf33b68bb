import type { Command } from 'commander';
import { audit, type AuditReport } from '../../operator/audit/audit.ts';
import type { Shell } from '../shell.ts';
import { addCommand } from '../add-command.ts';

export function auditCommand(program: Command, shell: Shell): void {
  addCommand(program, shell, {
    usage: 'audit',
    description:
      'recompute every balance from the journal and check that journal and balances agree; changes nothing',
    example: 'audit --json',
    run: async (context) => {
      const report = await audit(context);
      const agrees = report.differences.length === 0;
      return { json: { agrees, ...report }, text: shown(report), exitCode: agrees ? 0 : 1 };
    },
  });
}

function shown({ differences, items, passes }: AuditReport): string {
  const read = `${items} items read${passes > 1 ? ` ${passes} times` : ''}`;
  if (differences.length === 0) return `The books agree: ${read}.`;
  const lines = differences.map(({ invariant, text }) => `${invariant}  ${text}`);
  return [
    ...lines,
    '',
    `${differences.length} differences; ${read}. Nothing was changed: see trace for each id.`,
  ].join('\n');
}
