import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskCardNumbers, parseCardNumber, parseHolder } from '../../lib/card-number.ts';
import {
  accountText,
  destinationText,
  maskOf,
  readDestination,
  shownMask,
} from '../../lib/payout/destination.ts';
import { parsePhone } from '../../lib/payout/phone.ts';
import { payoutValues } from '../../lib/sandbox/test-values.ts';
import { builtInBanks, isActiveBank } from '../../lib/payout/sbp-banks.ts';

describe('a card number', () => {
  it.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    ' 4111\u00a01111\u20131111 1111 ',
  ])('is read from %j', (text) => expect(parseCardNumber(text)).toBe('4111111111111111'));

  it.each([
    ['one digit wrong', '4111111111111112'],
    ['two digits swapped', '4111111111111181'],
    ['too short', '41111111112'],
    ['too long', '41111111111111111111'],
    ['letters', '4111x11111111111'],
    ['other digits', '٤١١١١١١١١١١١١١١١'],
    ['nothing but zeros', '0000000000000000'],
    ['nothing', ''],
  ])('is refused with %s', (_why, text) => expect(parseCardNumber(text)).toBeUndefined());

  it('has between 12 and 19 digits', () => {
    expect(parseCardNumber('676770000005')).toBe('676770000005');
    expect(parseCardNumber('6304000000000000000')).toBe('6304000000000000000');
  });
});

describe('what the operator reads', () => {
  it.each([
    ['4111111111111111', '411111******1111'],
    ['order 4111 1111 1111 1111, paid', 'order 411111******1111, paid'],
    ['4111-1111-1111-1111', '411111******1111'],
    ['a6304000000000000000b', 'a630400*********0000b'],
    ['4111111111111111 5555555555554444', '411111******1111 555555******4444'],
  ])('shows no card number: %j', (text, shown) => expect(maskCardNumbers(text)).toBe(shown));

  it.each([
    '4111111111111112',
    '676770000005',
    '41111111111111111111',
    '2026-11-21 12:34:56',
    '2026-11-21T12:34:56.789Z',
    '1000000000000.00',
    '79123456789',
    '100000000111',
  ])('shows %j as it is', (text) => expect(maskCardNumbers(text)).toBe(text));

  it('never shows a card number in any text', () => {
    const numbers = fc.constantFrom('4111111111111111', '5555555555554444', '6304000000000000000');
    const around = fc.string().filter((text) => !/\d/.test(text));
    fc.assert(
      fc.property(around, numbers, around, (before, number, after) => {
        expect(maskCardNumbers(`${before}${number}${after}`)).not.toContain(number);
      }),
    );
  });
});

describe("a card holder's name", () => {
  it.each([
    ['IVAN PETROV', 'IVAN PETROV'],
    ['  Иван   Петров-Водкин ', 'Иван Петров-Водкин'],
    ["Sinéad O'Connor", "Sinéad O'Connor"],
    ['MOMENTUM R.', 'MOMENTUM R.'],
  ])('is read from %j', (text, name) => expect(parseHolder(text)).toBe(name));

  it.each(['', ' ', 'I', '4111111111111111', 'IVAN 2', '<b>IVAN</b>', 'A'.repeat(101)])('is not %j', (text) =>
    expect(parseHolder(text)).toBeUndefined(),
  );
});

describe('a phone number', () => {
  it.each([
    '79123456789',
    '+79123456789',
    '89123456789',
    '9123456789',
    '+7 (912) 345-67-89',
    '8 912 345 67 89',
    ' 7.912.345.67.89 ',
    '+7\u00a0912\u00a0345\u201367\u201389',
  ])('is read from %j', (text) => expect(parsePhone(text)).toBe('79123456789'));

  it.each(['', '7912345678', '791234567890', '+1 912 345 6789', '7912345678x', '1234567890'])(
    'is not %j',
    (text) => expect(parsePhone(text)).toBeUndefined(),
  );

  it.each(['74951234567', '+7 (495) 123-45-67', '8 800 555 35 35', '71234567890', '70000000000'])(
    'of the Faster Payments System is mobile, which %j is not',
    (text) => expect(parsePhone(text)).toBeUndefined(),
  );

  it('of the sandbox is a mobile number, too', () => {
    const phones = payoutValues.flatMap(({ use, value }) => (use === 'payout phone' ? [value] : []));
    expect(phones.map(parsePhone)).toEqual(phones);
  });
});

describe('a destination', () => {
  const card = { type: 'credit_card', number: '4111111111111111', holder: 'IVAN PETROV' } as const;
  const phone = { type: 'sbp', phone: '79123456789', bankId: 100000000004 } as const;

  it.each([card, phone, { ...card, holder: undefined }, { ...phone, bankId: undefined }])(
    'comes back from its sealed text: $type',
    (destination) => expect(readDestination(destinationText(destination))).toEqual(destination),
  );

  it('shows six and four digits of a card and five of a phone', () => {
    expect(maskOf(card)).toBe('411111******1111');
    expect(maskOf(phone)).toBe('7******6789');
  });

  it.each([
    ['7912***6789', '7******6789'],
    ['7******6789', '7******6789'],
    ['411111******1111', '411111******1111'],
  ])('that was stored as %s is shown as %s', (stored, shown) => expect(shownMask(stored)).toBe(shown));

  it('is the same account whatever the holder name, and a different one at another bank', () => {
    expect(accountText({ ...card, holder: 'PETROV IVAN' })).toBe(accountText(card));
    expect(accountText({ ...phone, bankId: 100000000005 })).not.toBe(accountText(phone));
  });

  it('never shows more than five digits of a phone', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^79\d{9}$/), (number) => {
        expect(maskOf({ type: 'sbp', phone: number, bankId: undefined })).toBe(`7******${number.slice(-4)}`);
      }),
    );
  });

  it('never shows the middle of a card', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{12,19}$/), (number) => {
        const mask = maskOf({ type: 'credit_card', number, holder: undefined });
        expect(mask).toMatch(/^\d{6}\*+\d{4}$/);
        expect(mask).toHaveLength(number.length);
      }),
    );
  });
});

describe('the banks of the Faster Payments System', () => {
  it('are listed once each, by member id, with nine digits of BIC', () => {
    const ids = builtInBanks.map(({ memberId }) => memberId);
    expect(ids).toHaveLength(207);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(builtInBanks.every(({ bic }) => /^\d{9}$/.test(bic))).toBe(true);
  });

  it('are identified by their member id', () => {
    expect(isActiveBank(builtInBanks, 100000000004)).toBe(true);
    expect(isActiveBank(builtInBanks, 100000000999)).toBe(false);
  });
});
