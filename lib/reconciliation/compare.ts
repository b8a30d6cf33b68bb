import { isPaymentId, isPayoutId, isRefundId } from '../ids.ts';
import { DayAccounts, lineAmount, lineFee, movementAmount } from './accounts.ts';
import { isMatchedIn, isWithin, type Period } from './day.ts';
import { type Movement, type ProviderLine, subjectOf } from './movement.ts';

/** A line and a movement of one payment or payout that differ. */
export type Pair = { readonly line: ProviderLine; readonly movement: Movement };

/** Movements and their sum, in minor units. */
type Total = { readonly count: number; readonly minor: bigint };
export const totalKinds = ['payment', 'refund', 'payout'] as const;
export type Totals = {
  readonly kind: (typeof totalKinds)[number];
  readonly currency: string;
  readonly there: Total;
  readonly here: Total;
};

/** What the comparison of a day leaves: nothing, when both sides agree. Only lines and movements of the day, not of its edges. */
export type Rest = {
  /** Lines that have a movement of the same amount and currency. */
  readonly matched: number;
  /** Lines with our id without a movement, and lines without our id that are about a payment which may be ours. */
  readonly unbooked: readonly ProviderLine[];
  /** Lines of a payment or payout that another line, under another reference, was matched with. */
  readonly second: readonly ProviderLine[];
  /** Movements without a line. */
  readonly unstated: readonly Movement[];
  readonly unequal: readonly Pair[];
  /** Matched lines whose fee is told, or to be told, and not booked in the day; and those whose booked fee differs. */
  readonly feesUnbooked: readonly ProviderLine[];
  readonly feesUnequal: readonly Pair[];
  /** Fees that were booked in the day without a matched line of it: their payment is of another day, or is left. */
  readonly feesAlone: readonly Movement[];
  /** Lines that correct a captured amount, of the day and its edges. Those of the day are also `unbooked`. */
  readonly corrections: readonly ProviderLine[];
  /** Lines of orders and transfers that are not ours. */
  readonly foreign: number;
  readonly totals: readonly Totals[];
  /** All of the day, and what became of the matched lines and movements. */
  readonly accounts: DayAccounts;
};

/**
 * Compares the statements of a day with the journal. Both are given with the edges of the day, in any order; so a payment that was
 * captured at 23:59:58 and booked at 00:00:03 is matched in either day. What is matched is forgotten but for its id, so that a
 * day of any size can be compared part by part.
 */
export class DayComparison {
  readonly #day: Period;
  /** By kind and subject: the references that were matched. */
  readonly #matched = new Map<string, string>();
  readonly #lines = new Map<string, ProviderLine[]>();
  readonly #movements = new Map<string, Movement[]>();
  /** By payment. */
  readonly #feesStated = new Map<string, ProviderLine>();
  readonly #feesBooked = new Map<string, Movement>();
  readonly #feesUnequal: Pair[] = [];
  readonly #unnamed: ProviderLine[] = [];
  readonly #corrections: ProviderLine[] = [];
  readonly #totals = new Map<string, { there: Sum; here: Sum }>();
  readonly #accounts: DayAccounts;
  #matches = 0;
  #foreign = 0;

  constructor(day: Period) {
    this.#day = day;
    this.#accounts = new DayAccounts(day);
  }

  seeLine(line: ProviderLine): void {
    if (!isMatchedIn(this.#day, line.at)) return;
    const subject = subjectOf(line);
    if (!isOurs(line.kind, subject)) return this.#seeUnnamed(line);
    this.#accounts.state(line);
    this.#count(line, 'there');
    const key = `${line.kind} ${subject}`;
    const movement = take(this.#movements, key, (each) => isEqual(line, each) && isOneOrder(line, each));
    if (movement) this.#match(key, { line, movement });
    else add(this.#lines, key, line);
  }

  seeMovement(movement: Movement): void {
    if (!isMatchedIn(this.#day, movement.at)) return;
    if (movement.kind === 'release') return;
    this.#accounts.book(movement);
    if (movement.kind === 'fee') return this.#seeFee(movement);
    if (movement.kind === 'chargeback' || movement.kind === 'return')
      return this.#accounts.unstated(movementAmount(movement), 'explained');
    this.#count(movement, 'here');
    const key = `${movement.kind} ${movement.subject}`;
    const line = take(this.#lines, key, (each) => isEqual(each, movement) && isOneOrder(each, movement));
    if (line) this.#match(key, { line, movement });
    else add(this.#movements, key, movement);
  }

  rest(): Rest {
    const unequal: Pair[] = [];
    const unbooked: ProviderLine[] = [...this.#unnamed];
    const second: ProviderLine[] = [];
    const unstated: Movement[] = [];
    for (const [key, lines] of this.#lines) {
      for (const line of lines) {
        const movement = take(this.#movements, key, (each) => isOneOrder(line, each));
        if (movement && (isWithin(this.#day, line.at) || isWithin(this.#day, movement.at)))
          unequal.push({ line, movement });
        else if (!movement && isWithin(this.#day, line.at))
          (this.#isSecond(key, line) ? second : unbooked).push(line);
      }
    }
    for (const movements of this.#movements.values())
      unstated.push(...movements.filter(({ at }) => isWithin(this.#day, at)));
    return {
      matched: this.#matches,
      unbooked,
      second,
      unstated,
      unequal,
      feesUnbooked: [...this.#feesStated.values()].filter(({ feeMinor }) => feeMinor !== 0n),
      feesUnequal: this.#feesUnequal,
      feesAlone: [...this.#feesBooked.values()].filter(({ at }) => isWithin(this.#day, at)),
      corrections: this.#corrections,
      foreign: this.#foreign,
      totals: [...this.#totals].map(([key, { there, here }]) => totalsOf(key, there, here)),
      accounts: this.#accounts,
    };
  }

  #isSecond(key: string, { reference }: ProviderLine): boolean {
    const matched = this.#matched.get(key);
    return matched !== undefined && matched !== reference;
  }

  /** Without an id of ours: a refund or a correction, whose payment may be ours, whoever made it; or an order of another system. */
  #seeUnnamed(line: ProviderLine): void {
    const isChange =
      line.kind !== 'payout' && line.orderReference !== undefined && line.orderReference !== line.reference;
    if (isChange && line.kind === 'payment') this.#corrections.push(line);
    if (!isWithin(this.#day, line.at)) return;
    if (isChange) this.#unnamed.push(line);
    else this.#foreign += 1;
  }

  #match(key: string, { line, movement }: Pair): void {
    this.#matched.set(key, line.reference);
    this.#accounts.pair(lineAmount(line), movementAmount(movement));
    if (!isWithin(this.#day, line.at) && !isWithin(this.#day, movement.at)) return;
    this.#matches += 1;
    // A fee is compared in the day of the capture there.
    if (!mayHaveFee(line) || !isWithin(this.#day, line.at)) return;
    const fee = this.#feesBooked.get(movement.subject);
    if (fee) this.#compareFee(line, fee);
    else if (this.#feesStated.has(movement.subject)) this.#accounts.unbooked(lineFee(line), 'differing');
    else this.#feesStated.set(movement.subject, line);
  }

  #seeFee(fee: Movement): void {
    const line = this.#feesStated.get(fee.subject);
    if (!line) return void this.#feesBooked.set(fee.subject, fee);
    this.#feesStated.delete(fee.subject);
    this.#compareFee(line, fee);
  }

  #compareFee(line: ProviderLine, movement: Movement): void {
    this.#feesBooked.delete(movement.subject);
    // Booked as the order's own view told it; the statement tells none.
    if (line.feeMinor === undefined) return this.#accounts.unstated(movementAmount(movement), 'explained');
    this.#accounts.pair(lineFee(line), movementAmount(movement));
    if (line.feeMinor !== movement.amountMinor || line.currency !== movement.currency)
      this.#feesUnequal.push({ line, movement });
  }

  #count({ kind, currency, amountMinor, at }: ProviderLine | Movement, side: 'there' | 'here'): void {
    if (!isWithin(this.#day, at)) return;
    const key = `${kind} ${currency}`;
    const totals = this.#totals.get(key) ?? { there: { count: 0, minor: 0n }, here: { count: 0, minor: 0n } };
    totals[side].count += 1;
    totals[side].minor += amountMinor;
    this.#totals.set(key, totals);
  }
}

/** Whether the provider's fee on a captured payment is told, or to be told. */
export const mayHaveFee = ({ kind, feeMinor, tellsFees }: ProviderLine): boolean =>
  kind === 'payment' && (feeMinor !== undefined || tellsFees);

type Sum = { count: number; minor: bigint };

function totalsOf(key: string, there: Sum, here: Sum): Totals {
  const [kind, currency = ''] = key.split(' ');
  return { kind: totalKinds.find((each) => each === kind) ?? 'payment', currency, there, here };
}

/** Whether a line carries our id of its payment, refund or payout. */
export const isOurs = (kind: ProviderLine['kind'], subject: string | undefined): subject is string => {
  if (kind === 'payout') return isPayoutId(subject);
  return isPaymentId(subject) || (kind === 'refund' && isRefundId(subject));
};

const isEqual = (line: ProviderLine, movement: Movement): boolean =>
  line.amountMinor === movement.amountMinor && line.currency === movement.currency;

/** Whether both are about one order or transfer of the provider, as far as it is known here. An entry whose payment is lost agrees with nothing. */
const isOneOrder = (line: ProviderLine, { provider, reference }: Movement): boolean =>
  provider === line.provider &&
  (reference === undefined || reference === (line.orderReference ?? line.reference));

function add<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Removes and returns the first item of the list that fits. */
function take<T>(lists: Map<string, T[]>, key: string, fits: (item: T) => boolean): T | undefined {
  const list = lists.get(key);
  const at = list?.findIndex(fits) ?? -1;
  if (!list || at < 0) return undefined;
  const [item] = list.splice(at, 1);
  if (list.length === 0) lists.delete(key);
  return item;
}
