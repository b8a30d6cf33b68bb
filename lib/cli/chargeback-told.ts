import type { Bearer, Chargeback } from '../ledger/chargeback.ts';
import type { Claim } from '../ledger/claim.ts';
import { type BalanceCurrency, toDecimal } from '../money/money.ts';
import type { OperatorContext } from './operator-context.ts';
import { required } from './refusals.ts';

/** Describes what confirming the item does, with the balance as it is now. */
export async function chargebackTold(
  context: Pick<OperatorContext, 'payments' | 'balances'>,
  { paymentId, merchantId, amount, direction }: Chargeback,
  bearer: Bearer,
): Promise<string> {
  const what = `${toDecimal(amount.minor)} ${amount.currency} of payment ${paymentId}`;
  if (direction === 'surplus')
    return `book a surplus of ${what}, which credits nobody: then adjustments propose … --credit --about ${paymentId}, or refund it at the acquirer`;
  if (bearer === 'platform')
    return `book the loss of ${what} to the platform; merchant ${merchantId} keeps it`;
  const { settlement } = required(await context.payments.find(paymentId), 'payment_not_found');
  const available = await availableOf(context, merchantId, settlement.currency);
  return `debit ${what} from merchant ${merchantId}, who has ${available} available: the rest becomes a claim, and the fee is kept`;
}

/** Describes the claim with what can be collected now. */
export const claimTold = ({ id, merchantId, openMinor, amount: { minor, currency } }: Claim): string =>
  `${toDecimal(openMinor)} of ${toDecimal(minor)} ${currency} that merchant ${merchantId} owes (claim ${id})`;

/** Returns the available balance as text: `100.50 RUB`. */
export async function availableOf(
  { balances }: Pick<OperatorContext, 'balances'>,
  merchantId: Chargeback['merchantId'],
  currency: BalanceCurrency,
): Promise<string> {
  const own = (await balances.of(merchantId)).find((each) => each.currency === currency);
  return `${toDecimal(own?.available ?? 0n)} ${currency}`;
}
