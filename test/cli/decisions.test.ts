import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { carryOut } from '../../lib/decision/carry-out.ts';
import { type Decision, mostPayouts, type Role } from '../../lib/decision/decision.ts';
import { agreed } from '../../lib/decision/proposal.ts';
import { dynamoDecisions, dynamoProposals } from '../../lib/store/decisions.ts';
import { retryingClient } from '../../lib/store/retrying-client.ts';
import type { Table } from '../../lib/store/table.ts';
import type { RailAct } from '../support/rail.ts';
import { itemsOf } from '../support/items-of.ts';
import { merchantId } from '../support/builders.ts';
import { type OperatorHarness, operatorHarness } from '../support/operator.ts';
import { balanceOf, created, journalOf, reread } from '../support/payout-harness.ts';
import { inError as toError } from '../../lib/payout/moves.ts';
import { inStatus } from '../support/payouts.ts';

const evidence = 'statement, line 4';

/** A payout in ERROR: its outcome is unknown; the payout provider may have accepted it before. */
async function inError(accepted?: true) {
  const harness = await operatorHarness();
  const before = await balanceOf(harness.table);
  const payout = await created(harness);
  await harness.json(`payouts approve ${payout.id}`);
  const queued = inStatus(await reread(harness, payout), 'PROCESS');
  await harness.payouts.move(queued, { ...toError(queued, 'why'), providerKey: payout.id, accepted });
  harness.rail.calls.length = 0;
  return { harness, payout, before };
}

const failed = (id: string) => `payouts resolve ${id} --as failed --evidence "${evidence}" --yes`;
const callsOf = ({ rail }: OperatorHarness) => rail.calls.map((call) => call.split(' ')[0]);

describe('payouts resolve --as failed', () => {
  it.each<[string, RailAct[], string[]]>([
    ['refused it', ['refused'], ['get']],
    ['does not know it and refuses it permanently', ['unknown', 'unknown'], ['get', 'cancel']],
    ['has not taken it and refuses it permanently', ['provider_empty', 'refused'], ['get', 'cancel']],
  ])('one person releases the money when the provider %s', async (_how, acts, calls) => {
    const { harness, payout, before } = await inError();
    harness.rail.will(...acts);
    expect(await harness.type(failed(payout.id))).toMatchObject({ exitCode: 0 });
    expect(await reread(harness, payout)).toMatchObject({ status: 'FAIL' });
    expect(callsOf(harness)).toEqual(calls);
    expect(await balanceOf(harness.table)).toMatchObject({ available: before.available, locked: 0n });
  });

  it.each<[string, RailAct[]]>([
    ['has paid it', ['paid']],
    ['has accepted it', ['accepted']],
    ['pays it during the cancellation', ['unknown', 'paid']],
  ])('is refused when the provider %s', async (_how, acts) => {
    const { harness, payout } = await inError();
    harness.rail.will(...acts);
    const { exitCode, complained } = await harness.type(failed(payout.id));
    expect({ exitCode, complained }).toMatchObject({
      exitCode: 1,
      complained: expect.stringContaining('The rail says otherwise'),
    });
    expect(await reread(harness, payout)).toMatchObject({ status: 'ERROR' });
  });

  it.each<[string, RailAct[], true | undefined]>([
    ['does not answer', ['lost_before', 'lost_before'], undefined],
    ['does not answer the cancellation', ['unknown', 'lost_before', 'unknown', 'lost_before'], undefined],
    ['no longer knows the payout that it accepted', ['unknown', 'unknown'], true],
  ])('needs two people when the provider %s', async (_how, acts, accepted) => {
    const { harness, payout, before } = await inError(accepted);
    harness.rail.will(...acts);
    const { said } = await harness.type(failed(payout.id));
    expect(said).toContain('it needs a second person');
    expect(await reread(harness, payout)).toMatchObject({ status: 'ERROR' });
    const [proposal] = await harness.json('proposals list');

    await harness.json(`proposals approve ${proposal.id} --by petr`);

    expect(await reread(harness, payout)).toMatchObject({ status: 'FAIL' });
    expect((await reread(harness, payout)).decisions.at(-1)).toMatchObject({
      by: 'olga',
      approvedBy: 'petr',
    });
    expect(await balanceOf(harness.table)).toMatchObject({ available: before.available, locked: 0n });
  });
});

describe('payouts resolve --as paid', () => {
  it('needs one person when the provider confirms it', async () => {
    const { harness, payout } = await inError();
    harness.rail.will('paid');
    await harness.json(`payouts resolve ${payout.id} --as paid --evidence x`);
    expect(await reread(harness, payout)).toMatchObject({ status: 'SUCCESS' });
  });

  it.each<RailAct>(['refused', 'unknown'])('is refused when the provider answers %s', async (act) => {
    const { harness, payout } = await inError();
    harness.rail.will(act);
    const line = `payouts resolve ${payout.id} --as paid --evidence x --yes`;
    expect((await harness.type(line)).complained).toContain('The rail says otherwise');
    expect(await reread(harness, payout)).toMatchObject({ status: 'ERROR' });
  });
});

const decided = async (
  harness: OperatorHarness,
  decision: Decision,
  by = 'olga',
  role: Role = 'operator',
) => {
  const key = { role, by, id: harness.newId(16) };
  await harness.decisions.write(key, decision);
  return { key, done: await harness.carryOut(key) };
};

describe('a decision', () => {
  it('is found only under its author’s key', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness);
    const payouts = [{ id: payout.id, revision: payout.revision }];
    const { key } = await decided(harness, { kind: 'approve_payouts', payouts, reason: undefined });
    expect(await harness.carryOut({ ...key, by: 'petr' })).toEqual({
      ok: false,
      error: 'decision_not_found',
    });
    expect(await harness.carryOut({ ...key, role: 'approver' })).toEqual({
      ok: false,
      error: 'decision_not_found',
    });
  });

  it.each<[Role, Decision]>([
    ['operator', { kind: 'approve_proposal', proposalId: 'x' }],
    ['operator', { kind: 'approve_adjustment', adjustmentId: 'x' }],
    ['approver', { kind: 'approve_payouts', payouts: [{ id: 'x', revision: 0 }], reason: undefined }],
    ['approver', { kind: 'return_payout', payoutId: 'x', revision: 1, evidence }],
  ])('of an %s is not %o', async (role, decision) => {
    const harness = await operatorHarness();
    const { done } = await decided(harness, decision, 'olga', role);
    expect(done).toEqual({ ok: false, error: 'not_in_this_role' });
  });

  it('is written once', async () => {
    const harness = await operatorHarness();
    const key = { role: 'operator', by: 'olga', id: 'one' } as const;
    await harness.decisions.write(key, { kind: 'approve_payouts', payouts: [], reason: undefined });
    await expect(
      harness.decisions.write(key, { kind: 'approve_payouts', payouts: [], reason: undefined }),
    ).rejects.toThrow();
  });

  it('with a card number in its reason is not stored', async () => {
    const { harness, payout } = await inError();
    const line = `payouts resolve ${payout.id} --as failed --evidence "card 4111 1111 1111 1111" --yes`;
    expect((await harness.type(line)).complained).toContain('card number');
    const lying = (await itemsOf(harness.table)).filter(({ PK }) => PK === 'OPERATOR#olga');
    expect(JSON.stringify(lying)).not.toContain('1111 1111');
  });

  it('that is carried out twice takes effect once and returns the same result', async () => {
    const harness = await operatorHarness();
    const payout = await created(harness);
    const payouts = [{ id: payout.id, revision: payout.revision }];
    const { key, done } = await decided(harness, { kind: 'approve_payouts', payouts, reason: undefined });
    expect(await harness.carryOut(key)).toEqual(done);
    expect((await reread(harness, payout)).decisions).toHaveLength(1);

    const money = { minor: 100n, currency: 'RUB' } as const;
    const adjustment = {
      merchantId,
      direction: 'credit',
      amount: money,
      reason: 'x',
      about: undefined,
    } as const;
    const proposed = await decided(harness, { kind: 'propose_adjustment', ...adjustment });
    expect(await harness.carryOut(proposed.key)).toEqual(proposed.done);
    expect(await harness.adjustments.listProposed()).toHaveLength(1);
    const { id: adjustmentId } = proposed.key;
    const approved = await decided(harness, { kind: 'approve_adjustment', adjustmentId }, 'petr', 'approver');
    expect(approved.done).toMatchObject({ ok: true });
    expect(await harness.carryOut(approved.key)).toEqual(approved.done);
  });

  it('of two people that is carried out twice takes effect once', async () => {
    const { harness, payout } = await inError();
    harness.rail.will('lost_before', 'lost_before');
    const { revision } = await reread(harness, payout);
    const word = {
      kind: 'resolve_payout',
      payoutId: payout.id,
      revision,
      outcome: 'failed',
      evidence,
    } as const;
    const proposed = await decided(harness, word);
    const approval = { kind: 'approve_proposal', proposalId: proposed.key.id } as const;
    const approved = await decided(harness, approval, 'petr', 'approver');
    expect(approved.done).toMatchObject({ ok: true });
    expect(await harness.carryOut(approved.key)).toMatchObject({ ok: true });
    expect(await harness.carryOut(proposed.key)).toEqual(proposed.done);
    const third = await decided(harness, approval, 'ivan', 'approver');
    expect(third.done).toEqual({ ok: false, error: 'proposal_already_decided' });
    expect((await journalOf(harness.table)).map(({ kind }) => kind).toSorted()).toEqual([
      'RELEASE',
      'RESERVE',
    ]);
  });

  it('of two people continues after a crash between the approval and its effect', async () => {
    const { harness, payout } = await inError();
    harness.rail.will('lost_before', 'lost_before');
    const { revision } = await reread(harness, payout);
    const word = {
      kind: 'resolve_payout',
      payoutId: payout.id,
      revision,
      outcome: 'failed',
      evidence,
    } as const;
    const { key } = await decided(harness, word);
    const approval = { role: 'approver', by: 'petr', id: 'approvalOf16char' } as const;
    await harness.decisions.write(approval, { kind: 'approve_proposal', proposalId: key.id });
    const crashing = {
      ...harness,
      payouts: { ...harness.payouts, finish: () => Promise.reject(new Error('crash')) },
      payoutQueue: { send: async () => undefined },
      decisions: harness.allDecisions,
    };
    await expect(carryOut(crashing, approval)).rejects.toThrow('crash');
    expect(await harness.json('proposals list')).toMatchObject([{ status: 'APPROVED' }]);
    const { complained } = await harness.type(`proposals reject ${key.id} --reason no --by ivan`);
    expect(complained).toContain('decided');

    expect(await harness.carryOut(approval)).toMatchObject({ ok: true });

    expect(await reread(harness, payout)).toMatchObject({ status: 'FAIL' });
    expect(await harness.json('proposals list')).toEqual([]);
  });
});

/** The first transaction is applied, and its response is lost. */
function losingTheFirstAnswer(table: Table): Table {
  const send = table.client.send.bind(table.client);
  let calls = 0;
  const line = Object.assign(Object.create(table.client), {
    async send(command: Parameters<typeof send>[0]) {
      const answer: unknown = await send(command);
      if ((calls += 1) === 1) throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
      return answer;
    },
  });
  return { ...table, client: retryingClient(line, table.backOff) };
}

describe('a proposal', () => {
  it('is rejected by another person or withdrawn by its proposer, and then has no effect', async () => {
    const { harness, payout } = await inError();
    for (const by of ['petr', 'olga']) {
      harness.rail.will('lost_before');
      await harness.type(failed(payout.id));
      const [{ id }] = await harness.json('proposals list');
      expect(
        await harness.json(`proposals reject ${id} --reason "not on the statement" --by ${by}`),
      ).toMatchObject({
        status: 'REJECTED',
        decidedBy: by,
      });
      expect((await harness.type(`proposals approve ${id} --by ivan --yes`)).complained).toContain('already');
    }
    expect(await reread(harness, payout)).toMatchObject({ status: 'ERROR' });
  });

  it('is not withdrawn by another operator', async () => {
    const { harness, payout } = await inError();
    harness.rail.will('lost_before');
    await harness.type(failed(payout.id));
    const [{ id: proposalId }] = await harness.json('proposals list');
    const { done } = await decided(harness, { kind: 'reject_proposal', proposalId, reason: 'no' }, 'ivan');
    expect(done).toEqual({ ok: false, error: 'not_in_this_role' });
  });

  it('cannot be approved by its proposer: the write itself refuses it', async () => {
    const { harness, payout } = await inError();
    harness.rail.will('lost_before');
    await harness.type(failed(payout.id));
    const [before] = await harness.proposals.listOpen();
    const mine = {
      ...before!,
      status: 'APPROVED',
      decided: { id: 'x', by: 'olga', at: harness.now(), reason: undefined },
    } as const;
    expect(await harness.proposals.move(before!, mine)).toMatchObject({ ok: false });
  });

  it('is approved when the store’s response was lost, and no other decision is reported', async () => {
    const { harness, payout } = await inError();
    harness.rail.will('lost_before');
    await harness.type(failed(payout.id));
    const [before] = await harness.proposals.listOpen();
    const proposals = dynamoProposals(losingTheFirstAnswer(harness.table));
    const approved = agreed(before!, { id: 'x', by: 'petr', at: harness.now(), reason: undefined });
    expect(await proposals.move(before!, approved)).toEqual({ ok: true, value: undefined });
    expect(await harness.proposals.find(approved.id)).toMatchObject({ status: 'APPROVED' });
  });
});

describe('a batch of payouts', () => {
  it('is decided payout by payout: a refused one does not affect the others', async () => {
    const harness = await operatorHarness();
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, at) => created(harness, { orderId: `o-${at}` })),
    );
    const shown = made.map(({ id, revision }) => ({ id, revision }));
    shown[2] = { ...shown[2]!, revision: 99 };
    const { done } = await decided(harness, {
      kind: 'approve_payouts',
      payouts: [...shown, { id: 'none', revision: 0 }],
      reason: undefined,
    });
    expect(done).toEqual({
      ok: true,
      value: {
        kind: 'payouts',
        verdicts: [
          { id: shown[0]!.id },
          { id: shown[1]!.id },
          { id: shown[2].id, refusal: 'payout_changed' },
          { id: shown[3]!.id },
          { id: shown[4]!.id },
          { id: 'none', refusal: 'payout_not_found' },
        ],
      },
    });
    expect((await reread(harness, made[2]!)).status).toBe('MODERATING');
    expect((await reread(harness, made[4]!)).status).toBe('PROCESS');
  });

  it('has a maximum size', async () => {
    const harness = await operatorHarness();
    const payouts = Array.from({ length: mostPayouts + 1 }, () => ({ id: 'x', revision: 0 }));
    const { done } = await decided(harness, { kind: 'approve_payouts', payouts, reason: undefined });
    expect(done).toEqual({ ok: false, error: 'too_many_payouts' });
  });
});

it('a decision is read strongly consistent, so a lagging replica does not hide it', async () => {
  const harness = await operatorHarness();
  const { table } = harness;
  const behind = async (command: Parameters<typeof table.client.send>[0]): Promise<unknown> =>
    command instanceof GetCommand && command.input.ConsistentRead !== true ? {} : table.client.send(command);
  const lagging: Table = { ...table, client: Object.assign(Object.create(table.client), { send: behind }) };
  const decisions = dynamoDecisions(lagging, harness.now);
  const key = { role: 'operator', by: 'olga', id: 'A'.repeat(16) } as const;

  await decisions.write(key, { kind: 'approve_adjustment', adjustmentId: 'x' });

  expect(await decisions.find(key)).toMatchObject({ decision: { kind: 'approve_adjustment' } });
});
