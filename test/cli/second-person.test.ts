import { describe, expect, it } from 'vitest';
import { carryOut } from '../../lib/decision/carry-out.ts';
import type { Decision, Role } from '../../lib/decision/decision.ts';
import { approvePayout } from '../../lib/payout/moderate.ts';
import type { Payout } from '../../lib/payout/payout.ts';
import { merchantId } from '../support/builders.ts';
import { operatorHarness, type OperatorHarness } from '../support/operator.ts';
import { created, createdParts, putBalance, reread, toPhone } from '../support/payout-harness.ts';
import { inStatus } from '../support/payouts.ts';

const setSum = (harness: OperatorHarness, sum: string) =>
  harness.json(`terms set ${merchantId} RUB --second-person-above ${sum}`);

/** A merchant with a million, whose orders above 1 000.00 need two people. */
async function aHarness() {
  const harness = await operatorHarness();
  await putBalance(harness.table, 100_000_000n);
  await setSum(harness, '1000');
  return harness;
}

const shownOf = ({ id, revision }: Payout) => ({ id, revision });
const statusOf = async (harness: OperatorHarness, payout: Payout) => (await reread(harness, payout)).status;
const proposals = (harness: OperatorHarness) => harness.json('proposals list');

async function decided(
  harness: OperatorHarness,
  decision: Decision,
  { by = 'olga', role = 'operator' }: { readonly by?: string; readonly role?: Role } = {},
) {
  const key = { role, by, id: harness.newId(16) };
  await harness.decisions.write(key, decision);
  return { key, done: await harness.carryOut(key) };
}
const approving = (...payouts: readonly Payout[]) =>
  ({ kind: 'approve_payouts', payouts: payouts.map(shownOf), reason: undefined }) as const;

/** A payout above the sum that olga has approved. */
async function proposed() {
  const harness = await aHarness();
  const payout = await created(harness, { amount: '1000.01', orderId: 'large' });
  const { key, done } = await decided(harness, approving(payout));
  return { harness, payout, key, done, approval: { kind: 'approve_proposal', proposalId: key.id } as const };
}
const asApprover = { by: 'petr', role: 'approver' } as const;

describe('a payout above the sum of its merchant’s terms', () => {
  it.each([
    ['1000', 'PROCESS'],
    ['1000.01', 'MODERATING'],
  ])('of 1 000.00: one person approves %s, and it is %s', async (amount, status) => {
    const harness = await aHarness();
    const payout = await created(harness, { amount });
    await harness.json(`payouts approve ${payout.id}`);
    expect(await statusOf(harness, payout)).toBe(status);
  });

  it('needs one person while no sum is set', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness, { amount: '9000' });
    await harness.json(`payouts approve ${payout.id}`);
    expect(await statusOf(harness, payout)).toBe('PROCESS');
  });

  it('is refused to one person by the use case itself, and released for sending by two', async () => {
    const harness = await aHarness();
    const payout = await created(harness, { amount: '1000.01' });
    const shown = { payoutId: payout.id, revision: payout.revision, by: 'olga' };
    expect(await approvePayout(harness, shown)).toEqual({ ok: false, error: 'takes_two_people' });
    expect(await reread(harness, payout)).toEqual(payout);
    expect(await approvePayout(harness, { ...shown, approvedBy: 'petr' })).toMatchObject({ ok: true });
  });

  it('counts all parts of its order: neither a single part nor the last open one is below the sum', async () => {
    const harness = await aHarness();
    await setSum(harness, '599999.99');
    const parts = await createdParts(harness, { amount: '600000', orderId: 'split', destination: toPhone });
    const [first, second] = parts;
    if (!first || !second) throw new Error('the order was not split');
    expect((await decided(harness, approving(first))).done).toMatchObject({
      value: { verdicts: [{ id: first.id, proposalId: expect.any(String) }] },
    });
    await harness.json(`payouts decline ${first.id} --reason no`);
    await decided(harness, approving(second));
    expect(await statusOf(harness, second)).toBe('MODERATING');
  });

  it('is not approved by a rule', async () => {
    const harness = await aHarness();
    const rule = '--auto-approve-up-to 5000 --auto-approve-day-total 50000';
    await harness.json(`terms set ${merchantId} RUB ${rule}`);
    expect(await created(harness, { amount: '1000' })).toMatchObject({ status: 'NEW' });
    expect(await created(harness, { amount: '1000.01' })).toMatchObject({ status: 'MODERATING' });
  });
});

describe('the first person', () => {
  it('changes nothing: the payout waits for a second person, who releases it; both are recorded', async () => {
    const harness = await aHarness();
    const payout = await created(harness, { amount: '5000', orderId: 'large' });
    const { said } = await harness.type(`payouts approve ${payout.id} --reason "invoice 7"`, true);
    expect(harness.asked[0]).toContain('This needs a second person');
    expect(said).toMatch(
      /It is above the sum that one person may approve.*proposal (\w+) is to release 1 payout/,
    );
    expect(await reread(harness, payout)).toEqual(payout);
    expect((await harness.type(`trace ${payout.id}`)).said).toContain('proposed by olga: approve the payout');

    const [{ id, about, evidence }] = await proposals(harness);
    expect({ about, evidence }).toEqual({ about: payout.id, evidence: 'invoice 7' });
    expect((await harness.type('proposals list')).said).toContain(
      'release 1 payout, 5000.00 RUB together for sending',
    );
    const approved = await harness.type(`proposals approve ${id} --by petr`, true);

    expect(harness.asked.at(-1)).toMatch(
      /large[^]*Agree to release 1 payout, 5000\.00 RUB together for sending \(invoice 7\)\?/,
    );
    expect(approved).toMatchObject({
      exitCode: 0,
      said: expect.stringContaining('1 payout, 5000.00 RUB together: approved.'),
    });
    expect(await reread(harness, payout)).toMatchObject({
      status: 'PROCESS',
      decisions: [{ verdict: 'approved', by: 'olga', approvedBy: 'petr', reason: 'invoice 7' }],
    });
    expect((await harness.type(`trace ${payout.id}`)).said).toContain('approved by olga, approved by petr');
    expect(await proposals(harness)).toEqual([]);
  });

  it.each(['olga', 'Olga', 'оlga'])('cannot be the second, also as %s', async (by) => {
    const { harness, payout, approval } = await proposed();
    const { done } = await decided(harness, approval, { by, role: 'approver' });
    expect(done).toEqual({ ok: false, error: 'same_person' });
    expect(await statusOf(harness, payout)).toBe('MODERATING');
  });

  it('does not become the second when another operator approves, who is shown the proposal', async () => {
    const { harness, payout, key, done } = await proposed();
    expect(done).toEqual({
      ok: true,
      value: { kind: 'payouts', verdicts: [{ id: payout.id, proposalId: key.id }] },
    });
    const { exitCode, complained } = await harness.type(`payouts approve ${payout.id} --by ivan --yes`);
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining('One person has already approved this'),
    });
    // Bypassing the command creates another proposal.
    await decided(harness, approving(payout), { by: 'ivan' });
    expect(await statusOf(harness, payout)).toBe('MODERATING');
  });
});

describe('what one person has approved', () => {
  it('has no effect after the payout has changed', async () => {
    const { harness, payout, approval } = await proposed();
    const before = inStatus(await reread(harness, payout), 'MODERATING');
    await harness.payouts.move(before, { ...before, revision: before.revision + 1 });
    const { done } = await decided(harness, approval, asApprover);
    expect(done).toMatchObject({ value: { verdicts: [{ id: payout.id, refusal: 'payout_changed' }] } });
    expect(await statusOf(harness, payout)).toBe('MODERATING');
    expect(await harness.proposals.find(approval.proposalId)).toMatchObject({
      status: 'REFUSED',
      refusal: 'payout_changed',
    });
  });

  it('has no effect after the merchant is banned', async () => {
    const { harness, payout, approval } = await proposed();
    await harness.json(`merchant set ${merchantId} --banned yes`);
    const { exitCode, said } = await harness.type(`proposals approve ${approval.proposalId} --by petr --yes`);
    expect({ exitCode, said }).toMatchObject({ exitCode: 1, said: expect.stringContaining('is banned') });
    expect(await harness.proposals.find(approval.proposalId)).toMatchObject({
      status: 'REFUSED',
      refusal: 'merchant_banned',
    });
    expect(await statusOf(harness, payout)).toBe('MODERATING');
  });

  it('takes effect once, however often either decision is carried out', async () => {
    const { harness, payout, key, done, approval } = await proposed();
    expect(await harness.carryOut(key)).toEqual(done);
    expect(await proposals(harness)).toHaveLength(1);
    const approved = await decided(harness, approval, asApprover);
    expect(approved.done).toEqual({ ok: true, value: { kind: 'payouts', verdicts: [{ id: payout.id }] } });
    const after = await reread(harness, payout);
    expect(await harness.carryOut(approved.key)).toMatchObject({ ok: true });
    expect(await harness.carryOut(key)).toEqual(done);
    expect(await reread(harness, payout)).toEqual(after);
    expect(after.decisions).toHaveLength(1);
  });

  it('continues after a crash between the second approval and its effect', async () => {
    const { harness, payout, approval } = await proposed();
    const key = { role: 'approver', by: 'petr', id: 'approval00000001' } as const;
    await harness.decisions.write(key, approval);
    const crashing = {
      ...harness,
      payouts: { ...harness.payouts, releaseForSending: () => Promise.reject(new Error('crash')) },
      payoutQueue: { send: async () => undefined },
      decisions: harness.allDecisions,
    };
    await expect(carryOut(crashing, key)).rejects.toThrow('crash');
    expect(await harness.carryOut(key)).toMatchObject({ ok: true });
    expect((await reread(harness, payout)).decisions).toMatchObject([{ by: 'olga', approvedBy: 'petr' }]);
  });

  it('still needs the second person when the sum has been raised', async () => {
    const { harness, payout, key, done, approval } = await proposed();
    await setSum(harness, '0');
    expect(await harness.carryOut(key)).toEqual(done);
    await harness.json(`proposals reject ${approval.proposalId} --reason no --by petr`);
    expect(await harness.carryOut(key)).toEqual(done);
    expect(await statusOf(harness, payout)).toBe('MODERATING');
  });

  it('needs two people when the sum is lowered before it is carried out', async () => {
    const harness = await aHarness();
    const payout = await created(harness, { amount: '900' });
    const key = { role: 'operator', by: 'olga', id: 'decision00000001' } as const;
    await harness.decisions.write(key, approving(payout));
    await setSum(harness, '899.99');
    expect(await harness.carryOut(key)).toMatchObject({
      value: { verdicts: [{ proposalId: 'decision00000001' }] },
    });
    expect(await statusOf(harness, payout)).toBe('MODERATING');
  });
});

describe('a batch', () => {
  async function aBatch() {
    const harness = await aHarness();
    const [small, large, larger] = [
      await created(harness, { amount: '100', orderId: 'small' }),
      await created(harness, { amount: '2000', orderId: 'large' }),
      await created(harness, { amount: '3000', orderId: 'larger' }),
    ];
    return { harness, small, large, larger };
  }

  it('releases what one person may approve; the rest is one proposal', async () => {
    const { harness, small, large, larger } = await aBatch();
    expect((await harness.type('payouts list --moderating')).said.match(/takes two people/g)).toHaveLength(2);

    const { exitCode, said } = await harness.type('payouts approve --min 1 --yes');

    expect(exitCode).toBe(0);
    expect(said).toContain('1 payout, 100.00 RUB together: approved.');
    expect(said).toContain('2 payouts, 5000.00 RUB together: above the sum that one person may approve');
    const [{ id }] = await proposals(harness);
    expect(said).toContain(`proposals approve ${id}`);
    expect(await statusOf(harness, small)).toBe('PROCESS');
    expect(await statusOf(harness, large)).toBe('MODERATING');
    expect(await harness.json('payouts list --moderating')).toMatchObject([
      { takesTwoPeople: true, proposalId: id },
      { takesTwoPeople: true, proposalId: id },
    ]);
    expect((await harness.type('payouts list --moderating')).said).toContain(
      `waits for a second person: proposal ${id} by olga`,
    );
    const again = await harness.type('payouts approve --min 1 --yes');
    expect(again.said).toContain(`Left out, a second person decides on them: 2 payouts in ${id}`);
    expect(await proposals(harness)).toHaveLength(1);

    await harness.json(`proposals approve ${id} --by petr`);
    expect(await statusOf(harness, large)).toBe('PROCESS');
    expect(await statusOf(harness, larger)).toBe('PROCESS');
  });

  it('of two people releases what it can and reports the rest', async () => {
    const { harness, large, larger } = await aBatch();
    await harness.type('payouts approve --min 1 --yes');
    await harness.json(`payouts decline ${large.id} --reason doubtful`);
    const [{ id }] = await proposals(harness);
    const { exitCode, said } = await harness.type(`proposals approve ${id} --by petr --yes`);
    expect(exitCode).toBe(1);
    expect(said).toContain('1 payout, 3000.00 RUB together: approved.');
    expect(said).toContain(`${large.id}: This payout is not waiting for moderation`);
    expect(await statusOf(harness, larger)).toBe('PROCESS');
    expect(await harness.proposals.find(id)).toMatchObject({
      status: 'DONE',
      refusal: `${large.id} payout_not_moderating`,
    });
  });
});
