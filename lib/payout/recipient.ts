import type { AccountId } from '../ids.ts';
import { fail, ok, type Result } from '../result.ts';
import { type AccountType, type Destination, maskOf } from './destination.ts';
import { isPayoutCurrency, type SealedDestination } from './payout.ts';
import type { CreationContext } from './ports.ts';

/** A personal payout names a stored account, a regular payout contains its destination. */
export type Target =
  /** Undefined for text that is not an account id. */
  { readonly accountId: AccountId | undefined } | { readonly destination: Destination };

/** The recipient without its number. `sealed` is set for a stored account. */
export type PayoutRecipient = {
  readonly type: AccountType;
  readonly mask: string;
  readonly sealed: SealedDestination | undefined;
};

export type AccountRefusal = 'payout_account_not_found' | 'payout_account_banned' | 'direction_not_available';

/** Returns the recipient, or why it cannot be paid (contract 4.7, 4.8). */
export function recipientOf(
  target: Target,
  { account, numberBanned }: Pick<CreationContext, 'account' | 'numberBanned'>,
): Result<PayoutRecipient, AccountRefusal> {
  if ('destination' in target) {
    if (numberBanned) return fail('payout_account_banned');
    return ok({ type: target.destination.type, mask: maskOf(target.destination), sealed: undefined });
  }
  if (!account) return fail('payout_account_not_found');
  if (account.banned) return fail('payout_account_banned');
  if (!account.available || !isPayoutCurrency(account.currency)) return fail('direction_not_available');
  return ok({ type: account.type, mask: account.mask, sealed: account.destination });
}
