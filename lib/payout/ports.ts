import type { AlarmName } from '../alarms.ts';
import type { AccountId, GroupId, MerchantId, PayoutId } from '../ids.ts';
import type { Entry } from '../ledger/entry.ts';
import type { MerchantFlags } from '../merchant/merchant.ts';
import type { Terms } from '../merchant/terms.ts';
import type { PostbackEvent } from '../postback/event.ts';
import type { Result } from '../result.ts';
import type { PayoutAccount } from './account.ts';
import type { AutoPayout, AutoRun } from './auto-payout.ts';
import type { Reservation, LimitUsage } from './limits.ts';
import type { FinalPayout, OpenPayout, PaidPayout, Payout, PayoutCurrency } from './payout.ts';
import type { RuleUse } from './rules.ts';

export type { PayoutRail, RailLimitsOf, Rails, RailView } from './payout-rail.ts';

/** What payout creation reads in one batch. */
export type CreationQuery = {
  readonly merchantId: MerchantId;
  readonly currency: PayoutCurrency;
  readonly groupId: GroupId;
  readonly accountHash: string;
  /** Hash of the number of a regular payout. */
  readonly numberHash: string | undefined;
  readonly accountId: AccountId | undefined;
  readonly idempotencyKey: string | undefined;
  /** Hash of account and amount; undefined for requests with an order_id, an `Idempotency-Key` or an automatic run. */
  readonly duplicateHash: string | undefined;
  readonly now: Date;
};

/** An earlier request and a keyed hash of its data. */
export type EarlierRequest = { readonly groupId: GroupId; readonly fingerprint: string };

export type CreationContext = {
  readonly flags: MerchantFlags | undefined;
  readonly terms: Terms;
  readonly availableMinor: bigint;
  readonly usage: LimitUsage;
  readonly account: PayoutAccount | undefined;
  /** Whether the number of a regular payout is banned. */
  readonly numberBanned: boolean;
  /** The earlier request with the same order_id, and the one with the same `Idempotency-Key`. */
  readonly ofOrder: EarlierRequest | undefined;
  readonly ofKey: EarlierRequest | undefined;
  /** Whether a payout to the account that a person approved was paid before. */
  readonly accountKnown: boolean;
  readonly duplicateSeen: boolean;
};

/** The payouts of one request, written together or not at all. */
export type NewPayouts = {
  readonly groupId: GroupId;
  readonly fingerprint: string;
  readonly payouts: readonly [OpenPayout, ...OpenPayout[]];
  /** RESERVE. */
  readonly entry: Entry;
  readonly reservation: Reservation;
  /** The rule that releases them: its daily total is a condition of the same transaction. */
  readonly ruleUse: RuleUse | undefined;
  readonly query: CreationQuery;
  /** Whether a possible duplicate was read. The write is refused when one appears after that read. */
  readonly duplicateSeen: boolean;
};

/** A payout that ends, with the journal entry and the postback event of its end. */
export type FinishedPayout = {
  readonly before: OpenPayout;
  readonly after: FinalPayout;
  readonly entry: Entry;
  readonly event: PostbackEvent | undefined;
};

/** Payouts of one group. */
export type FinishedTogether = readonly [FinishedPayout, ...FinishedPayout[]];

export type MoveRefusal = 'moved_meanwhile';
/** The merchant may no longer pay out, or the account or its number may no longer be paid. */
export type BanRefusal = 'merchant_banned' | 'payout_account_banned';

/** Every move is a conditional write: status and revision must still be those of `before`. */
export interface Payouts {
  loadCreationContext(query: CreationQuery): Promise<CreationContext>;
  /**
   * Create: refused when a flag, the account, the balance, a limit or an earlier request no longer permits it. Loading
   * the context again shows which.
   */
  create(created: NewPayouts): Promise<Result<void, MoveRefusal>>;
  /** Binds a new `Idempotency-Key` to the payouts of an earlier order. */
  bindKey(query: CreationQuery, earlier: EarlierRequest): Promise<Result<void, MoveRefusal>>;

  find(id: PayoutId): Promise<Payout | undefined>;
  /** The parts of a group in their order; none when there is no such group. */
  findGroup(groupId: GroupId): Promise<readonly Payout[]>;

  /** Approve, send: also refused when the merchant, the stored account or the number is banned. */
  releaseForSending(before: OpenPayout, after: OpenPayout): Promise<Result<void, MoveRefusal | BanRefusal>>;
  /** Undecided, resolve by checking again, and the checks between: no money moves. */
  move(before: OpenPayout, after: OpenPayout): Promise<Result<void, MoveRefusal>>;
  /**
   * Decline, settle, fail: state, balance, journal and postback event in one transaction. RELEASE also gives the limits
   * back; SUCCESS of a payout that a person approved makes the account known.
   */
  finish(
    before: OpenPayout,
    after: FinalPayout,
    how: Omit<FinishedPayout, 'before' | 'after'>,
  ): Promise<Result<void, MoveRefusal>>;
  /**
   * Decline: parts of one request, all or none, in one transaction. The balance is written once for all of them.
   */
  declineTogether(parts: FinishedTogether): Promise<Result<void, MoveRefusal>>;
  /** Return: the decision, the balance and the journal in one transaction. */
  recordReturn(before: PaidPayout, after: PaidPayout, entry: Entry): Promise<Result<void, MoveRefusal>>;

  /** Payouts that are due for the dispatcher. */
  due(now: Date): Promise<readonly DuePayout[]>;
  /** Hides it from the sweep until then, so that it is not queued every minute while the dispatcher is busy. */
  postpone(due: DuePayout, until: Date): Promise<void>;
  /** Returns the ids of those that go to a known account, in one batch read. */
  toKnownAccounts(payouts: readonly Payout[]): Promise<ReadonlySet<PayoutId>>;
  /** The oldest payout that waits for a moderator and was created by then. Eventually consistent. */
  moderatingSince(createdBy: Date): Promise<Pick<Payout, 'id'> | undefined>;
  listModerating(): Promise<readonly Payout[]>;
  listInError(): Promise<readonly Payout[]>;
}

export type DuePayout = { readonly id: PayoutId; readonly seenDue: Date };

/** Accounts of one number are banned together, including those stored later. */
export interface PayoutAccounts {
  /** Returns the account as stored: banned if its number is. */
  create(account: PayoutAccount & { readonly numberHash: string }): Promise<PayoutAccount>;
  find(merchantId: MerchantId, accountId: AccountId): Promise<PayoutAccount | undefined>;
  /** Adds the number hash to an older account. If the account is banned, so is the number from then on. */
  index(account: PayoutAccount, numberHash: string): Promise<PayoutAccount>;
  set(
    merchantId: MerchantId,
    accountId: AccountId,
    changes: Partial<Pick<PayoutAccount, 'banned' | 'available'>>,
  ): Promise<Result<PayoutAccount, 'payout_account_not_found'>>;
  /** Makes the account unknown; returns whether it was known. */
  forget(merchantId: MerchantId, accountHash: string): Promise<boolean>;
  listOf(merchantId: MerchantId): Promise<readonly PayoutAccount[]>;
}

export interface AutoPayouts {
  find(merchantId: MerchantId): Promise<AutoPayout | undefined>;
  set(auto: AutoPayout): Promise<void>;
  remove(merchantId: MerchantId): Promise<void>;
  due(now: Date): Promise<readonly AutoPayout[]>;
  /** Records the outcome of a run and schedules the next; refused when another run or the operator wrote first. */
  ran(auto: AutoPayout, run: AutoRun, nextAt: Date): Promise<Result<void, MoveRefusal>>;
}

/** The queue behind the dispatcher. It carries ids; a lost message costs only the time until the next sweep. */
export interface PayoutQueue {
  /** `group`: the fair-queueing group, so that many messages of one group do not delay the others. */
  send(
    payoutId: PayoutId,
    options: { readonly group: string; readonly delaySeconds?: number },
  ): Promise<void>;
}

/** Alarms about payouts that the operator must handle within a day. */
export type PayoutAlarm = Extract<
  AlarmName,
  | 'provider_empty'
  | 'payout_not_taken'
  | 'moderation_waiting'
  | 'payout_error'
  | 'destination_mismatch'
  | 'paid_after_failure'
  | 'payout_undone'
>;

export type RaiseAlarm = (alarm: PayoutAlarm, about: { readonly payout: string }) => void;
