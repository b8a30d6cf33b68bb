import type { PayoutId } from '../../../lib/ids.ts';
import { carryOut } from '../../../lib/decision/carry-out.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { recordLateAnswer } from '../../../lib/payout/late-answer.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import type { PayoutRail } from '../../../lib/payout/payout-rail.ts';
import { receivePayoutNotice } from '../../../lib/payout/receive-payout-notice.ts';
import type { ErrorOutcome } from '../../../lib/payout/resolve-error.ts';
import { ProviderBusy } from '../../../lib/provider-port.ts';
import { payoutValues } from '../../../lib/sandbox/test-values.ts';
import { onlyRail } from '../../support/rail.ts';
import type { Ports } from '../harness/ports.ts';
import { unkindRail } from '../harness/manner-sets.ts';
import type { World } from '../harness/world.ts';
import { payOut, thirdMerchant } from './scenario-steps.ts';

const hour = 3_600_000;
const cardFor = (outcome: string): string | undefined =>
  payoutValues.find((row) => row.use === 'payout card' && row.outcome === outcome)?.value;

/** The rail forgets keys after a day, and its search shows nothing for days. */
function makeUnkind({ provider }: World): void {
  provider.railManners = { ...unkindRail, searchLagSeconds: 7 * 24 * 3600 };
}

type Send = (rail: PayoutRail) => PayoutRail['send'];

/** The rail does what is asked, and no answer to `send` arrives. */
const unanswered: Send = (rail) => async (transfer) => {
  await rail.send(transfer);
  throw new Error('no answer');
};

async function dispatch(world: World, payoutId: PayoutId, send?: Send): Promise<void> {
  const withSend = (ports: Ports): Ports => {
    const rail = ports.rails.forNew('credit_card');
    return rail && send ? { ...ports, rails: onlyRail({ ...rail, send: send(rail) }) } : ports;
  };
  await world.pump(world.invoke('dispatch payout', (ports) => dispatchPayout(withSend(ports), payoutId)));
}

async function shown(world: World, payoutId: PayoutId): Promise<Payout | undefined> {
  const ran = await world.pump(world.invoke('show payout', ({ payouts }) => payouts.find(payoutId)));
  return ran.kind === 'done' ? ran.done : undefined;
}

/** Dispatches every hour for so long, while no answer to `send` arrives. */
async function dispatchFor(world: World, payoutId: PayoutId, hours: number): Promise<void> {
  for (let passed = 0; passed <= hours; passed += 1) {
    await dispatch(world, payoutId, unanswered);
    world.scheduler.clock += hour;
  }
}

async function resolveAlone(world: World, payoutId: PayoutId, outcome: ErrorOutcome): Promise<void> {
  const { revision = 0 } = (await shown(world, payoutId)) ?? {};
  await world.pump(
    world.invoke('carry out resolve_payout', async (ports) => {
      const key = { role: 'operator', by: 'olga', id: ports.newId(16) } as const;
      const decision = { kind: 'resolve_payout', payoutId, revision, outcome, evidence: 'a letter' } as const;
      await ports.decisions.write(key, decision);
      return carryOut(ports, key);
    }),
  );
}

const lostForever = async (world: World): Promise<PayoutId> => {
  makeUnkind(world);
  const payoutId = await payOut(world, thirdMerchant(world), '100');
  await dispatchFor(world, payoutId, 26);
  return payoutId;
};

/** It is paid; every answer is lost, and the search does not show it. A person has it checked again when its key is forgotten. */
export async function forgottenKey(world: World): Promise<void> {
  const payoutId = await lostForever(world);
  await resolveAlone(world, payoutId, 'ask');
  await dispatch(world, payoutId, unanswered);
}

/** The same payout, which nobody settles: it is in ERROR, with what the rail was asked and what it answered. */
export async function notFoundNotFailed(world: World): Promise<void> {
  const payoutId = await lostForever(world);
  const { status, railCalls = [] } = (await shown(world, payoutId)) ?? {};
  const asked = new Set(railCalls.map(({ call }) => call));
  if (status !== 'ERROR' || !asked.has('send') || !asked.has('get'))
    world.violate('evidence', `${payoutId} is ${status ?? 'lost'}, known of it: ${[...asked].join(', ')}`);
}

/** One person alone believes that it was not paid. */
export async function failedAloneWithoutTombstone(world: World): Promise<void> {
  await resolveAlone(world, await lostForever(world), 'failed');
}

/** The first call pays and its answer is lost; the second is refused, which says nothing about the first. */
export async function refusedAfterUnanswered(world: World): Promise<void> {
  makeUnkind(world);
  const payoutId = await payOut(world, thirdMerchant(world), '100');
  await dispatch(world, payoutId, unanswered);
  world.scheduler.clock += hour;
  await dispatch(world, payoutId, () => async () => ({ state: 'not_taken', reason: 'forbidden' }));
  world.scheduler.clock += hour;
  await dispatch(world, payoutId);
}

/** The first call pays and its answer is lost; the second is not carried out. A day later the rail has forgotten the key. */
export async function busyAfterUnanswered(world: World): Promise<void> {
  makeUnkind(world);
  const payoutId = await payOut(world, thirdMerchant(world), '100');
  await dispatch(world, payoutId, unanswered);
  world.scheduler.clock += hour;
  await dispatch(world, payoutId, () => async () => {
    throw new ProviderBusy(60_000);
  });
  world.scheduler.clock += 24 * hour;
  await dispatch(world, payoutId);
}

/** The rail ends the first attempt for our empty account; the account is filled before the second. */
export async function attemptAfterEmptyAccount(world: World): Promise<void> {
  makeUnkind(world);
  const payoutId = await payOut(world, thirdMerchant(world), '100', cardFor('empty_account'));
  for (let tries = 0; tries < 3; tries += 1) {
    await dispatch(world, payoutId);
    world.scheduler.clock += hour;
  }
  const { status, attempt } = (await shown(world, payoutId)) ?? {};
  if (status !== 'SUCCESS' || attempt !== 2)
    world.violate('stuck', `${payoutId} is ${status ?? 'lost'} in attempt ${attempt ?? 'none'}`);
}

/** The rail ended the attempt for our empty account and paid it all the same; the answer that says so is late. */
export async function acceptedAfterItsEnd(world: World): Promise<void> {
  makeUnkind(world);
  const { provider } = world;
  const payoutId = await payOut(world, thirdMerchant(world), '100', cardFor('empty_account'));
  await dispatch(world, payoutId, unanswered);
  const asked = await shown(world, payoutId);
  const [transfer] = await provider.transfersOf(payoutId);
  provider.railManners = { ...unkindRail, searchLagSeconds: 0 };
  world.scheduler.clock += hour;
  await dispatch(world, payoutId);
  if (!asked || !transfer) return world.violate('lost', `${payoutId} is not at the rail`);
  await provider.payAfterItsEnd(transfer);
  const answer = { state: 'paid', reference: transfer.reference } as const;
  await world.pump(world.invoke('record late answer', (ports) => recordLateAnswer(ports, asked, answer)));
  world.scheduler.clock += hour;
  await dispatch(world, payoutId);
}

/** The rail takes a paid transfer back, or pays a refused one, and says so in a notification. */
export async function changedAfterwards(world: World): Promise<void> {
  makeUnkind(world);
  const { provider } = world;
  for (const [outcome, alarm] of [
    ['paid', 'payout_undone'],
    ['refused', 'paid_after_failure'],
  ] as const) {
    const payoutId = await payOut(
      world,
      thirdMerchant(world),
      outcome === 'paid' ? '100' : '101',
      cardFor(outcome),
    );
    await dispatch(world, payoutId);
    const [transfer] = await provider.transfersOf(payoutId);
    if (transfer) await provider.changeTransfer(transfer);
    await world.pump(world.invoke('receive payout notice', (ports) => receivePayoutNotice(ports, payoutId)));
    if (!world.alarms.has(`${alarm} ${payoutId}`))
      world.violate('silent', `the rail changed ${payoutId}, and no ${alarm} was raised`);
  }
}
