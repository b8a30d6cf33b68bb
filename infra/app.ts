import { App, type AppProps, DefaultStackSynthesizer } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { reservedForAuthorizer } from './concurrency.ts';
import {
  atYookassa,
  type Environment,
  environmentNamed,
  environments,
} from '../lib/installation/environments.ts';
import { namesOf } from '../lib/installation/names.ts';
import { bundlesDir, functionNames } from '../lib/installation/paths.ts';
import { ServiceStack } from './service-stack.ts';

/** CDK context values, set with `-c name=value` or by `synthesize`. */
export type Context = {
  /** local, dev, staging or prod. */
  readonly env?: string;
  /** The folder of the bundles. Default: dist/. */
  readonly bundles?: string;
  /** The base URL of the payment links, without a trailing slash. */
  readonly publicUrl?: string;
  /** Shorthand for the local environment: `publicUrl` becomes `http://127.0.0.1:<port>`. */
  readonly port?: string | number;
  /** The sandbox's base URL, if its origin differs from the service's. */
  readonly sandboxUrl?: string;
  /** `two`: authorise, then capture. `one`: authorise and capture in one request. Overrides the sandbox's manners. */
  readonly steps?: 'two' | 'one';
  /** The base URL of a YooKassa emulator, which takes payments in roubles and sends SBP payouts. */
  readonly yookassaUrl?: string;
  /** Concurrent executions that the account leaves to this environment; `npm run deploy` reads it from AWS. */
  readonly freeConcurrency?: string | number;
};

/** The CDK's defaults for new projects, plus validation of the template against CloudFormation's schemas. */
const flags = { ...CURRENTLY_RECOMMENDED_FLAGS, '@aws-cdk/core:validateAgainstDefaultRules': true };

/** Returns the CDK app with the stack of the environment that its context names, with the functions in `names`. */
export function paylinkApp(
  props: AppProps = {},
  names: readonly string[] = functionNames(),
  records: Parameters<typeof environmentNamed>[1] = environments,
): App {
  const app = new App({
    analyticsReporting: false,
    treeMetadata: false,
    stackTraces: false,
    ...props,
    context: { ...flags, ...props.context },
  });
  const read = (name: keyof Context): string | undefined => app.node.tryGetContext(name)?.toString();
  const environment = environmentNamed(read('env') ?? 'dev', records);
  const port = read('port');

  new ServiceStack(app, namesOf(environment.name).stack, {
    environment: withContext(environment, { steps: read('steps'), yookassaUrl: read('yookassaUrl') }),
    names,
    bundles: read('bundles') ?? bundlesDir,
    publicUrl: read('publicUrl') ?? (port && `http://127.0.0.1:${port}`),
    sandboxUrl: read('sandboxUrl'),
    authorizerConcurrency: reservedForAuthorizer(Number(read('freeConcurrency') ?? 0)),
    env: environmentOf(environment),
    terminationProtection: environment.keepsData,
    // @ts-expect-error: under `exactOptionalPropertyTypes` this CDK class does not satisfy the CDK's own interface.
    synthesizer: new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }),
  });
  return app;
}

type Overrides = { readonly steps: string | undefined; readonly yookassaUrl: string | undefined };

/** Applies the context values that override a part of the record. */
function withContext(environment: Environment, { steps, yookassaUrl }: Overrides): Environment {
  const stepped = steps === 'one' ? inOneStep(environment) : environment;
  return yookassaUrl === undefined ? stepped : atYookassa(stepped, yookassaUrl);
}

function inOneStep(environment: Environment): Environment {
  const { sandbox } = environment.providers;
  if (!sandbox) return environment;
  const oneStep = { ...sandbox, manners: { ...sandbox.manners, steps: 'one' as const } };
  return { ...environment, providers: { ...environment.providers, sandbox: oneStep } };
}

const environmentOf = ({ account, region }: Environment) => ({
  ...(account !== undefined && { account }),
  ...(region !== undefined && { region }),
});

if (import.meta.main) paylinkApp().synth();
