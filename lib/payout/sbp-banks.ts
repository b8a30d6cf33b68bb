import * as z from 'zod/mini';
import banks from './sbp-banks.json' with { type: 'json' };

/** A bank of contract 2.5. `bic` is text: an integer would lose its leading zero. */
export type SbpBank = {
  readonly memberId: number;
  readonly name: string;
  readonly nameEn: string;
  readonly bic: string;
};

/** The banks as a rail lists them: without an English name. */
export type RailBank = Omit<SbpBank, 'nameEn'>;

/** The dictionary as it was last read from a rail. */
export type StoredSbpBanks = {
  /** The rail whose dictionary it is. */
  readonly rail: string;
  /** Sorted by member id. Empty: this rail has no dictionary, and the built-in one is used. */
  readonly banks: readonly SbpBank[];
  readonly refreshedAt: Date;
};

export interface SbpBanks {
  find(): Promise<StoredSbpBanks | undefined>;
  put(banks: StoredSbpBanks): Promise<void>;
}

const dictionary = z.array(
  z.object({
    member_id: z.int(),
    name: z.string(),
    name_en: z.string(),
    bic: z.string().check(z.regex(/^\d{9}$/)),
  }),
);

/** The dictionary that is used until a rail's was read, sorted by member id. Sources: sbp-banks.md. */
export const builtInBanks: readonly SbpBank[] = dictionary
  .parse(banks)
  .map(({ member_id: memberId, name, name_en: nameEn, bic }) => ({ memberId, name, nameEn, bic }));

/** Returns the banks that an SBP payout may go to: the rail's newest dictionary, or else the built-in one. */
export const activeOf = (stored: StoredSbpBanks | undefined): readonly SbpBank[] =>
  stored && stored.banks.length > 0 ? stored.banks : builtInBanks;

/** Whether a payout may go to the bank with this `member_id`. */
export const isActiveBank = (active: readonly SbpBank[], memberId: number): boolean =>
  active.some((bank) => bank.memberId === memberId);
