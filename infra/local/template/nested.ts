import { CommandError } from '../../../lib/installation/command-error.ts';
import { isRecord } from './is-record.ts';
import type { Template, TemplateResource } from './template.ts';

/** The resource type of a nested stack, whose template is a separate file. */
export const nestedStack = 'AWS::CloudFormation::Stack';

/** Returns the template of a nested stack. */
type TemplateOf = (stack: TemplateResource) => Template;

/** A template with the values of its parameters and its nested stacks. */
type Scope = {
  readonly template: Template;
  /** Returns a parameter's value. Undefined for a name that is not a parameter. */
  readonly parameter: (name: string) => unknown;
  readonly nested: ReadonlyMap<string, Scope>;
};

/**
 * Joins a template with those of its nested stacks. `Ref` of a parameter and `Fn::GetAtt` of `Outputs.…` are replaced by the
 * expressions that they stand for. Throws if two templates use one logical id for different resources.
 */
export function joined(template: Template, templateOf: TemplateOf): Template {
  const scopes = below(scopeOf(template, templateOf, () => undefined));
  const sections = <T>(section: (scope: Scope) => Readonly<Record<string, T>> | undefined) =>
    merged(
      scopes.map((scope) =>
        Object.entries(section(scope) ?? {}).map(([id, value]) => [id, inlined(scope, value)] as const),
      ),
    );
  return {
    ...(template.Parameters && { Parameters: template.Parameters }),
    Mappings: sections((scope) => scope.template.Mappings),
    Conditions: sections((scope) => scope.template.Conditions),
    Resources: sections(({ template: { Resources } }) => withoutStacks(Resources)),
  };
}

const withoutStacks = (resources: Template['Resources']): Template['Resources'] =>
  Object.fromEntries(Object.entries(resources).filter(([, { Type }]) => Type !== nestedStack));

/** Returns the scope and those of all stacks nested in it. */
const below = (scope: Scope): readonly Scope[] => [scope, ...[...scope.nested.values()].flatMap(below)];

function scopeOf(template: Template, templateOf: TemplateOf, parameter: Scope['parameter']): Scope {
  const nested = new Map<string, Scope>();
  const scope: Scope = { template, parameter, nested };
  for (const [id, resource] of Object.entries(template.Resources)) {
    if (resource.Type !== nestedStack) continue;
    if (resource.Condition !== undefined)
      throw new CommandError(
        `The nested stack ${id} has a condition, which the local runner does not support.`,
      );
    const own = templateOf(resource);
    const given = resource.Properties?.['Parameters'];
    const valueOf = (name: string): unknown =>
      isRecord(given) && name in given ? inlined(scope, given[name]) : own.Parameters?.[name]?.Default;
    nested.set(id, scopeOf(own, templateOf, valueOf));
  }
  return scope;
}

/** Returns the value with its references to parameters and outputs replaced by their values. */
function inlined<T>(scope: Scope, value: T): T;
function inlined(scope: Scope, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => inlined(scope, one));
  if (!isRecord(value)) return value;
  const { Ref: ref, 'Fn::GetAtt': attribute, 'Fn::Sub': pattern } = value;
  if (typeof ref === 'string') return scope.parameter(ref) ?? value;
  if (attribute !== undefined) return outputAt(scope, attribute) ?? value;
  if (pattern !== undefined) return { 'Fn::Sub': substitution(scope, pattern) };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inlined(scope, one)]));
}

/** Returns the output that `[stack, "Outputs.name"]` or `"stack.Outputs.name"` refers to. Undefined for other attributes. */
function outputAt({ nested }: Scope, attribute: unknown): unknown {
  const [id = '', kind, ...name] = (Array.isArray(attribute) ? attribute.join('.') : String(attribute)).split(
    '.',
  );
  const stack = nested.get(id);
  if (!stack || kind !== 'Outputs') return undefined;
  const output = stack.template.Outputs?.[name.join('.')];
  if (!output) throw new CommandError(`The nested stack ${id} has no output ${name.join('.')}.`);
  return inlined(stack, output.Value);
}

/** Adds the parameters and outputs that an `Fn::Sub` text names to its map of values. */
function substitution(scope: Scope, argument: unknown): unknown {
  const [pattern, own] = Array.isArray(argument) ? argument : [argument, {}];
  const names = [...String(pattern).matchAll(/\$\{([^!}][^}]*)\}/g)].map(([, name = '']) => name);
  const known = names
    .map((name) => [name, scope.parameter(name) ?? outputAt(scope, name)] as const)
    .filter(([, value]) => value !== undefined);
  return [pattern, { ...Object.fromEntries(known), ...inlined(scope, own) }];
}

type Entries<T> = readonly (readonly [id: string, value: T])[];

function merged<T>(templates: readonly Entries<T>[]): Record<string, T> {
  const all = new Map<string, T>();
  for (const [id, value] of templates.flat()) {
    if (all.has(id) && JSON.stringify(all.get(id)) !== JSON.stringify(value))
      throw new CommandError(
        `Two nested templates define "${id}": the local runner needs unique logical ids.`,
      );
    all.set(id, value);
  }
  return Object.fromEntries(all);
}
