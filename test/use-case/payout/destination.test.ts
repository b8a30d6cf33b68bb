import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { type AccountId, toAccountId, toMerchantId } from '../../../lib/ids.ts';
import { createPersonalPayout } from '../../../lib/payout/create-personal-payout.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import { addPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import { resolveError } from '../../../lib/payout/resolve-error.ts';
import { payoutKey } from '../../../lib/store/payout-item.ts';
import { payoutAccountKey } from '../../../lib/store/payout-account-item.ts';
import { merchantId } from '../../support/builders.ts';
import { withoutNumberHashes } from '../../support/payout-accounts.ts';
import {
  balanceOf,
  created,
  eventsOf,
  type PayoutHarness,
  payoutHarness,
  reread,
  toCard,
  toPhone,
} from '../../support/payout-harness.ts';

const otherCard = { ...toCard, number: '5555555555554444' };
/** Another card with the same mask. */
const lookalike = { ...toCard, number: '4111111234501111' };

/** Tampers with an item, as an attacker with write access to the table could. */
const overwrite = (
  { table: { client, name: TableName } }: PayoutHarness,
  Key: { readonly PK: string; readonly SK: string },
  attribute: string,
  value: unknown,
) =>
  client.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: 'SET #attribute = :value',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':value': value },
    }),
  );

async function approvedAndDispatched(harness: PayoutHarness, payout: Payout): Promise<Payout> {
  await approvePayout(harness, { payoutId: payout.id, revision: 1, by: 'olga' });
  await dispatchPayout(harness, payout.id);
  return reread(harness, payout);
}

async function stored(harness: PayoutHarness, number: string) {
  const account = { merchantId, type: 'credit_card', number, currency: 'RUB' } as const;
  const added = await addPayoutAccount(harness, account);
  if (!added.ok) throw new Error(added.error);
  return added.value;
}

async function personal(harness: PayoutHarness, accountId: AccountId): Promise<Payout> {
  const made = await createPersonalPayout(harness, {
    caller: harness.caller,
    amount: '100',
    accountId,
    idempotencyKey: undefined,
    orderId: undefined,
  });
  const [payout] = made.ok ? made.value.payouts : [];
  if (!payout) throw new Error('nothing was created');
  return payout;
}

/** Nothing was sent, the money stays locked, and an alarm of its own is raised. */
async function expectRefused(harness: PayoutHarness, payout: Payout) {
  const after = await reread(harness, payout);
  expect(after).toMatchObject({ status: 'ERROR', reason: expect.stringContaining('sealed destination') });
  expect(harness.rail.calls).toEqual([]);
  expect(harness.alarms).toEqual([`destination_mismatch ${payout.id}`]);
  expect((await balanceOf(harness.table)).locked).toBeGreaterThan(0n);
}

describe('a regular payout is sent to the requested destination, and nowhere else', () => {
  it('when the destination of another payout was copied into it', async () => {
    const harness = await payoutHarness();
    const [payout, other] = [await created(harness), await created(harness, { destination: otherCard })];
    await overwrite(harness, payoutKey(payout.id), 'destination', other.destination);
    await approvedAndDispatched(harness, payout);
    await expectRefused(harness, payout);
  });

  it('when the context of the other payout was copied with it', async () => {
    const harness = await payoutHarness();
    const [payout, other] = [await created(harness), await created(harness, { destination: otherCard })];
    const context = { use: 'payout-destination', payout: other.groupId };
    await overwrite(harness, payoutKey(payout.id), 'destination', { ...other.destination, context });
    await approvedAndDispatched(harness, payout);
    await expectRefused(harness, payout);
  });

  it.each([
    ['under another mask', otherCard],
    ['under the same mask', lookalike],
  ])('when another card was sealed for it %s', async (_how, destination) => {
    const harness = await payoutHarness();
    const payout = await created(harness);
    const context = { use: 'payout-destination', payout: payout.groupId };
    const sealed = await harness.destinationSealer.seal(JSON.stringify(destination), context);
    await overwrite(harness, payoutKey(payout.id), 'destination', { sealed });
    await approvedAndDispatched(harness, payout);
    await expectRefused(harness, payout);
  });

  it('when a rule released it, as when a person did', async () => {
    const harness = await payoutHarness({ terms: { autoApproveUpToMinor: 100_000n } });
    const [payout, other] = [await created(harness), await created(harness, { destination: otherCard })];
    await overwrite(harness, payoutKey(payout.id), 'destination', other.destination);
    await dispatchPayout(harness, payout.id);
    await expectRefused(harness, payout);
  });

  it('when the rail does not know it and it is sent again', async () => {
    const harness = await payoutHarness();
    const [payout, other] = [await created(harness), await created(harness, { destination: otherCard })];
    harness.rail.will('lost_before', 'unknown');
    await approvedAndDispatched(harness, payout);
    await overwrite(harness, payoutKey(payout.id), 'destination', other.destination);
    harness.pass(20);
    await dispatchPayout(harness, payout.id);
    expect(await reread(harness, payout)).toMatchObject({ status: 'ERROR' });
    expect(harness.rail.books.size).toBe(0);
  });

  it('and is resolved by a person; checking again changes nothing', async () => {
    const harness = await payoutHarness();
    const [payout, other] = [await created(harness), await created(harness, { destination: otherCard })];
    await overwrite(harness, payoutKey(payout.id), 'destination', other.destination);
    const { revision } = await approvedAndDispatched(harness, payout);
    const resolution = { payoutId: payout.id, by: 'olga', evidence: 'table log' } as const;
    await resolveError(harness, { ...resolution, revision, outcome: 'ask' });
    await dispatchPayout(harness, payout.id);
    const again = await reread(harness, payout);
    expect(again).toMatchObject({ status: 'ERROR' });
    expect(harness.rail.books.size).toBe(0);
    expect(
      await resolveError(harness, { ...resolution, revision: again.revision, outcome: 'failed' }),
    ).toMatchObject({ ok: true, value: { status: 'FAIL' } });
  });

  it('and its postback shows the mask where the phone cannot be verified', async () => {
    const harness = await payoutHarness();
    const payout = await created(harness, { destination: toPhone });
    const other = await created(harness, { destination: { ...toPhone, phone: '79990001122' } });
    await overwrite(harness, payoutKey(payout.id), 'destination', other.destination);
    const { revision } = await approvedAndDispatched(harness, payout);
    const resolution = { payoutId: payout.id, revision, by: 'olga', evidence: 'table log' } as const;
    await resolveError(harness, { ...resolution, outcome: 'failed' });
    expect(await eventsOf(harness.table)).toMatchObject([{ Status: 'FAIL', AccountNumber: '7******6789' }]);
  });
});

describe('a personal payout is sent to its stored account, and nowhere else', () => {
  it('when the destination of another account was copied into it', async () => {
    const harness = await payoutHarness();
    const [one, other] = [await stored(harness, toCard.number), await stored(harness, otherCard.number)];
    const payout = await personal(harness, one.id);
    await overwrite(harness, payoutKey(payout.id), 'destination', other.destination);
    await approvedAndDispatched(harness, payout);
    await expectRefused(harness, payout);
  });

  it('when another account was named in it', async () => {
    const harness = await payoutHarness();
    const [one, other] = [await stored(harness, toCard.number), await stored(harness, otherCard.number)];
    const payout = await personal(harness, one.id);
    await overwrite(harness, payoutKey(payout.id), 'destination', other.destination);
    await overwrite(harness, payoutKey(payout.id), 'accountId', other.id);
    await approvedAndDispatched(harness, payout);
    await expectRefused(harness, payout);
  });

  it('when the account belongs to another merchant', async () => {
    const harness = await payoutHarness();
    const one = await stored(harness, toCard.number);
    const payout = await personal(harness, one.id);
    const stranger = {
      ...one,
      id: toAccountId('StrangerAccount1'),
      merchantId: toMerchantId('OtherOtherOther1'),
    };
    await harness.payoutAccounts.create({ ...stranger, numberHash: one.numberHash ?? '' });
    const context = { use: 'payout-destination', account: stranger.id };
    const sealed = await harness.destinationSealer.seal(JSON.stringify(toCard), context);
    await approvePayout(harness, { payoutId: payout.id, revision: 1, by: 'olga' });
    await overwrite(harness, payoutKey(payout.id), 'destination', { sealed });
    await overwrite(harness, payoutKey(payout.id), 'accountId', stranger.id);
    await dispatchPayout(harness, payout.id);
    await expectRefused(harness, payout);
  });

  it('when the stored account was replaced by a card with the same mask', async () => {
    const harness = await payoutHarness();
    const one = await stored(harness, toCard.number);
    const context = { use: 'payout-destination', account: one.id };
    const sealed = await harness.destinationSealer.seal(JSON.stringify(lookalike), context);
    await overwrite(harness, payoutAccountKey(merchantId, one.id), 'destination', { sealed });
    const payout = await personal(harness, one.id);
    await approvedAndDispatched(harness, payout);
    await expectRefused(harness, payout);
  });
});

describe('a payout created before recipients were hashed', () => {
  it('to a stored account is checked by the mask alone, and is paid', async () => {
    const harness = await payoutHarness();
    const { id } = await stored(harness, toCard.number);
    await withoutNumberHashes(harness.table);
    const payout = await personal(harness, id);
    expect(await approvedAndDispatched(harness, payout)).toMatchObject({ status: 'SUCCESS' });
    expect(harness.rail.destinations).toEqual([{ type: 'credit_card', number: toCard.number }]);
  });

  it('with its stored context and the longer phone mask is paid', async () => {
    const harness = await payoutHarness();
    const payout = await created(harness, { destination: toPhone });
    const context = { use: 'payout-destination', payout: payout.groupId };
    await overwrite(harness, payoutKey(payout.id), 'destination', { ...payout.destination, context });
    await overwrite(harness, payoutKey(payout.id), 'mask', '7912***6789');
    expect(await approvedAndDispatched(harness, payout)).toMatchObject({ status: 'SUCCESS' });
    expect(harness.rail.destinations).toEqual([toPhone]);
  });
});
