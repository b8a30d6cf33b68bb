import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { carryOut, type DecisionOutcome } from '../../../lib/decision/carry-out.ts';
import type { Decision, Role } from '../../../lib/decision/decision.ts';
import { isPayoutId, type MerchantId } from '../../../lib/ids.ts';
import { refreshToken } from '../../../lib/merchant/refresh-token.ts';
import { replayOnePostback } from '../../../lib/postback/replay-postback.ts';
import { setMerchant } from '../../../lib/merchant/set-merchant.ts';
import { setRate } from '../../../lib/merchant/set-rate.ts';
import { setShop } from '../../../lib/merchant/set-shop.ts';
import { type HandOutcome, handOutcomes, type PaymentPhase } from '../../../lib/payment/payment.ts';
import type { AcquirerView } from '../../../lib/payment/ports.ts';
import { resumeEndpoint } from '../../../lib/postback/replay-postbacks.ts';
import { endpointIdOf } from '../../../lib/postback/event.ts';
import { setPayoutAccount } from '../../../lib/payout/payout-accounts.ts';
import type { Payout } from '../../../lib/payout/payout.ts';
import { scan } from '../invariants/records.ts';
import type { World } from '../harness/world.ts';

/** Decides about a payout as it was on the list a while ago. */
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
  const outcome = await say(world, decision);
  const [verdict] = outcome?.kind === 'payouts' ? outcome.verdicts : [];
  if (!verdict || verdict.refusal !== undefined) return;
  if (verdict.proposalId === undefined) world.count(approves ? 'approved' : 'declined');
  else await decideProposed(world, verdict.proposalId);
}

/** Where it takes two people, the first tries to be both, and the second decides a while later. */
async function decideProposed(world: World, proposalId: string): Promise<void> {
  world.count('takes two people');
  const approval = { kind: 'approve_proposal', proposalId } as const;
  await say(world, approval, { role: 'approver', by: 'оlga' });
  await world.pause(world.random.below(40));
  const rejection = { kind: 'reject_proposal', proposalId, reason: 'doubtful' } as const;
  const agrees = world.random.happens(0.8);
  await say(world, agrees ? approval : rejection, { role: 'approver', by: 'petr' });
}

/** What an operator does in a day, each thing now and then. */
export async function operate(world: World): Promise<void> {
  const does = world.random.weighted({
    ban: 3,
    allow: 5,
    shop: 2,
    token: 3,
    rate: 2,
    account: 2,
    returned: 2,
    stop: 4,
    errors: 3,
    payments: 3,
    resume: 4,
    replay: 2,
    contradiction: 2,
    expiry: 1,
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
    await agreed(world, { kind: 'return_payout', payoutId, revision, evidence: 'statement' }, true);
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
  /** Not the operator's work either: the store removes some of what has expired. */
  expiry: (world: World) => world.outside('time to live', () => removeExpired(world)),
  /** No work of the operator's, but as rare. */
  async contradiction(world: World) {
    const { random, population, provider } = world;
    if (population.payments.length === 0) return;
    const payment = random.pick(population.payments.slice(-20));
    const to = world.steps === 'two' && random.happens(0.5) ? 'authorised' : 'captured';
    await world.outside('the acquirer contradicts itself', () => provider.contradict(payment, to));
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

const isAboutAge = ({ kind }: Decision): boolean => kind === 'resolve_payment' || kind === 'approve_proposal';

/** One person's decision, as the command has it carried out; what it led to, unless it was refused or crashed. */
async function say(
  world: World,
  decision: Decision,
  { by = 'olga', role = 'operator' }: { readonly by?: string; readonly role?: Role } = {},
): Promise<DecisionOutcome | undefined> {
  const ran = await world.invoke(`carry out ${decision.kind}`, async (ports) => {
    const key = { role, by, id: ports.newId(16) };
    await ports.decisions.write(key, decision);
    // Few payments here come to the age of an hour; at any other the races are the same.
    const now = () => new Date(ports.now().getTime() + (isAboutAge(decision) ? 3600_000 : 0));
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
 * What takes two is first agreed to by the same person under other spellings, then by a second one, who does it only for
 * what is true, and rejects the rest.
 */
async function agreed(world: World, decision: Decision, isTrue: boolean): Promise<void> {
  const outcome = await say(world, decision);
  if (outcome === undefined) return;
  world.count(`by hand: ${outcome.kind}`);
  if (outcome.kind !== 'proposal') return;
  const approval = { kind: 'approve_proposal', proposalId: outcome.id } as const;
  for (const by of ['OLGA', 'оlga']) await say(world, approval, { role: 'approver', by });
  const rejection = { kind: 'reject_proposal', proposalId: outcome.id, reason: 'not in the books' } as const;
  await say(world, isTrue ? approval : rejection, { role: 'approver', by: 'petr' });
}

/** Has the rail asked again, says what its books say, or says anything. The command finds out what may be believed. */
export async function resolveErrors(world: World, ways: readonly ('ask' | 'books' | 'lie')[]): Promise<void> {
  const listed = await world.invoke('list errors', ({ payouts }) => payouts.listInError());
  if (listed.kind !== 'done') return;
  for (const { id: payoutId, revision } of listed.done) {
    const looked = await world.invoke('look at the rail', ({ rail }) => rail.get(payoutId));
    const books = looked.kind === 'done' ? looked.done.state : undefined;
    const way = world.random.pick(ways);
    // What the rail took nothing of is asked about for ever where its account is banned: the command cancels it there.
    const tookNothing = books === 'refused' || books === 'unknown' || books === 'provider_empty';
    const honest = books === 'paid' ? 'paid' : tookNothing ? 'failed' : 'ask';
    const outcome =
      way === 'ask' ? 'ask' : way === 'lie' ? world.random.pick(['paid', 'failed'] as const) : honest;
    const isTrue = (outcome === 'paid' && books === 'paid') || (outcome === 'failed' && books === 'refused');
    await agreed(world, { kind: 'resolve_payout', payoutId, revision, outcome, evidence: 'books' }, isTrue);
    world.count('error resolved');
  }
}

/** Says of payments what the acquirer's books say, or anything, while handlers ask it too. */
async function resolvePayments(world: World): Promise<void> {
  const listed = await world.invoke('list undecided', ({ payments }) => payments.listUndecided());
  if (listed.kind !== 'done') return;
  for (const { id: paymentId, phase } of listed.done) {
    const looked = await world.invoke('look at the acquirer', ({ acquirer }) => acquirer.get(paymentId));
    if (looked.kind !== 'done') continue;
    const said = wordFor(phase, looked.done);
    const lies = world.random.happens(0.5);
    const word = lies ? { outcome: world.random.pick(handOutcomes), amountMinor: undefined } : said;
    if (!word) continue;
    const isTrue = said !== undefined && said.outcome === word.outcome && !lies;
    await agreed(world, { kind: 'resolve_payment', paymentId, phase, evidence: 'books', ...word }, isTrue);
  }
}

type Word = { readonly outcome: HandOutcome; readonly amountMinor: bigint | undefined };

/** Only what the books say for good: an order that is ended, or money that nobody has begun to give back. */
function wordFor(phase: PaymentPhase, view: AcquirerView): Word | undefined {
  if (view.state === 'captured')
    return phase === 'AUTHORIZING' || phase === 'CAPTURING'
      ? { outcome: 'captured', amountMinor: view.amountMinor }
      : undefined;
  return ['declined', 'voided', 'refunded'].includes(view.state)
    ? { outcome: 'failed', amountMinor: undefined }
    : undefined;
}

export async function resumeEndpoints(world: World): Promise<void> {
  const listed = await world.invoke('list undelivered', ({ events }) => events.listUndelivered());
  if (listed.kind !== 'done') return;
  const paused = listed.done.filter(({ state }) => state === 'PAUSED' || state === 'DEAD');
  for (const endpointId of new Set(paused.map(endpointIdOf))) {
    // While all goes wrong people hope for a server that is gone; in the end they know that it is.
    if (!world.receivers.faults && world.population.deadEndpoints.includes(endpointId)) continue;
    await world.invoke('resume endpoint', (ports) => resumeEndpoint(ports, endpointId));
  }
}
