import type { Entry, EntryKind } from '../ledger/entry.ts';
import type { MerchantId } from '../ids.ts';
import type { StatementLine } from '../provider-port.ts';

/** A journal entry as a provider's statement or a postback would tell of it. */
export type Movement = {
  /** `release`: a payout that was not paid; only its postback is owed. `fee`: the provider's fee on a payment. */
  readonly kind: 'payment' | 'refund' | 'payout' | 'fee' | 'release';
  readonly entry: EntryKind;
  /** The payment or payout. */
  readonly subject: string;
  readonly merchantId: MerchantId;
  /** Minor units of `currency`, positive. */
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly at: Date;
  /** The provider's id of the order or transfer, as it is stored here; undefined while it is not known. */
  readonly reference: string | undefined;
};

/** A line of the named provider's statement. */
export type ProviderLine = StatementLine & {
  readonly provider: string;
  /** Whether the provider tells the fee of a payment sooner or later. */
  readonly tellsFees: boolean;
};

/** The account whose line is the amount, and the kinds that it tells of. */
const told: Readonly<
  Record<string, { readonly kind: Movement['kind']; readonly account: 'acquirer' | 'clearing' | 'locked' }>
> = {
  CAPTURE: { kind: 'payment', account: 'acquirer' },
  DUPLICATE_CAPTURE: { kind: 'payment', account: 'acquirer' },
  REFUND: { kind: 'refund', account: 'acquirer' },
  PROVIDER_FEE: { kind: 'fee', account: 'acquirer' },
  SETTLE: { kind: 'payout', account: 'clearing' },
  RELEASE: { kind: 'release', account: 'locked' },
};

/** Returns the movement of an entry; undefined for kinds that no provider and no postback tells of. */
export function movementOf({ kind: entry, about, merchantId, lines, at }: Entry): Movement | undefined {
  const how = told[entry];
  const line = how && lines.find(({ account }) => account === how.account);
  if (!line) return undefined;
  const amountMinor = line.minor < 0n ? -line.minor : line.minor;
  return {
    kind: how.kind,
    entry,
    subject: about,
    merchantId,
    amountMinor,
    currency: line.currency,
    at,
    reference: undefined,
  };
}

/**
 * Returns our payment or payout as the provider stored it; undefined where it stored no id of ours. A refund's id begins with its
 * payment's.
 */
export const subjectOf = ({ kind, ourId }: Pick<StatementLine, 'kind' | 'ourId'>): string | undefined =>
  kind === 'refund' ? ourId?.split('.', 1)[0] : ourId;
