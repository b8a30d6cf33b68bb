import { type BillId, newPaymentId, toBillId } from '../../lib/ids.ts';
import { describe, expect, it } from 'vitest';
import {
  agedOut,
  type Attempt,
  type Attempts,
  hashPayer,
  hasTooManyAttempts,
  mostAttempts,
  payerNetwork,
} from '../../lib/payment/network-attempts.ts';
import { hashBrowser } from '../../lib/payment/browser.ts';
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

  it('is hashed with a key', () => {
    expect(hashPayer('secret', '198.51.100.7')).toMatch(/^[\w-]{43}$/);
    expect(hashPayer('secret', '198.51.100.7')).not.toBe(hashPayer('other', '198.51.100.7'));
  });
});

describe('the limits of a network', () => {
  const limits = {
    failuresPerTenMinutes: 3,
    failuresPerDay: 5,
    attemptsPerTenMinutes: 7,
    openOnMultiBill: 2,
  };
  const aPaymentOf = (bill: BillId, at: number) => newPaymentId(bill, String(at).padStart(8, '0'));
  const minutesAgo = (minutes: number) => new Date(today.getTime() - minutes * 60_000);
  const some = (count: number, state: Attempt['state'], minutes: number, bill = billId): Attempts =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `${bill}00${state.slice(0, 4)}${String(at).padStart(4, '0')}`,
        { state, at: minutesAgo(minutes) },
      ]),
    );
  const asked = { id: aPaymentOf(billId, 99_999_999), billType: 'MULTI' } as const;
  const refuses = (attempts: Attempts, billType: 'MULTI' | 'NORMAL' = 'MULTI') =>
    hasTooManyAttempts(attempts, { ...asked, billType }, limits, today);
  const other = toBillId('OtherOtherOther1');

  it.each([
    ['two failed', some(2, 'failed', 1), false],
    ['three failed', some(3, 'failed', 1), true],
    ['three failed ten minutes ago', some(3, 'failed', 10), false],
    ['five failed hours ago', some(5, 'failed', 1439), true],
    ['five failed a day ago', some(5, 'failed', 1440), false],
    ['six open on other bills', some(6, 'open', 1, other), false],
    ['seven open on other bills', some(7, 'open', 1, other), true],
    ['seven open on other bills ten minutes ago', some(7, 'open', 10, other), false],
    ['seven cancelled', some(7, 'cancelled', 1), true],
    ['six cancelled', some(6, 'cancelled', 1), false],
    ['two failed and five open', { ...some(2, 'failed', 1), ...some(5, 'open', 1, other) }, true],
    ['two open on this bill', some(2, 'open', 1), true],
    ['two open on this bill for an hour', some(2, 'open', 59), true],
    ['two open on this bill for longer', some(2, 'open', 60), false],
    ['one open on this bill', some(1, 'open', 1), false],
  ])('%s: refuses %s', (_case, attempts, refused) => expect(refuses(attempts)).toBe(refused));

  it('count the open payments of one bill only for a MULTI bill, and never the payment itself', () => {
    expect(refuses(some(2, 'open', 1), 'NORMAL')).toBe(false);
    expect(refuses({ ...some(1, 'open', 1), [asked.id]: { state: 'open', at: today } })).toBe(false);
  });

  it('ignore attempts that have expired', () => {
    const attempts = {
      a: { state: 'open', at: minutesAgo(59) },
      b: { state: 'open', at: minutesAgo(60) },
      c: { state: 'cancelled', at: minutesAgo(60) },
      d: { state: 'failed', at: minutesAgo(1439) },
      e: { state: 'failed', at: minutesAgo(1440) },
    } as const;
    expect(agedOut(attempts, today)).toEqual(['b', 'c', 'e']);
  });

  it('bound the size of the stored item', () => {
    expect(mostAttempts(limits)).toBe(42);
    expect(mostAttempts({ ...limits, attemptsPerTenMinutes: 100_000 })).toBe(5000);
  });
});

describe('the token of a form', () => {
  const form = {
    nonce: 'aB3dE6gH',
    method: 'sbp',
    chargeMinor: 10_050n,
    browserHash: hashBrowser('a browser'),
  } as const;
  const token = formToken('secret', billId, form, today);
  const later = (seconds: number) => new Date(today.getTime() + seconds * 1000);

  it('returns what the payer agreed to, for half an hour', () => {
    expect(readFormToken('secret', billId, token, today)).toEqual(form);
    expect(readFormToken('secret', billId, token, later(1799))).toEqual(form);
    expect(readFormToken('secret', billId, token, later(1800))).toBeUndefined();
  });

  it('is valid for one bill and one secret', () => {
    expect(readFormToken('secret', toBillId('AnotherBill12345'), token, today)).toBeUndefined();
    expect(readFormToken('another', billId, token, today)).toBeUndefined();
  });

  it('is invalid with any one character changed', () => {
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === '1' ? '2' : '1';
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(readFormToken('secret', billId, changed, today)).toBeUndefined();
    }
  });
});
