import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { claimsOn } from '../../lib/bill/claims.ts';
import { aBill, merchantId, shopId } from '../support/builders.ts';

const order = { kind: 'order', merchantId, scope: shopId, key: 'order-1' } as const;
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
});
