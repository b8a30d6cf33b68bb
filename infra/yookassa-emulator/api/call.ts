import type * as z from 'zod/mini';
import type { Manner } from '../manners.ts';
import type { Account, ApiObject } from '../records.ts';
import type { World } from '../world.ts';
import { invalid } from './errors.ts';

/** A request that passed authentication, routing and the checks of its headers. */
export type Call = {
  readonly world: World;
  readonly account: Account;
  /** The id in the path; empty where the path has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The parsed JSON. An empty body is an empty object. */
  readonly body: unknown;
  /** What a control rule gives to the object that this call creates. */
  readonly manner: Manner | undefined;
  readonly at: number;
};

/** What a POST does: it creates or changes one object. */
export type PostRoute = {
  readonly method: 'POST';
  readonly path: RegExp;
  readonly account: Account;
  readonly act: (call: Call) => ApiObject;
  readonly answer: z.ZodMiniType;
};

type GetRoute = {
  readonly method: 'GET';
  readonly path: RegExp;
  readonly account: Account | 'either';
  readonly read: (call: Call) => unknown;
  readonly answer: z.ZodMiniType;
};

export type Route = PostRoute | GetRoute;

/** Parses a request body. Throws the vendor's refusal with the path of the first wrong field. */
export function parse<Schema extends z.ZodMiniType>(
  schema: Schema,
  sent: unknown,
  refused: readonly string[] = [],
): z.infer<Schema> {
  const body = withoutNulls(sent);
  for (const field of refused) {
    if (isObject(body) && body[field] !== undefined)
      throw invalid(field, 'The parameter is not available to this shop.');
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const parameter = issue?.path.join('.') ?? '';
  const missing = isMissing(body, issue?.path ?? []);
  throw invalid(
    parameter === '' ? 'body' : parameter,
    missing ? `Missing required parameter ${parameter}` : (issue?.message ?? 'Invalid request'),
  );
}

/** A field that is null counts as absent. Values of metadata may be null. */
function withoutNulls(value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => [key, key === 'metadata' ? each : withoutNulls(each)]),
  );
}

const isObject = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === 'object' && value !== null;

function isMissing(body: unknown, path: readonly PropertyKey[]): boolean {
  let value = body;
  for (const key of path) value = isObject(value) ? value[key] : undefined;
  return value === undefined;
}
