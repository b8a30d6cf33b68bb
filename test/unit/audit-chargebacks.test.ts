import { describe, expect, it } from 'vitest';
import { type Chargeback, decidedChargeback } from '../../lib/ledger/chargeback.ts';
import { type Claim, claimEntry, type ClaimMove, movedClaim } from '../../lib/ledger/claim.ts';
import type { Entry, Line } from '../../lib/ledger/entry.ts';
import { differencesAmong } from '../../lib/operator/audit/audit.ts';
import type { AuditRecord } from '../../lib/operator/audit/records.ts';
import { chargebackPosting } from '../../lib/payment/chargeback-postings.ts';
import { aPayment, merchantId, paymentId, today } from '../support/builders.ts';
import { aChargeback } from '../support/chargebacks.ts';

const id = `${paymentId}.chargeback.1`;

const found = (...records: readonly AuditRecord[]): readonly string[] =>
  differencesAmong(records, today).map(({ invariant, text }) => `${invariant} ${text}`);

const confirmed = decidedChargeback(aChargeback(), 'CONFIRMED', {
  id: 'p',
  proposedBy: 'olga',
  approvedBy: 'petr',
  reason: 'case 4711',
  at: today,
  bearer: 'merchant',
});
/** Nothing is available: all of the 40.00 is owed. */
const { entry: posted, claim } = chargebackPosting(aPayment(), confirmed, 0n);
if (!claim) throw new Error('There is a claim');
const move: ClaimMove = {
  id: 'd',
  kind: 'written_off',
  minor: 1_000n,
  by: 'olga',
  approvedBy: 'petr',
  reason: 'insolvent',
  at: today,
};
const reduced = movedClaim(claim, move);
const writtenOff = claimEntry(reduced, move);

const item = (chargeback: Chargeback): AuditRecord => ({
  kind: 'chargeback',
  chargeback,
});
const owed = (of: Claim): AuditRecord => ({ kind: 'claim', claim: of });
const entry = (of: Entry): AuditRecord => ({ kind: 'entry', entry: of });
const content = (kind: string, amount: string, people = 'olga and petr') =>
  `"${kind} ${amount} RUB; ${merchantId}, about ${paymentId}, ${people}: case 4711"`;

describe('audit finds no difference in', () => {
  it('an open chargeback, a confirmed one with its claim, and part of that written off', () => {
    expect(found(item(aChargeback()))).toEqual([]);
    expect(found(item(confirmed), entry(posted), owed(claim))).toEqual([]);
    expect(found(item(confirmed), entry(posted), entry(writtenOff), owed(reduced))).toEqual([]);
  });
});

describe('audit finds', () => {
  it('chargebacks_match_entries: a confirmation without its entry, and an entry without its confirmation', () => {
    expect(found(item(confirmed))).toEqual([
      `chargebacks_match_entries chargeback ${id} is confirmed, but has no entry`,
    ]);
    expect(found(item(aChargeback()), entry(posted), owed(claim))).toEqual([
      `chargebacks_match_entries chargeback ${id} has an entry, but is not confirmed`,
    ]);
  });

  it('chargebacks_match_entries: an entry of another kind, amount or person, or of nobody', () => {
    const expected = `chargebacks_match_entries chargeback ${id} was confirmed as ${content('CHARGEBACK', '40.00')}, but its entry is `;
    const authorization = posted.adjustment ?? { id, reason: '', proposedBy: '', approvedBy: '' };
    const more: readonly Line[] = [
      { account: 'acquirer', currency: 'RUB', minor: 4_001n },
      { account: 'correction', currency: 'RUB', minor: -4_001n },
    ];
    expect(found(item(confirmed), entry({ ...posted, lines: more }))).toEqual([
      `${expected}${content('CHARGEBACK', '40.01')}`,
    ]);
    expect(found(item(confirmed), entry({ ...posted, kind: 'SURPLUS' }), owed(claim))).toEqual([
      `${expected}${content('SURPLUS', '40.00')}`,
    ]);
    const another = { ...posted, adjustment: { ...authorization, approvedBy: 'ivan' } };
    expect(found(item(confirmed), entry(another), owed(claim))).toEqual([
      `${expected}${content('CHARGEBACK', '40.00', 'olga and ivan')}`,
    ]);
    expect(found(entry({ ...writtenOff, adjustment: undefined }))).toEqual([
      `chargebacks_match_entries WRITE_OFF entry of ${paymentId} names no chargeback`,
    ]);
  });

  it('claims_match_entries: a claim that its entries contradict, and one that contradicts itself', () => {
    expect(found(item(confirmed), entry(posted))).toEqual([
      `claims_match_entries claim ${id} says that 0.00 is owed, but its entries say 40.00`,
    ]);
    expect(found(item(confirmed), entry(posted), owed(reduced))).toEqual([
      `claims_match_entries claim ${id} says that 30.00 is owed, but its entries say 40.00`,
    ]);
    expect(found(item(confirmed), entry(posted), owed({ ...reduced, openMinor: 4_000n }))).toEqual([
      `claims_match_entries claim ${id} of 40.00 was closed by 10.00, but 40.00 is owed`,
    ]);
  });
});
