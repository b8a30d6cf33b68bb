import { ignorable } from '../bill/create-bill.ts';
import { longestCustom } from '../contract/body-limits.ts';
import type { Entry, Parameter, Unreadable } from './parameter.ts';

const deepest = 20;
const mostKeys = 1000;

const misspelled = (field: string): Unreadable => ({
  sentence: isNestedField(field)
    ? `The ${field} field must be text, or keys such as ${field}[user], each given once, none of them __proto__, ` +
      `at most ${deepest} levels deep and ${mostKeys} in all.`
    : `The ${field} field must be given once, as plain text.`,
  leftOut: true,
});

/** Stands for a field that is given as text and by keys: which is meant is unknown. */
export const twoSpellings = misspelled;

/** The fields that may be sent as nested form fields, such as `custom[user]`, or as a JSON list or object. */
const nestedFields: ReadonlySet<string> = new Set(['custom', 'items', 'request_fields']);

/** The fields of which keys or an object are read: as JSON text, or as what is left out of a bill and named so. */
const structured: readonly string[] = ignorable;

const isNestedField = (name: string): boolean => nestedFields.has(name);

/** Returns the field that a name such as `custom[user]` belongs to. */
export const nestedFieldOf = (name: string): string | undefined =>
  structured.find((field) => name.startsWith(`${field}[`));

/** Returns a JSON list or object as the text that it is stored as; undefined where the field is no one's. */
export function readNestedJson(field: string, value: object): Parameter | undefined {
  if (isNestedField(field)) return unlessTooLong(field, JSON.stringify(value));
  return structured.includes(field) ? misspelled(field) : undefined;
}

const unlessTooLong = (field: string, text: string): Parameter =>
  field === 'custom' && text.length > longestCustom ? misspelled(field) : text;

type Tree = Map<string, string | Tree>;

/**
 * Converts `custom[user]=7&custom[cart][]=1` into JSON text: `{"user":"7","cart":["1"]}`. Keys that count from 0 become a list;
 * `[]` appends to it. Input that would lose data, such as a key given twice, is unreadable.
 */
export function readNestedFields(field: string, entries: readonly Entry[]): Parameter {
  if (!isNestedField(field) || entries.length > mostKeys) return misspelled(field);
  const root: Tree = new Map();
  for (const [name, value] of entries) {
    const path = pathOf(name.slice(field.length + 1));
    if (typeof value !== 'string' || !path || !put(root, path, value)) return misspelled(field);
  }
  return unlessTooLong(field, JSON.stringify(plain(root)));
}

/** Splits `cart][]`, which follows `custom[`, into `cart` and an empty key; undefined for unbalanced brackets or too many levels. */
function pathOf(name: string): readonly string[] | undefined {
  const path = name.slice(0, -1).split('][', deepest + 1);
  const fits = name.endsWith(']') && path.length <= deepest;
  return fits && path.every((key) => !/[[\]]/.test(key) && key !== '__proto__') ? path : undefined;
}

/** Sets a value; returns false when the key already has one. */
function put(tree: Tree, [key = '', ...rest]: readonly string[], value: string): boolean {
  const place = key === '' ? nextIndex(tree) : key;
  const there = tree.get(place);
  if (rest.length === 0) {
    tree.set(place, value);
    return there === undefined;
  }
  if (typeof there === 'string') return false;
  const branch: Tree = there ?? new Map();
  tree.set(place, branch);
  return put(branch, rest, value);
}

function nextIndex(tree: Tree): string {
  let index = tree.size;
  while (tree.has(String(index))) index += 1;
  return String(index);
}

/** Converts to plain values. `Object.fromEntries` makes own properties even of names that `Object.prototype` has. */
function plain(tree: Tree): unknown {
  const entries = [...tree].map(
    ([key, value]) => [key, typeof value === 'string' ? value : plain(value)] as const,
  );
  const isList = entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
