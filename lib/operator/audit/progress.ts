import type { Difference } from './records.ts';

/** The most differences of an audit: beyond them it stops, because something is wrong at large. */
const mostDifferences = 10_000;
export const isOverflowing = (differences: number): boolean => differences >= mostDifferences;

/** A position in an audit: one of its steps and where that continues. As text: `records`, `records.<cursor>`. */
type Position = { readonly step: number; readonly cursor: string | undefined };
type Named = readonly { readonly name: string }[];

/** Parses a position; undefined for text that is none of these steps. */
export function positionIn(steps: Named, text: string | undefined): Position | undefined {
  if (text === undefined) return { step: 0, cursor: undefined };
  const [name, ...cursor] = text.split('.');
  const step = steps.findIndex((each) => each.name === name);
  return step < 0 ? undefined : { step, cursor: cursor.length === 0 ? undefined : cursor.join('.') };
}

/** Returns the position after a part of a step, which continues at `next`; undefined after the last step. */
export function positionAfter(steps: Named, step: number, next: string | undefined): string | undefined {
  const name = steps[step]?.name;
  return next === undefined || name === undefined ? steps[step + 1]?.name : `${name}.${next}`;
}

/** Adds counts by name. */
export const added = (
  one: Readonly<Record<string, number>>,
  other: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => [
      name,
      (one[name] ?? 0) + (other[name] ?? 0),
    ]),
  );

/** What both sides of a reference show in the same words is one difference. */
export const distinct = (differences: readonly Difference[]): readonly Difference[] => [
  ...new Map(differences.map((each) => [`${each.invariant} ${each.text}`, each])).values(),
];
