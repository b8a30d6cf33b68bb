import type { AccountId, GroupId, MerchantId, PayoutId } from '../ids.ts';
import type { CommissionPayer } from '../merchant/terms.ts';
import type { Money } from '../money/money.ts';
import type { AccountType } from './destination.ts';
import type { RailCall } from './rail-calls.ts';
import { isFinalPayoutStatus, mayMove, type PayoutStatus, type StatusBefore } from './states.ts';

/** The only payout currency of the contract (2.4). */
export const payoutCurrencies = ['RUB'] as const;
export type PayoutCurrency = (typeof payoutCurrencies)[number];

/** Whether payouts are made in this currency. */
export const isPayoutCurrency = (currency: string): currency is PayoutCurrency => currency === 'RUB';

export const payoutKinds = ['personal', 'regular'] as const;
export type PayoutKind = (typeof payoutKinds)[number];

/** A destination that no function of the API can decrypt. Its encryption context is never stored with it. */
export type SealedDestination = { readonly sealed: string };

export const verdicts = [
  'approved',
  'stopped',
  'declined',
  'asked_again',
  'paid',
  'failed',
  'returned',
] as const;

/** Who released a payout, stopped it or resolved it by hand. `by` is `rule:<rule>`, `merchantSigner` or the person's name. */
export type Decision = {
  readonly verdict: (typeof verdicts)[number];
  /** The id of the decision that was carried out, which makes carrying it out again a no-op. */
  readonly id: string | undefined;
  readonly by: string;
  /** The second person, where one was required. */
  readonly approvedBy: string | undefined;
  readonly reason: string | undefined;
  readonly at: Date;
};

/** The `by` of a payout that its merchant cancelled with the API token. */
export const merchantSigner = (merchantId: MerchantId): string => `merchant:${merchantId}`;

/** Returns the person who approved the payout; undefined when none has, or only a rule released it. */
export const approverOf = ({ decisions }: Pick<Payout, 'decisions'>): string | undefined =>
  decisions.findLast(({ verdict, by }) => verdict === 'approved' && !by.startsWith('rule:'))?.by;

/** The fields of a payout in every state. Minor units. */
type AnyPayout = {
  readonly id: PayoutId;
  readonly groupId: GroupId;
  readonly merchantId: MerchantId;
  readonly kind: PayoutKind;
  /** The stored account that a personal payout named. */
  readonly accountId: AccountId | undefined;
  /** Created by the merchant's automatic payout (contract 6.2). */
  readonly isAuto: boolean;
  /** Its share of the requested amount. */
  readonly amount: Money<PayoutCurrency>;
  readonly commissionMinor: bigint;
  readonly commissionPayer: CommissionPayer;
  readonly accountType: AccountType;
  /** First six and last four digits of a card; country code and last four digits of a phone. */
  readonly mask: string;
  /** Keyed hash of the account: identifies it without revealing it. */
  readonly accountHash: string;
  /** Regular payouts: keyed hash of the number alone, which a ban is checked by. Older payouts get it when sent. */
  readonly numberHash: string | undefined;
  readonly orderId: string | undefined;
  /** The same amount was requested for the same account, without an order_id, in the ten minutes before. */
  readonly possibleDuplicate: boolean;
  /** The day and month whose limits it counts against, in the environment's time zone. */
  readonly limitDay: string;
  readonly limitMonth: string;
  readonly createdAt: Date;
  /** Incremented by every move; a decision applies to the revision that was shown. */
  readonly revision: number;
  readonly decisions: readonly Decision[];
  /** The idempotency key of the latest attempt: `<payout>.<attempt>`, or the payout's id. Recorded before the first call under it. */
  readonly providerKey: string | undefined;
  /** The number of the latest attempt, from 1; undefined before the first, and where an earlier version sent it. */
  readonly attempt: number | undefined;
  /** When the first call of this attempt may have reached the rail; undefined while none can have. */
  readonly firstCallAt: Date | undefined;
  readonly lastCallAt: Date | undefined;
  /** The rail has ended this attempt and moved nothing, so the next call has a new key. */
  readonly attemptOver: true | undefined;
  /** The rail it was sent to, recorded with the key. No other rail is queried, sent the payout or told to cancel it. */
  readonly rail: string | undefined;
  /** Nothing is at the rail or in flight: it answered every call so far, and took nothing. */
  readonly notTaken: true | undefined;
  /** The rail has reported that it accepted this attempt, with a reference or without. Reset by a new attempt alone. */
  readonly accepted: true | undefined;
  /** The rail's own id of this attempt. */
  readonly reference: string | undefined;
  /** What the rail was asked and what it answered, in all attempts. */
  readonly railCalls: readonly RailCall[];
  /** The rail's reason for a refusal, or why the payout is in ERROR. For the operator only. */
  readonly reason: string | undefined;
  /** Start of the checks with the rail, and their number. */
  readonly sentAt: Date | undefined;
  readonly checks: number;
};

/** Not final: the destination is still stored. */
export type WithDestination = AnyPayout & { readonly destination: SealedDestination };
/** The dispatcher processes it at `dueAt`. */
type Dispatched = WithDestination & { readonly dueAt: Date };

/** Waits for a moderator. */
export type ModeratedPayout = WithDestination & { readonly status: 'MODERATING' };
/** Released for sending; or its only open call met an empty account at the provider. */
export type QueuedPayout = Dispatched &
  ({ readonly status: 'NEW' } | { readonly status: 'PROCESS'; readonly phase: 'QUEUED' });
/** The rail may have it. */
export type SentPayout = Dispatched & {
  readonly status: 'PROCESS';
  readonly phase: 'SENT';
  readonly sentAt: Date;
};
/** Waits for the operator. */
export type PayoutInError = WithDestination & { readonly status: 'ERROR' };
export type PaidPayout = AnyPayout & { readonly status: 'SUCCESS' };
/** Its destination is erased. */
export type FinalPayout =
  | PaidPayout
  | (AnyPayout & { readonly status: 'FAIL' })
  | (AnyPayout & { readonly status: 'DECLINED' });

export type OpenPayout = ModeratedPayout | QueuedPayout | SentPayout | PayoutInError;

/** One transfer out of a merchant's balance, in one of its states. A split request creates several that share a group. */
export type Payout = OpenPayout | FinalPayout;

/** A payout in a state from which the table of moves leads to `To`. */
export type PayoutBefore<To extends PayoutStatus> = Extract<
  OpenPayout,
  { readonly status: StatusBefore<To> }
>;

/** Whether the table of moves lets this payout become `status`. */
export const mayBecome = <To extends PayoutStatus>(payout: Payout, status: To): payout is PayoutBefore<To> =>
  mayMove(payout.status, status);

/** Whether the payout is in a final state. */
export const isFinalPayout = (payout: Payout): payout is FinalPayout => isFinalPayoutStatus(payout.status);

/** Returns what the recipient gets: the amount, less the fee where the recipient pays it (A in lib/ledger/README.md). */
export const sentMinor = ({
  amount,
  commissionMinor,
  commissionPayer,
}: Pick<Payout, 'amount' | 'commissionMinor' | 'commissionPayer'>): bigint =>
  commissionPayer === 'recipient' ? amount.minor - commissionMinor : amount.minor;

const cameBack = ({ decisions }: Pick<Payout, 'decisions'>): boolean =>
  decisions.some(({ verdict }) => verdict === 'returned');

/** Returns how much of the requested amount was paid and not returned. */
export const paidMinor = (payout: Payout): bigint =>
  payout.status === 'SUCCESS' && !cameBack(payout) ? payout.amount.minor : 0n;

/** Returns how much the merchant got back: the amount when nothing was sent, else what was returned, without the fee. */
export function returnedMinor(payout: Payout): bigint {
  if (payout.status === 'FAIL' || payout.status === 'DECLINED') return payout.amount.minor;
  return cameBack(payout) ? sentMinor(payout) : 0n;
}

/** Returns what leaves the balance: the amount sent and its fee (A + C in lib/ledger/README.md). */
export const debitMinor = (payout: Parameters<typeof sentMinor>[0]): bigint =>
  sentMinor(payout) + payout.commissionMinor;
