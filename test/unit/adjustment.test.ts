import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  adjustmentEntry,
  adjustmentStatuses,
  approved,
  directions,
  gainMinor,
  isFinalAdjustment,
  rejected,
} from '../../lib/ledger/adjustment.ts';
import { isSamePerson } from '../../lib/ledger/same-person.ts';
import { readPersonName, readReason } from '../../lib/ledger/signed-reason.ts';
import { balanceCurrencies, largestAmount } from '../../lib/money/money.ts';
import { anAdjustment, anApprovedAdjustment, decisionBy } from '../support/adjustments.ts';
import { paymentId, today } from '../support/builders.ts';

const byPetr = decisionBy('petr');
const declined = { ...byPetr, reason: 'no chargeback' };

describe('an adjustment', () => {
  it('is approved or rejected once', () => {
    expect(approved(anAdjustment(), byPetr)).toMatchObject({ status: 'APPROVED', decision: byPetr });
    expect(rejected(anAdjustment(), declined)).toMatchObject({ status: 'REJECTED', decision: declined });
    expect(adjustmentStatuses.filter((status) => isFinalAdjustment({ status }))).toEqual([
      'APPROVED',
      'REJECTED',
    ]);
  });

  it.each(['APPROVED', 'REJECTED'] as const)('that is %s cannot change', (status) => {
    expect(() => approved(anAdjustment({ status }), byPetr)).toThrow(`cannot move from ${status}`);
    expect(() => rejected(anAdjustment({ status }), declined)).toThrow(`cannot move from ${status}`);
  });

  it.each(['olga', 'OLGA', ' olga ', 'ｏｌｇａ'])('proposed by olga is not approved by %j', (by) => {
    expect(() => approved(anAdjustment(), decisionBy(by))).toThrow('The proposer may not approve');
  });

  it('may be withdrawn by its proposer', () => {
    expect(rejected(anAdjustment(), { ...declined, by: 'olga' })).toMatchObject({ status: 'REJECTED' });
  });

  it('distinguishes two people by their names', () => {
    expect(isSamePerson('Olga  Petrova', 'olga petrova')).toBe(true);
    expect(isSamePerson('olga', 'petr')).toBe(false);
  });

  it.each([
    ['a Cyrillic spelling', 'alice', 'аliсе'],
    ['a Greek capital', 'ALICE', 'ΑLICE'],
    ['a digit for a letter', 'alice', 'a1ice'],
    ['a missing space', 'Olga Petrova', 'olgapetrova'],
    ['another role with the same session name', 'AROAOPERATOROPERATOR1:alice', 'AROAAPPROVERAPPROVER1:alice'],
  ])('takes %s for the same person', (_how, one, other) => {
    expect(isSamePerson(one, other)).toBe(true);
    expect(isSamePerson(other, one)).toBe(true);
  });

  it('distinguishes sessions of one role by their names', () => {
    expect(isSamePerson('AROAOPERATOROPERATOR1:alice', 'AROAOPERATOROPERATOR1:bob')).toBe(false);
  });
});

const adjustments = fc.record({
  direction: fc.constantFrom(...directions),
  amount: fc.record({
    minor: fc.bigInt({ min: 1n, max: largestAmount }),
    currency: fc.constantFrom(...balanceCurrencies),
  }),
  about: fc.option(fc.constant(paymentId), { nil: undefined }),
});

describe('the ADJUST entry', () => {
  it('balances available against correction', () => {
    fc.assert(
      fc.property(adjustments, (traits) => {
        const adjustment = anApprovedAdjustment(traits);
        const { lines, about } = adjustmentEntry(adjustment);
        const { minor, currency } = traits.amount;
        const gain = traits.direction === 'credit' ? minor : -minor;
        expect(lines).toEqual([
          { account: 'available', currency, minor: gain },
          { account: 'correction', currency, minor: -gain },
        ]);
        expect(gainMinor(adjustment)).toBe(gain);
        expect(about).toBe(traits.about ?? adjustment.id);
      }),
    );
  });

  it('records who moved the money and why', () => {
    expect(adjustmentEntry(anApprovedAdjustment())).toMatchObject({
      kind: 'ADJUST',
      at: today,
      adjustment: { reason: 'charged back by mistake', proposedBy: 'olga', approvedBy: 'petr' },
    });
  });

  it('requires an approved adjustment', () => {
    expect(() => adjustmentEntry(anAdjustment())).toThrow('Only an approved');
    expect(() => adjustmentEntry(rejected(anAdjustment(), declined))).toThrow('Only an approved');
  });
});

describe('a reason', () => {
  it.each([
    ['words', ' Возврат по спору № 17 '],
    ['a timestamp and a number', 'order 4711, captured 2026-11-21 10:30:59'],
    ['a mask', 'chargeback of 411111******1111'],
    ['a bank account of twenty digits', 'returned to 40817810099910004312'],
    ['a reference of twelve digits', 'RRN 411111111111'],
    ['sixteen digits that fail the Luhn check', 'document 4111111111111112'],
  ])('may be %s', (_what, text) => expect(readReason(text)).toEqual({ ok: true, value: text.trim() }));

  it.each([
    ['nothing', '   '],
    ['too much', 'x'.repeat(501)],
    ['two lines', 'one\ntwo'],
    ['an escape sequence', 'a\u001b[2J'],
    ['a bidirectional override', 'a\u202Eb'],
    ['a line separator', 'a\u2028b'],
  ])('is not %s', (_what, text) => expect(readReason(text)).toEqual({ ok: false, error: 'reason_invalid' }));

  it.each([
    'card 4111111111111111',
    'card 4111 1111 1111 1111, chargeback',
    'card 4111-1111-1111-1111.',
    'card 4111.1111.1111.1111',
    'card 4111/1111_1111 1111',
    'on 2026-11-21 4111 1111 1111 1111 was charged back',
    '378282246310005',
    '4222222222222',
    'card ４１１１１１１１１１１１１１１１',
  ])('contains no card number: %s', (text) =>
    expect(readReason(text)).toEqual({ ok: false, error: 'reason_holds_card_number' }),
  );
});

describe('a name', () => {
  it.each(['', ' ', 'a\nb', 'x'.repeat(101)])('is not %j', (text) =>
    expect(readPersonName(text)).toBeUndefined(),
  );
  it('is trimmed', () => expect(readPersonName(' olga ')).toBe('olga'));
});
