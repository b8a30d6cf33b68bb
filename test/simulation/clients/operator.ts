import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { carryOut, type DecisionOutcome } from '../../../lib/decision/carry-out.ts';
import type { Decision, Role } from '../../../lib/decision/decision.ts';
import { isPayoutId, type MerchantId, type PayoutId } from '../../../lib/ids.ts';
import { refreshToken } from '../../../lib/merchant/refresh-token.ts';
import { replayOnePostback } from '../../../lib/postback/replay-postback.ts';
import { setMerchant } from '../../../lib/merchant/set-merchant.ts';
import { refundFees } from '../../../lib/merchant/terms.ts';
import { setRate } from '../../../lib/merchant/set-rate.ts';
import { setTerms } from '../../../lib/merchant/set-terms.ts';
import { setShop } from '../../../lib/merchant/set-shop.ts';
import { type HandOutcome, handOutcomes, type PaymentPhase } from '../../../lib/payment/payment.ts';
import type { AcquirerView } from '../../../lib/payment/acquirer.ts';
import { seenState } from '../../../lib/payment/next-step.ts';
import { resumeEndpoint } from '../../../lib/postback/replay-postbacks.ts';
import { endpointIdOf } from '../../../lib/postback/event.ts';
import { setPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import type { RailView } from '../../../lib/payout/payout-rail.ts';
import { transferOf } from '../../../lib/payout/transfer.ts';
import { billCurrencyWeights, hasReserves } from '../harness/population.ts';
import { scan } from '../harness/scan.ts';
import type { World } from '../harness/world.ts';
import { chargebacks } from './chargebacks.ts';

/** Decides on a payout from a list that may be outdated by then. */
export async function moderate(world: World): Promise<void> {
  const { random } = world;
  const listed = await world.invoke('list moderating', ({ payouts }) => payouts.listModerating());
  if (listed.kind !== 'done' || listed.done.length === 0) return;
  await world.pause(random.below(40));
  await decide(world, random.pick(listed.done), random.happens(0.75));
}

export async function decide(world: World, { id, revision }: Payout, approves: boolean): Promise<void> {
  const payouts = [{ id, revision }];
  const decision: Decision = approves
    ? { kind: 'approve_payouts', payouts, reason: undefined }
    : { kind: 'decline_payouts', payouts, reason: 'doubtful' };
  const outcome = await submitDecision(world, decision);
  const [verdict] = outcome?.kind === 'payouts' ? outcome.verdicts : [];
  if (!verdict || verdict.refusal !== undefined) return;
  if (verdict.proposalId === undefined) world.count(approves ? 'approved' : 'declined');
  else await decideProposed(world, verdict.proposalId);
}

/** A payout that takes two people: the first tries to approve under a lookalike name; the second decides later. */
async function decideProposed(world: World, proposalId: string): Promise<void> {
  world.count('takes two people');
  const approval = { kind: 'approve_proposal', proposalId } as const;
  await submitDecision(world, approval, { role: 'approver', by: 'оlga' });
  await world.pause(world.random.below(40));
  const rejection = { kind: 'reject_proposal', proposalId, reason: 'doubtful' } as const;
  const agrees = world.random.happens(0.8);
  await submitDecision(world, agrees ? approval : rejection, { role: 'approver', by: 'petr' });
}

/** Performs one of an operator's actions, drawn by weight. */
export async function operate(world: World): Promise<void> {
  const does = world.random.weighted({
    ban: 3,
    allow: 5,
    shop: 2,
    token: 3,
    rate: 2,
    reserve: hasReserves(world.seed) ? 3 : 0,
    refundFee: 2,
    account: 2,
    returned: 2,
    stop: 4,
    errors: 3,
    payments: 3,
    resume: 4,
    replay: 2,
    contradiction: world.set.changes,
    railChange: 1,
    expiry: 1,
    chargebacks: 10,
  });
  await operations[does](world);
}

const operations = {
  async ban(world: World) {
    const { id: merchantId } = world.population.someMerchant();
    const flag = world.random.pick(['banned', 'verified', 'regularPayouts', 'enabled'] as const);
    const flags = { [flag]: flag === 'banned' };
    await world.invoke('ban merchant', (ports) => setMerchant(ports, { merchantId, flags }));
    await world.pause(world.random.below(150));
    await restore(world, merchantId);
  },
  allow: (world: World) => restore(world, world.population.someMerchant().id),
  async shop(world: World) {
    const shopId = world.random.pick(world.population.someMerchant().shops);
    const enabled = world.random.happens(0.8);
    await world.invoke('set shop', (ports) => setShop(ports, { shopId, enabled }));
  },
  async token(world: World) {
    const merchant = world.population.someMerchant();
    await refresh(world, merchant);
  },
  async rate(world: World) {
    const price = `0.1${world.random.below(9)}`;
    await world.invoke('set rate', (ports) => setRate(ports, { from: 'KZT', to: 'RUB', price }));
  },
  /** Payments that have started keep the terms of their start. */
  async reserve(world: World) {
    const { id: merchantId } = world.population.someMerchant();
    const changes = {
      reserveBasisPoints: world.random.below(10_001),
      reserveDays: 1 + world.random.below(3),
    };
    await world.invoke('set reserve', (ports) => setTerms(ports, { merchantId, currency: 'RUB', changes }));
  },
  /** Payments that were refunded in part meet the other terms with their next refund. */
  async refundFee(world: World) {
    const { id: merchantId } = world.population.someMerchant();
    const currency = world.random.weighted(billCurrencyWeights);
    const refundFee = world.random.pick(refundFees);
    await world.invoke('set refund fee', (ports) =>
      setTerms(ports, { merchantId, currency, changes: { refundFee } }),
    );
  },
  async account(world: World) {
    const { id: merchantId, accounts } = world.population.someMerchant();
    const accountId = world.random.pick(accounts);
    const changes = { banned: world.random.happens(0.3) };
    await world.invoke('set account', (ports) =>
      setPayoutAccount(ports, { merchantId, accountId, ...changes }),
    );
  },
  async returned(world: World) {
    const paid = [...world.ended].flatMap(([id, state]) =>
      isPayoutId(id) && state === 'SUCCESS' ? [id] : [],
    );
    if (paid.length === 0) return;
    const payoutId = world.random.pick(paid);
    const shown = await world.invoke('show payout', ({ payouts }) => payouts.find(payoutId));
    if (shown.kind !== 'done' || !shown.done) return;
    const { revision } = shown.done;
    await submitForApproval(
      world,
      { kind: 'return_payout', payoutId, revision, evidence: 'statement' },
      true,
    );
  },
  /** Declines one of the latest payouts as it was shown a while ago, wherever it stands. */
  async stop(world: World) {
    const { random, population } = world;
    const payoutId = population.payouts.at(-1 - random.below(6));
    if (payoutId === undefined) return;
    const shown = await world.invoke('show payout', ({ payouts }) => payouts.find(payoutId));
    if (shown.kind !== 'done' || !shown.done) return;
    await world.pause(random.below(20));
    await decide(world, shown.done, false);
  },
  /** Not an operator's action: the store deletes some expired items (TTL). */
  expiry: (world: World) => world.outside('time to live', () => removeExpired(world)),
  /** Not an operator's action, but as rare. */
  async contradiction(world: World) {
    const { random, population } = world;
    if (population.payments.length === 0) return;
    const payment = random.pick(population.payments.slice(-20));
    const provider = world.providerOf(payment);
    const how = random.pick(['late', 'taken_back', 'less', 'more'] as const);
    const to = provider.manners.steps === 'two' && random.happens(0.5) ? 'authorised' : 'captured';
    await world.outside('the acquirer contradicts itself', () =>
      how === 'late' ? provider.contradict(payment, to) : provider.changeCapture(payment, how),
    );
  },
  chargebacks: (world: World) => chargebacks(world, { alone: submitDecision, byTwo: submitForApproval }),
  /** The same of a payout that has ended: the rail pays what it refused, or takes back what it paid. */
  async railChange(world: World) {
    const { random, population } = world;
    const payoutId = population.payouts.at(-1 - random.below(10));
    if (payoutId === undefined) return;
    const provider = random.pick(world.providers);
    const transfers = await world.outside('look into the cabinet', () => transfersOf(world, payoutId));
    const own = await world.outside('look into the cabinet', () => provider.transfersOf(payoutId));
    const [transfer] = own.filter(({ state }) => state === 'paid' || state === 'refused');
    if (transfer && transfers.length === 1)
      await world.outside('the rail changes a transfer', () => provider.changeTransfer(transfer));
  },
  errors: (world: World) => resolveErrors(world, ['ask', 'books', 'lie']),
  payments: (world: World) => resolvePayments(world),
  resume: (world: World) => resumeEndpoints(world),
  async replay(world: World) {
    const payment = world.population.payments.at(-1 - world.random.below(10));
    const eventId = `pay.${payment}.${world.random.pick(['SUCCESS', 'FAIL'])}`;
    await world.invoke('replay postback', (ports) => replayOnePostback(ports, { eventId }));
  },
};

async function removeExpired({ table, random, scheduler }: World): Promise<void> {
  const expired = (await scan(table)).filter(({ ttl }) => Number(ttl ?? Infinity) * 1000 < scheduler.clock);
  for (const { PK, SK } of expired)
    if (random.happens(0.5))
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: { PK, SK } }));
}

const restore = (world: World, merchantId: MerchantId) =>
  world.invoke('allow merchant', (ports) =>
    setMerchant(ports, {
      merchantId,
      flags: { enabled: true, banned: false, verified: true, regularPayouts: true, subscription: 'active' },
    }),
  );

export async function refresh(
  world: World,
  merchant: { readonly id: MerchantId; token: string },
): Promise<void> {
  const ran = await world.invoke('refresh token', (ports) =>
    refreshToken(ports, { merchantId: merchant.id }),
  );
  if (ran.kind === 'done' && ran.done.ok) merchant.token = ran.done.value.apiToken;
}

/** Few payments of a run reach the age of an hour; the races are the same at any age. So what needs that age is decided as if later. */
export const decidedAheadMs = 3600_000;
const isAboutAge = ({ kind }: Decision): boolean => kind === 'resolve_payment' || kind === 'approve_proposal';

/** Records and carries out a person's decision as the command does; undefined when it was refused or crashed. */
export async function submitDecision(
  world: World,
  decision: Decision,
  { by = 'olga', role = 'operator' }: { readonly by?: string; readonly role?: Role } = {},
): Promise<DecisionOutcome | undefined> {
  const ran = await world.invoke(`carry out ${decision.kind}`, async (ports) => {
    const key = { role, by, id: ports.newId(16) };
    await ports.decisions.write(key, decision);
    const now = () => new Date(ports.now().getTime() + (isAboutAge(decision) ? decidedAheadMs : 0));
    return carryOut({ ...ports, now }, key);
  });
  const carried = ran.kind === 'done' ? ran.done : undefined;
  if (carried && !carried.ok)
    world.count(
      `refused: ${typeof carried.error === 'string' ? carried.error : `${carried.error.contradictedBy} says otherwise`}`,
    );
  return carried?.ok ? carried.value : undefined;
}

/**
 * A decision that takes two people: the same person first tries to approve it under other spellings of the name; then a
 * second person approves it if it is true and rejects it otherwise.
 */
async function submitForApproval(world: World, decision: Decision, isTrue: boolean): Promise<void> {
  const outcome = await submitDecision(world, decision);
  if (outcome === undefined) return;
  world.count(`by hand: ${outcome.kind}`);
  if (outcome.kind !== 'proposal') return;
  const approval = { kind: 'approve_proposal', proposalId: outcome.id } as const;
  for (const by of ['OLGA', 'оlga']) await submitDecision(world, approval, { role: 'approver', by });
  const rejection = { kind: 'reject_proposal', proposalId: outcome.id, reason: 'not in the books' } as const;
  await submitDecision(world, isTrue ? approval : rejection, { role: 'approver', by: 'petr' });
}

/** Resolves payouts in ERROR: has the rail queried again, states what its books show, or lies. The command must reject the lies. */
export async function resolveErrors(world: World, ways: readonly ('ask' | 'books' | 'lie')[]): Promise<void> {
  const listed = await world.invoke('list errors', ({ payouts }) => payouts.listInError());
  if (listed.kind !== 'done') return;
  for (const payout of listed.done) {
    const { id: payoutId, revision } = payout;
    const looked = await world.invoke('look at the rail', async ({ rails }) =>
      rails.named(payout.rail ?? 'sandbox')?.get(transferOf(payout)),
    );
    const books = looked.kind === 'done' ? looked.done?.state : undefined;
    const way = world.random.pick(ways);
    const tombstones = (world.providers.find(({ name }) => name === payout.rail) ?? world.provider)
      .railManners.tombstones;
    const found = tombstones ? books : await stateInBooks(world, payoutId, books);
    // A payout to a banned account that the rail never received would be queried forever; the command cancels it at the rail.
    const tookNothing = found === 'refused' || found === 'unknown' || found === 'provider_empty';
    const honest = found === 'paid' ? 'paid' : tookNothing ? 'failed' : 'ask';
    const outcome =
      way === 'ask' ? 'ask' : way === 'lie' ? world.random.pick(['paid', 'failed'] as const) : honest;
    const confirms = tombstones ? found === 'refused' : tookNothing;
    const isTrue = (outcome === 'paid' && found === 'paid') || (outcome === 'failed' && confirms);
    await submitForApproval(
      world,
      { kind: 'resolve_payout', payoutId, revision, outcome, evidence: 'books' },
      isTrue,
    );
    world.count('error resolved');
  }
}

/** Where the rail cannot tell, people look into the provider's cabinet, which shows every transfer at once. */
async function stateInBooks(
  world: World,
  payoutId: PayoutId,
  answered: RailView['state'] | undefined,
): Promise<RailView['state'] | undefined> {
  const transfers = await world.outside('look into the cabinet', () => transfersOf(world, payoutId));
  const states = transfers.map(({ state }) => state);
  const moving = states.find((state) => state === 'paid' || state === 'accepted');
  return moving ?? (answered === undefined ? undefined : 'unknown');
}

/** The transfers of a payout at all providers. */
const transfersOf = async ({ providers }: World, payoutId: PayoutId) =>
  (await Promise.all(providers.map((provider) => provider.transfersOf(payoutId)))).flat();

/**
 * Refunds that the acquirer rejected, or that it does not have a day after they were asked for: two people return the money in
 * another way, after the alarm.
 */
export async function returnRejected(world: World): Promise<void> {
  const listed = await world.invoke('list undecided', ({ payments }) => payments.listUndecided());
  if (listed.kind !== 'done') return;
  for (const { id: paymentId, phase } of listed.done) {
    if (phase !== 'REFUNDING' || !world.alarms.has(`refund_rejected ${paymentId}`)) continue;
    const outcome = { outcome: 'failed', amountMinor: undefined } as const;
    await submitForApproval(
      world,
      { kind: 'resolve_payment', paymentId, phase, evidence: 'bank transfer', ...outcome },
      true,
    );
    world.count('did return a rejected refund in another way');
  }
}

/** Resolves payments by what the acquirer's books show, or by a lie, while handlers query the acquirer too. */
async function resolvePayments(world: World): Promise<void> {
  const listed = await world.invoke('list undecided', ({ payments }) => payments.listUndecided());
  if (listed.kind !== 'done') return;
  for (const { id: paymentId, phase, acquirer, reference } of listed.done) {
    if (reference === undefined) continue;
    const looked = await world.invoke('look at the acquirer', async ({ acquirers }) =>
      acquirers.named(acquirer)?.look(reference),
    );
    if (looked.kind !== 'done' || !looked.done) continue;
    const recorded = outcomeFor(phase, looked.done.view);
    const lies = world.random.happens(0.5);
    const stated = lies ? { outcome: world.random.pick(handOutcomes), amountMinor: undefined } : recorded;
    if (!stated) continue;
    const isTrue = recorded !== undefined && recorded.outcome === stated.outcome && !lies;
    await submitForApproval(
      world,
      { kind: 'resolve_payment', paymentId, phase, evidence: 'books', ...stated },
      isTrue,
    );
  }
}

type StatedOutcome = { readonly outcome: HandOutcome; readonly amountMinor: bigint | undefined };

/** The outcome that the books prove: an order that has ended, or a capture whose refund has not begun. */
function outcomeFor(phase: PaymentPhase, view: AcquirerView): StatedOutcome | undefined {
  const seen = seenState(view);
  if (view.state === 'captured' && seen === 'captured')
    return phase === 'AUTHORIZING' || phase === 'CAPTURING'
      ? { outcome: 'captured', amountMinor: view.amountMinor }
      : undefined;
  return ['declined', 'voided', 'refunded'].includes(seen)
    ? { outcome: 'failed', amountMinor: undefined }
    : undefined;
}

export async function resumeEndpoints(world: World): Promise<void> {
  const listed = await world.invoke('list undelivered', ({ events }) => events.listUndelivered());
  if (listed.kind !== 'done') return;
  const paused = listed.done.filter(({ state }) => state === 'PAUSED' || state === 'DEAD');
  for (const endpointId of new Set(paused.map(endpointIdOf))) {
    // During the faults operators resume any endpoint; during recovery not one that is known to be dead.
    if (!world.receivers.faults && world.population.deadEndpoints.includes(endpointId)) continue;
    await world.invoke('resume endpoint', (ports) => resumeEndpoint(ports, endpointId));
  }
}
