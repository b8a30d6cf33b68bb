import type { Acquirers } from '../../../lib/payment/acquirer.ts';
import { type Carried, carryOut } from '../../../lib/decision/carry-out.ts';
import type { Decision, Role } from '../../../lib/decision/decision.ts';
import type { PayoutId } from '../../../lib/ids.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import type { Ports } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';
import { aBill, open, payerOf, start } from './bill-scenarios.ts';
import { onlyRail } from '../../support/rail.ts';
import { PausedHandler } from './paused-handler.ts';

type Who = { readonly by: string; readonly role: Role };
const olga = { by: 'olga', role: 'operator' } as const;
const petr = { by: 'petr', role: 'approver' } as const;
const evidence = 'a lie';
const hour = 3600_000;

type Override = (ports: Ports) => Partial<Pick<Ports, 'acquirers' | 'rails'>>;
const unchanged: Override = () => ({});

/** No provider answers while the decision is carried out. */
const unanswered: Override = ({ acquirers, rails }) => {
  const nothing = async (): Promise<never> => Promise.reject(new Error('no answer'));
  const rail = rails.forNew('credit_card');
  const silent = rail && onlyRail({ ...rail, get: nothing, cancel: nothing });
  const named: Acquirers['named'] = (name) => {
    const acquirer = acquirers.named(name);
    return acquirer && { ...acquirer, get: nothing };
  };
  return { acquirers: { ...acquirers, named }, ...(silent && { rails: silent }) };
};

async function submitDecision(
  world: World,
  decision: Decision,
  { by, role }: Who,
  over = unchanged,
): Promise<Carried | undefined> {
  const ran = await world.pump(
    world.invoke(`carry out ${decision.kind}`, async (ports) => {
      const key = { role, by, id: ports.newId(16) };
      await ports.decisions.write(key, decision);
      return carryOut({ ...ports, ...over(ports) }, key);
    }),
  );
  return ran.kind === 'done' ? ran.done : undefined;
}

async function proposed(world: World, decision: Decision): Promise<string> {
  const done = await submitDecision(world, decision, olga, unanswered);
  if (done?.ok && done.value.kind === 'proposal') return done.value.id;
  world.violate('two people', `${decision.kind} of one person did not become a proposal`);
  return '';
}

const approve = (world: World, proposalId: string, who: Who, over = unchanged) =>
  submitDecision(world, { kind: 'approve_proposal', proposalId }, who, over);

/** Brings a payout into ERROR: its rail is replaced while the answer to its only call is in flight. */
async function payoutInError(
  world: World,
  payoutId: PayoutId,
  at: RegExp,
): Promise<{ readonly handler: PausedHandler; readonly failed: Decision }> {
  const handler = new PausedHandler(world, (ports) => dispatchPayout(ports, payoutId));
  await handler.goTo(at);
  world.scheduler.clock += 60_000;
  const another = (ports: Ports) => ({ ...ports, rails: { ...ports.rails, named: () => undefined } });
  await world.pump(world.invoke('dispatch payout', (ports) => dispatchPayout(another(ports), payoutId)));
  const { revision = 0 } = (await find(world, payoutId)) ?? {};
  return { handler, failed: { kind: 'resolve_payout', payoutId, revision, outcome: 'failed', evidence } };
}

async function find(world: World, payoutId: PayoutId): Promise<Payout | undefined> {
  const ran = await world.pump(world.invoke('show payout', ({ payouts }) => payouts.find(payoutId)));
  return ran.kind === 'done' ? ran.done : undefined;
}

type Play = (world: World, payoutId: PayoutId) => Promise<void>;

/** The rail has paid the payout, so an accepted lie shows in the rail's books. */
export const lieAboutPaid =
  (lie: (world: World, failed: Decision) => Promise<unknown>): Play =>
  async (world, payoutId) => {
    const { failed } = await payoutInError(world, payoutId, /transact payout→SUCCESS/);
    await lie(world, failed);
  };

export const lies = {
  /** Two people state what the rail contradicts. */
  contradicted: async (world: World, failed: Decision) => {
    await approve(world, await proposed(world, failed), petr);
    await submitDecision(world, failed, olga);
  },
  alone: (world: World, failed: Decision) => submitDecision(world, failed, olga, unanswered),
  inTwoSpellings: async (world: World, failed: Decision) => {
    const id = await proposed(world, failed);
    for (const by of ['olga', 'OLGA', 'оlga']) await approve(world, id, { ...petr, by }, unanswered);
  },
  byTwoOperators: async (world: World, failed: Decision) => {
    const id = await proposed(world, failed);
    await approve(world, id, { ...olga, by: 'ivan' }, unanswered);
  },
} as const;

/** The only call is still in flight, so an operator who checks the rail's books finds nothing. */
export const failedBeforeItArrives: Play = async (world, payoutId) => {
  const { handler, failed } = await payoutInError(world, payoutId, /rail open/);
  await submitDecision(world, failed, olga);
  await handler.end();
};

/** The payout was paid, and one person claims that it was returned. */
export const returnedAlone: Play = async (world, payoutId) => {
  await world.pump(world.invoke('dispatch payout', (ports) => dispatchPayout(ports, payoutId)));
  const { revision = 0 } = (await find(world, payoutId)) ?? {};
  const done = await submitDecision(world, { kind: 'return_payout', payoutId, revision, evidence }, olga);
  if (done?.ok && done.value.kind !== 'proposal')
    world.violate('two people', `${payoutId} was recorded as returned by one person`);
};

/** A decision that was not carried out is submitted again two hours later. */
export const carriedOutLate: Play = async (world, payoutId) => {
  await world.pump(world.invoke('dispatch payout', (ports) => dispatchPayout(ports, payoutId)));
  const { revision = 0 } = (await find(world, payoutId)) ?? {};
  const decision = { kind: 'return_payout', payoutId, revision, evidence } as const;
  const key = { ...olga, id: 'DecisionOfOlga01' };
  await world.pump(world.invoke('decide', (ports) => ports.decisions.write(key, decision)));
  world.scheduler.clock += 2 * hour;
  const ran = await world.pump(world.invoke('carry out late', (ports) => carryOut(ports, key)));
  if (ran.kind !== 'done' || ran.done.ok)
    world.violate('decisions', `the decision on ${payoutId} was carried out two hours later`);
};

/** A payer opened the card page, and the card may have been declined; an operator claims that the payer was charged. */
export const capturedByLie =
  (isDeclined: boolean, lie: (world: World, captured: Decision) => Promise<unknown>) =>
  async (world: World): Promise<void> => {
    const form = await open(world, await aBill(world));
    await world.pump(world.invoke('start', (ports) => start(ports, form)));
    if (isDeclined) await payerOf(world, form).pay('4000000000000002');
    world.scheduler.clock += hour;
    const { paymentId } = form;
    await lie(world, {
      kind: 'resolve_payment',
      paymentId,
      phase: 'AUTHORIZING',
      outcome: 'captured',
      amountMinor: undefined,
      evidence,
    });
  };
