import type { Rates } from './ports.ts';
import type { Rate } from '../money/exchange.ts';
import { type BalanceCurrency, type BillCurrency, isBalanceCurrency, parseDecimal } from '../money/money.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = { readonly now: () => Date; readonly rates: Rates };
type Command = { readonly from: BillCurrency; readonly to: BalanceCurrency; readonly price: string };

/** How many decimal places a price may have. */
const precision = 8;

/** Sets the rate: one unit of `from` settles as `price` units of `to`. Started payments keep their rate. */
export async function setRate(
  { now, rates }: Ports,
  { from, to, price }: Command,
): Promise<Result<Rate, 'settles_in_itself' | 'bad_price'>> {
  if (isBalanceCurrency(from)) return fail('settles_in_itself');
  const scaled = parseDecimal(price, precision);
  if (scaled === undefined || scaled === 0n) return fail('bad_price');

  const scale = 10n ** BigInt(precision);
  const common = commonDivisor(scaled, scale);
  const rate: Rate = { from, to, numerator: scaled / common, denominator: scale / common, setAt: now() };
  await rates.set(rate);
  return ok(rate);
}

const commonDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : commonDivisor(b, a % b));
