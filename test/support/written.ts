import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs the script in its own process, as Lambda does; returns everything it wrote to stdout and stderr. */
export async function written(script: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
  ]);
  return stdout + stderr;
}
