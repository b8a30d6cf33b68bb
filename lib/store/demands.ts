import type { Demand } from '../bill/bill-steps.ts';

type Condition = {
  readonly expression: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
};

const operators = { be: '=', 'not be': '<>', 'be below': '<', 'be up to': '<=', 'be after': '>' } as const;

/** The demands as one condition of the store. Moments lie there as text; values are numbered, names aliased. */
export function conditionOf(demands: readonly Demand[]): Condition {
  const values: Record<string, unknown> = {};
  const names: Record<string, string> = {};
  const valueOf = (value: unknown): string => {
    const alias = `:demand${Object.keys(values).length}`;
    values[alias] = value instanceof Date ? value.toISOString() : value;
    return alias;
  };
  const nameOf = (name: string): string => {
    names[`#${name}`] = name;
    return `#${name}`;
  };
  const all = (each: readonly Demand[]): string => each.map(one).join(' AND ');
  const one = (demand: Demand): string => {
    if ('anyOf' in demand) return `(${demand.anyOf.map((way) => `(${all(way)})`).join(' OR ')})`;
    const name = nameOf(demand.of);
    if (demand.must === 'be absent') return `attribute_not_exists(${name})`;
    if (demand.must === 'be one of') return `${name} IN (${demand.values.map(valueOf).join(', ')})`;
    return `${name} ${operators[demand.must]} ${valueOf(demand.value)}`;
  };
  return { expression: all(demands), names, values };
}
