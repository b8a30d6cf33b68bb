import { isWithin, type Period } from './day.ts';
import { effectOf, feeEffectOf, type Movement, type ProviderLine } from './movement.ts';
import type { Compared } from './reconciliation.ts';

/** Why the journal of a day has another total than the statement. */
export const accountCauses = [
  /** The other side is on another day. */
  'onAnotherDay',
  /** Chargebacks, refunds in the provider's cabinet, returned payouts, closed orders; fees that the statement does not report. */
  'explained',
  /** The named differences of the day. */
  'differing',
  /** Fees on the statement whose booking is still due. */
  'feesDue',
  /** Not looked up, as the comparison is incomplete. */
  'undecided',
] as const;
export type AccountCause = (typeof accountCauses)[number];

/**
 * What moved at a provider in one currency on a day, in minor units, as the statement and the journal have it. Of an acquirer: what it
 * owes, that is payments less refunds and its fees (the account `acquirer`, with the sign changed). Of a rail: what it paid for the
 * platform (the account `clearing`).
 */
export type DayAccount = Pick<Compared, 'role'> & {
  /** Undefined for entries whose payment or payout is not stored: nobody can say which provider has them. */
  readonly provider: string | undefined;
  readonly currency: string;
  /** The lines of our payments and payouts on the statement, without sign. */
  readonly stated: Readonly<Record<'payments' | 'refunds' | 'fees' | 'payouts', bigint>>;
  readonly journalMinor: bigint;
  /** The journal less the statement, by cause. */
  readonly gaps: Readonly<Record<AccountCause, bigint>>;
};

/** Returns the statement's total with the sign of the journal's. */
export const statedMinor = ({ stated }: Pick<DayAccount, 'stated'>): bigint =>
  stated.payments - stated.refunds - stated.fees + stated.payouts;

/** Whether the causes explain exactly what is between the statement and the journal. It holds of every result. */
export const addsUp = (account: DayAccount): boolean =>
  accountCauses.reduce((total, cause) => total + account.gaps[cause], statedMinor(account)) ===
  account.journalMinor;

/** One amount of a line or of a movement: what it adds to the account. */
type Amount = Pick<DayAccount, 'role' | 'provider' | 'currency'> & {
  readonly minor: bigint;
  readonly at: Date;
};

/** Returns what a line adds to its account, without its fee. */
export const lineAmount = (line: ProviderLine): Amount => ({
  ...nameOf(line),
  minor: effectOf(line),
  at: line.at,
});

/** Returns what the fee of a line adds to the account. */
export const lineFee = (line: ProviderLine): Amount => ({
  ...nameOf(line),
  minor: feeEffectOf(line),
  at: line.at,
});

export const movementAmount = (movement: Movement): Amount => ({
  ...nameOf(movement),
  minor: effectOf(movement),
  at: movement.at,
});

/** Sums a day per provider and currency. Each line and each movement is counted once on its side, and once by what became of it. */
export class DayAccounts {
  readonly #day: Period;
  readonly #accounts = new Map<string, Mutable>();

  constructor(day: Period) {
    this.#day = day;
  }

  /** Counts a line of one of our payments or payouts. */
  state(line: ProviderLine): void {
    if (!isWithin(this.#day, line.at)) return;
    const { stated } = this.#of(nameOf(line));
    stated[totalOf[line.kind]] += line.amountMinor;
    stated.fees += -feeEffectOf(line);
  }

  /** Counts a movement of the journal. */
  book(movement: Movement): void {
    if (!isWithin(this.#day, movement.at) || movement.kind === 'release') return;
    this.#of(nameOf(movement)).journalMinor += effectOf(movement);
  }

  /** Both sides of one thing: what they have in common may be on two days, and the rest has this cause, on the day of the line. */
  pair(stated: Amount, booked: Amount, cause: AccountCause = 'differing'): void {
    if (keyOf(stated) !== keyOf(booked)) {
      this.unbooked(stated, cause);
      this.unstated(booked, cause);
      return;
    }
    this.unstated(booked, 'onAnotherDay');
    this.unbooked({ ...stated, minor: booked.minor }, 'onAnotherDay');
    this.unbooked({ ...stated, minor: stated.minor - booked.minor }, cause);
  }

  /** A line that the journal of the day does not have. */
  unbooked(stated: Amount, cause: AccountCause): void {
    this.#add({ ...stated, minor: -stated.minor }, cause);
  }

  /** A movement that the statement of the day does not have. */
  unstated(booked: Amount, cause: AccountCause): void {
    this.#add(booked, cause);
  }

  /** The accounts that anything moved on, by provider and currency. */
  all(): readonly DayAccount[] {
    return [...this.#accounts]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, account]) => account);
  }

  #add({ minor, at, ...name }: Amount, cause: AccountCause): void {
    if (minor !== 0n && isWithin(this.#day, at)) this.#of(name).gaps[cause] += minor;
  }

  #of(name: Name): Mutable {
    const key = keyOf(name);
    const known = this.#accounts.get(key);
    if (known) return known;
    const account: Mutable = {
      role: name.role,
      provider: name.provider,
      currency: name.currency,
      stated: { payments: 0n, refunds: 0n, fees: 0n, payouts: 0n },
      journalMinor: 0n,
      gaps: { onAnotherDay: 0n, explained: 0n, differing: 0n, feesDue: 0n, undecided: 0n },
    };
    this.#accounts.set(key, account);
    return account;
  }
}

type Name = Pick<DayAccount, 'role' | 'provider' | 'currency'>;
type Mutable = Name & {
  readonly stated: Record<keyof DayAccount['stated'], bigint>;
  journalMinor: bigint;
  readonly gaps: Record<AccountCause, bigint>;
};

const totalOf = { payment: 'payments', refund: 'refunds', payout: 'payouts' } as const;

const nameOf = ({ kind, provider, currency }: ProviderLine | Movement): Name => ({
  role: kind === 'payout' || kind === 'return' || kind === 'release' ? 'rail' : 'acquirer',
  provider,
  currency,
});

/** Names an account in a map; sorted by it. */
const keyOf = ({ role, provider, currency }: Name): string => `${role} ${provider ?? ''} ${currency}`;
