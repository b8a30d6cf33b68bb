import { join } from 'node:path';
import { buildSentence } from './build.ts';
import { command, environmentArgument } from './command.ts';
import { namesOf } from '../lib/installation/names.ts';
import { root } from '../lib/installation/paths.ts';
import { mapsDir } from '../lib/installation/source-maps.ts';
import { synthesizeWithBundles } from './synthesize.ts';

export { synthesize } from './synthesize.ts';

async function run(): Promise<number> {
  const { name: environment } = environmentArgument('dev');
  const { built } = await synthesizeWithBundles({
    environment,
    outdir: join(root, 'cdk.out'),
    maps: mapsDir,
  });
  console.log(buildSentence(built));
  console.log(`Synthesized ${environment} to cdk.out/${namesOf(environment).stack}.template.json.`);
  return 0;
}

if (import.meta.main) await command(run);
