import { CommandError } from '../../../lib/installation/command-error.ts';
import { isRecord } from './is-record.ts';

/** A synthesized CloudFormation template, with the parts that running it needs. */
export type Template = {
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
  readonly Mappings?: Readonly<Record<string, unknown>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value?: unknown }>>;
};

export type TemplateResource = {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Condition?: string;
  readonly DeletionPolicy?: string;
  readonly DependsOn?: unknown;
};

/** Resolves the names in a template. */
export type Scope = {
  readonly template: Template;
  /** The pseudo parameters, such as `AWS::Region`. */
  readonly pseudo: Readonly<Record<string, string>>;
  readonly ref: (logicalId: string) => string;
  readonly attribute: (logicalId: string, name: string) => string;
};

const noValue = Symbol('AWS::NoValue');

/** Evaluates every intrinsic function in a value. */
export function evaluate(scope: Scope, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => evaluate(scope, one)).filter((one) => one !== noValue);
  if (!isRecord(value)) return value;

  const [name, argument, ...others] = Object.entries(value).flat();
  if (typeof name === 'string' && others.length === 0 && isIntrinsic(name))
    return call(scope, name, argument);
  return evaluateEach(scope, value);
}

/** Evaluates each property. A property that evaluates to `AWS::NoValue` is omitted. */
export function evaluateEach(
  scope: Scope,
  properties: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values = Object.entries(properties).map(([key, one]) => [key, evaluate(scope, one)] as const);
  return Object.fromEntries(values.filter(([, one]) => one !== noValue));
}

/** Whether the named condition is true. Undefined, for a resource without a condition, is true. */
export function holds(scope: Scope, condition: string | undefined): boolean {
  if (condition === undefined) return true;
  const rule = scope.template.Conditions?.[condition];
  if (rule === undefined)
    throw new CommandError(`The template names a condition "${condition}" that it does not define.`);
  return evaluate(scope, rule) === true;
}

const isIntrinsic = (name: string): boolean =>
  name === 'Ref' || name === 'Condition' || name.startsWith('Fn::');

/** Evaluates an intrinsic function. `Condition` with an object as its value is not one: it is part of a policy. */
function call(scope: Scope, name: string, argument: unknown): unknown {
  if (name === 'Condition' && typeof argument !== 'string') return { Condition: evaluate(scope, argument) };
  const intrinsic = intrinsics[name];
  if (!intrinsic)
    throw new CommandError(`The template uses ${name}, which the local runner does not support.`);
  return intrinsic(scope, argument);
}

const intrinsics: Readonly<Record<string, (scope: Scope, argument: unknown) => unknown>> = {
  Ref: (scope, name) => reference(scope, text(name)),
  Condition: (scope, name) => holds(scope, text(name)),
  'Fn::GetAtt': (scope, argument) => {
    const [id = '', ...name] = typeof argument === 'string' ? argument.split('.') : texts(scope, argument);
    return scope.attribute(id, name.join('.'));
  },
  'Fn::Join': (scope, argument) => {
    const [separator, parts] = list(argument);
    return texts(scope, parts).join(text(separator));
  },
  'Fn::Sub': (scope, argument) => substitute(scope, argument),
  'Fn::Select': (scope, argument) => {
    const [index, values] = list(argument);
    return list(evaluate(scope, values))[Number(evaluate(scope, index))];
  },
  'Fn::Split': (scope, argument) => {
    const [separator, whole] = list(argument);
    return text(evaluate(scope, whole)).split(text(separator));
  },
  'Fn::Base64': (scope, argument) => Buffer.from(text(evaluate(scope, argument))).toString('base64'),
  'Fn::FindInMap': (scope, argument) =>
    texts(scope, argument).reduce<unknown>(
      (map, key) => (isRecord(map) ? map[key] : undefined),
      scope.template.Mappings,
    ),
  'Fn::If': (scope, argument) => {
    const [condition, then, otherwise] = list(argument);
    return evaluate(scope, holds(scope, text(condition)) ? then : otherwise);
  },
  'Fn::Equals': (scope, argument) => {
    const [one, other] = list(evaluate(scope, argument));
    return JSON.stringify(one) === JSON.stringify(other);
  },
  'Fn::And': (scope, argument) => list(evaluate(scope, argument)).every((one) => one === true),
  'Fn::Or': (scope, argument) => list(evaluate(scope, argument)).includes(true),
  'Fn::Not': (scope, argument) => list(evaluate(scope, argument))[0] !== true,
};

function reference(scope: Scope, name: string): unknown {
  if (name === 'AWS::NoValue') return noValue;
  const known = scope.pseudo[name] ?? scope.template.Parameters?.[name]?.Default;
  return known ?? scope.ref(name);
}

/** Evaluates `Fn::Sub`: `${Name}`, `${Name.Attribute}`, `${!literal}` and the names of its map of values. */
function substitute(scope: Scope, argument: unknown): string {
  const [pattern, own] = Array.isArray(argument) ? argument : [argument, {}];
  const names = isRecord(own) ? own : {};
  return text(pattern).replaceAll(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (name in names) return text(evaluate(scope, names[name]));
    const [id = '', ...attribute] = name.split('.');
    return attribute.length > 0 ? scope.attribute(id, attribute.join('.')) : text(reference(scope, name));
  });
}

const texts = (scope: Scope, value: unknown): string[] => list(evaluate(scope, value)).map(text);

function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new CommandError(`The template has ${JSON.stringify(value)} where a list is expected.`);
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new CommandError(`The template has ${JSON.stringify(value)} where a string is expected.`);
}
