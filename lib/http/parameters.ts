import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readMultipart, readUrlencoded } from './form-body.ts';
import { nestedFieldOf, readNestedFields, readNestedJson, twoSpellings } from './nested-fields.ts';
import { type Entry, isUnreadable, type Parameter } from './parameter.ts';
import { bodyBytes } from './gateway-event.ts';
import { UnreadableBody } from './unreadable-body.ts';

/** The caller's parameters, by name. */
export type Parameters = Readonly<Record<string, Parameter>>;

/**
 * Returns the parameters of a request. On POST the body takes precedence over the query, on GET the query over a JSON body. Null and
 * empty values are absent, except that `custom` may be empty. Expects an event that passed `readableBody` and `jsonBody`.
 */
export async function parametersOf(event: APIGatewayProxyEvent): Promise<Parameters> {
  const [query, body] = [grouped(queryOf(event)), await bodyParameters(event)];
  const merged = event.httpMethod === 'GET' ? [...body, ...query] : [...query, ...body];
  // `Object.fromEntries` makes own properties even of names such as __proto__, so no prototype is polluted.
  return Object.fromEntries(merged);
}

type Grouped = ReadonlyMap<string, Parameter>;

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
  if (type?.toLowerCase().startsWith('multipart/'))
    return grouped(await readMultipart(bodyBytes(event), type));
  if (type === 'application/x-www-form-urlencoded' && typeof body === 'string')
    return grouped(readUrlencoded(body));
  if (isJsonObject(body)) return grouped(jsonEntries(body));
  if (event.httpMethod === 'GET') return new Map();
  throw new UnreadableBody('The body must be a JSON object.');
}

/** Raw JSON, which is an object to JavaScript, is a number with its exact text (`parseExactly`). */
const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

const isAbsent = (name: string, value: Parameter): boolean => value === '' && name !== 'custom';

/** Groups values by name, in one pass, because a body of 64 KB may repeat one name sixteen thousand times. */
function grouped(entries: Iterable<Entry>): Grouped {
  const given = new Map<string, Parameter[]>();
  const nested = new Map<string, Entry[]>();
  for (const [name, value] of entries) {
    const field = nestedFieldOf(name);
    if (field) addTo(nested, field, [name, value]);
    else if (!isAbsent(name, value)) addTo(given, name, value);
  }
  for (const [field, found] of nested)
    addTo(given, field, given.has(field) ? twoSpellings(field) : readNestedFields(field, found));
  return new Map([...given].map(([name, values]) => [name, together(values)]));
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const before = lists.get(key);
  if (before) before.push(value);
  else lists.set(key, [value]);
}

/** Joins the values of one name into a list; when any is unreadable, the last of those is the value. */
function together(values: readonly Parameter[]): Parameter {
  const [only = '', ...others] = values;
  if (others.length === 0) return only;
  return values.findLast(isUnreadable) ?? values.flatMap((value) => (isUnreadable(value) ? [] : value));
}

function* jsonEntries(body: Readonly<Record<string, unknown>>): Iterable<Entry> {
  for (const [name, value] of Object.entries(body)) {
    const text = jsonText(name, value);
    if (text !== undefined) yield [name, text];
  }
}

/** Stands for any JSON list: no schema accepts one, whatever its elements. */
const list: readonly string[] = [];

/** Scalars become text, a list counts as a repeated parameter, an object is ignored, unless the field may be any JSON (`readNestedJson`). */
function jsonText(name: string, value: unknown): Parameter | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null) return undefined;
  if (JSON.isRawJSON(value)) return value.rawJSON;
  if (typeof value !== 'object') return undefined;
  return readNestedJson(name, value) ?? (Array.isArray(value) ? list : undefined);
}
