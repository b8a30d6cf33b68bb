import { createHash } from 'node:crypto';
import type { Authorization, Entry } from '../ledger/entry.ts';

/** What the canonical form is made of. Amounts are decimal integers as text, so no reader rounds them. */
type Canonical = string | number | readonly Canonical[] | { readonly [name: string]: Canonical | undefined };

/** The hash before the first: no text has it. */
export const noHash = '0'.repeat(64);

/** Returns the SHA-256 of the text's UTF-8 bytes, hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Returns the JSON text of RFC 8785 (JSON Canonicalization Scheme): no blanks, members ordered by name, absent members left out.
 * Numbers are integers.
 */
export function canonicalText(value: Canonical): string {
  if (typeof value === 'string' || typeof value === 'number') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalText).join(',')}]`;
  const members = Object.entries(value)
    .filter((member): member is [string, Canonical] => member[1] !== undefined)
    .toSorted(([one], [other]) => compareText(one, other))
    .map(([name, of]) => `${JSON.stringify(name)}:${canonicalText(of)}`);
  return `{${members.join(',')}}`;
}

const isList = (value: Canonical): value is readonly Canonical[] => Array.isArray(value);

/** Orders texts by their UTF-16 code units; texts of ASCII, as keys are, by their bytes. */
export const compareText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/**
 * Returns the canonical form of an entry (docs/seals.md). People's names and reasons are in it only as a hash, so that a merchant can be
 * given an entry without them.
 */
export const canonicalEntry = ({ about, kind, merchantId, lines, at, adjustment }: Entry) => ({
  about,
  at: at.toISOString(),
  authorization: adjustment && sha256(canonicalText(canonicalAuthorization(adjustment))),
  kind,
  lines: lines.map(({ account, currency, minor }) => ({ account, amount: String(minor), currency })),
  merchant: merchantId,
});

export const canonicalAuthorization = ({ id, reason, proposedBy, approvedBy }: Authorization) => ({
  approvedBy,
  id,
  proposedBy,
  reason,
});

/** Returns the hash of the entry's canonical form, which is in the line of the entry after its key. */
export const entryHash = (entry: Entry): string => sha256(canonicalText(canonicalEntry(entry)));

/** Returns the hash over a day's lines, in the order of their keys. */
export function linesHash(lines: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\n`);
  return hash.digest('hex');
}
