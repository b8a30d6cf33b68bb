/**
 * Takes the rest of a destructured record, and compiles only while that is empty. Code that copies a record field by field then fails
 * to compile when the record gets a new field, instead of losing it silently.
 */
export const nothingLeft = (_rest: Readonly<Record<string, never>>): void => undefined;
