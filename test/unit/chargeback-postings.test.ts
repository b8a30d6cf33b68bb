import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Bearer,
  type Chargeback,
  decidedChargeback,
  expectedMinor,
} from '../../lib/ledger/chargeback.ts';
import { claimEntry, movedClaim } from '../../lib/ledger/claim.ts';
import type { Entry } from '../../lib/ledger/entry.ts';
import { exchange } from '../../lib/money/exchange.ts';
import { chargebackPosting } from '../../lib/payment/chargeback-postings.ts';
import { aPayment, paymentId, today } from '../support/builders.ts';
import { aChargeback, inTenge } from '../support/chargebacks.ts';

const decision = {
  id: 'p',
  proposedBy: 'olga',
  approvedBy: 'petr',
  reason: 'case 4711',
  at: today,
  posted: undefined,
} as const;
const confirmed = (traits: Partial<Chargeback> = {}, bearer: Bearer = 'merchant'): Chargeback =>
  decidedChargeback(aChargeback(traits), 'CONFIRMED', { ...decision, bearer });
const linesOf = ({ lines }: Entry) => lines.map(({ account, currency, minor }) => [account, currency, minor]);

describe('a confirmed loss', () => {
  it('is debited from the merchant where there is enough', () => {
    const { entry, claim } = chargebackPosting(aPayment(), confirmed(), 4_000n);
    expect(entry).toMatchObject({
      about: paymentId,
      kind: 'CHARGEBACK',
      adjustment: { id: `${paymentId}.chargeback.1`, proposedBy: 'olga', approvedBy: 'petr' },
    });
    expect(linesOf(entry)).toEqual([
      ['acquirer', 'RUB', 4_000n],
      ['available', 'RUB', -4_000n],
    ]);
    expect(claim).toBeUndefined();
  });

  it('is debited up to what is available, and the rest is a claim', () => {
    const { entry, claim } = chargebackPosting(aPayment(), confirmed(), 1_500n);
    expect(linesOf(entry)).toEqual([
      ['acquirer', 'RUB', 4_000n],
      ['available', 'RUB', -1_500n],
      ['claims', 'RUB', -2_500n],
    ]);
    expect(claim).toMatchObject({ amount: { minor: 2_500n, currency: 'RUB' }, openMinor: 2_500n, moves: [] });
  });

  it('is a claim as a whole where nothing is available', () => {
    const { entry, claim } = chargebackPosting(aPayment(), confirmed(), 0n);
    expect(linesOf(entry)).toEqual([
      ['acquirer', 'RUB', 4_000n],
      ['claims', 'RUB', -4_000n],
    ]);
    expect(claim?.openMinor).toBe(4_000n);
  });

  it('in tenge is exchanged at the payment’s own rate', () => {
    const tenge = confirmed({ amount: { minor: 4_000n, currency: 'KZT' } });
    expect(linesOf(chargebackPosting(aPayment(inTenge), tenge, 500n).entry)).toEqual([
      ['acquirer', 'KZT', 4_000n],
      ['exchange', 'KZT', -4_000n],
      ['exchange', 'RUB', 680n],
      ['available', 'RUB', -500n],
      ['claims', 'RUB', -180n],
    ]);
  });

  it('that the platform bears leaves the merchant’s balance', () => {
    const { entry, claim } = chargebackPosting(aPayment(), confirmed({}, 'platform'), 9_000n);
    expect(linesOf(entry)).toEqual([
      ['acquirer', 'RUB', 4_000n],
      ['correction', 'RUB', -4_000n],
    ]);
    expect(claim).toBeUndefined();
  });
});

describe('a confirmed surplus', () => {
  it('credits nobody: it waits on `correction` for an adjustment', () => {
    const { entry, claim } = chargebackPosting(aPayment(), confirmed({ direction: 'surplus' }), 9_000n);
    expect(entry.kind).toBe('SURPLUS');
    expect(linesOf(entry)).toEqual([
      ['acquirer', 'RUB', -4_000n],
      ['correction', 'RUB', 4_000n],
    ]);
    expect(claim).toBeUndefined();
  });
});

const minors = fc.bigInt({ min: 1n, max: 9_999_999_999n });

describe('every posting', () => {
  it('sums to zero per currency, debits at most what is available, and claims the rest', () => {
    fc.assert(
      fc.property(
        fc.record({
          minor: minors,
          available: fc.bigInt({ min: 0n, max: 9_999_999_999n }),
          currency: fc.constantFrom('RUB', 'USD', 'KZT' as const),
          direction: fc.constantFrom('loss', 'surplus' as const),
          bearer: fc.constantFrom('merchant', 'platform' as const),
          numerator: fc.bigInt({ min: 1n, max: 1_000_000n }),
          denominator: fc.bigInt({ min: 1n, max: 1_000_000n }),
        }),
        ({ minor, available, currency, direction, bearer, numerator, denominator }) => {
          const own = currency === 'KZT' ? 'RUB' : currency;
          const settlement = { currency: own, numerator, denominator } as const;
          const item = confirmed({ direction, amount: { minor, currency } }, bearer);
          const { entry, claim } = chargebackPosting({ settlement }, item, available);
          const sumOf = (wanted: string, account?: string) =>
            entry.lines
              .filter((line) => line.currency === wanted && (account ?? line.account) === line.account)
              .reduce((total, line) => total + line.minor, 0n);
          expect([sumOf(currency), sumOf(own)]).toEqual([0n, 0n]);
          const [taken, owed] = [-sumOf(own, 'available'), -sumOf(own, 'claims')];
          const settled = currency === 'KZT' ? exchange(minor, settlement) : minor;
          expect(taken >= 0n && taken <= available).toBe(true);
          expect(claim?.openMinor ?? 0n).toBe(owed);
          expect(taken + owed).toBe(direction === 'loss' && bearer === 'merchant' ? settled : 0n);
          expect(sumOf(currency, 'acquirer')).toBe(direction === 'loss' ? minor : -minor);
        },
      ),
    );
  });

  it('of a claim closes it by as much as is posted', () => {
    fc.assert(
      fc.property(minors, fc.array(minors, { maxLength: 5 }), fc.boolean(), (owed, parts, isWrittenOff) => {
        const { claim } = chargebackPosting(
          aPayment(),
          confirmed({ amount: { minor: owed, currency: 'RUB' } }),
          0n,
        );
        let [open, posted] = [claim, 0n];
        for (const [at, part] of parts.entries()) {
          if (!open || open.openMinor === 0n) break;
          const move = {
            id: `d${at}`,
            kind: isWrittenOff ? ('written_off' as const) : ('collected' as const),
            minor: part < open.openMinor ? part : open.openMinor,
            by: 'olga',
            approvedBy: undefined,
            reason: undefined,
            at: today,
          };
          open = movedClaim(open, move);
          const { lines } = claimEntry(open, move);
          expect(lines.reduce((total, { minor }) => total + minor, 0n)).toBe(0n);
          posted += lines.find(({ account }) => account === 'claims')?.minor ?? 0n;
        }
        expect(open?.openMinor).toBe(owed - posted);
      }),
    );
  });
});

describe('what the acquirer is expected to hold', () => {
  const of = (...known: readonly Chargeback[]) => expectedMinor(10_050n, known);
  const entered = { seen: undefined, entered: { id: 'd', by: 'olga', reason: 'letter' } };
  const dismissed = (item: Chargeback) =>
    decidedChargeback(item, 'DISMISSED', { ...decision, bearer: undefined });

  it('is what was received less every known loss', () => {
    expect(of()).toBe(10_050n);
    expect(of(aChargeback())).toBe(6_050n);
    expect(of(aChargeback(), aChargeback({ direction: 'surplus' }))).toBe(10_050n);
  });

  it('counts what the acquirer reported after its dismissal too, and what a person entered only before', () => {
    expect(of(dismissed(aChargeback()))).toBe(6_050n);
    expect(of(aChargeback(entered))).toBe(6_050n);
    expect(of(dismissed(aChargeback(entered)))).toBe(10_050n);
  });
});

describe('impossible moves', () => {
  it('throw', () => {
    const alone = { ...decision, bearer: undefined, approvedBy: 'OLGA' };
    expect(() => decidedChargeback(aChargeback(), 'DISMISSED', alone)).toThrow('two people');
    expect(() => decidedChargeback(confirmed(), 'DISMISSED', { ...decision, bearer: undefined })).toThrow(
      'cannot move',
    );
    expect(() => chargebackPosting(aPayment(), aChargeback(), 0n)).toThrow('Only a confirmed');
    const { claim } = chargebackPosting(aPayment(), confirmed(), 0n);
    const move = {
      id: 'd',
      kind: 'collected',
      by: 'olga',
      approvedBy: undefined,
      reason: undefined,
      at: today,
    } as const;
    for (const minor of [0n, 4_001n])
      expect(() => claim && movedClaim(claim, { ...move, minor })).toThrow('at most what is owed');
  });
});
