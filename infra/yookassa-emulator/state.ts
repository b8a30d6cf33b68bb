import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { lives } from './clock.ts';
import type {
  Account,
  ApiObject,
  DueRecord,
  KeyRecord,
  PaymentRecord,
  PayoutRecord,
  Posting,
  RefundRecord,
  SettingsRecord,
  StoredRecord,
} from './records.ts';

type Removed = { readonly kind: 'removed'; readonly of: 'due' | 'key'; readonly id: number | string };
type Line = StoredRecord | Removed;

/**
 * The emulator's objects, keys, books and settings. Every change is appended to a file before the call that causes it is
 * answered, so a restart goes on where the process ended.
 */
export class State {
  readonly payments = new Map<string, PaymentRecord>();
  readonly refunds = new Map<string, RefundRecord>();
  readonly payouts = new Map<string, PayoutRecord>();
  readonly keys = new Map<string, KeyRecord>();
  readonly due = new Map<number, DueRecord>();
  readonly postings: Posting[] = [];
  readonly #balances: Record<Account, number> = { shop: 0, gateway: 0 };
  /** The ids of the refunds of each payment, in the order of their creation. */
  readonly #refundsOf = new Map<string, Set<string>>();
  #settings: SettingsRecord | undefined;
  #last = 0;
  /** The lines of the change that is being made. */
  #unwritten: Line[] | undefined;
  readonly #file: number;

  /** Reads the folder's file, drops what was replaced, and keeps the file open for appending. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'state.jsonl');
    if (existsSync(path)) for (const line of changesIn(path).flat()) this.#apply(line);
    const compacted = `${path}.new`;
    writeFileSync(
      compacted,
      this.#all()
        .map((each) => `${JSON.stringify([each])}\n`)
        .join(''),
      { mode: 0o600 },
    );
    renameSync(compacted, path);
    this.#file = openSync(path, 'a');
  }

  get settings(): SettingsRecord | undefined {
    return this.#settings;
  }

  /** The next number: ids of postings and due records, and the sequence of objects. */
  next(): number {
    this.#last += 1;
    return this.#last;
  }

  /** What `work` saves is written as one line: after a crash all of it is there, or nothing. */
  atomically<Result>(work: () => Result): Result {
    if (this.#unwritten) return work();
    this.#unwritten = [];
    try {
      return work();
    } finally {
      const lines = this.#unwritten;
      this.#unwritten = undefined;
      if (lines.length > 0) this.#append(lines);
    }
  }

  save(record: StoredRecord): void {
    this.#write(record);
  }

  removeDue(id: number): void {
    this.#write({ kind: 'removed', of: 'due', id });
  }

  /** Returns the record of a key that is still alive. A key that is too old is forgotten. */
  key(id: string, now: number): KeyRecord | undefined {
    const record = this.keys.get(id);
    if (!record || now - record.firstUsedAt < lives.idempotenceKey) return record;
    this.#write({ kind: 'removed', of: 'key', id });
    return undefined;
  }

  /** The sum of an account's postings. */
  balance(account: Account): number {
    return this.#balances[account];
  }

  post(posting: Omit<Posting, 'kind' | 'id'>): void {
    this.save({ kind: 'posting', id: this.next(), ...posting });
  }

  schedule(due: Omit<DueRecord, 'kind' | 'id'>): void {
    this.save({ kind: 'due', id: this.next(), ...due });
  }

  refundsOf(paymentId: string): readonly RefundRecord[] {
    return [...(this.#refundsOf.get(paymentId) ?? [])].flatMap((id) => this.refunds.get(id) ?? []);
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(line: Line): void {
    if (this.#unwritten) this.#unwritten.push(line);
    else this.#append([line]);
    this.#apply(line);
  }

  #append(lines: readonly Line[]): void {
    writeSync(this.#file, `${JSON.stringify(lines)}\n`);
  }

  #apply(line: Line): void {
    switch (line.kind) {
      case 'payment':
        this.#object(this.payments, line);
        break;
      case 'refund':
        this.#object(this.refunds, line);
        this.#refundsOf.set(line.paymentId, (this.#refundsOf.get(line.paymentId) ?? new Set()).add(line.id));
        break;
      case 'payout':
        this.#object(this.payouts, line);
        break;
      case 'key':
        this.keys.set(line.id, line);
        break;
      case 'posting':
        this.#last = Math.max(this.#last, line.id);
        this.postings.push(line);
        this.#balances[line.account] += line.minor;
        break;
      case 'due':
        this.#last = Math.max(this.#last, line.id);
        this.due.set(line.id, line);
        break;
      case 'settings':
        this.#settings = line;
        break;
      case 'removed':
        if (line.of === 'due') this.due.delete(Number(line.id));
        else this.keys.delete(String(line.id));
    }
  }

  #object<R extends ApiObject>(objects: Map<string, R>, record: R): void {
    this.#last = Math.max(this.#last, record.sequence);
    objects.set(record.id, record);
  }

  #all(): readonly StoredRecord[] {
    return [
      ...(this.#settings ? [this.#settings] : []),
      ...this.payments.values(),
      ...this.refunds.values(),
      ...this.payouts.values(),
      ...this.keys.values(),
      ...this.postings,
      ...this.due.values(),
    ];
  }
}

/** The file's changes, a line each. A last line that a crash cut off was never answered, so it is dropped. */
function changesIn(path: string): readonly (readonly Line[])[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.pop();
  return lines.map((line, index): readonly Line[] => {
    try {
      return JSON.parse(line);
    } catch (cause) {
      throw new Error(`Line ${index + 1} of ${path} is not JSON: delete the folder to start anew.`, {
        cause,
      });
    }
  });
}
