import * as z from 'zod/mini';
import { fail, ok, type Result } from '../result.ts';
import { isUnreadable } from './parameter.ts';
import type { Parameters } from './parameters.ts';

/** Sentences that say what to fix, by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Parses the parameters that the schema names; others are ignored. */
export function validate<Schema extends z.ZodMiniType>(
  schema: Schema,
  parameters: Parameters,
): Result<z.output<Schema>, FieldErrors> {
  const parsed = z.safeParse(schema, parameters);
  return parsed.success ? ok(parsed.data) : fail(errorsByField(parsed.error.issues, parameters));
}

type Issue = z.core.$ZodIssue;

function errorsByField(issues: readonly Issue[], parameters: Parameters): FieldErrors {
  const errors = new Map<string, string[]>();
  for (const issue of issues) {
    const field = String(issue.path[0] ?? 'body');
    errors.set(field, [...(errors.get(field) ?? []), sentence(field, issue, parameters)]);
  }
  return Object.fromEntries(errors);
}

function sentence(field: string, issue: Issue, parameters: Parameters): string {
  if (issue.code === 'custom') return issue.message;
  const given = Object.hasOwn(parameters, field) ? parameters[field] : undefined;
  if (given === undefined) return `The ${field} field is required.`;
  if (isUnreadable(given)) return given.sentence;
  return typeof given === 'string' ? issue.message : `The ${field} field must be given once, as plain text.`;
}
