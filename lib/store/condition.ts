import type { Precondition } from '../bill/bill-steps.ts';

type Condition = {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
};

/** Returns the preconditions as one condition expression. Dates are ISO text; values are numbered, names aliased. */
export function conditionOf(preconditions: readonly Precondition[]): Condition {
  const values: Record<string, unknown> = {};
  const names: Record<string, string> = {};
  const valueOf = (value: unknown): string => {
    const alias = `:value${Object.keys(values).length}`;
    values[alias] = value instanceof Date ? value.toISOString() : value;
    return alias;
  };
  const nameOf = (name: string): string => {
    names[`#${name}`] = name;
    return `#${name}`;
  };
  const all = (each: readonly Precondition[]): string => each.map(one).join(' AND ');
  const one = (precondition: Precondition): string => {
    if ('anyOf' in precondition) return `(${precondition.anyOf.map((way) => `(${all(way)})`).join(' OR ')})`;
    const name = nameOf(precondition.attribute);
    if (precondition.operator === 'absent') return `attribute_not_exists(${name})`;
    if (precondition.operator === 'in') return `${name} IN (${precondition.values.map(valueOf).join(', ')})`;
    return `${name} ${precondition.operator} ${valueOf(precondition.value)}`;
  };
  return { expression: all(preconditions), names, values };
}
