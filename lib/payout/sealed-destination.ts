import type { Opener } from '../merchant/ports.ts';
import { SealBroken } from '../merchant/seal-broken.ts';
import { fail, ok, type Result } from '../result.ts';
import { accountHashOf, numberHashOf } from './account-hashes.ts';
import { type Destination, maskOf, readDestination } from './destination.ts';
import type { OpenPayout } from './payout.ts';
import type { PayoutAccounts } from './ports.ts';

/** What the destination of a regular payout is bound to: its group, for all parts go to the same place. */
export const regularContext = (groupId: string) => ({ use: 'payout-destination', payout: groupId }) as const;

/** What a stored account's destination is bound to, and with it those of its personal payouts. */
export const accountContext = (accountId: string) =>
  ({ use: 'payout-destination', account: accountId }) as const;

/** Never stored beside the sealed text: who could change the one could change the other. */
const contextOf = ({ kind, groupId, accountId = '' }: OpenPayout) =>
  kind === 'personal' ? accountContext(accountId) : regularContext(groupId);

/** Where the payout goes, as its mask shows it; undefined when what is sealed is not that. */
export async function openAsShown(opener: Opener, payout: OpenPayout): Promise<Destination | undefined> {
  const text = await opener.open(payout.destination.sealed, contextOf(payout)).catch((error: unknown) => {
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
  /** Regular payouts: by which a ban of the number stops it. */
  readonly numberHash?: string | undefined;
};

/**
 * Opens where a payout goes and makes sure that it is what was asked for: sealed for this payout or its stored account,
 * under the mask that was shown, with the number that a regular payout's `accountHash` or the stored account's
 * `numberHash` is of. Accounts that were stored before these hashes have the mask alone.
 */
export async function openChecked(
  { destinationOpener, fingerprintSecret, payoutAccounts }: CheckPorts,
  payout: OpenPayout,
): Promise<Result<Checked, 'destination_mismatch'>> {
  const { merchantId, kind, accountHash, accountId = '' } = payout;
  const destination = await openAsShown(destinationOpener, payout);
  if (!destination) return fail('destination_mismatch');
  const secret = await fingerprintSecret();
  const numberHash = numberHashOf(secret, merchantId, destination);
  if (kind === 'regular') {
    const isAskedFor = accountHashOf(secret, merchantId, { destination }) === accountHash;
    return isAskedFor ? ok({ destination, numberHash }) : fail('destination_mismatch');
  }
  const account = await payoutAccounts.find(merchantId, accountId);
  const isStored = account !== undefined && (account.numberHash ?? numberHash) === numberHash;
  return isStored ? ok({ destination }) : fail('destination_mismatch');
}
