import { type AccountCause, type DayAccounts, lineAmount, lineFee, movementAmount } from './accounts.ts';
import { isOurs, type Rest } from './compare.ts';
import { isWithin, type Period } from './day.ts';
import type { Finding } from './lookups.ts';
import { type Movement, type ProviderLine, subjectOf } from './movement.ts';

/** A line that was judged: with the movement that it differs from, or without one. */
export type LeftLine = {
  readonly line: ProviderLine;
  /** Whether another line, under another reference, was matched with its movement. */
  readonly isSecond: boolean;
  readonly differsFrom: Movement | undefined;
};

/** Puts what the comparison of a day left in its place in the accounts of the day, as it is judged. */
export class LeftOver {
  readonly #day: Period;
  readonly #accounts: DayAccounts;
  /** Not judged so far. */
  readonly #lines: Set<ProviderLine>;
  readonly #movements: Map<string, Movement>;
  readonly #differing: Set<Movement>;
  /** By payment: what its fee follows, where it was not compared. */
  readonly #causes = new Map<string, AccountCause>();
  /** By payment: booked in the day, without a line of it. */
  readonly #fees: Map<string, Movement>;

  constructor(day: Period, { accounts, unbooked, second, unstated, unequal, feesAlone }: Rest) {
    this.#day = day;
    this.#accounts = accounts;
    const lines = [...unbooked, ...second, ...unequal.map(({ line }) => line)];
    this.#lines = new Set(lines.filter((line) => isOurs(line.kind, subjectOf(line))));
    this.#movements = new Map(unstated.map((each) => [keyOf(each.kind, each.subject), each]));
    this.#differing = new Set(unequal.map(({ movement }) => movement));
    this.#fees = new Map(feesAlone.map((fee) => [fee.subject, fee]));
  }

  /** Whether a movement was not found on a line meanwhile. */
  isLeft = ({ kind, subject }: Movement): boolean => this.#movements.has(keyOf(kind, subject));

  /** `read`: the movement of the line in the journal, as it is now. */
  judgedLine(left: LeftLine, finding: Finding, read: Movement | undefined): void {
    const { line, differsFrom } = left;
    this.#lines.delete(line);
    if (differsFrom) this.#differing.delete(differsFrom);
    const cause = causeOf(finding);
    if (finding.is === 'same' && read) return this.#agrees(left, read);
    if (finding.is === 'explained' && read) return this.#agreesInPart(left, read);
    if (cause === 'onAnotherDay') {
      this.#accounts.unbooked(lineAmount(line), cause);
      if (differsFrom) this.#accounts.unstated(movementAmount(differsFrom), cause);
      return;
    }
    if (differsFrom) this.#accounts.pair(lineAmount(line), movementAmount(differsFrom), cause);
    else this.#accounts.unbooked(lineAmount(line), cause);
    this.#accounts.unbooked(lineFee(line), cause);
    this.#feeFollows(line.kind, subjectOf(line), cause);
  }

  /** A line that carries no id of ours, and is about one of our payments. */
  judgedChange(line: ProviderLine, finding: Finding): void {
    this.#accounts.state(line);
    this.#accounts.unbooked(lineAmount(line), causeOf(finding));
  }

  judgedMovement(movement: Movement, finding: Finding): void {
    this.#movements.delete(keyOf(movement.kind, movement.subject));
    this.#place(movement, causeOf(finding));
  }

  /** The fee of a matched line, as it is booked now, on any day. */
  judgedFee(line: ProviderLine, booked: Movement | undefined, isDue: boolean): void {
    if (!booked) return this.#accounts.unbooked(lineFee(line), isDue ? 'feesDue' : 'differing');
    const seen = this.#fees.get(booked.subject);
    const fee = seen ?? { ...booked, provider: line.provider };
    this.#fees.delete(booked.subject);
    if (!seen) this.#accounts.book(fee);
    if (line.feeMinor === undefined) this.#accounts.unstated(movementAmount(fee), 'explained');
    else this.#accounts.pair(lineFee(line), movementAmount(fee));
  }

  /** What nobody looked up is undecided; a fee without its line follows its payment, or belongs to one of another day. */
  end(): void {
    for (const line of this.#lines) {
      this.#accounts.unbooked(lineAmount(line), 'undecided');
      this.#accounts.unbooked(lineFee(line), 'undecided');
      this.#feeFollows(line.kind, subjectOf(line), 'undecided');
    }
    for (const movement of [...this.#movements.values(), ...this.#differing])
      this.#place(movement, 'undecided');
    for (const fee of this.#fees.values())
      this.#accounts.unstated(movementAmount(fee), this.#causes.get(fee.subject) ?? 'onAnotherDay');
  }

  /** The journal has it in this day: read late by the comparison, or not yet. */
  #agrees({ line, isSecond, differsFrom }: LeftLine, read: Movement): void {
    if (differsFrom || isSecond) {
      this.#movements.delete(keyOf(read.kind, read.subject));
      this.#accounts.unbooked(lineAmount(line), 'undecided');
      if (differsFrom) this.#accounts.unstated(movementAmount(differsFrom), 'undecided');
      return;
    }
    this.#accounts.pair(lineAmount(line), movementAmount(this.#unpaired(line, read)));
  }

  /** What both sides have in common may be on two days; the fee is compared with its own entry. */
  #agreesInPart({ line, differsFrom }: LeftLine, read: Movement): void {
    const movement = differsFrom ?? this.#unpaired(line, read);
    this.#accounts.pair(lineAmount(line), movementAmount(movement), 'explained');
  }

  /** The movement of a line that the comparison had no pair for: it is of another day, or was written after the journal was read. */
  #unpaired(line: ProviderLine, read: Movement): Movement {
    const key = keyOf(read.kind, read.subject);
    const seen = this.#movements.get(key);
    const movement = seen ?? { ...read, provider: line.provider };
    this.#movements.delete(key);
    if (!seen && isWithin(this.#day, read.at)) this.#accounts.book(movement);
    return movement;
  }

  #place(movement: Movement, cause: AccountCause): void {
    this.#accounts.unstated(movementAmount(movement), cause);
    this.#feeFollows(movement.kind, movement.subject, cause);
  }

  #feeFollows(kind: Movement['kind'], subject: string | undefined, cause: AccountCause): void {
    if (kind === 'payment' && subject !== undefined) this.#causes.set(subject, cause);
  }
}

const keyOf = (kind: Movement['kind'], subject: string): string => `${kind} ${subject}`;

function causeOf({ is }: Finding): AccountCause {
  if (is === 'difference') return 'differing';
  return is === 'explained' ? 'explained' : 'onAnotherDay';
}
