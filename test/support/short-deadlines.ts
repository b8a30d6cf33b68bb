import { mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { namesOf } from '../../lib/installation/names.ts';

const templateSchema = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.optional(z.record(z.string(), z.unknown())) }),
  ),
});
const isTemplate = (file: string): boolean => file.endsWith('.template.json');

/** Copies the assembly with shorter timeouts, in seconds, for these functions; remove the folder at the end. */
export async function withDeadlines(
  assembly: string,
  seconds: Readonly<Record<string, number>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-deadlines-'));
  const files = await readdir(assembly);
  await Promise.all(
    files
      .filter((file) => !isTemplate(file))
      .map((file) => symlink(join(assembly, file), join(folder, file))),
  );
  for (const file of files.filter(isTemplate)) {
    const template = templateSchema.parse(JSON.parse(await readFile(join(assembly, file), 'utf8')));
    for (const { Properties } of Object.values(template.Resources)) shortenTimeout(Properties, seconds);
    await writeFile(join(folder, file), JSON.stringify(template));
  }
  return folder;
}

function shortenTimeout(
  properties: Record<string, unknown> | undefined,
  seconds: Readonly<Record<string, number>>,
): void {
  const name = Object.keys(seconds).find(
    (each) => properties?.['FunctionName'] === namesOf('local').function(each),
  );
  if (properties && name !== undefined) properties['Timeout'] = seconds[name];
}
