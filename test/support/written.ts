import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs the script as a process of its own, as Lambda does, and gives all that it wrote. */
export async function written(script: string): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
  ]);
  return stdout + stderr;
}
