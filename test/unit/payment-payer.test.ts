import { describe, expect, it } from 'vitest';
import { hashPayer, hasTooManyFailures, payerNetwork } from '../../lib/payment/failed-attempts.ts';
import { formToken, readFormToken } from '../../lib/payment/form-token.ts';
import { billId, today } from '../support/builders.ts';

describe('the network of a payer', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8::a:1:2:3:4', '2001:db8:0:a'],
    ['2001:db8::b:1:2:3:4', '2001:db8:0:b'],
    ['1::2:3:4:5:6:7', '1:0:2:3'],
    ['fe80::', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['', ''],
  ])('of %s is %s', (address, network) => expect(payerNetwork(address)).toBe(network));

  it('is kept as a keyed hash', () => {
    expect(hashPayer('secret', '198.51.100.7')).toMatch(/^[\w-]{43}$/);
    expect(hashPayer('secret', '198.51.100.7')).not.toBe(hashPayer('other', '198.51.100.7'));
  });
});

describe('the limits of failed attempts', () => {
  const limits = { failuresPerTenMinutes: 3, failuresPerDay: 10 };
  it.each([
    [{ tenMinutes: 2, day: 9 }, false],
    [{ tenMinutes: 3, day: 3 }, true],
    [{ tenMinutes: 0, day: 10 }, true],
  ])('%j: %s', (failures, tooMany) => expect(hasTooManyFailures(failures, limits)).toBe(tooMany));
});

describe('the token of a form', () => {
  const form = { nonce: 'aB3dE6gH', chargeMinor: 10_050n };
  const token = formToken('secret', billId, form, today);
  const later = (seconds: number) => new Date(today.getTime() + seconds * 1000);

  it('brings back what the payer agreed to, for half an hour', () => {
    expect(readFormToken('secret', billId, token, today)).toEqual(form);
    expect(readFormToken('secret', billId, token, later(1799))).toEqual(form);
    expect(readFormToken('secret', billId, token, later(1800))).toBeUndefined();
  });

  it('is good for one bill and one secret', () => {
    expect(readFormToken('secret', 'AnotherBill12345', token, today)).toBeUndefined();
    expect(readFormToken('another', billId, token, today)).toBeUndefined();
  });

  it('is worth nothing with any one character changed', () => {
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === '1' ? '2' : '1';
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(readFormToken('secret', billId, changed, today)).toBeUndefined();
    }
  });
});
