import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { freeConcurrency } from './account.ts';
import { buildSentence } from './build.ts';
import { command, environmentArgument } from './command.ts';
import { messageOf } from '../lib/installation/command-error.ts';
import { judgeConcurrency } from './concurrency.ts';
import type { EnvironmentName } from '../lib/installation/environments.ts';
import { namesOf } from '../lib/installation/names.ts';
import { root } from '../lib/installation/paths.ts';
import { mapsDir } from '../lib/installation/source-maps.ts';
import { synthesizeWithBundles } from './synthesize.ts';

async function run(): Promise<number> {
  const { name: environment, region } = environmentArgument();
  if (environment === 'local') throw new Error('The local environment is not deployed: npm start runs it.');
  console.log('Reading how many functions the account may run at a time.');
  const free = await readFreeConcurrency(environment, region);
  const { refusal, warning } = judgeConcurrency(environment, free);
  if (refusal) throw new Error(refusal);
  if (warning) console.warn(warning);
  const { directory, built } = await synthesizeWithBundles({
    environment,
    outdir: join(root, 'cdk.out'),
    maps: mapsDir,
    context: { freeConcurrency: free },
  });
  console.log(buildSentence(built));
  const code = await cdkDeploy(directory);
  const { stack } = namesOf(environment);
  console.log(code === 0 ? `${stack} is deployed.` : `${stack} was not deployed: see the messages above.`);
  return code;
}

async function readFreeConcurrency(
  environment: EnvironmentName,
  region: string | undefined,
): Promise<number> {
  const lambda = new LambdaClient({ ...(region && { region }) });
  try {
    const names = namesOf(environment);
    return await freeConcurrency(lambda, [names.function('authorizer'), names.formerFunction('authorizer')]);
  } catch (error) {
    throw new Error(
      `The account's concurrency cannot be read (${messageOf(error)}): log in to the account and deploy again.`,
      { cause: error },
    );
  } finally {
    lambda.destroy();
  }
}

/** Runs the project's own version of the CDK CLI on the synthesized assembly. Returns its exit code. */
async function cdkDeploy(assembly: string): Promise<number> {
  const cdk = join(root, 'node_modules/aws-cdk/bin/cdk');
  const rest = ['deploy', '--all', '--app', assembly, '--no-notices', '--no-version-reporting'];
  const child = spawn(process.execPath, [cdk, ...rest], { stdio: 'inherit', cwd: root });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

if (import.meta.main) await command(run);
