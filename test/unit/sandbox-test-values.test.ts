import { describe, expect, it } from 'vitest';
import { parseAmount } from '../../lib/money/money.ts';
import { passesLuhn } from '../../lib/sandbox/card.ts';
import {
  cardOutcomes,
  outcomeOfCard,
  outcomeOfTransfer,
  paymentCards,
  payoutValues,
  testValues,
  transferOutcomes,
} from '../../lib/sandbox/test-values.ts';

describe('the table of test values', () => {
  it.each([
    ['4111111111111111', 'paid'],
    ['4242424242424242', 'paid'],
    ['4000000000000002', 'declined'],
    ['4000000000009995', 'insufficient_funds'],
    ['4000000000000069', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc'],
    ['4000000000003220', 'challenge'],
  ])('keeps the number that developers know: %s is %s', (number, outcome) => {
    expect(outcomeOfCard(number)).toBe(outcome);
  });

  it('names every outcome that the sandbox has', () => {
    expect(new Set(paymentCards.map(({ outcome }) => outcome))).toEqual(new Set(cardOutcomes));
    for (const use of ['payout card', 'payout phone', 'payout amount']) {
      const outcomes = payoutValues.filter((row) => row.use === use).map(({ outcome }) => outcome);
      expect(outcomes).toEqual(transferOutcomes);
    }
  });

  it('names each value once for each use, with a sentence in both languages', () => {
    const named = testValues.map(({ use, value }) => `${use} ${value}`);
    expect(new Set(named).size).toBe(named.length);
    for (const { en, ru } of testValues) {
      expect(en).toMatch(/^[a-z]/);
      expect(ru).toMatch(/^[а-яё]/);
    }
  });

  it('has cards that pass the Luhn check, phones as they are sent, and amounts', () => {
    for (const { use, value } of testValues) {
      if (use === 'payment card' || use === 'payout card') expect(passesLuhn(value), value).toBe(true);
      if (use === 'payout phone') expect(value).toMatch(/^7\d{10}$/);
      if (use === 'payout amount') expect(parseAmount(value)).toBeDefined();
    }
  });

  it('lets a value that it does not name succeed at once', () => {
    expect(outcomeOfCard('5555555555554444')).toBe('paid');
    expect(outcomeOfTransfer('sbp', '79001234567', '100.00')).toBe('paid');
  });

  it('lets a destination that is paid leave the outcome to the amount, any other win over it', () => {
    expect(outcomeOfTransfer('sbp', '79000000003', '4400.02')).toBe('refused');
    expect(outcomeOfTransfer('card', '4111111111111111', '4400.03')).toBe('refused');
    expect(outcomeOfTransfer('card', '5555555555554444', '4400.02')).toBe('paid_later');
  });
});
