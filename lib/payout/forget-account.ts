import type { AccountId, MerchantId, PayoutId } from '../ids.ts';
import { fail, ok, type Result } from '../result.ts';
import { accountHashOf } from './account-hashes.ts';
import type { PayoutAccounts, Payouts } from './ports.ts';

type Ports = {
  readonly payouts: Pick<Payouts, 'find'>;
  readonly payoutAccounts: Pick<PayoutAccounts, 'find' | 'forget'>;
  readonly fingerprintSecret: () => Promise<string>;
};

/** A stored account, or the recipient of a payout. */
type Named =
  /** The ids are undefined for text that is not a merchant's or an account's id. */
  | { readonly merchantId: MerchantId | undefined; readonly accountId: AccountId | undefined }
  | { readonly payoutId: PayoutId };

type Forgotten = {
  readonly mask: string;
  /** Whether the account was known before. */
  readonly wasKnown: boolean;
};

/**
 * Makes a recipient unknown: payouts to it wait for a moderator until one that a person approved is paid. A payout
 * that was approved earlier and is still in progress makes it known again when it is paid.
 */
export async function forgetAccount(
  ports: Ports,
  named: Named,
): Promise<Result<Forgotten, 'payout_not_found' | 'payout_account_not_found'>> {
  const found =
    'payoutId' in named ? await recipientOfPayout(ports, named) : await storedAccount(ports, named);
  if (!found) return fail('payoutId' in named ? 'payout_not_found' : 'payout_account_not_found');
  const wasKnown = await ports.payoutAccounts.forget(found.merchantId, found.accountHash);
  return ok({ mask: found.mask, wasKnown });
}

const recipientOfPayout = ({ payouts }: Ports, { payoutId }: { readonly payoutId: PayoutId }) =>
  payouts.find(payoutId);

async function storedAccount(
  { payoutAccounts, fingerprintSecret }: Ports,
  { merchantId, accountId }: Exclude<Named, { readonly payoutId: PayoutId }>,
) {
  const account = merchantId && accountId && (await payoutAccounts.find(merchantId, accountId));
  if (!account) return undefined;
  const accountHash = accountHashOf(await fingerprintSecret(), merchantId, { accountId });
  return { merchantId, mask: account.mask, accountHash };
}
