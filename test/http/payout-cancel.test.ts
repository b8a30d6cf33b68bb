import { describe, expect, it } from 'vitest';
import { create } from '../../functions/payout-cancel.ts';
import { create as payoutStatus } from '../../functions/payout-status.ts';
import { approvePayout } from '../../lib/payout/moderate.ts';
import { dispatchPayout } from '../../lib/payout/dispatch-payout.ts';
import { form, get, invalid, json, post, refusal } from '../support/api-event.ts';
import { created, createdParts, payoutHarness } from '../support/payout-harness.ts';

const inTwo = { availableMinor: 100_000_000n };
const orderId = 'order-1';

describe('POST /api/v1/payout/cancel', () => {
  it('answers with the cancelled payout, as a creation does, and with the same when it is repeated', async () => {
    const harness = await payoutHarness();
    const { id } = await created(harness);
    const answer = await post(create(harness), form({ id }));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: [
          { id, status: 'DECLINED', amount: 1000, commission: 10, account_identifier: '411111******1111' },
        ],
      },
    });
    expect(await post(create(harness), json({ payout_id: id }))).toEqual(answer);
    const { body } = await get(payoutStatus(harness), { query: { id } });
    expect(body).toMatchObject({ status: 'DECLINED', amount_sent: 0, amount_returned: 1000 });
  });

  it('answers with all parts of an order', async () => {
    const harness = await payoutHarness(inTwo);
    await createdParts(harness, { amount: '600000', orderId });
    const { body } = await post(create(harness), form({ order_id: orderId }));
    expect(body['data']).toMatchObject([
      { status: 'DECLINED', amount: 500000 },
      { status: 'DECLINED', amount: 100000 },
    ]);
  });

  it('says that it is too late, and where to look', async () => {
    const harness = await payoutHarness();
    const { id, revision } = await created(harness);
    await approvePayout(harness, { payoutId: id, revision, by: 'olga' });
    harness.rail.will('accepted');
    await dispatchPayout(harness, id);
    const answer = await post(create(harness), form({ id }));
    expect(answer).toMatchObject({
      status: 400,
      body: {
        success: false,
        message: 'api:error.transaction_rejected',
        errors: { id: [expect.stringMatching(/cannot be cancelled\. payout\/status returns its state\.$/)] },
      },
    });
  });

  it.each([{ id: 'x' }, { order_id: 'nobody' }, { id: '0000000000000000000101' }])(
    'does not find %o',
    async (fields) => {
      const harness = await payoutHarness();
      expect(await post(create(harness), form(fields))).toMatchObject(refusal(422, 'payout_not_found'));
    },
  );

  it('asks for one of the two ids', async () => {
    const harness = await payoutHarness();
    expect(await post(create(harness), form({ id: ' ' }))).toMatchObject(invalid('id', 'order_id'));
  });
});
