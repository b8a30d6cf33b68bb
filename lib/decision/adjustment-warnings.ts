import { type Adjustment, type Adjustments, gainMinor } from '../ledger/adjustment.ts';
import type { Balances } from '../ledger/balance.ts';
import { toDecimal } from '../money/money.ts';
import type { Journal } from '../ledger/journal.ts';

type Ports = {
  readonly adjustments: Pick<Adjustments, 'listProposed'>;
  readonly journal: Pick<Journal, 'about'>;
  readonly balances: Balances;
};

/**
 * Returns what both people should know before they agree: another adjustment about the same payment or payout, proposed or
 * posted, and a debit above the available balance.
 */
export async function adjustmentWarnings(ports: Ports, adjustment: Adjustment): Promise<readonly string[]> {
  const [others, shortage] = await Promise.all([
    aboutTheSame(ports, adjustment),
    shortageOf(ports, adjustment),
  ]);
  return [...others, ...shortage];
}

async function aboutTheSame(
  { adjustments, journal }: Ports,
  { id, about }: Adjustment,
): Promise<readonly string[]> {
  if (about === undefined) return [];
  const [proposed, entries] = await Promise.all([adjustments.listProposed(), journal.about(about)]);
  const open = proposed.filter((other) => other.about === about && other.id !== id);
  const posted = entries.flatMap(({ adjustment }) =>
    adjustment && adjustment.id !== id ? [adjustment] : [],
  );
  return [
    ...open.map((other) => `Adjustment ${other.id} (${amountOf(other)}) about ${about} is proposed as well.`),
    ...posted.map((other) => `Adjustment ${other.id} about ${about} was posted already (${other.reason}).`),
  ];
}

const amountOf = (adjustment: Adjustment): string =>
  `${toDecimal(gainMinor(adjustment))} ${adjustment.amount.currency}`;

async function shortageOf(
  { balances }: Ports,
  { merchantId, direction, amount }: Adjustment,
): Promise<readonly string[]> {
  if (direction === 'credit') return [];
  const own = (await balances.of(merchantId)).find(({ currency }) => currency === amount.currency);
  const available = own?.available ?? 0n;
  if (amount.minor <= available) return [];
  return [
    `Only ${toDecimal(available)} ${amount.currency} is available: this cannot be approved before there is enough.`,
  ];
}
