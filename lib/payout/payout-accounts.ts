import { type AccountId, type MerchantId, newAccountId } from '../ids.ts';
import type { Merchants, Opener, Sealer } from '../merchant/ports.ts';
import type { BalanceCurrency } from '../money/money.ts';
import { fail, ok, type Result } from '../result.ts';
import type { PayoutAccount } from './account.ts';
import { numberHashOf } from './account-hashes.ts';
import { parseCardNumber, parseHolder } from '../card-number.ts';
import {
  type AccountType,
  type Destination,
  destinationText,
  maskOf,
  readDestination,
} from './destination.ts';
import { parsePhone } from './phone.ts';
import type { PayoutAccounts } from './ports.ts';
import { activeOf, isActiveBank, type SbpBanks } from './sbp-banks.ts';
import { accountContext } from './sealed-destination.ts';

type Ports = {
  readonly merchants: Pick<Merchants, 'find'>;
  readonly payoutAccounts: PayoutAccounts;
  readonly sbpBanks: Pick<SbpBanks, 'find'>;
  readonly destinationSealer: Sealer;
  /** The key of the hashes that identify a number. */
  readonly fingerprintSecret: () => Promise<string>;
  readonly now: () => Date;
  readonly newId: (length: number) => string;
};

type NewAccount = {
  readonly merchantId: MerchantId;
  readonly type: AccountType;
  /** A card number or a phone number, in any usual notation. */
  readonly number: string;
  readonly currency: BalanceCurrency;
  /** Cards: the name on the card. */
  readonly holder?: string;
  /** SBP: the `member_id` of the bank. */
  readonly bankId?: number;
};

type NewAccountRefusal =
  | 'merchant_not_found'
  | 'card_number_invalid'
  | 'card_holder_invalid'
  | 'phone_invalid'
  | 'bank_unknown';

/** Stores an account that the merchant may pay out to by its id (contract 4.7). It is banned if its number is. */
export async function addPayoutAccount(
  ports: Ports,
  command: NewAccount,
): Promise<Result<PayoutAccount, NewAccountRefusal>> {
  const { merchants, payoutAccounts, destinationSealer, fingerprintSecret, now, newId } = ports;
  const destination = command.type === 'sbp' ? await readPhone(ports, command) : readCard(command);
  if (!destination.ok) return destination;
  const { merchantId, type, currency } = command;
  if (!(await merchants.find(merchantId))) return fail('merchant_not_found');

  const id = newAccountId(newId);
  const sealed = await destinationSealer.seal(destinationText(destination.value), accountContext(id));
  const account = await payoutAccounts.create({
    id,
    merchantId,
    type,
    currency,
    mask: maskOf(destination.value),
    destination: { sealed },
    numberHash: numberHashOf(await fingerprintSecret(), merchantId, destination.value),
    banned: false,
    available: true,
    createdAt: now(),
  });
  return ok(account);
}

function readCard({ number: text, holder: name }: NewAccount): Result<Destination, NewAccountRefusal> {
  const number = parseCardNumber(text);
  if (number === undefined) return fail('card_number_invalid');
  const holder = name === undefined ? undefined : parseHolder(name);
  if (name !== undefined && holder === undefined) return fail('card_holder_invalid');
  return ok({ type: 'credit_card', number, holder });
}

async function readPhone(
  { sbpBanks }: Pick<Ports, 'sbpBanks'>,
  { number: text, bankId }: NewAccount,
): Promise<Result<Destination, NewAccountRefusal>> {
  const phone = parsePhone(text);
  if (phone === undefined) return fail('phone_invalid');
  if (bankId !== undefined && !isActiveBank(activeOf(await sbpBanks.find()), bankId))
    return fail('bank_unknown');
  return ok({ type: 'sbp', phone, bankId });
}

type IndexPorts = Pick<Ports, 'payoutAccounts' | 'fingerprintSecret'> & {
  readonly destinationOpener: Opener;
};

type AccountChanges = {
  readonly merchantId: MerchantId;
  readonly accountId: AccountId;
} & Parameters<PayoutAccounts['set']>[2];

/**
 * Bans an account or takes it out of use, or reverses either. A ban applies to the number: all stored accounts with
 * that number are banned with it, and regular payouts to it are refused.
 */
export async function setPayoutAccount(
  ports: IndexPorts,
  { merchantId, accountId, ...changes }: AccountChanges,
): Promise<Result<PayoutAccount, 'payout_account_not_found'>> {
  if (changes.banned !== undefined) {
    const account = await ports.payoutAccounts.find(merchantId, accountId);
    if (account?.numberHash === undefined && account) await indexAccount(ports, account);
  }
  return ports.payoutAccounts.set(merchantId, accountId, changes);
}

/** Decrypts an account that was stored without the hash of its number, and adds the hash. */
async function indexAccount(
  { payoutAccounts, destinationOpener, fingerprintSecret }: IndexPorts,
  account: PayoutAccount,
): Promise<PayoutAccount> {
  const text = await destinationOpener.open(account.destination.sealed, accountContext(account.id));
  const hash = numberHashOf(await fingerprintSecret(), account.merchantId, readDestination(text));
  return payoutAccounts.index(account, hash);
}

/**
 * Adds the number hash to the merchant's older accounts, so that earlier bans stop regular payouts, too. Returns the
 * accounts that were changed; a second run changes none.
 */
export async function indexPayoutAccounts(
  ports: IndexPorts,
  { merchantId }: { readonly merchantId: MerchantId },
): Promise<readonly PayoutAccount[]> {
  const indexed: PayoutAccount[] = [];
  for (const account of await ports.payoutAccounts.listOf(merchantId))
    if (account.numberHash === undefined) indexed.push(await indexAccount(ports, account));
  return indexed;
}

/** Returns the merchant's stored accounts, including those banned or out of use. */
export const listPayoutAccounts = (
  { payoutAccounts }: Pick<Ports, 'payoutAccounts'>,
  { merchantId }: { readonly merchantId: MerchantId },
): Promise<readonly PayoutAccount[]> => payoutAccounts.listOf(merchantId);
