import { parseSync, Visitor } from 'rolldown/utils';
import { type Change, handlersFor } from './operators.ts';

/** One change of a source, which the tests should detect. */
export type Mutant = Change & {
  readonly file: string;
  readonly line: number;
  readonly original: string;
  /** The start of the innermost enclosing function; -1 if it is evaluated when the module is loaded. */
  readonly within: number;
};

type Place = { readonly start: number; readonly end: number };

/** Returns every mutant of one source. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const changes: Change[] = [];
  const skipped: Place[] = [];
  const { program } = parseSync(file, text);
  const collect = handlersFor(
    text,
    (change) => changes.push(change),
    (place) => skipped.push(place),
  );
  new Visitor(collect).visit(program);
  const around = functionsOf(file, text).map(({ start, end }) => ({ start, end }));
  return changes
    .filter((change) => !skipped.some((place) => isWithin(change, place)))
    .map((change) => ({
      ...change,
      file,
      line: text.slice(0, change.start).split('\n').length,
      original: text.slice(change.start, change.end),
      within: innermost(change, around),
    }))
    .filter(({ original, replacement }) => original !== replacement);
}

/** Whether the text is a valid program; some changes produce invalid ones, which say nothing about the tests. */
export const parses = (file: string, text: string): boolean => parseSync(file, text).errors.length === 0;

const isWithin = (inner: Place, outer: Place): boolean =>
  inner.start >= outer.start && inner.end <= outer.end;

const innermost = (place: Place, functions: readonly Place[]): number =>
  Math.max(-1, ...functions.filter((one) => isWithin(place, one)).map(({ start }) => start));

/** Applies the changes to the text; of two overlapping changes only the one that starts later is applied. */
export function applied(text: string, changes: readonly Change[]): string {
  let last = text.length + 1;
  return changes
    .toSorted((one, other) => other.start - one.start || other.end - one.end)
    .reduce((changed, { start, end, replacement }) => {
      if (end > last) return changed;
      last = start;
      return changed.slice(0, start) + replacement + changed.slice(end);
    }, text);
}

type FunctionIn = Place & { readonly body: Place; readonly isExpression: boolean };

/** Returns every function of a source that has a body. */
export function functionsOf(file: string, text: string): readonly FunctionIn[] {
  const found: FunctionIn[] = [];
  const add = ({
    start,
    end,
    body,
  }: Place & { readonly body: (Place & { readonly type: string }) | null }) => {
    if (body)
      found.push({
        start,
        end,
        body,
        isExpression: body.type !== 'BlockStatement' && body.type !== 'FunctionBody',
      });
  };
  const visitor = new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  });
  visitor.visit(parseSync(file, text).program);
  return found;
}
