/** What the verification of the seals finds. `about` identifies a finding in a later pass. */
export type SealFinding = {
  readonly invariant: 'seals_match_journal' | 'seals_chained';
  readonly about: string;
  readonly text: string;
};
