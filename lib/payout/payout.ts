import type { MerchantId } from '../ids.ts';
import type { CommissionPayer } from '../merchant/terms.ts';
import type { Money } from '../money/money.ts';
import type { AccountType } from './destination.ts';
import { isFinalPayoutStatus, mayMove, type PayoutStatus, type StatusBefore } from './states.ts';

/** The contract shows no other payout currency (2.4). */
export const payoutCurrencies = ['RUB'] as const;
export type PayoutCurrency = (typeof payoutCurrencies)[number];

/** Whether payouts are made in this currency. */
export const isPayoutCurrency = (currency: string): currency is PayoutCurrency => currency === 'RUB';

export const payoutKinds = ['personal', 'regular'] as const;
export type PayoutKind = (typeof payoutKinds)[number];

/** A destination that no function of the API can read; what it is bound to is never kept with it (sealed-destination.ts). */
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

/** Who let a payout go, stopped it or settled it by hand. `by` is `rule:<rule>` or the person's name. */
export type Decision = {
  readonly verdict: (typeof verdicts)[number];
  /** The decision that this carried out: carried out once more, it is known again. */
  readonly id: string | undefined;
  readonly by: string;
  /** The second person, where one was needed. */
  readonly approvedBy: string | undefined;
  readonly reason: string | undefined;
  readonly at: Date;
};

/** The person who let the payout go; undefined when none did, or only a rule. */
export const approverOf = ({ decisions }: Pick<Payout, 'decisions'>): string | undefined =>
  decisions.findLast(({ verdict, by }) => verdict === 'approved' && !by.startsWith('rule:'))?.by;

/** What is known of a payout in every state. Minor units. */
type AnyPayout = {
  readonly id: string;
  readonly groupId: string;
  readonly merchantId: MerchantId;
  readonly kind: PayoutKind;
  /** The stored account that a personal payout named. */
  readonly accountId: string | undefined;
  /** Created by the merchant's automatic payout (contract 6.2). */
  readonly isAuto: boolean;
  /** Its share of what was asked for. */
  readonly amount: Money<PayoutCurrency>;
  readonly commissionMinor: bigint;
  readonly commissionPayer: CommissionPayer;
  readonly accountType: AccountType;
  /** First six and last four of a card; the country code and last four of a phone. */
  readonly mask: string;
  /** Keyed hash of the account: knows it again without knowing it. */
  readonly accountHash: string;
  /** Regular payouts: keyed hash of the number alone, by which a ban stops it. Older ones get it when they are sent. */
  readonly numberHash: string | undefined;
  readonly orderId: string | undefined;
  /** The same amount went to the same account, without an order_id, within ten minutes before: it waits for a person. */
  readonly possibleDuplicate: boolean;
  /** The day and month whose limits it counts in, in the environment's calendar. */
  readonly limitDay: string;
  readonly limitMonth: string;
  readonly createdAt: Date;
  /** Counts the moves; a decision is about the revision that was shown. */
  readonly revision: number;
  readonly decisions: readonly Decision[];
  /** Written before the first call to the rail and never changed: the payout's id. */
  readonly providerKey: string | undefined;
  /** The rail that it was sent to, written with the key. No other is ever asked about it, sent it or told to cancel it. */
  readonly rail: string | undefined;
  /** The rail answered every call so far with an empty account, so nothing of it is there or on its way there. */
  readonly notTaken: true | undefined;
  /** The rail once said that it has it, with a name of its own or without one. Said for good: never taken back. */
  readonly accepted: true | undefined;
  /** The rail's own name for it. */
  readonly reference: string | undefined;
  /** The rail's word for a refusal, or why a person must look. For the operator only. */
  readonly reason: string | undefined;
  /** Since when the rail is being asked, and how often it was. */
  readonly sentAt: Date | undefined;
  readonly checks: number;
};

/** Not final: it keeps its destination. */
export type WithDestination = AnyPayout & { readonly destination: SealedDestination };
/** The dispatcher takes it up at `dueAt`. */
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

/** One transfer out of a merchant's balance, in one of its states; a split request makes several that share a group. */
export type Payout = OpenPayout | FinalPayout;

/** A payout in a state from which the table of moves leads to `To`. */
export type PayoutBefore<To extends PayoutStatus> = Extract<
  OpenPayout,
  { readonly status: StatusBefore<To> }
>;

/** Whether the table of moves lets this payout become `status`. */
export const mayBecome = <To extends PayoutStatus>(payout: Payout, status: To): payout is PayoutBefore<To> =>
  mayMove(payout.status, status);

/** Whether the payout moves no more. */
export const isFinalPayout = (payout: Payout): payout is FinalPayout => isFinalPayoutStatus(payout.status);

/** What reaches the recipient: the fee comes out of it where the recipient pays (A in lib/ledger/README.md). */
export const sentMinor = ({
  amount,
  commissionMinor,
  commissionPayer,
}: Pick<Payout, 'amount' | 'commissionMinor' | 'commissionPayer'>): bigint =>
  commissionPayer === 'recipient' ? amount.minor - commissionMinor : amount.minor;

const cameBack = ({ decisions }: Pick<Payout, 'decisions'>): boolean =>
  decisions.some(({ verdict }) => verdict === 'returned');

/** How much of what was asked for was paid for good. */
export const paidMinor = (payout: Payout): bigint =>
  payout.status === 'SUCCESS' && !cameBack(payout) ? payout.amount.minor : 0n;

/** How much of it is the merchant's again: all of it when nothing was sent, else what came back, without the fee. */
export function returnedMinor(payout: Payout): bigint {
  if (payout.status === 'FAIL' || payout.status === 'DECLINED') return payout.amount.minor;
  return cameBack(payout) ? sentMinor(payout) : 0n;
}

/** What leaves the balance: what is sent and its fee (A + C in lib/ledger/README.md). */
export const debitMinor = (payout: Parameters<typeof sentMinor>[0]): bigint =>
  sentMinor(payout) + payout.commissionMinor;
