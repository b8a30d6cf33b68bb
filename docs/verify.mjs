#!/usr/bin/env node
/**
 * Verifies exports of a Paylink journal offline. One file, no dependencies, Node 18 or later. The rules are in seals.md beside it.
 *
 *   node verify.mjs MerchantA-2026-10.jsonl MerchantA-2026-11.jsonl
 *   node verify.mjs MerchantA-2026-11.jsonl --known 5f0c…
 *
 * Give the exports of one merchant, oldest first. It recomputes the hash and the sums of each sealed day from its entries, checks that each
 * seal follows the one before, also from file to file, and prints what the accounts hold at the end. `--known` is the hash of a seal that you
 * wrote down earlier, or that someone else did: it must be among the seals, so nothing before it was rewritten since.
 *
 * The exit code is 0 when everything agrees, 1 when something does not, 2 when a file cannot be read as an export.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const noHash = '0'.repeat(64);
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

const byName = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
const say = (text) => process.stdout.write(`${text}\n`);
const complain = (text) => process.stderr.write(`${text}\n`);

/** RFC 8785 (JSON Canonicalization Scheme) for texts, integers, lists and objects: no blanks, members ordered by name. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  const members = names.sort(byName).map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(',')}}`;
}

/** What lines add up to, by account and currency, without zeros, in the order of the names. */
function sumsOf(lines) {
  const totals = new Map();
  for (const { account, amount, currency } of lines) {
    const name = `${account} ${currency}`;
    totals.set(name, (totals.get(name) ?? 0n) + BigInt(amount));
  }
  const names = [...totals.keys()].filter((name) => totals.get(name) !== 0n).sort(byName);
  return names.map((name) => {
    const [account, currency] = name.split(' ');
    return { account, amount: String(totals.get(name)), currency };
  });
}

/** An entry's key is its subject and kind; one that people made has the id of their decision after `#`. */
const isKeyOf = ({ about, kind, authorization }, key) =>
  authorization === undefined ? key === `${about} ${kind}` : key.startsWith(`${about} ${kind}#`);

class Verifier {
  problems = [];
  counts = { files: 0, entries: 0, seals: 0, unsealed: 0 };
  merchant = undefined;
  hashes = new Set();
  /** By currency: the seal before, entries that wait for their seal, and what they add up to. */
  chains = new Map();

  problem(text) {
    this.problems.push(text);
  }

  chain(currency) {
    if (!this.chains.has(currency))
      this.chains.set(currency, { currency, before: undefined, isBegun: false, entries: [], sealedTo: undefined });
    return this.chains.get(currency);
  }

  header({ format, merchant }) {
    if (format !== 'paylink-journal-1') throw new Error(`The format is ${format}, not paylink-journal-1.`);
    if (this.merchant !== undefined && this.merchant !== merchant)
      this.problem(`The files are of different merchants; this one is of ${merchant}.`);
    this.merchant = merchant;
  }

  /** The last seal before a file. It must be the one that the file before ended with. */
  opening({ seal }) {
    this.hashOf(seal);
    const chain = this.chain(seal.currency);
    if (chain.before && chain.before.hash !== seal.hash)
      this.problem(`${nameOf(seal)} is not the seal that the file before ends with, of ${chain.before.date}.`);
    if (chain.isBegun && !chain.before) this.problem(`${nameOf(seal)}: the file before has no seals.`);
    Object.assign(chain, { before: seal, isBegun: true, sealedTo: seal.to });
  }

  entry(line) {
    this.counts.entries += 1;
    if (line.unreadable !== undefined) return this.problem(`Entry ${line.unreadable} cannot be read.`);
    const { key, entry, currency, people } = line;
    const chain = this.chain(currency);
    chain.isBegun = true;
    if (!isKeyOf(entry, key)) this.problem(`Entry ${key} has a key that is not its own.`);
    if (entry.merchant !== this.merchant) this.problem(`Entry ${key} is of merchant ${entry.merchant}.`);
    for (const { amount, currency: of } of sumsOf(entry.lines.map((each) => ({ ...each, account: 'all' }))))
      this.problem(`Entry ${key} does not balance: its ${of} lines add up to ${amount}.`);
    if (people !== undefined && sha256(canonical(people)) !== entry.authorization)
      this.problem(`Entry ${key}: the people are not those of its hash.`);
    chain.entries.push({ at: entry.at, key, line: `${key} ${sha256(canonical(entry))}`, lines: entry.lines });
  }

  seal({ seal }) {
    this.counts.seals += 1;
    this.hashOf(seal);
    const chain = this.chain(seal.currency);
    const { before } = chain;
    if (seal.previous !== (before ? before.hash : noHash))
      this.problem(
        before
          ? `${nameOf(seal)} does not follow the one of ${before.date}: a seal between them is missing, or one was changed.`
          : `${nameOf(seal)} is not the first of its chain, and the seal before it is not in the file.`,
      );
    if (chain.sealedTo !== undefined && seal.from < chain.sealedTo) this.problem(`${nameOf(seal)} overlaps the one before.`);
    this.day(chain, seal);
    const closing = sumsOf([...(before?.closing ?? []), ...seal.sums]);
    if (canonical(closing) !== canonical(seal.closing))
      this.problem(`${nameOf(seal)} closes with other sums than those before and its own.`);
    Object.assign(chain, { before: seal, isBegun: true, sealedTo: seal.to });
  }

  /** Compares a seal with the entries of its day, and finds entries that lie before it in no seal. */
  day(chain, seal) {
    const entries = chain.entries.filter(({ at }) => at >= seal.from && at < seal.to);
    for (const { key, at } of chain.entries.filter((each) => each.at < seal.from))
      this.problem(`Entry ${key} of ${at} is in no seal, though a later day is sealed.`);
    chain.entries = chain.entries.filter(({ at }) => at >= seal.to);
    const text = entries.map(({ line }) => `${line}\n`).sort(byName).join('');
    if (entries.length !== seal.count)
      this.problem(`${nameOf(seal)} counts ${seal.count} entries, and the file has ${entries.length} of that day.`);
    else if (sha256(text) !== seal.entries)
      this.problem(`${nameOf(seal)}: the entries of that day are not those that were sealed.`);
    if (canonical(sumsOf(entries.flatMap(({ lines }) => lines))) !== canonical(seal.sums))
      this.problem(`${nameOf(seal)}: the entries of that day add up to other sums.`);
  }

  hashOf({ hash, ...content }) {
    this.hashes.add(hash);
    if (content.merchant !== this.merchant) this.problem(`${nameOf(content)} is of merchant ${content.merchant}.`);
    if (sha256(canonical(content)) !== hash) this.problem(`${nameOf(content)} has a hash that is not its own.`);
  }

  /** At the end of a file entries may be left that are not sealed yet. */
  end({ entries, seals }, seen) {
    if (entries !== seen.entries || seals !== seen.seals)
      this.problem(`The file says ${entries} entries and ${seals} seals, and has ${seen.entries} and ${seen.seals}.`);
  }
}

const nameOf = ({ date, currency }) => `The seal of ${date} in ${currency}`;

/** Amounts are minor units: two decimal places in every currency. */
function decimal(amount) {
  const digits = amount.replace('-', '').padStart(3, '0');
  return `${amount.startsWith('-') ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

async function read(verifier, file) {
  const seen = { entries: 0, seals: 0 };
  let isEnded = false;
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number += 1;
    if (text.trim() === '') continue;
    let line;
    try {
      line = JSON.parse(text);
    } catch {
      throw new Error(`${file}, line ${number}, is not JSON.`);
    }
    if (number === 1 && line.type !== 'header') throw new Error(`${file} does not begin with a header.`);
    if (line.type === 'entry') seen.entries += 1;
    if (line.type === 'seal') seen.seals += 1;
    if (line.type === 'header') verifier.header(line);
    else if (line.type === 'opening') verifier.opening(line);
    else if (line.type === 'entry') verifier.entry(line);
    else if (line.type === 'seal') verifier.seal(line);
    else if (line.type === 'end') verifier.end(line, seen);
    else throw new Error(`${file}, line ${number}, has the unknown type ${line.type}.`);
    isEnded = line.type === 'end';
  }
  if (!isEnded) verifier.problem(`${file} has no end: it was cut off.`);
  verifier.counts.files += 1;
}

async function main(words) {
  const known = words.flatMap((word, at) => (words[at - 1] === '--known' ? [word] : []));
  const files = words.filter((word, at) => word !== '--known' && words[at - 1] !== '--known');
  if (files.length === 0) {
    complain('Usage: node verify.mjs <export.jsonl>… [--known <hash of a seal>]');
    return 2;
  }
  const verifier = new Verifier();
  try {
    for (const file of files) await read(verifier, file);
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return 2;
  }
  for (const hash of known)
    if (!verifier.hashes.has(hash)) verifier.problem(`No seal has the hash ${hash}: what it sealed was changed, or is in another file.`);
  for (const chain of [...verifier.chains.values()].sort((one, other) => byName(one.currency, other.currency))) {
    const { currency, before, entries } = chain;
    for (const { key, at } of entries.filter((each) => chain.sealedTo !== undefined && each.at < chain.sealedTo))
      verifier.problem(`Entry ${key} of ${at} is in no seal, though a later day is sealed.`);
    verifier.counts.unsealed += entries.length;
    const now = sumsOf([...(before?.closing ?? []), ...entries.flatMap(({ lines }) => lines)]);
    const own = now.filter(({ account }) => ['available', 'locked', 'held', 'reserved'].includes(account));
    say(`${currency}: ${before ? `sealed up to ${before.to} by ${before.hash}` : 'nothing is sealed'}`);
    for (const { account, amount, currency: of } of own) say(`  ${account} ${decimal(amount)} ${of}`);
  }
  for (const text of verifier.problems) say(`WRONG: ${text}`);
  const { entries, seals, unsealed } = verifier.counts;
  say(
    `${entries} entries and ${seals} seals of merchant ${verifier.merchant} were read; ${unsealed} entries are not sealed yet. ` +
      (verifier.problems.length === 0 ? 'Everything agrees.' : `${verifier.problems.length} things are wrong.`),
  );
  return verifier.problems.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
