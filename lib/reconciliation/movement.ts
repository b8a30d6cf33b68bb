import type { Entry, EntryKind } from '../ledger/entry.ts';
import { type MerchantId, type PaymentId, paymentIdOfRefund, readPaymentId, readRefundId } from '../ids.ts';
import { sum } from '../money/money.ts';
import type { StatementLine } from '../provider-port.ts';

/** A journal entry as a provider's statement or a postback would tell of it. */
export type Movement = {
  /**
   * `fee`: the provider's fee on a payment. `chargeback` and `return`: what changed a payment or a payout after its end. `release`: a
   * payout that was not paid or a refund that failed; only its postback is owed.
   */
  readonly kind: 'payment' | 'refund' | 'fee' | 'chargeback' | 'payout' | 'return' | 'release';
  readonly entry: EntryKind;
  /** The payment, refund or payout. */
  readonly subject: string;
  readonly merchantId: MerchantId;
  /** Minor units of `currency`; negative for a surplus, and for an entry whose line has the wrong sign. */
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly at: Date;
  /** Who has the payment or payout; undefined where it is not stored. */
  readonly provider: string | undefined;
  /** The provider's id of the order or transfer, as it is stored here; undefined while it is not known. */
  readonly reference: string | undefined;
};

/** A line of the named provider's statement. */
export type ProviderLine = StatementLine & {
  readonly provider: string;
  /** Whether the provider tells the fee of a payment sooner or later. */
  readonly tellsFees: boolean;
};

/** Returns the payment that a movement or a line of an acquirer is about; undefined for text that is no id of ours. */
export function paymentOf(subject: string | undefined): PaymentId | undefined {
  const refundId = readRefundId(subject);
  return refundId ? paymentIdOfRefund(refundId) : readPaymentId(subject);
}

type Told = {
  readonly kind: Movement['kind'];
  /** The account whose lines are the amount, with their sign. */
  readonly account: 'acquirer' | 'clearing' | 'locked';
  readonly sign: 1n | -1n;
};
const told: Readonly<Partial<Record<EntryKind, Told>>> = {
  CAPTURE: { kind: 'payment', account: 'acquirer', sign: -1n },
  DUPLICATE_CAPTURE: { kind: 'payment', account: 'acquirer', sign: -1n },
  REFUND: { kind: 'refund', account: 'acquirer', sign: 1n },
  REFUND_SETTLE: { kind: 'refund', account: 'acquirer', sign: 1n },
  PROVIDER_FEE: { kind: 'fee', account: 'acquirer', sign: 1n },
  CHARGEBACK: { kind: 'chargeback', account: 'acquirer', sign: 1n },
  SURPLUS: { kind: 'chargeback', account: 'acquirer', sign: 1n },
  SETTLE: { kind: 'payout', account: 'clearing', sign: 1n },
  RETURN: { kind: 'return', account: 'clearing', sign: -1n },
  RELEASE: { kind: 'release', account: 'locked', sign: -1n },
  REFUND_RELEASE: { kind: 'release', account: 'locked', sign: -1n },
};

/** Returns the movement of an entry; undefined for kinds that move nothing at a provider and owe no postback. */
export function movementOf({ kind: entry, about, merchantId, lines, at }: Entry): Movement | undefined {
  const how = told[entry];
  const own = how ? lines.filter(({ account }) => account === how.account) : [];
  const [line] = own;
  if (!how || !line) return undefined;
  return {
    kind: how.kind,
    entry,
    subject: about,
    merchantId,
    amountMinor: how.sign * sum(own.map(({ minor }) => minor)),
    currency: line.currency,
    at,
    provider: undefined,
    reference: undefined,
  };
}

/** What an amount of each kind adds to what the acquirer owes, or to what the rail paid. */
const effects: Readonly<Record<Movement['kind'], bigint>> = {
  payment: 1n,
  refund: -1n,
  fee: -1n,
  chargeback: -1n,
  payout: 1n,
  return: -1n,
  release: 0n,
};

/** Returns what a movement or a line, without its fee, adds to its provider's account (`DayAccount`). */
export const effectOf = ({ kind, amountMinor }: Pick<Movement, 'kind' | 'amountMinor'>): bigint =>
  effects[kind] * amountMinor;

/** Returns what the fee of a line adds to its provider's account. */
export const feeEffectOf = ({ kind, feeMinor }: ProviderLine): bigint =>
  kind === 'payment' ? effects.fee * (feeMinor ?? 0n) : 0n;

/**
 * Returns our payment, refund or payout as the provider stored it; undefined where it stored no id of ours. What names a refund there is
 * the id of the refund, or of a payment that is refunded as a whole because it failed, and the number of the attempt.
 */
export const subjectOf = ({ kind, ourId }: Pick<StatementLine, 'kind' | 'ourId'>): string | undefined =>
  kind === 'refund' ? ourId?.split('.', 1)[0] : ourId;
