import type { Command } from 'commander';
import type { TimelineStep, Timeline, Subject } from '../../operator/trace/timeline.ts';
import { trace } from '../../operator/trace/trace.ts';
import { keyValues, timestamp } from '../output.ts';
import { unwrap } from '../refusals.ts';
import type { Shell } from '../shell.ts';
import { defineCommand } from '../add-command.ts';

export function traceCommand(command: Command, shell: Shell): void {
  defineCommand(command, shell, {
    example: 'trace uW3kZ9sLq0TbXc5V',
    run: async (context, { args: [id = ''] }) => {
      const timeline = unwrap(await trace(context, id));
      return { json: view(timeline), text: shown(timeline) };
    },
  });
}

const view = ({ subjects, steps }: Timeline) => ({
  subjects: subjects.map(({ kind: is, id, facts: known }) => ({ is, id, ...known })),
  steps: steps.map(({ at, id, what }) => ({ at: at.toISOString(), id, what })),
});

const shown = ({ subjects, steps }: Timeline): string =>
  [...subjects.map(subjectText), steps.map(stepText).join('\n')].join('\n\n');

function subjectText({ kind, id, facts: known }: Subject): string {
  const present = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  if (kind === 'balance') return `balance ${id}  ${Object.entries(present).flat().join(' ')}`;
  return `${kind} ${id}\n${keyValues(present).replaceAll(/^/gm, '  ')}`;
}

const stepText = ({ at, id, what }: TimelineStep): string =>
  `${timestamp(at)}  ${id}  ${what}`.replaceAll(/\p{Cc}+/gu, ' ');
