import type { AlarmName } from '../alarms.ts';
import type { MerchantId } from '../ids.ts';
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

export type { PayoutRail, RailLimits, RailView } from './rail.ts';

/** What the creation of payouts has to read, all at once. */
export type CreationQuery = {
  readonly merchantId: MerchantId;
  readonly currency: PayoutCurrency;
  readonly groupId: string;
  readonly accountHash: string;
  /** Of the number that a regular payout names. */
  readonly numberHash: string | undefined;
  readonly accountId: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Same account, same amount: only asked for payouts that nothing else tells apart. */
  readonly duplicateHash: string | undefined;
  readonly now: Date;
};

/** An earlier request and a keyed hash of its data. */
export type EarlierRequest = { readonly groupId: string; readonly fingerprint: string };

export type CreationContext = {
  readonly flags: MerchantFlags | undefined;
  readonly terms: Terms;
  readonly availableMinor: bigint;
  readonly usage: LimitUsage;
  readonly account: PayoutAccount | undefined;
  /** A stored account of the number that a regular payout names is banned. */
  readonly numberBanned: boolean;
  /** Under the same order_id, and under the same `Idempotency-Key`. */
  readonly ofOrder: EarlierRequest | undefined;
  readonly ofKey: EarlierRequest | undefined;
  /** A payout to the account was paid that a person had approved. */
  readonly accountKnown: boolean;
  readonly duplicateSeen: boolean;
};

/** The payouts of one request, written together or not at all. */
export type NewPayouts = {
  readonly groupId: string;
  readonly fingerprint: string;
  readonly payouts: readonly [OpenPayout, ...OpenPayout[]];
  /** RESERVE. */
  readonly entry: Entry;
  readonly reservation: Reservation;
  /** A rule lets them go: its daily total must have room in the very transaction. */
  readonly ruleUse: RuleUse | undefined;
  readonly query: CreationQuery;
  /** What was read of a possible duplicate: one that turns up meanwhile must be seen first. */
  readonly duplicateSeen: boolean;
};

export type MoveRefusal = 'moved_meanwhile';
/** Who may not be paid out for, or to, any more. */
export type BanRefusal = 'merchant_banned' | 'payout_account_banned';

/** Every move holds only while status and revision are those of `before`. */
export interface Payouts {
  loadCreationContext(query: CreationQuery): Promise<CreationContext>;
  /**
   * U1. Refused when a flag, the account, the money, a limit or an earlier request is not (or no longer) as it must
   * be; the context, read again, tells which.
   */
  create(created: NewPayouts): Promise<Result<void, MoveRefusal>>;
  /** Lets a new `Idempotency-Key` answer with an earlier order's payouts. */
  bindKey(query: CreationQuery, earlier: EarlierRequest): Promise<Result<void, MoveRefusal>>;

  find(id: string): Promise<Payout | undefined>;
  /** The parts of a group in their order; none when there is no such group. */
  findGroup(groupId: string): Promise<readonly Payout[]>;

  /** U2, U4: also refused when the merchant, the stored account or the number is banned by now. */
  releaseForSending(before: OpenPayout, after: OpenPayout): Promise<Result<void, MoveRefusal | BanRefusal>>;
  /** U7, U8 and the waiting in between: no money moves. */
  move(before: OpenPayout, after: OpenPayout): Promise<Result<void, MoveRefusal>>;
  /**
   * U3, U5, U6: state, balance, journal and postback event at once. RELEASE also gives the limits back;
   * SUCCESS of what a person approved makes the account a known one.
   */
  finish(
    before: OpenPayout,
    after: FinalPayout,
    how: { readonly entry: Entry; readonly event: PostbackEvent | undefined },
  ): Promise<Result<void, MoveRefusal>>;
  /** U9. */
  recordReturn(before: PaidPayout, after: PaidPayout, entry: Entry): Promise<Result<void, MoveRefusal>>;

  /** Payouts that the dispatcher should look at by now. */
  due(now: Date): Promise<readonly DuePayout[]>;
  /** Keeps the sweep from queueing it each minute while the dispatcher is busy. */
  postpone(due: DuePayout, until: Date): Promise<void>;
  /** Which of them go to a known account: their ids, by one batch read. */
  toKnownAccounts(payouts: readonly Payout[]): Promise<ReadonlySet<string>>;
  /** The oldest that waits for a moderator and was created by then. The index may be a moment old. */
  moderatingSince(createdBy: Date): Promise<Pick<Payout, 'id'> | undefined>;
  listModerating(): Promise<readonly Payout[]>;
  listInError(): Promise<readonly Payout[]>;
}

export type DuePayout = { readonly id: string; readonly seenDue: Date };

/** Accounts of one number are banned together, also those that are stored later. */
export interface PayoutAccounts {
  /** Answers with the account as it was stored: banned, when its number is. */
  create(account: PayoutAccount & { readonly numberHash: string }): Promise<PayoutAccount>;
  find(merchantId: MerchantId, accountId: string): Promise<PayoutAccount | undefined>;
  /** Gives an older account the hash of its number; if it is banned, the number is from then on. */
  index(account: PayoutAccount, numberHash: string): Promise<PayoutAccount>;
  set(
    merchantId: MerchantId,
    accountId: string,
    changes: Partial<Pick<PayoutAccount, 'banned' | 'available'>>,
  ): Promise<Result<PayoutAccount, 'payout_account_not_found'>>;
  /** The account is no known one any more; answers whether it was. */
  forget(merchantId: MerchantId, accountHash: string): Promise<boolean>;
  listOf(merchantId: MerchantId): Promise<readonly PayoutAccount[]>;
}

export interface AutoPayouts {
  find(merchantId: MerchantId): Promise<AutoPayout | undefined>;
  set(auto: AutoPayout): Promise<void>;
  remove(merchantId: MerchantId): Promise<void>;
  due(now: Date): Promise<readonly AutoPayout[]>;
  /** Writes what became of a run and plans the next; refused when another run or the operator was quicker. */
  ran(auto: AutoPayout, run: AutoRun, nextAt: Date): Promise<Result<void, MoveRefusal>>;
}

/** The queue behind the dispatcher. It carries ids; a lost message costs only the time until the next sweep. */
export interface PayoutQueue {
  /** `group`: whose flood is not to hold up the others. */
  send(payoutId: string, options: { readonly group: string; readonly delaySeconds?: number }): Promise<void>;
}

/** What the operator must look into by tomorrow at the latest. */
export type PayoutAlarm = Extract<
  AlarmName,
  'provider_empty' | 'moderation_waiting' | 'payout_error' | 'destination_mismatch' | 'paid_after_failure'
>;

export type RaiseAlarm = (alarm: PayoutAlarm, about: { readonly payout: string }) => void;
