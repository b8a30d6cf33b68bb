import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bill, billStatuses, mostFailuresOfBill, type NormalBill } from '../../lib/bill/bill.ts';
import { type BillStep, fenceStep, finishStep, holdStep, releaseStep } from '../../lib/bill/bill-steps.ts';
import { billItem } from '../../lib/store/bill-item.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { moveBill } from '../../lib/store/payment-steps.ts';
import { transact } from '../../lib/store/transact.ts';
import { meets, taken } from '../simulation/model/bill.ts';
import { aBill, aPayment, otherPaymentId, paymentId, today } from '../support/builders.ts';
import { freshTable } from '../support/dynamo.ts';

const moments = [-1, 0, 1].map((ms) => new Date(today.getTime() + ms));
const bills: fc.Arbitrary<Partial<NormalBill>> = fc.record({
  status: fc.constantFrom(...billStatuses),
  active: fc.boolean(),
  fenced: fc.boolean(),
  failures: fc.constantFrom(0, mostFailuresOfBill - 1, mostFailuresOfBill),
  current: fc.constantFrom(undefined, paymentId, otherPaymentId),
  paidBy: fc.constantFrom(undefined, undefined, otherPaymentId),
  lockUntil: fc.constantFrom(undefined, ...moments),
  expiresAt: fc.constantFrom(undefined, ...moments),
});

const lockUntil = new Date(today.getTime() + 15 * 60_000);
const steps: readonly (readonly [string, BillStep])[] = [
  ['hold', holdStep(paymentId, { now: today, lockUntil })],
  ['fence', fenceStep(paymentId)],
  ['finish as SUCCESS', finishStep(paymentId, 'SUCCESS')],
  ['finish as UNDERPAID', finishStep(paymentId, 'UNDERPAID')],
  ['release after a failure', releaseStep(paymentId, true)],
  ['release after a cancel', releaseStep(paymentId, false)],
];

describe('the steps of a bill', () => {
  it.each(steps)('%s: the store accepts it when the model does, and writes the same', async (_name, step) => {
    const table = await freshTable();
    const store = dynamoBills(table, () => today);
    let takes = 0;
    await fc.assert(
      fc.asyncProperty(bills, async (traits) => {
        const bill = aBill(traits);
        await table.client.send(new PutCommand({ TableName: table.name, Item: billItem(bill) }));
        const written = await transact(table, [moveBill(table, aPayment(), step, 'refused')]);
        const expected = taken(bill, step);
        expect(written.ok).toBe(meets(bill, step.preconditions));
        expect(await store.find(bill.id)).toEqual(withoutAbsent(expected ?? bill));
        takes += written.ok ? 1 : 0;
      }),
      // A fixed sample, of which the step must accept some bills.
      { numRuns: 150, seed: 20_261_121 },
    );
    expect(takes).toBeGreaterThan(3);
  });
});

const withoutAbsent = (bill: Bill): object =>
  Object.fromEntries(Object.entries(bill).filter(([, value]) => value !== undefined));
