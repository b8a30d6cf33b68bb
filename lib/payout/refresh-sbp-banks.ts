import { kindOf, type Log, type LogFields } from '../log.ts';
import type { Rails } from './payout-rail.ts';
import {
  activeOf,
  builtInBanks,
  type RailBank,
  type SbpBank,
  type SbpBanks,
  type StoredSbpBanks,
} from './sbp-banks.ts';

export type RefreshBanksPorts = {
  readonly rails: Pick<Rails, 'forNew'>;
  readonly sbpBanks: SbpBanks;
  readonly now: () => Date;
  readonly log: Log;
  readonly alarm: (alarm: 'sbp_banks_kept', about: LogFields) => void;
};

/** `kept`: the rail did not answer with a dictionary that can be believed, and the old one stays in use. */
export type RefreshedBanks =
  | {
      readonly outcome: 'refreshed';
      readonly rail: string;
      readonly banks: number;
      readonly added: readonly number[];
      readonly gone: readonly number[];
    }
  | { readonly outcome: 'kept'; readonly rail: string; readonly why: WhyKept }
  /** The rail of new SBP payouts has no dictionary, or there is no such rail. */
  | { readonly outcome: 'built_in' };

type WhyKept = 'no_answer' | 'no_banks' | 'bank_listed_twice' | 'too_many_banks' | 'half_of_the_banks_gone';

/** The Faster Payments System has about 210 banks. All are stored in one item, which holds 400 KB. */
const mostBanks = 1500;

/**
 * Replaces the dictionary of SBP banks with that of the rail that takes new SBP payouts. A dictionary without half of the known
 * banks is taken for an error of the rail, unless a person has looked at it and says so (`acceptFewer`).
 */
export async function refreshSbpBanks(
  { rails, sbpBanks, now, log, alarm }: RefreshBanksPorts,
  { acceptFewer = false }: { readonly acceptFewer?: boolean } = {},
): Promise<RefreshedBanks> {
  const rail = rails.forNew('sbp');
  const stored = await sbpBanks.find();
  if (!rail?.banks) {
    // Another rail's dictionary: its banks are not those that new payouts reach.
    if (stored && rail && stored.rail !== rail.name)
      await sbpBanks.put({ rail: rail.name, banks: [], refreshedAt: now() });
    return { outcome: 'built_in' };
  }
  const about = { provider: rail.name };
  const keep = (why: WhyKept, error: LogFields = {}): RefreshedBanks => {
    alarm('sbp_banks_kept', { ...about, why, ...error });
    return { outcome: 'kept', rail: rail.name, why };
  };
  const listed = await rail.banks().catch((error: unknown) => ({ error }));
  if ('error' in listed) return keep('no_answer', kindOf(listed.error));
  const known = knownBanks(stored, rail.name);
  const doubt = whyDoubted(listed, known);
  if (doubt !== undefined && !(doubt === 'half_of_the_banks_gone' && acceptFewer)) return keep(doubt);
  const banks = withEnglishNames(listed);
  await sbpBanks.put({ rail: rail.name, banks, refreshedAt: now() });
  log('info', 'sbp_banks_refreshed', about);
  return {
    outcome: 'refreshed',
    rail: rail.name,
    banks: banks.length,
    added: idsWithout(banks, known),
    gone: idsWithout(known, banks),
  };
}

/** What the new dictionary is compared with: that of the same rail, or the built-in one. */
const knownBanks = (stored: StoredSbpBanks | undefined, rail: string): readonly SbpBank[] =>
  activeOf(stored?.rail === rail ? stored : undefined);

function whyDoubted(listed: readonly RailBank[], known: readonly SbpBank[]): WhyKept | undefined {
  if (listed.length === 0) return 'no_banks';
  if (listed.length > mostBanks) return 'too_many_banks';
  if (new Set(listed.map(({ memberId }) => memberId)).size < listed.length) return 'bank_listed_twice';
  return idsWithout(known, listed).length * 2 >= known.length ? 'half_of_the_banks_gone' : undefined;
}

type Named = Pick<SbpBank, 'memberId'>;

function idsWithout(banks: readonly Named[], others: readonly Named[]): readonly number[] {
  const there = new Set(others.map(({ memberId }) => memberId));
  return banks.map(({ memberId }) => memberId).filter((id) => !there.has(id));
}

const builtInNames = new Map(builtInBanks.map(({ memberId, nameEn }) => [memberId, nameEn]));

/** A rail has no English names: a bank that the built-in dictionary does not have keeps its Russian one. */
const withEnglishNames = (listed: readonly RailBank[]): readonly SbpBank[] =>
  listed
    .map(({ memberId, name, bic }) => ({
      memberId,
      name,
      nameEn: builtInNames.get(memberId) ?? name,
      bic,
    }))
    .toSorted((one, other) => one.memberId - other.memberId);
