import type { Merchants, Sealer } from '../merchant/ports.ts';
import type { BalanceCurrency } from '../money/money.ts';
import { accountIdLength, type PayoutAccount } from '../payout/account.ts';
import { parseCardNumber, parseHolder } from '../payout/card-number.ts';
import { type Destination, destinationText, maskOf } from '../payout/destination.ts';
import { parsePhone } from '../payout/phone.ts';
import { isPayoutCurrency } from '../payout/payout.ts';
import type { PayoutAccounts } from '../payout/ports.ts';
import { isActiveBank } from '../payout/sbp-banks.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = {
  readonly now: () => Date;
  readonly newId: (length: number) => string;
  readonly merchants: Pick<Merchants, 'find'>;
  readonly accounts: PayoutAccounts;
  /** Seals under the key that only the payout dispatcher may open with. */
  readonly destinationSealer: Sealer;
};
type Command = {
  readonly merchantId: string;
  readonly type: 'card' | 'sbp';
  readonly number: string;
  readonly currency: BalanceCurrency;
  readonly holder?: string | undefined;
  readonly bankId?: number | undefined;
};
export type AccountRefusal =
  | 'merchant_not_found'
  | 'currency_not_paid_out'
  | 'bad_card_number'
  | 'bad_holder'
  | 'bad_phone'
  | 'unknown_bank';

/** Stores an account for personal payouts (contract 4.7); its number is sealed before it is written anywhere. */
export async function addPayoutAccount(
  ports: Ports,
  command: Command,
): Promise<Result<PayoutAccount, AccountRefusal>> {
  const { merchantId, currency } = command;
  if (!isPayoutCurrency(currency)) return fail('currency_not_paid_out');
  const read = command.type === 'card' ? cardOf(command) : phoneOf(command);
  if (!read.ok) return read;
  if (!(await ports.merchants.find(merchantId))) return fail('merchant_not_found');

  const id = ports.newId(accountIdLength);
  const context = { use: 'payout-destination', account: id };
  const account: PayoutAccount = {
    id,
    merchantId,
    type: read.value.type,
    currency,
    mask: maskOf(read.value),
    destination: {
      sealed: await ports.destinationSealer.seal(destinationText(read.value), context),
      context,
    },
    banned: false,
    available: true,
    createdAt: ports.now(),
  };
  await ports.accounts.create(account);
  return ok(account);
}

function cardOf({ number, holder }: Command): Result<Destination, AccountRefusal> {
  const digits = parseCardNumber(number);
  if (digits === undefined) return fail('bad_card_number');
  const name = holder === undefined ? undefined : parseHolder(holder);
  return holder !== undefined && name === undefined
    ? fail('bad_holder')
    : ok({ type: 'credit_card', number: digits, holder: name });
}

function phoneOf({ number, bankId }: Command): Result<Destination, AccountRefusal> {
  const phone = parsePhone(number);
  if (phone === undefined) return fail('bad_phone');
  return bankId !== undefined && !isActiveBank(bankId)
    ? fail('unknown_bank')
    : ok({ type: 'sbp', phone, bankId });
}
