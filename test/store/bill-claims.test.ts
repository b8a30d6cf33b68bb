import { expect, it } from 'vitest';
import { billClaimKey } from '../../lib/store/bill-item.ts';
import { merchantId } from '../support/builders.ts';

it('an order_id and an Idempotency-Key of the same text are claimed by different items', () => {
  const named = { merchantId, scope: 'same', key: 'same' };
  const order = billClaimKey({ ...named, kind: 'order' });
  const idempotency = billClaimKey({ ...named, kind: 'idempotency' });
  expect(order.PK.startsWith(`O#${merchantId}#same#`)).toBe(true);
  expect(idempotency.PK.startsWith(`I#${merchantId}#same#`)).toBe(true);
  expect([order.SK, idempotency.SK]).toEqual(['O', 'I']);
});
