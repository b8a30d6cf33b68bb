import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Entry, readMultipart, readUrlencoded } from './form-body.ts';
import { bytesOf } from './readable-body.ts';
import { UnreadableBody } from './unreadable-body.ts';

/** What the caller sent, each parameter as text; a list where it was given more than once. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>;

/**
 * The parameters of a request: those of the body over those of the query on POST; on GET the query's
 * over those of a JSON body. Absent is whatever is null or empty, but for `custom`, where empty is a value.
 * Expects the event as `readableBody` and `jsonBody` leave it.
 */
export async function parametersOf(event: APIGatewayProxyEvent): Promise<Parameters> {
  const [query, body] = [grouped(queryOf(event)), await bodyParameters(event)];
  const merged = event.httpMethod === 'GET' ? [...body, ...query] : [...query, ...body];
  // Own properties even for names such as __proto__: nothing is inherited, nothing is polluted.
  return Object.fromEntries(merged);
}

type Grouped = ReadonlyMap<string, string | readonly string[]>;

function* queryOf({
  multiValueQueryStringParameters,
  queryStringParameters,
}: APIGatewayProxyEvent): Iterable<Entry> {
  for (const [name, values] of Object.entries(multiValueQueryStringParameters ?? queryStringParameters ?? {}))
    for (const value of Array.isArray(values) ? values : [values ?? '']) yield [name, value];
}

async function bodyParameters(event: APIGatewayProxyEvent): Promise<Grouped> {
  const body: unknown = event.body;
  if (body === null || body === undefined) return new Map();
  const type = event.headers['content-type'];
  if (type?.toLowerCase().startsWith('multipart/')) return grouped(await readMultipart(bytesOf(event), type));
  if (type === 'application/x-www-form-urlencoded' && typeof body === 'string')
    return grouped(readUrlencoded(body));
  if (isRecord(body)) return jsonParameters(body);
  if (event.httpMethod === 'GET') return new Map();
  throw new UnreadableBody('The body must be a JSON object.');
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

const isAbsent = (name: string, value: string | readonly string[]): boolean =>
  value === '' && name !== 'custom';

function grouped(entries: Iterable<Entry>): Grouped {
  const groups = new Map<string, string | readonly string[]>();
  for (const [name, value] of entries) {
    if (isAbsent(name, value)) continue;
    const before = groups.get(name);
    groups.set(name, before === undefined ? value : [before, value].flat());
  }
  return groups;
}

function jsonParameters(body: Readonly<Record<string, unknown>>): Grouped {
  const parameters = new Map<string, string | readonly string[]>();
  for (const [name, value] of Object.entries(body)) {
    const text = jsonText(name, value);
    if (text !== undefined && !isAbsent(name, text)) parameters.set(name, text);
  }
  return parameters;
}

/** A list in JSON: no schema takes one, whatever is in it. */
const list: readonly string[] = [];

/** Scalars are their text, a list counts as a repeated parameter, nested data is not there; `custom` may be any JSON. */
function jsonText(name: string, value: unknown): string | readonly string[] | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null) return undefined;
  if (JSON.isRawJSON(value)) return value.rawJSON;
  if (name === 'custom') return JSON.stringify(value);
  return Array.isArray(value) ? list : undefined;
}
