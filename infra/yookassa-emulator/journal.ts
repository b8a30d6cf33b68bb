import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { outcomeOfCard } from './test-cards.ts';

/** One exchange under `/v3`. */
export type Exchange = {
  readonly at: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Of an exchange that was never answered: the status that the answer would have had. */
  readonly status: number;
  readonly idempotenceKey: string | null;
  /** The parsed body, or its text where it is not JSON. Null: no body. */
  readonly request: unknown;
  readonly answer: unknown;
};

/** The file of exchanges, one JSON object a line. A line is complete before its answer is sent. */
export class Journal {
  readonly path: string;
  readonly #file: number;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.path = join(folder, 'journal.jsonl');
    this.#file = openSync(this.path, 'a', 0o600);
  }

  write(exchange: Exchange): void {
    const { path, request, idempotenceKey } = exchange;
    const line = {
      ...exchange,
      path: withoutCards(path),
      idempotenceKey: idempotenceKey === null ? null : withoutCards(idempotenceKey),
      request: masked(request),
      answer: masked(exchange.answer),
    };
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Takes the place of every other card number: a test card, so a journal can be replayed. */
const standIn = '5555555555554444';

function masked(value: unknown): unknown {
  if (typeof value === 'string') return withoutCards(value);
  if (typeof value === 'number' || typeof value === 'bigint') return maskedNumber(value);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      withoutCards(key),
      key === 'csc' ? '000' : maskedField(key, each),
    ]),
  );
}

/** A field named `number` holds a card number even when its digits are wrong. */
function maskedField(key: string, value: unknown): unknown {
  const digits = typeof value === 'string' ? value.replaceAll(/\D/g, '') : '';
  if (key === 'number' && digits.length >= 12) return outcomeOfCard(digits) ? value : standIn;
  return masked(value);
}

const maskedNumber = (value: number | bigint): unknown =>
  withoutCards(String(value)) === String(value) ? value : Number(standIn);

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const digitGroups = String.raw`\d+(?:[ -]\d+)*`;

/** Replaces card numbers anywhere in a text, also in groups. The digits of UUIDs are none. */
function withoutCards(text: string): string {
  return text.replaceAll(new RegExp(`${uuid}|${digitGroups}`, 'gi'), (found) =>
    found.includes('-') && new RegExp(`^${uuid}$`, 'i').test(found) ? found : withoutCardsInGroups(found),
  );
}

/** A card number is a whole group, or some that follow each other. */
function withoutCardsInGroups(text: string): string {
  const groups = text.split(/(?=[ -])/);
  for (let first = 0; first < groups.length; first += 1) {
    for (let last = groups.length; last > first; last -= 1) {
      const digits = groups.slice(first, last).join('').replaceAll(/\D/g, '');
      if (!isOtherCard(digits)) continue;
      const before = groups.slice(0, first).join('');
      const separator = /^[ -]/.exec(groups[first] ?? '')?.[0] ?? '';
      return `${before}${separator}${standIn}${withoutCardsInGroups(groups.slice(last).join(''))}`;
    }
  }
  return text;
}

/** 13 to 19 digits that begin and add up like a card number, but are not a test card's. */
const isOtherCard = (digits: string): boolean =>
  /^[2-6]\d{12,18}$/.test(digits) && passesLuhn(digits) && !outcomeOfCard(digits);

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}
