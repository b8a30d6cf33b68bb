import type { AccountId, GroupId } from '../ids.ts';
import type { Opener } from '../merchant/ports.ts';
import { SealBroken } from '../merchant/seal-broken.ts';
import { fail, ok, type Result } from '../result.ts';
import { accountHashOf, numberHashOf } from './account-hashes.ts';
import { type Destination, maskOf, readDestination } from './destination.ts';
import type { OpenPayout } from './payout.ts';
import type { PayoutAccounts } from './ports.ts';

/** The encryption context of a regular payout's destination: its group, as all parts share the destination. */
export const regularContext = (groupId: GroupId) => ({ use: 'payout-destination', payout: groupId }) as const;

/** The encryption context of a stored account's destination, also used by its personal payouts. */
export const accountContext = (accountId: AccountId) =>
  ({ use: 'payout-destination', account: accountId }) as const;

/** Computed, never stored with the sealed text: whoever could change one could change both. */
export function contextOf({ kind, groupId, accountId }: OpenPayout) {
  if (kind === 'regular') return regularContext(groupId);
  return accountId && accountContext(accountId);
}

/** Decrypts the payout's destination; undefined when it was not sealed for this payout or does not match its mask. */
export async function openAsShown(opener: Opener, payout: OpenPayout): Promise<Destination | undefined> {
  const context = contextOf(payout);
  if (!context) return undefined;
  const text = await opener.open(payout.destination.sealed, context).catch((error: unknown) => {
    if (error instanceof SealBroken) return undefined;
    throw error;
  });
  const destination = text === undefined ? undefined : readDestination(text);
  return destination && maskOf(destination) === payout.mask ? destination : undefined;
}

export type CheckPorts = {
  readonly destinationOpener: Opener;
  readonly fingerprintSecret: () => Promise<string>;
  readonly payoutAccounts: Pick<PayoutAccounts, 'find'>;
};

type Checked = {
  readonly destination: Destination;
  /** Regular payouts: the hash that a ban of the number is checked by. */
  readonly numberHash: string | undefined;
};

/**
 * Decrypts the destination and verifies that it is the requested one: sealed for this payout or its stored account,
 * with the payout's mask, and with the number of the regular payout's `accountHash` or the stored account's
 * `numberHash`. For accounts stored before these hashes only the mask is compared.
 */
export async function openChecked(
  { destinationOpener, fingerprintSecret, payoutAccounts }: CheckPorts,
  payout: OpenPayout,
): Promise<Result<Checked, 'destination_mismatch'>> {
  const { merchantId, kind, accountHash, accountId } = payout;
  const destination = await openAsShown(destinationOpener, payout);
  if (!destination) return fail('destination_mismatch');
  const secret = await fingerprintSecret();
  const numberHash = numberHashOf(secret, merchantId, destination);
  if (kind === 'regular') {
    const isAskedFor = accountHashOf(secret, merchantId, { destination }) === accountHash;
    return isAskedFor ? ok({ destination, numberHash }) : fail('destination_mismatch');
  }
  const account = accountId && (await payoutAccounts.find(merchantId, accountId));
  const isStored = account && (account.numberHash ?? numberHash) === numberHash;
  return isStored ? ok({ destination, numberHash: undefined }) : fail('destination_mismatch');
}
