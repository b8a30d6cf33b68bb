import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../lib/installation/paths.ts';
import { applied, type Mutant } from './mutants.ts';

/** Returns every file of the working tree that git tracks or would track. */
export const filesOfTree = (): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '');

/** A copy of the working tree in which mutants are applied; the working tree itself is never changed. */
export class Tree {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async copied(files: readonly string[]): Promise<Tree> {
    const folder = await mkdtemp(join(tmpdir(), 'paylink-mutate-'));
    for (const file of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await cp(join(root, file), join(folder, file)).catch(ignoreDeleted);
    }
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return new Tree(folder);
  }

  read(file: string): Promise<string> {
    return readFile(join(this.folder, file), 'utf8');
  }

  write(file: string, text: string): Promise<void> {
    return writeFile(join(this.folder, file), text);
  }

  /** Runs `act` with these mutants applied, then reverts them. */
  async with<T>(mutants: readonly Mutant[], act: () => Promise<T>): Promise<T> {
    const before = new Map<string, string>();
    for (const { file } of mutants) before.set(file, await this.read(file));
    try {
      for (const [file, text] of before)
        await this.write(
          file,
          applied(
            text,
            mutants.filter((mutant) => mutant.file === file),
          ),
        );
      return await act();
    } finally {
      for (const [file, text] of before) await this.write(file, text);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A file may be deleted in the working tree and still be tracked. */
function ignoreDeleted(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
