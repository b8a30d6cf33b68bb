import { type Identity, identify } from './identity.ts';
import { rewriteInvokeUrl, type LocalDeployment, pseudoParameters } from './local-deployment.ts';
import { evaluate, evaluateEach, holds, type Scope, type Template } from './template.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';

/** A resource with its intrinsic functions evaluated. */
export type Resource = {
  readonly id: string;
  readonly type: string;
  readonly identity: Identity;
  readonly properties: Readonly<Record<string, unknown>>;
};

/** Returns the template's resources, evaluated for this deployment, without those whose condition is false. */
export function resourcesOf(template: Template, deployment: LocalDeployment): readonly Resource[] {
  const scope = scopeOf(template, deployment);
  return Object.entries(template.Resources)
    .filter(([, { Condition }]) => holds(scope, Condition))
    .map(([id, resource]) => ({
      id,
      type: resource.Type,
      identity: identityOf(scope, deployment, id),
      properties: inEach(evaluateEach(scope, resource.Properties ?? {}), (text) =>
        rewriteInvokeUrl(deployment, text),
      ),
    }));
}

/** Returns the resources of these types. */
export const ofType = (resources: readonly Resource[], ...types: readonly string[]): readonly Resource[] =>
  resources.filter(({ type }) => types.includes(type));

function scopeOf(template: Template, deployment: LocalDeployment): Scope {
  const scope: Scope = {
    template,
    pseudo: pseudoParameters(deployment),
    ref: (id) => identityOf(scope, deployment, id).ref,
    attribute: (id, name) => {
      const value = identityOf(scope, deployment, id).attributes[name];
      return value ?? `${id}.${name}`;
    },
  };
  return scope;
}

function identityOf(scope: Scope, deployment: LocalDeployment, id: string): Identity {
  const resource = scope.template.Resources[id];
  if (!resource) throw new CommandError(`The template refers to "${id}", which it does not define.`);
  const name = (property: string): string | undefined => {
    const value = evaluate(scope, resource.Properties?.[property]);
    return typeof value === 'string' ? value : undefined;
  };
  return identify(resource.Type, { id, name }, deployment);
}

/** Applies `change` to every text in the values, at any depth. */
const inEach = (values: object, change: (text: string) => string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([key, one]) => [key, everyText(one, change)]));

function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => everyText(one, change));
  return typeof value === 'object' && value !== null ? inEach(value, change) : value;
}
