import { noHash } from './canonical.ts';
import type { SealFinding } from './finding.ts';
import type { StoredSeal } from './ports.ts';
import { areSameSums, type Chain, type Seal, sealHash, sumsOf } from './seal.ts';

/** Verifies a chain of seals by itself, oldest first: the hash of each, and that each follows the one before. */
export function chainFindings(
  chain: Chain,
  stored: readonly StoredSeal[],
  now: Date,
): readonly SealFinding[] {
  return stored.flatMap(({ date, seal }, at) => {
    const wrong = seal ? wrongWith({ chain, date, before: stored[at - 1] }, seal, now) : 'cannot be read';
    if (wrong === undefined) return [];
    const name = `${chain.merchantId} ${chain.currency} ${date}`;
    return [
      {
        invariant: 'seals_chained' as const,
        about: `seal ${name}`,
        text: `The seal of merchant ${name} ${wrong}.`,
      },
    ];
  });
}

type Place = { readonly chain: Chain; readonly date: string; readonly before: StoredSeal | undefined };

function wrongWith(place: Place, { hash, ...seal }: Seal, now: Date): string | undefined {
  const { chain, date } = place;
  if (sealHash(seal) !== hash) return 'was changed: its hash is not that of its content';
  if (seal.merchantId !== chain.merchantId || seal.currency !== chain.currency || seal.date !== date)
    return 'is stored under a key that is not its own';
  if (seal.to > now) return 'is of a day that is not over';
  return wrongAfter(place, seal);
}

function wrongAfter({ before }: Place, seal: Omit<Seal, 'hash'>): string | undefined {
  if (!before)
    return seal.previous === noHash ? undefined : 'does not begin its chain: seals before it were removed';
  if (!before.seal) return undefined;
  if (seal.previous !== before.seal.hash)
    return `does not follow the one of ${before.date}: one between them was removed, or that one was changed`;
  if (seal.from < before.seal.to || seal.to <= seal.from) return `overlaps the one of ${before.date}`;
  if (!areSameSums(seal.closing, sumsOf([...before.seal.closing, ...seal.sums])))
    return 'closes with other sums than those of the day before and its own';
  return undefined;
}
