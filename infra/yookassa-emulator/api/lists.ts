import type { ApiObject } from '../records.ts';
import { dateTime } from '../schemas/fields.ts';
import type { Call } from './call.ts';
import { invalid } from './errors.ts';
import { present } from './present.ts';

type ListOptions<Listed extends ApiObject> = {
  readonly objects: Iterable<Listed>;
  /** How far back the list reaches, in milliseconds. */
  readonly reach: number;
  readonly lagSeconds: number;
  readonly keep: (object: Listed) => boolean;
};

/**
 * One page of a list: newest first, after the cursor. New objects do not move the pages that follow. Objects that lag are
 * missing.
 */
export function page<Listed extends ApiObject>(
  { world, query, at }: Call,
  { objects, reach, lagSeconds, keep }: ListOptions<Listed>,
) {
  const limit = readLimit(query);
  const after = readCursor(query);
  const created = timeFilter(query, 'created_at');
  const matching = [...objects]
    .filter(
      (each) =>
        each.createdAt > at - reach &&
        !lags(each, at, lagSeconds) &&
        created(each.createdAt) &&
        keep(each) &&
        (after === undefined || byCreation(each, after) > 0),
    )
    .sort(byCreation);
  const items = matching.slice(0, limit);
  const last = items.at(-1);
  return {
    type: 'list',
    items: items.map((each) => present(world, each)),
    ...(matching.length > limit && last && { next_cursor: cursorOf(last) }),
  };
}

type Position = Pick<ApiObject, 'createdAt' | 'sequence'>;

/** Newest first. */
const byCreation = (one: Position, other: Position): number =>
  other.createdAt - one.createdAt || other.sequence - one.sequence;

function lags({ createdAt, manner }: ApiObject, at: number, lagSeconds: number): boolean {
  const own = manner?.kind === 'listed_late' ? manner.afterMs : 0;
  return at - createdAt < Math.max(own, lagSeconds * 1000);
}

function readLimit(query: URLSearchParams): number {
  const text = query.get('limit');
  if (text === null) return 10;
  if (!/^(?:[1-9]\d?|100)$/.test(text)) throw invalid('limit', 'The limit is a number from 1 to 100.');
  return Number(text);
}

const cursorOf = ({ createdAt, sequence }: Position): string =>
  Buffer.from(`${createdAt}.${sequence}`).toString('base64url');

function readCursor(query: URLSearchParams): Position | undefined {
  const text = query.get('cursor');
  if (text === null) return undefined;
  const [, createdAt, sequence] = /^(\d+)\.(\d+)$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (createdAt === undefined || sequence === undefined)
    throw invalid('cursor', 'The cursor is not one that a list returned.');
  return { createdAt: Number(createdAt), sequence: Number(sequence) };
}

const comparisons: Readonly<Record<string, (time: number, bound: number) => boolean>> = {
  gte: (time, bound) => time >= bound,
  gt: (time, bound) => time > bound,
  lte: (time, bound) => time <= bound,
  lt: (time, bound) => time < bound,
};

/** The filter of `created_at.gte` and its like. An object without the time matches only when there is no filter. */
export function timeFilter(query: URLSearchParams, field: string): (time: number | undefined) => boolean {
  const bounds = Object.entries(comparisons).flatMap(([name, holds]) => {
    const parameter = `${field}.${name}`;
    const text = query.get(parameter);
    if (text === null) return [];
    if (!dateTime.safeParse(text).success)
      throw invalid(parameter, 'A time is given in ISO 8601 with its zone.');
    const bound = Date.parse(text);
    return [(time: number) => holds(time, bound)];
  });
  return (time) => bounds.every((holds) => time !== undefined && holds(time));
}

/** A filter with a closed list of values. */
export function choice<Value extends string>(
  query: URLSearchParams,
  parameter: string,
  values: readonly Value[],
): Value | undefined {
  const text = query.get(parameter);
  if (text === null) return undefined;
  const value = values.find((each) => each === text);
  if (value === undefined) throw invalid(parameter, `The value is one of ${values.join(', ')}.`);
  return value;
}
