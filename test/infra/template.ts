import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, paylinkApp } from '../../infra/app.ts';
import {
  type Environment,
  type EnvironmentName,
  type EnvironmentRecord,
  environments,
  sandboxOnly,
} from '../../lib/installation/environments.ts';
import { functions } from '../../infra/functions.ts';
import { type Assembly, readAssembly } from '../../infra/local/template/assembly.ts';
import { plain } from '../../infra/local/rights/policy.ts';
import { isRecord } from '../../infra/local/template/is-record.ts';
import type { TemplateResource, Template } from '../../infra/local/template/template.ts';

export const allFunctions = Object.keys(functions);

/** Prod's record with what only an operator can know, as one would fill it in. */
export const filledInProd = {
  ...environments.prod,
  account: '111122223333',
  region: 'eu-central-1',
  domain: {
    name: 'pay.example',
    certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/1',
  },
  alarmAddress: 'operator@pay.example',
  timeZone: 'Europe/Moscow',
} as const satisfies Environment;

type Changes = Partial<EnvironmentRecord>;

const { sandbox } = sandboxOnly.providers;

/** The sandbox as the acquirer of cards in roubles, without a rail. */
export const acquirerOnly = {
  providers: { sandbox: { ...sandbox, payouts: undefined } },
  payments: { card: { RUB: 'sandbox' } },
  payouts: {},
} as const satisfies Changes;

/** The templates of an environment as one: the stack's own and those of the stacks nested in it. See `assemblyOf`. */
export const templateOf = (env: EnvironmentName, context: Context = {}, changes: Changes = {}): Template =>
  assemblyOf(env, context, changes).template;

/**
 * What is synthesized of an environment with every function, prod's record filled in and changed as said; empty bundles,
 * for only the templates are looked at.
 */
export function assemblyOf(env: EnvironmentName, context: Context = {}, changes: Changes = {}): Assembly {
  const folder = mkdtempSync(join(tmpdir(), 'paylink-template-'));
  try {
    const bundles = join(folder, 'bundles');
    for (const name of allFunctions) emptyBundle(join(bundles, name));
    const app = paylinkApp(
      { outdir: join(folder, 'out'), context: { ...context, env, bundles } },
      allFunctions,
      {
        ...environments,
        prod: filledInProd,
        [env]: { ...(env === 'prod' ? filledInProd : environments[env]), ...changes },
      },
    );
    return readAssembly(app.synth().directory);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function emptyBundle(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), '');
}

/** The resources of one CloudFormation type, by logical id. */
export const ofType = (
  template: Template,
  type: string,
): readonly (TemplateResource & { readonly id: string })[] =>
  Object.entries(template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([id, resource]) => ({ id, ...resource }));

/** The value at a path inside a resource's properties. */
export const at = (resource: TemplateResource | undefined, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((part, key) => (isRecord(part) ? part[key] : undefined), resource?.Properties);

/** The list at a path inside a resource's properties. */
export function listAt(
  resource: TemplateResource | undefined,
  ...path: readonly string[]
): readonly unknown[] {
  const value = at(resource, ...path);
  return Array.isArray(value) ? value : [];
}

/** The function of this name, as a resource. */
export function functionOf(template: Template, functionName: string) {
  const all = ofType(template, 'AWS::Lambda::Function');
  const found = all.find((one) => at(one, 'FunctionName') === functionName);
  if (!found) throw new Error(`The template has no function ${functionName}.`);
  return found;
}

/** The environment variables of a function, as texts. */
export function variablesOf(template: Template, functionName: string): Readonly<Record<string, string>> {
  const variables = at(functionOf(template, functionName), 'Environment', 'Variables');
  return Object.fromEntries(Object.entries(variables ?? {}).map(([key, value]) => [key, plain(value)]));
}
