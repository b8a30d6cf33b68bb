import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../lib/cli/connect.ts';
import { run } from '../../lib/cli/program.ts';
import type { Shell } from '../../lib/cli/shell.ts';
import type { Stack } from './stack.ts';

/** Types the operator's commands against a running stack, and reads their JSON. */
export async function operatorAt({ baseUrl, endpointsForPeople: endpoints }: Stack) {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-operator-'));
  await writeFile(join(folder, 'runtime.json'), JSON.stringify({ pid: process.pid, baseUrl, endpoints }));
  return {
    /** Answers the command's document; throws what it complained of, unless it may end with that code. */
    json: async (line: string, mayEndWith: readonly number[] = [0]) => {
      const { exitCode, said, complained } = await type(folder, line);
      if (!mayEndWith.includes(exitCode)) throw new Error(complained || said);
      return JSON.parse(said);
    },
    leave: () => rm(folder, { recursive: true, force: true }),
  };
}

export type Operator = Awaited<ReturnType<typeof operatorAt>>;

async function type(folder: string, line: string) {
  const { shell, said, complained } = aShell(folder);
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const exitCode = await run([...words, '--json', '--yes'], shell);
  return { exitCode, said: said.join('\n'), complained: complained.join('\n') };
}

/** A terminal without a person, at the service of that folder. */
export function aShell(folder: string) {
  const [said, complained]: [string[], string[]] = [[], []];
  const shell: Shell = {
    connect: (environment) => connect(environment, folder),
    out: (text) => void said.push(text),
    err: (text) => void complained.push(text),
    operator: 'olga',
    isInteractive: false,
    ask: async () => false,
    askHidden: async () => '',
    readInput: async () => '',
    exitCode: 0,
  };
  return { shell, said, complained };
}
