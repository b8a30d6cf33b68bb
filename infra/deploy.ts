import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildSentence } from './build.ts';
import { command, environmentArgument } from './command.ts';
import { namesOf } from './names.ts';
import { root } from './paths.ts';
import { synthesizeWithBundles } from './synthesize.ts';

async function run(): Promise<number> {
  const environment = environmentArgument();
  if (environment === 'local') throw new Error('The local environment is not deployed: npm start runs it.');
  const { directory, built } = await synthesizeWithBundles({ environment, outdir: join(root, 'cdk.out') });
  console.log(buildSentence(built));
  const code = await cdkDeploy(directory);
  const { stack } = namesOf(environment);
  console.log(code === 0 ? `${stack} is deployed.` : `${stack} was not deployed: the lines above say why.`);
  return code;
}

/** This project's own version of the CDK command, on the assembly that was just made. */
async function cdkDeploy(assembly: string): Promise<number> {
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  const rest = ['deploy', '--all', '--app', assembly, '--no-notices', '--no-version-reporting'];
  const child = spawn(process.execPath, [cdk, ...rest], { stdio: 'inherit', cwd: root });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

if (import.meta.main) await command(run);
