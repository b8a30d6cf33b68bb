import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environmentArgument } from './arguments.ts';
import { buildSentence } from './build.ts';
import { namesOf } from './names.ts';
import { root } from './paths.ts';
import { synthesizeWithBundles } from './synthesize.ts';

/** The CDK command of this project's own version, on the assembly that was just made. */
async function cdkDeploy(assembly: string): Promise<number> {
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  const rest = ['deploy', '--all', '--app', assembly, '--no-notices', '--no-version-reporting'];
  const child = spawn(process.execPath, [cdk, ...rest], { stdio: 'inherit', cwd: root });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

const environment = environmentArgument();
if (environment === 'local') {
  console.error('The local environment runs here: npm start.');
  process.exit(1);
}
const { directory, built } = await synthesizeWithBundles({ environment, outdir: join(root, 'cdk.out') });
console.log(buildSentence(built));
process.exitCode = await cdkDeploy(directory);
const { stack } = namesOf(environment);
console.log(process.exitCode === 0 ? `${stack} is deployed.` : `${stack} was not deployed: see above.`);
