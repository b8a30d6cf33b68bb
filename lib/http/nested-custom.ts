import type { Entry, Parameter, Unreadable } from './parameter.ts';

const prefix = 'custom[';
const deepest = 20;
const mostKeys = 1000;

const misspelled: Unreadable = {
  sentence:
    `The custom field must be text, or keys as in custom[user], each given once, none of them __proto__, ` +
    `at most ${deepest} deep and ${mostKeys} in all.`,
};

/** `custom[user]`, as forms spell what has keys. */
export const isNestedCustom = (name: string): boolean => name.startsWith(prefix);

type Tree = Map<string, string | Tree>;

/**
 * The JSON text of `custom[user]=7&custom[cart][]=1`: `{"user":"7","cart":["1"]}`. Keys that count from 0 make a list, and
 * `[]` is the next of them. Whatever would be lost on the way, a key given twice among them, is refused.
 */
export function readNestedCustom(entries: readonly Entry[]): Parameter {
  if (entries.length > mostKeys) return misspelled;
  const root: Tree = new Map();
  for (const [name, value] of entries) {
    const path = pathOf(name);
    if (typeof value !== 'string' || !path || !put(root, path, value)) return misspelled;
  }
  return JSON.stringify(plain(root));
}

/** `custom[cart][]` is `cart` and an empty key; undefined when its brackets do not fit or it is too deep. */
function pathOf(name: string): readonly string[] | undefined {
  const path = name.slice(prefix.length, -1).split('][', deepest + 1);
  const fits = name.endsWith(']') && path.length <= deepest;
  return fits && path.every((key) => !/[[\]]/.test(key) && key !== '__proto__') ? path : undefined;
}

/** False when the place is taken. */
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

/** Own properties only, whatever the keys are called. */
function plain(tree: Tree): unknown {
  const entries = [...tree].map(
    ([key, value]) => [key, typeof value === 'string' ? value : plain(value)] as const,
  );
  const isList = entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
