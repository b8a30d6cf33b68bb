import * as z from 'zod/mini';
import banks from './sbp-banks.json' with { type: 'json' };

/** A bank of contract 2.5. `bic` is text: an integer would lose its leading zero. */
export type SbpBank = {
  readonly memberId: number;
  readonly name: string;
  readonly nameEn: string;
  readonly bic: string;
};

const dictionary = z.array(
  z.object({
    member_id: z.int(),
    name: z.string(),
    name_en: z.string(),
    bic: z.string().check(z.regex(/^\d{9}$/)),
  }),
);

/** The active banks of the Faster Payments System, sorted by member id. Sources: sbp-banks.md. */
export const sbpBanks: readonly SbpBank[] = dictionary
  .parse(banks)
  .map(({ member_id: memberId, name, name_en: nameEn, bic }) => ({ memberId, name, nameEn, bic }));

const memberIds = new Set(sbpBanks.map(({ memberId }) => memberId));

/** Whether a payout may go to the bank with this `member_id`. */
export const isActiveBank = (memberId: number): boolean => memberIds.has(memberId);
