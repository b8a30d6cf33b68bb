import type { AccountId, MerchantId, PayoutId } from '../ids.ts';
import type { BalanceCurrency } from '../money/money.ts';
import type { AccountType } from './destination.ts';
import type { SealedDestination } from './payout.ts';

/** An account that a merchant may pay out to by its id (contract 4.7). The operator adds it; it is stored sealed. */
export type PayoutAccount = {
  readonly id: AccountId;
  readonly merchantId: MerchantId;
  readonly type: AccountType;
  readonly currency: BalanceCurrency;
  readonly mask: string;
  readonly destination: SealedDestination;
  /** Keyed hash of its number: identifies the number in other accounts and in payouts. Older accounts may lack it. */
  readonly numberHash: string | undefined;
  readonly banned: boolean;
  /** The operator may take it out of use without banning it: the contract's `direction_not_available`. */
  readonly available: boolean;
  readonly createdAt: Date;
};

/**
 * A card or phone number, as a keyed hash, with the accounts that a merchant has stored of it, which are banned together. So a payout
 * that names the number itself needs one read.
 */
export type PayoutNumber = {
  readonly merchantId: MerchantId;
  readonly numberHash: string;
  readonly accounts: readonly AccountId[];
  readonly banned: boolean;
  readonly revision: number;
};

/** A recipient to whom a payout that a person approved was paid; rules may release the next ones. */
export type KnownAccount = {
  readonly merchantId: MerchantId;
  readonly accountHash: string;
  readonly lastPaidBy: PayoutId | undefined;
  /** Undefined: marked before only approvals by a person counted, and not known. */
  readonly approvedBy: string | undefined;
};
