import { Defect } from '../../defect.ts';
import * as z from 'zod/mini';

export type Json = { readonly [key: string]: unknown };

/** A property's description and examples. Other keys here replace those of its schema. */
export type PropertyDocument = Json & { readonly description: string };

const objectSchema = z.looseObject({ properties: z.record(z.string(), z.record(z.string(), z.unknown())) });

/**
 * Returns the JSON Schema of a request or response as it is sent, before texts are parsed. A property without a description
 * does not compile.
 */
export function described<Schema extends z.ZodMiniType>(
  schema: Schema,
  documents: Readonly<Record<keyof z.input<Schema>, PropertyDocument>>,
): Json {
  const {
    $schema: _dialect,
    properties,
    ...rest
  } = objectSchema.parse(z.toJSONSchema(schema, { io: 'input' }));
  const byName: Readonly<Record<string, PropertyDocument>> = documents;
  const entries = Object.entries(properties).map(
    ([name, property]) => [name, documented(property, byName[name])] as const,
  );
  return { ...rest, properties: Object.fromEntries(entries) };
}

/** A reference replaces the schema; any other document is merged over it. */
function documented(schema: Json, document: PropertyDocument | undefined): Json {
  if (document === undefined)
    throw new Defect('DOCUMENT_DESCRIPTION_MISSING', 'A property has no description');
  return '$ref' in document ? document : { ...inAnyCase(schema), ...document };
}

/** Widens a case-insensitive enumeration: its words, or text that differs from one of them in case only. */
function inAnyCase({ enum: values, anyCase, ...schema }: Json): Json {
  if (!Array.isArray(values)) return schema;
  if (anyCase !== true) return { ...schema, enum: values };
  const words = values.filter((value) => typeof value === 'string');
  return {
    ...schema,
    anyOf: [{ enum: values }, { type: 'string', pattern: `^(?:${words.map(letters).join('|')})$` }],
  };
}

const letters = (word: string): string =>
  word.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);

export const ref = (name: string): string => `#/components/schemas/${name}`;

export const listOf = (name: string, description: string): PropertyDocument => ({
  description,
  items: { $ref: ref(name) },
});
