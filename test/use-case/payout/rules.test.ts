import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toAccountId } from '../../../lib/ids.ts';
import { declinePayout } from '../../../lib/payout/moderate.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { forgetAccount } from '../../../lib/payout/forget-account.ts';
import { addPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import { createPersonalPayout } from '../../../lib/payout/create-personal-payout.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import { resolveError } from '../../../lib/payout/resolve-error.ts';
import { knownAccountKey } from '../../../lib/store/payout-claims.ts';
import { dynamoPayouts } from '../../../lib/store/payouts.ts';
import { merchantId } from '../../support/builders.ts';
import {
  card,
  created,
  type PayoutHarness,
  payoutHarness,
  reread,
  toPhone,
} from '../../support/payout-harness.ts';
import { payoutTerms } from '../../support/payouts.ts';

const known = { autoApproveKnownUpToMinor: 100_000n };
const by = 'olga';

const approve = (harness: PayoutHarness, { id: payoutId }: Payout) =>
  approvePayout(harness, { payoutId, revision: 1, by });

/** A payout that a person approved, with this outcome. */
async function approvedIn(harness: PayoutHarness, status: 'PROCESS' | 'SUCCESS' | 'FAIL' | 'ERROR') {
  const payout = await created(harness);
  await approve(harness, payout);
  if (status === 'FAIL') harness.rail.will('refused');
  if (status === 'ERROR') harness.rail.will('accepted', 'unknown');
  if (status !== 'PROCESS') await dispatchPayout(harness, payout.id);
  if (status === 'ERROR') {
    harness.pass(20);
    await dispatchPayout(harness, payout.id);
  }
  expect(await reread(harness, payout)).toMatchObject({ status });
  return payout;
}

const next = (harness: PayoutHarness, orderId = 'the next') => created(harness, { orderId });

describe('a known account', () => {
  it('is one to which a payout approved by a person was paid', async () => {
    const harness = await payoutHarness({ terms: known });
    await approvedIn(harness, 'SUCCESS');
    const decisions = [{ by: 'rule:auto_approve_known_accounts' }];
    expect(await next(harness)).toMatchObject({ status: 'NEW', decisions });
    expect(await created(harness, { destination: toPhone })).toMatchObject({ status: 'MODERATING' });
  });

  it.each(['PROCESS', 'FAIL', 'ERROR'] as const)('is not one whose payout is %s', async (status) => {
    const harness = await payoutHarness({ terms: known });
    await approvedIn(harness, status);
    expect(await next(harness)).toMatchObject({ status: 'MODERATING' });
  });

  it('is not one whose payout a person declined', async () => {
    const harness = await payoutHarness({ terms: known });
    const { id: payoutId } = await created(harness);
    await declinePayout(harness, { payoutId, revision: 1, by, reason: 'no' });
    expect(await next(harness)).toMatchObject({ status: 'MODERATING' });
  });

  it('is not one whose payout only a rule released, even if a person resolved its outcome', async () => {
    const harness = await payoutHarness({ terms: { ...known, autoApproveUpToMinor: 10_000n } });
    const small = await created(harness, { amount: '100' });
    await dispatchPayout(harness, small.id);
    expect(await reread(harness, small)).toMatchObject({ status: 'SUCCESS' });
    const settled = await created(harness, { amount: '99' });
    harness.rail.will('accepted', 'unknown');
    await dispatchPayout(harness, settled.id);
    harness.pass(20);
    await dispatchPayout(harness, settled.id);
    const { revision } = await reread(harness, settled);
    await resolveError(harness, { payoutId: settled.id, revision, outcome: 'paid', by, evidence: 'letter' });
    expect(await next(harness)).toMatchObject({ status: 'MODERATING' });
  });

  it('is not one marked before the rule that only approvals by a person count', async () => {
    const harness = await payoutHarness({ terms: known });
    const { accountHash } = await created(harness);
    const Item = { ...knownAccountKey(merchantId, accountHash), lastPaidBy: 'somebody' };
    await harness.table.client.send(new PutCommand({ TableName: harness.table.name, Item }));
    expect(await next(harness)).toMatchObject({ status: 'MODERATING' });
  });

  it('stays known when a rule releases a payout to it', async () => {
    const harness = await payoutHarness({ terms: known });
    await approvedIn(harness, 'SUCCESS');
    await dispatchPayout(harness, (await next(harness, 'by rule')).id);
    expect(await next(harness)).toMatchObject({ status: 'NEW' });
  });

  it('is forgotten by the id of a payout to it, until a person approves another', async () => {
    const harness = await payoutHarness({ terms: known });
    const { id: payoutId } = await approvedIn(harness, 'SUCCESS');
    expect(await forgetAccount(harness, { payoutId })).toMatchObject({ value: { wasKnown: true } });
    expect(await forgetAccount(harness, { payoutId })).toMatchObject({ value: { wasKnown: false } });
    const waiting = await next(harness, 'waiting');
    expect(waiting).toMatchObject({ status: 'MODERATING' });
    await approve(harness, waiting);
    await dispatchPayout(harness, waiting.id);
    expect(await next(harness)).toMatchObject({ status: 'NEW' });
  });

  it('that is stored is forgotten by its account id', async () => {
    const harness = await payoutHarness({ terms: known });
    const account = { merchantId, type: 'credit_card', number: card, currency: 'RUB' } as const;
    const added = await addPayoutAccount(harness, account);
    const accountId = toAccountId(added.ok ? added.value.id : '');
    const ask = async (orderId: string) => {
      const asked = { caller: harness.caller, amount: '10', accountId, orderId, idempotencyKey: undefined };
      const made = await createPersonalPayout(harness, asked);
      const [payout] = made.ok ? made.value.payouts : [];
      if (!payout) throw new Error('nothing was created');
      return payout;
    };
    const first = await ask('first');
    await approve(harness, first);
    await dispatchPayout(harness, first.id);
    expect(await ask('second')).toMatchObject({ status: 'NEW' });
    await forgetAccount(harness, { merchantId, accountId });
    expect(await ask('third')).toMatchObject({ status: 'MODERATING' });
  });

  it('is looked up for many payouts by one read', async () => {
    const harness = await payoutHarness();
    const paid = await approvedIn(harness, 'SUCCESS');
    const others = [await next(harness), await created(harness, { destination: toPhone })];
    let reads = 0;
    const send = harness.table.client.send.bind(harness.table.client);
    const client = Object.assign(Object.create(harness.table.client), {
      send: (command: Parameters<typeof send>[0]) => {
        reads += 1;
        return send(command);
      },
    });
    const payouts = dynamoPayouts({ ...harness.table, client }, () => payoutTerms());
    const ids = await payouts.toKnownAccounts([paid, ...others]);
    expect(ids).toEqual(new Set([paid.id, others[0]?.id]));
    expect(reads).toBe(1);
  });
});

describe('the daily total of a rule', () => {
  const within = (made: readonly Payout[]) => made.filter(({ status }) => status === 'NEW').length;

  it.each([
    ['small payouts', { autoApproveUpToMinor: 1_000n, autoApproveDayTotalMinor: 10_500n }],
    ['known accounts', { autoApproveKnownUpToMinor: 1_000n, autoApproveKnownDayTotalMinor: 10_500n }],
  ])('of %s holds under 64 concurrent requests: the others wait for a person', async (_which, terms) => {
    const harness = await payoutHarness({ availableMinor: 10_000_000n, terms });
    await approvedIn(harness, 'SUCCESS');
    const made = await Promise.all(
      Array.from({ length: 64 }, (_, at) => created(harness, { amount: '10', orderId: `order-${at}` })),
    );
    expect(within(made)).toBe(10);
    expect(made).toHaveLength(64);
    // Half of the least payout is left of the total.
    expect(await created(harness, { amount: '5', orderId: 'last' })).toMatchObject({ status: 'NEW' });
    expect(await created(harness, { amount: '1', orderId: 'too much' })).toMatchObject({
      status: 'MODERATING',
    });
  });

  it('resets the next day', async () => {
    const terms = { autoApproveUpToMinor: 1_000n, autoApproveDayTotalMinor: 1_000n };
    const harness = await payoutHarness({ terms });
    const ask = (orderId: string) => created(harness, { amount: '10', orderId });
    expect(within([await ask('one'), await ask('two')])).toBe(1);
    harness.pass(24 * 3600);
    expect(within([await ask('three'), await ask('four')])).toBe(1);
  });

  it('is not given back by a payout that failed', async () => {
    const terms = { autoApproveUpToMinor: 1_000n, autoApproveDayTotalMinor: 1_000n };
    const harness = await payoutHarness({ terms });
    const { id } = await created(harness, { amount: '10' });
    harness.rail.will('refused');
    await dispatchPayout(harness, id);
    expect(await created(harness, { amount: '10', orderId: 'again' })).toMatchObject({
      status: 'MODERATING',
    });
  });

  it('does not limit approvals by a person', async () => {
    const terms = { autoApproveUpToMinor: 1_000n, autoApproveDayTotalMinor: 0n };
    const harness = await payoutHarness({ terms });
    const payout = await created(harness, { amount: '10' });
    expect(payout).toMatchObject({ status: 'MODERATING' });
    expect(await approve(harness, payout)).toMatchObject({ ok: true });
  });
});
