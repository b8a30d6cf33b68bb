import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { generate } from 'openapi-typescript-codegen';

const options =
  '--noEmit --strict --module esnext --moduleResolution bundler --target es2022 --lib es2023,dom --types node';
const typeRoots = join(process.cwd(), 'node_modules/@types');

/**
 * Generates a client from an OpenAPI document, type-checks a program that imports it (`./client`), and returns the
 * program's exports.
 */
export async function generatedClient(
  document: object,
  program: string,
): Promise<Readonly<Record<string, unknown>>> {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-client-'));
  try {
    const [output, source] = [join(folder, 'client'), join(folder, 'program.ts')];
    await generate({
      input: { ...document },
      output,
      httpClient: 'fetch',
      useOptions: true,
      useUnionTypes: true,
    });
    await writeFile(source, program);
    await checkTypes(folder);
    const bundle = join(folder, 'program.mjs');
    await build({
      entryPoints: [source],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    });
    const exported: unknown = await import(pathToFileURL(bundle).href);
    return { ...Object(exported) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function checkTypes(folder: string): Promise<void> {
  const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
  const run = promisify(execFile)(
    process.execPath,
    [tsc, ...options.split(' '), '--typeRoots', typeRoots, 'program.ts'],
    { cwd: folder },
  );
  await run.catch(({ stdout }: { readonly stdout?: string }) => {
    throw new Error(`The generated client does not compile:\n${stdout}`);
  });
}
