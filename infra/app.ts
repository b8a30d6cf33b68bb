import { App, type AppProps, DefaultStackSynthesizer } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { keptForAuthorizer } from './concurrency.ts';
import { type Environment, environmentNamed, environments } from '../lib/installation/environments.ts';
import { namesOf } from '../lib/installation/names.ts';
import { bundlesDir, functionNames } from '../lib/installation/paths.ts';
import { ServiceStack } from './service-stack.ts';

/** Read with `-c name=value`, or given by `synthesize`. */
export type Context = {
  /** local, dev, staging or prod. */
  readonly env?: string;
  /** Where the bundles lie; dist/ by default. */
  readonly bundles?: string;
  /** The links' base, without a trailing slash. */
  readonly publicUrl?: string;
  /** The same for the local environment: `http://127.0.0.1:<port>`. */
  readonly port?: string | number;
  /** The sandbox's base, when it lives on another origin than the service. */
  readonly sandboxUrl?: string;
  /** How the sandbox acquirer captures. */
  readonly steps?: 'two' | 'one';
  /** How many functions the account lets this environment run at a time; `npm run deploy` asks the account. */
  readonly freeConcurrency?: string | number;
};

/** CDK's behaviour for new projects; and the template is checked against CloudFormation's schemas while it is made. */
const flags = { ...CURRENTLY_RECOMMENDED_FLAGS, '@aws-cdk/core:validateAgainstDefaultRules': true };

/** The app with the one stack of the environment that its context names; it deploys the functions of these names. */
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
  const steps = read('steps') === 'one' ? 'one' : environment.acquirerSteps;
  const port = read('port');

  new ServiceStack(app, namesOf(environment.name).stack, {
    environment: { ...environment, acquirerSteps: steps },
    names,
    bundles: read('bundles') ?? bundlesDir,
    publicUrl: read('publicUrl') ?? (port && `http://127.0.0.1:${port}`),
    sandboxUrl: read('sandboxUrl'),
    authorizerConcurrency: keptForAuthorizer(Number(read('freeConcurrency') ?? 0)),
    env: environmentOf(environment),
    terminationProtection: environment.keepsData,
    // @ts-expect-error: the CDK declares this class unfit for its own interface under `exactOptionalPropertyTypes`.
    synthesizer: new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }),
  });
  return app;
}

const environmentOf = ({ account, region }: Environment) => ({
  ...(account !== undefined && { account }),
  ...(region !== undefined && { region }),
});

if (import.meta.main) paylinkApp().synth();
