import type { Merchants, Sealer } from '../merchant/ports.ts';
import type { BalanceCurrency } from '../money/money.ts';
import { fail, ok, type Result } from '../result.ts';
import { accountIdLength, type PayoutAccount } from './account.ts';
import { parseCardNumber, parseHolder } from './card-number.ts';
import { type AccountType, type Destination, destinationText, maskOf } from './destination.ts';
import { parsePhone } from './phone.ts';
import type { PayoutAccounts } from './ports.ts';
import { isActiveBank } from './sbp-banks.ts';

type Ports = {
  readonly merchants: Pick<Merchants, 'find'>;
  readonly payoutAccounts: PayoutAccounts;
  readonly destinationSealer: Sealer;
  readonly now: () => Date;
  readonly newId: (length: number) => string;
};

type NewAccount = {
  readonly merchantId: string;
  readonly type: AccountType;
  /** A card number or a phone number, as people spell them. */
  readonly number: string;
  readonly currency: BalanceCurrency;
  /** Cards: the name on the card. */
  readonly holder?: string | undefined;
  /** SBP: the `member_id` of the bank. */
  readonly bankId?: number | undefined;
};

type NewAccountRefusal =
  | 'merchant_not_found'
  | 'card_number_invalid'
  | 'card_holder_invalid'
  | 'phone_invalid'
  | 'bank_unknown';

/** Stores an account that the merchant may pay out to by its id (contract 4.7). */
export async function addPayoutAccount(
  { merchants, payoutAccounts, destinationSealer, now, newId }: Ports,
  command: NewAccount,
): Promise<Result<PayoutAccount, NewAccountRefusal>> {
  const destination = command.type === 'sbp' ? readPhone(command) : readCard(command);
  if (!destination.ok) return destination;
  const { merchantId, type, currency } = command;
  if (!(await merchants.find(merchantId))) return fail('merchant_not_found');

  const id = newId(accountIdLength);
  const context = { use: 'payout-destination', account: id };
  const sealed = await destinationSealer.seal(destinationText(destination.value), context);
  const account: PayoutAccount = {
    id,
    merchantId,
    type,
    currency,
    mask: maskOf(destination.value),
    destination: { sealed, context },
    banned: false,
    available: true,
    createdAt: now(),
  };
  await payoutAccounts.create(account);
  return ok(account);
}

function readCard({ number: text, holder: name }: NewAccount): Result<Destination, NewAccountRefusal> {
  const number = parseCardNumber(text);
  if (number === undefined) return fail('card_number_invalid');
  const holder = name === undefined ? undefined : parseHolder(name);
  if (name !== undefined && holder === undefined) return fail('card_holder_invalid');
  return ok({ type: 'credit_card', number, holder });
}

function readPhone({ number: text, bankId }: NewAccount): Result<Destination, NewAccountRefusal> {
  const phone = parsePhone(text);
  if (phone === undefined) return fail('phone_invalid');
  if (bankId !== undefined && !isActiveBank(bankId)) return fail('bank_unknown');
  return ok({ type: 'sbp', phone, bankId });
}

/** Bans an account or takes it out of use, or the other way about. */
export const setPayoutAccount = (
  { payoutAccounts }: Pick<Ports, 'payoutAccounts'>,
  {
    merchantId,
    accountId,
    ...changes
  }: { readonly merchantId: string; readonly accountId: string } & Parameters<PayoutAccounts['set']>[2],
): Promise<Result<PayoutAccount, 'payout_account_not_found'>> =>
  payoutAccounts.set(merchantId, accountId, changes);

/** The merchant's stored accounts, banned ones and those out of use included. */
export const listPayoutAccounts = (
  { payoutAccounts }: Pick<Ports, 'payoutAccounts'>,
  { merchantId }: { readonly merchantId: string },
): Promise<readonly PayoutAccount[]> => payoutAccounts.listOf(merchantId);
