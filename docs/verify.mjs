#!/usr/bin/env node
/**
 * Verifies exports of a Paylink journal offline. One file, no dependencies, Node 18 or later. The rules are in seals.md beside it.
 *
 *   node verify.mjs MerchantA-2026-10.jsonl MerchantA-2026-11.jsonl
 *   node verify.mjs MerchantA-2026-11.jsonl --known 5f0c…
 *
 * Give the exports of one merchant, oldest first. It recomputes the hash and the sums of each sealed day from its entries, checks that each
 * seal follows the one before, also from file to file, and prints what the accounts hold at the end. `--known` is the hash of a seal that you
 * wrote down earlier, or that someone else did: it must be among the seals, so nothing before it was rewritten since. Without one the files
 * vouch for themselves alone: whoever made them could have made all of them anew.
 *
 * The exit code is 0 when everything agrees, 1 when something does not, 2 when a file cannot be read as an export.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const noHash = '0'.repeat(64);
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

const byName = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
/** Text of a file must not steer the terminal, or end the line that it is shown in. */
const shown = (text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '?');
const say = (text) => process.stdout.write(`${shown(text)}\n`);
const complain = (text) => process.stderr.write(`${shown(text)}\n`);

/** A line that is not as seals.md says. */
class Unreadable extends Error {}

const isText = (value) => typeof value === 'string' && value !== '';
const isHash = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isAmount = (value) => typeof value === 'string' && /^(?:0|-?[1-9]\d*)$/.test(value);
const isCurrency = (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value);
/** One form of each time, so that times are ordered as texts. */
const isTime = (value) =>
  typeof value === 'string' && /^20\d{2}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value));
const areLines = (value) =>
  Array.isArray(value) &&
  value.every((line) => line && isAmount(line.amount) && isCurrency(line.currency) && /^[a-z_]+$/.test(line.account));
const isEntry = (value) =>
  Boolean(value) && isText(value.about) && isText(value.kind) && isText(value.merchant) && isTime(value.at) && areLines(value.lines);
const isSeal = (value) =>
  Boolean(value) &&
  [value.hash, value.previous, value.entries].every(isHash) &&
  [value.from, value.to].every(isTime) &&
  [value.sums, value.closing].every(areLines) &&
  Number.isSafeInteger(value.count) &&
  isCurrency(value.currency) &&
  isText(value.date);

/** What the members of each type of line must be. */
const isLine = {
  header: ({ format, merchant, exportedAt }) => format === 'paylink-journal-1' && isText(merchant) && isTime(exportedAt),
  opening: ({ seal }) => isSeal(seal),
  entry: ({ key, entry, currency, unreadable }) =>
    isText(unreadable) || (isText(key) && isEntry(entry) && isCurrency(currency)),
  seal: ({ seal }) => isSeal(seal),
  end: ({ entries, seals }) => Number.isSafeInteger(entries) && Number.isSafeInteger(seals),
};

const merchantAccounts = ['available', 'locked', 'held', 'reserved'];
const isMerchants = ({ account }) => merchantAccounts.includes(account);
/** The chain that an entry belongs to. */
const currencyOf = ({ lines }) => (lines.find(isMerchants) ?? lines[0])?.currency;

/** A day is sealed within hours of its end; a run that was interrupted may need days. */
const sealedWithinMs = 4 * 24 * 3600_000;

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
const isKeyOf = ({ about, kind, authorization }, people, key) =>
  authorization === undefined || people !== undefined
    ? key === `${about} ${kind}${people === undefined ? '' : `#${people.id}`}`
    : key.startsWith(`${about} ${kind}#`);

class Verifier {
  constructor(expected) {
    /** The hashes of seals that somebody knows. */
    this.expected = new Set(expected);
  }

  problems = [];
  counts = { files: 0, entries: 0, seals: 0, unsealed: 0 };
  merchant = undefined;
  exportedAt = undefined;
  hashes = new Set();
  /** Of all entries: the journal has each once. */
  keys = new Set();
  /** By currency: the seal before, entries that wait for their seal, and the hashes that its seals have. */
  chains = new Map();

  problem(text) {
    this.problems.push(text);
  }

  chain(currency) {
    if (!this.chains.has(currency))
      this.chains.set(currency, {
        currency,
        before: undefined,
        isBegun: false,
        isOpened: true,
        entries: [],
        sealedTo: undefined,
        known: undefined,
      });
    return this.chains.get(currency);
  }

  header({ merchant, exportedAt }) {
    if (this.merchant !== undefined && this.merchant !== merchant)
      this.problem(`The files are of different merchants; this one is of ${merchant}.`);
    this.merchant = merchant;
    this.exportedAt = exportedAt;
    for (const chain of this.chains.values()) chain.isOpened = chain.before === undefined;
  }

  /** The last seal before a file. It must be the one that the file before ended with. */
  opening({ seal }) {
    this.hashOf(seal);
    const chain = this.chain(seal.currency);
    if (chain.before && chain.before.hash !== seal.hash)
      this.problem(`${nameOf(seal)} is not the seal that the file before ends with, of ${chain.before.date}.`);
    if (chain.isBegun && !chain.before) this.problem(`${nameOf(seal)}: the file before has no seals.`);
    Object.assign(chain, { before: seal, isBegun: true, isOpened: true, sealedTo: seal.to });
  }

  entry(line) {
    this.counts.entries += 1;
    if (line.unreadable !== undefined) return this.problem(`Entry ${line.unreadable} cannot be read.`);
    const { key, entry, currency, people } = line;
    const chain = this.chain(currency);
    chain.isBegun = true;
    if (this.keys.has(key)) this.problem(`Entry ${key} is there twice.`);
    this.keys.add(key);
    if (!isKeyOf(entry, people, key)) this.problem(`Entry ${key} has a key that is not its own.`);
    if (currency !== currencyOf(entry)) this.problem(`Entry ${key} is not of the chain in ${currency}.`);
    if (entry.merchant !== this.merchant) this.problem(`Entry ${key} is of merchant ${entry.merchant}.`);
    for (const { amount, currency: of } of sumsOf(entry.lines.map((each) => ({ ...each, account: 'all' }))))
      this.problem(`Entry ${key} does not balance: its ${of} lines add up to ${amount}.`);
    if (people !== undefined && sha256(canonical(people)) !== entry.authorization)
      this.problem(`Entry ${key}: the people are not those of its hash.`);
    const { exportedAt } = this;
    chain.entries.push({ at: entry.at, key, line: `${key} ${sha256(canonical(entry))}`, lines: entry.lines, exportedAt });
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
    if (this.expected.has(hash)) this.chain(content.currency).known = content.date;
    if (content.merchant !== this.merchant) this.problem(`${nameOf(content)} is of merchant ${content.merchant}.`);
    if (sha256(canonical(content)) !== hash) this.problem(`${nameOf(content)} has a hash that is not its own.`);
  }

  /** At the end of a file entries may be left that are not sealed yet. */
  end({ entries, seals }, seen) {
    for (const { currency, before } of [...this.chains.values()].filter(({ isOpened }) => !isOpened))
      this.problem(`The file leaves out the chain in ${currency}, of which the file before has ${nameOf(before)}.`);
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

/** The lines of a file. They end with a line feed alone: texts may have other characters that some readers take for one. */
async function* linesOf(file) {
  let rest = '';
  for await (const piece of createReadStream(file, 'utf8')) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop();
    yield* lines;
  }
  yield rest;
}

async function read(verifier, file) {
  const seen = { entries: 0, seals: 0 };
  let isEnded = false;
  let number = 0;
  for await (const text of linesOf(file)) {
    number += 1;
    if (text.trim() === '') continue;
    const line = parsed(text);
    if (line === undefined) throw new Unreadable(`${file}, line ${number}, is no line of an export.`);
    if ((number === 1) !== (line.type === 'header')) throw new Unreadable(`${file} does not begin with its one header.`);
    if (isEnded) throw new Unreadable(`${file}, line ${number}, is after the end.`);
    if (line.type === 'entry') seen.entries += 1;
    if (line.type === 'seal') seen.seals += 1;
    if (line.type === 'header') verifier.header(line);
    else if (line.type === 'opening') verifier.opening(line);
    else if (line.type === 'entry') verifier.entry(line);
    else if (line.type === 'seal') verifier.seal(line);
    else verifier.end(line, seen);
    isEnded = line.type === 'end';
  }
  if (!isEnded) verifier.problem(`${file} has no end: it was cut off.`);
  verifier.counts.files += 1;
}

/** Undefined for text that is no line of an export. */
function parsed(text) {
  try {
    const line = JSON.parse(text);
    return Object.hasOwn(isLine, line.type) && isLine[line.type](line) ? line : undefined;
  } catch {
    return undefined;
  }
}

/** Prints what a chain says that its accounts hold, and complains of entries that should be sealed. */
function conclude(verifier, chain) {
  const { currency, before, entries, sealedTo, known } = chain;
  for (const { key, at, lines, exportedAt } of entries) {
    if (sealedTo !== undefined && at < sealedTo)
      verifier.problem(`Entry ${key} of ${at} is in no seal, though a later day is sealed.`);
    // Late money of a merchant to whom nothing was credited is not sealed.
    else if (Date.parse(exportedAt) - Date.parse(at) > sealedWithinMs && (before || lines.some(isMerchants)))
      verifier.problem(`Entry ${key} of ${at} was not sealed when the file was written, on ${exportedAt}: it should have been.`);
  }
  verifier.counts.unsealed += entries.length;
  const holds = (lines) => {
    const own = sumsOf(lines).filter(isMerchants);
    for (const { account, amount, currency: of } of own) say(`  ${account} ${decimal(amount)} ${of}`);
  };
  const vouched = known === undefined ? 'none of its seals is known' : `known up to ${known}`;
  say(`${currency}: ${before ? `sealed up to ${before.to} by ${before.hash}; ${vouched}` : 'nothing is sealed'}`);
  if (before) holds(before.closing);
  if (entries.length === 0) return;
  say(`  with ${entries.length} entries that no seal protects yet:`);
  holds([...(before?.closing ?? []), ...entries.flatMap(({ lines }) => lines)]);
}

async function main(words) {
  const known = words.flatMap((word, at) => (words[at - 1] === '--known' ? [word.toLowerCase()] : []));
  const files = words.filter((word, at) => word !== '--known' && words[at - 1] !== '--known');
  if (files.length === 0 || files.some((file) => file.startsWith('-')) || words.at(-1) === '--known' || !known.every(isHash)) {
    complain('Usage: node verify.mjs <export.jsonl>… [--known <hash of a seal, 64 digits>]');
    return 2;
  }
  const verifier = new Verifier(known);
  try {
    for (const file of files) await read(verifier, file);
  } catch (error) {
    if (!(error instanceof Unreadable) && error?.code === undefined) throw error;
    complain(error.message);
    return 2;
  }
  for (const hash of known)
    if (!verifier.hashes.has(hash)) verifier.problem(`No seal has the hash ${hash}: what it sealed was changed, or is in another file.`);
  for (const chain of [...verifier.chains.values()].sort((one, other) => byName(one.currency, other.currency))) conclude(verifier, chain);
  for (const text of verifier.problems) say(`WRONG: ${text}`);
  const { entries, seals, unsealed } = verifier.counts;
  say(
    `${entries} entries and ${seals} seals of merchant ${verifier.merchant} were read; ${unsealed} entries are not sealed yet. ` +
      (verifier.problems.length === 0 ? 'Everything agrees.' : `${verifier.problems.length} things are wrong.`),
  );
  return verifier.problems.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
