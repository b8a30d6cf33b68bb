import { describe, expect, it } from 'vitest';
import { cardErrors, digitsOf, maskOf, passesLuhn } from '../../lib/sandbox/card.ts';

const now = new Date('2030-06-15T12:00:00Z');
const good = { number: '4111 1111 1111 1111', expiry: '12/34', cvc: '123' };

describe('the card form', () => {
  it('accepts a card as people write it', () => {
    for (const number of ['4111111111111111', '4111-1111-1111-1111', ' 4111 1111 1111 1111 ']) {
      expect(cardErrors({ ...good, number }, now)).toEqual({});
    }
    for (const expiry of ['12/34', '12 / 34', '1234', '12.2034', '07/30']) {
      expect(cardErrors({ ...good, expiry }, now)).toEqual({});
    }
  });

  it.each([
    ['no number', { number: ' ' }, { number: 'missing' }],
    ['letters in the number', { number: '4111 1111 1111 111O' }, { number: 'digits' }],
    ['a short number', { number: '41111111111' }, { number: 'length' }],
    ['a long number', { number: '41111111111111111111' }, { number: 'length' }],
    ['a mistyped number', { number: '4111 1111 1111 1112' }, { number: 'luhn' }],
    ['no date', { expiry: '' }, { expiry: 'missing' }],
    ['a month that does not exist', { expiry: '13/34' }, { expiry: 'expiry' }],
    ['a date in words', { expiry: 'next year' }, { expiry: 'expiry' }],
    ['a card of last month', { expiry: '05/30' }, { expiry: 'expired' }],
    ['no CVC', { cvc: '' }, { cvc: 'missing' }],
    ['a short CVC', { cvc: '12' }, { cvc: 'cvc' }],
    ['a CVC with letters', { cvc: '12a' }, { cvc: 'cvc' }],
  ])('refuses %s', (_case, typed, errors) => {
    expect(cardErrors({ ...good, ...typed }, now)).toEqual(errors);
  });

  it('honours a card until its month is over everywhere on earth', () => {
    const card = { ...good, expiry: '06/30' };
    expect(cardErrors(card, new Date('2030-07-01T11:00:00Z'))).toEqual({});
    expect(cardErrors(card, new Date('2030-07-01T13:00:00Z'))).toEqual({ expiry: 'expired' });
  });

  it('keeps six digits in front and four at the end', () => {
    expect(maskOf('4111111111111111')).toBe('411111******1111');
    expect(maskOf(digitsOf('2200 0000 0000 0000 004'))).toBe('220000*********0004');
  });

  it('finds one wrong digit', () => {
    expect(passesLuhn('4242424242424242')).toBe(true);
    expect(passesLuhn('4242424242424241')).toBe(false);
  });
});
