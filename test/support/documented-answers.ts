import { fromJSONSchema } from 'zod';
import * as z from 'zod/mini';
import { resolved } from './resolved-document.ts';

const content = z.object({ 'application/json': z.object({ schema: z.record(z.string(), z.unknown()) }) });
const document = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ responses: z.record(z.string(), z.object({ content })) })),
  ),
});

/** Reads `/openapi.json` of a running service; returns a function that describes how an answer deviates from it, or returns undefined. */
export async function documentedAnswers(baseUrl: string) {
  const { paths } = document.parse(resolved(await (await fetch(`${baseUrl}/openapi.json`)).json()));
  const schemas = new Map<string, z.core.$ZodType>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        const { schema } = response.content['application/json'];
        schemas.set(`${method.toUpperCase()} ${path} ${status}`, fromJSONSchema(closed(schema)));
      }
    }
  }
  return (method: string, path: string, status: number, body: unknown): string | undefined => {
    const schema = schemas.get(`${method} ${path} ${status}`);
    if (!schema) return `${method} ${path} answers no ${status}`;
    const read = z.safeParse(schema, body);
    return read.success ? undefined : `${method} ${path} ${status}: ${z.prettifyError(read.error)}`;
  };
}

type Schema = Readonly<Record<string, unknown>>;
const schemaIn = z.record(z.string(), z.unknown());

/** Forbids properties that the document does not name. */
function closed(schema: Schema): Schema {
  const entries = Object.entries(schema).map(([name, value]) => [name, within(name, value)] as const);
  const isOpen = schema['type'] !== 'object' || 'additionalProperties' in schema;
  return { ...Object.fromEntries(entries), ...(!isOpen && { additionalProperties: false }) };
}

function within(name: string, value: unknown): unknown {
  if (name === 'items') return closed(schemaIn.parse(value));
  if (name !== 'properties') return value;
  const properties = Object.entries(schemaIn.parse(value));
  return Object.fromEntries(properties.map(([field, schema]) => [field, closed(schemaIn.parse(schema))]));
}
