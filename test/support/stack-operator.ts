import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../lib/cli/connect.ts';
import { run } from '../../lib/cli/program.ts';
import type { Shell } from '../../lib/cli/shell.ts';
import type { Stack } from './stack.ts';

/** Runs the operator's commands against a running stack and parses their JSON. */
export async function operatorAt({ baseUrl, endpointsForPeople: endpoints }: Stack) {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-operator-'));
  await writeFile(join(folder, 'runtime.json'), JSON.stringify({ pid: process.pid, baseUrl, endpoints }));
  return {
    /** Returns the command's document; throws its error output unless `mayEndWith` contains the exit code. */
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

/** A non-interactive terminal for the service in that folder. */
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
    watchInterrupt: () => ({ isInterrupted: () => false }),
    exitCode: 0,
  };
  return { shell, said, complained };
}
