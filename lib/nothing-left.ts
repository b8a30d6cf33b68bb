/**
 * Takes the rest of a record whose other fields were all named, and compiles only while there is none. Where a record is
 * copied field by field, a field that is new to it is then an error to be decided on, not a value that vanishes.
 */
export const nothingLeft = (_rest: Readonly<Record<string, never>>): void => undefined;
