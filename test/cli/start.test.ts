import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../../lib/installation/paths.ts';
import { aDataFolder } from '../support/start-process.ts';

/** Prints the path of each loaded file, without those that Node itself has, when the process ends. */
const recorder = `
import { registerHooks } from 'node:module';
const files = [];
registerHooks({ load: (url, context, next) => { if (url.startsWith('file:')) files.push(url.slice(7)); return next(url, context); } });
process.on('exit', () => process.stdout.write('\\n' + JSON.stringify(files)));`;

/** Runs a command as a process of its own. Returns the files that it loaded, from the project's folder. */
async function filesLoadedBy(...words: readonly string[]): Promise<readonly string[]> {
  const importing = ['--import', `data:text/javascript,${encodeURIComponent(recorder)}`];
  const args = [...importing, join(root, 'bin/paylink.mjs'), ...words];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error: unknown) => {
    if (error instanceof Error && 'stdout' in error) return { stdout: String(error.stdout) };
    throw error;
  });
  const files: readonly string[] = JSON.parse(stdout.slice(stdout.lastIndexOf('\n')));
  return files.map((file) => file.slice(root.length + 1));
}

const packagesAmong = (files: readonly string[]): readonly string[] => [
  ...new Set(files.flatMap((file) => file.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? [])),
];
const commandsAmong = (files: readonly string[]): readonly string[] =>
  files.filter((file) => file.startsWith('lib/cli/commands/'));

describe('a command as a process', () => {
  it('loads commander alone for the list of commands: no command, no schema, nothing of AWS', async () => {
    const files = await filesLoadedBy('--help');
    expect(packagesAmong(files)).toEqual(['commander']);
    expect(commandsAmong(files)).toEqual([]);
  });

  it('loads its own module for its help, and no client of AWS', async () => {
    const files = await filesLoadedBy('payouts', '--help');
    expect(commandsAmong(files)).toContain('lib/cli/commands/payouts.ts');
    expect(commandsAmong(files)).not.toContain('lib/cli/commands/payments.ts');
    expect(packagesAmong(files).filter((name) => name.startsWith('@'))).toEqual([]);
  });

  it('loads the client of the table, and of no other service, to read', async () => {
    const files = await filesLoadedBy('trace', 'x', '--folder', await aDataFolder());
    expect(commandsAmong(files)).toEqual(['lib/cli/commands/trace.ts']);
    expect(packagesAmong(files).filter((name) => /^@aws-sdk\/client-|^@inquirer/.test(name))).toEqual([
      '@aws-sdk/client-dynamodb',
    ]);
  });

  it('runs from another folder, by a link, under the Node of the packages whatever the system has', async () => {
    const folder = await aDataFolder();
    const link = join(folder, 'paylink');
    await symlink(join(root, 'bin/paylink'), link);
    const PATH = `/usr/bin:/bin:${dirname(process.execPath)}`;
    const { stdout } = await promisify(execFile)(link, ['merchant', '--help'], {
      cwd: folder,
      env: { PATH },
    });
    expect(stdout).toMatch(/^Usage: paylink merchant /);
  });
});
