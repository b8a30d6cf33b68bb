import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NormalBill } from '../../lib/bill/bill.ts';
import { claimsOn, isSameRequest } from '../../lib/bill/claims.ts';
import { type BillOptions, noOptions } from '../../lib/bill/options.ts';
import { aBill, merchantId, shopId } from '../support/builders.ts';

const order = { kind: 'order', merchantId, scope: shopId, key: 'order-1' } as const;
const fingerprint = (traits: Partial<NormalBill>) => claimsOn([order], aBill(traits))[0]?.fingerprint ?? '';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Claims are stored: a request sent before an update and repeated after it must have the same fingerprint, or the order gets a
 * second bill. These texts therefore never change; a new field is appended only when the request has it.
 */
describe('the fingerprint of a bill request', () => {
  it('stays the same for a request without optional fields', () => {
    const [claim] = claimsOn([order], aBill());
    expect(claim?.fingerprint).toBe(hashOf(`["${shopId}","10050","RUB","NORMAL",false,null,null,null,null]`));
  });

  it('stays the same for a request with all fields', () => {
    const bill = aBill({
      payerPaysCommission: true,
      orderId: 'order-1',
      description: 'a note',
      name: 'tea',
      custom: '',
    });
    const [claim] = claimsOn([order], bill);
    expect(claim?.fingerprint).toBe(
      hashOf(`["${shopId}","10050","RUB","NORMAL",true,"order-1","a note","tea",""]`),
    );
  });

  it('has the items only when the request has them, and never a contact', () => {
    const items = [{ name: 'Tea', priceMinor: 10_050n, quantity: '1', category: undefined }];
    const [claim] = claimsOn([order], aBill({ items, hasContact: true }));
    expect(claim?.fingerprint).toBe(
      hashOf(`["${shopId}","10050","RUB","NORMAL",false,null,null,null,null,[["Tea","10050","1",null]]]`),
    );
  });

  it('has the options only when the bill has them, and never its language', () => {
    const bill = aBill({ options: { ...noOptions, ttlSeconds: 60, asks: ['email'], locale: 'en' } });
    const text = `["${shopId}","10050","RUB","NORMAL",false,null,null,null,null,{"ttlSeconds":60,"asks":["email"]}]`;
    expect(claimsOn([order], bill)[0]?.fingerprint).toBe(hashOf(text));
    expect(fingerprint({ options: { ...noOptions, locale: 'kk' } })).toBe(fingerprint({}));
  });
});

describe('a repeated bill request', () => {
  const items = [{ name: 'Tea', priceMinor: 10_050n, quantity: '1', category: undefined }];
  const options: BillOptions = {
    ttlSeconds: 600,
    locale: 'ru',
    method: 'sbp',
    successUrl: 'https://cafe.example/s',
    failUrl: 'https://cafe.example/f',
    returnUrl: 'https://cafe.example/',
    asks: ['email', 'comment'],
  };
  const requested = aBill({ items, options });
  const some = fc.record({
    items: fc.constantFrom(items, undefined),
    options: fc.record(
      Object.fromEntries(
        Object.entries(options).map(([name, value]) => [name, fc.constantFrom(value, undefined)]),
      ),
    ),
  });

  it('gets the bill that has any part of it: sent to an earlier version, or to a shop that could not honour the rest', () => {
    fc.assert(
      fc.property(some, ({ items: its, options: fewer }) => {
        const first = fingerprint({ items: its, options: { ...options, ...fewer } });
        expect(isSameRequest(requested, first)).toBe(true);
      }),
    );
  });

  it('gets no bill that has more, or anything else', () => {
    const other: Readonly<Record<string, Partial<NormalBill>>> = {
      ttl: { options: { ...options, ttlSeconds: 601 } },
      method: { options: { ...options, method: 'card' } },
      url: { options: { ...options, successUrl: 'https://cafe.example/t' } },
      fields: { options: { ...options, asks: ['email'] } },
      amount: { options, amount: { minor: 1n, currency: 'RUB' } },
    };
    for (const [what, traits] of Object.entries(other))
      expect(isSameRequest(requested, fingerprint({ items, ...traits })), what).toBe(false);
    const all = fingerprint({ items, options });
    fc.assert(
      fc.property(some, ({ items: its, options: fewer }) => {
        const bill = aBill({ items: its, options: { ...options, ...fewer, locale: undefined } });
        const isAll = its !== undefined && fingerprint(bill) === all;
        expect(isSameRequest(bill, all)).toBe(isAll);
      }),
    );
  });
});
