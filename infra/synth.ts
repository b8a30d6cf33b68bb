import { join } from 'node:path';
import { environmentArgument } from './arguments.ts';
import { buildSentence } from './build.ts';
import { namesOf } from './names.ts';
import { root } from './paths.ts';
import { synthesizeWithBundles } from './synthesize.ts';

export { synthesize } from './synthesize.ts';

if (import.meta.main) {
  const environment = environmentArgument('dev');
  const { built } = await synthesizeWithBundles({ environment, outdir: join(root, 'cdk.out') });
  console.log(buildSentence(built));
  console.log(`Synthesized ${environment} to cdk.out/${namesOf(environment).stack}.template.json.`);
}
