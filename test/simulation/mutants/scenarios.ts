import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { type PayoutId, toMerchantId, toShopId } from '../../../lib/ids.ts';
import type { Entry } from '../../../lib/ledger/entry.ts';
import { authenticate } from '../../../lib/merchant/authenticate.ts';
import { setMerchant } from '../../../lib/merchant/set-merchant.ts';
import { setTerms } from '../../../lib/merchant/set-terms.ts';
import { dispatchPayout } from '../../../lib/payout/dispatch-payout.ts';
import { approvePayout } from '../../../lib/payout/moderate.ts';
import { runAutoPayouts } from '../../../lib/payout/run-auto-payouts.ts';
import { standingOfPrevious } from '../../../lib/payment/page-secrets.ts';
import type { PostbackEvent } from '../../../lib/postback/event.ts';
import { payoutValues } from '../../../lib/sandbox/test-values.ts';
import { entryKey, putEntry } from '../../../lib/store/entry-item.ts';
import { eventKey, putEvent } from '../../../lib/store/event-item.ts';
import { getItem } from '../../../lib/store/get-item.ts';
import { transact } from '../../../lib/store/transact.ts';
import { decide, refresh } from '../clients/operator.ts';
import {
  attemptsBeyondTheBound,
  cancelledByPayer,
  cardPageAtRest,
  copiedForm,
  copiedFormInAnotherNetwork,
  copiedFormWithoutCookies,
  outcomeByIdAlone,
  strangerOpensTheLink,
  twoAttemptsAtOnce,
  twoLooksAtOnce,
} from './payer-scenarios.ts';
import { deadForWeeks, leftToRetries, probedTwice, putAsideLate, shownLate } from './postback-scenarios.ts';
import {
  aboveTheSum,
  accountBannedWhileSent,
  cardAsOrder,
  changedDestinations,
  duplicateByRule,
  knownByRule,
  numberBannedWhileCreated,
  numberBannedWhileSent,
  ruleAboveCeiling,
  ruleTotalAtOnce,
  twinOfBanned,
} from './payout-scenarios.ts';
import { repeatedBelow } from './store-scenarios.ts';
import { meanwhile, payOut, request, thirdMerchant } from './scenario-steps.ts';
import { declinedWhileDisplaced, fencedAfterTakeover, takenOverAfterFence } from './bill-scenarios.ts';
import {
  capturedByLie,
  carriedOutLate,
  failedBeforeItArrives,
  lieAboutPaid,
  lies,
  returnedAlone,
} from './people-scenarios.ts';
import type { Ports } from '../harness/ports.ts';
import { keysOf } from '../harness/keys.ts';
import { stable } from '../harness/stable.ts';
import type { Tables } from '../harness/tables.ts';
import type { KnownMerchant } from '../harness/population.ts';
import { World } from '../harness/world.ts';
import { checkMoment } from '../invariants/at-any-moment.ts';

type Play = (world: World) => Promise<void>;

/** A few calls in one order, for guards that chance would meet too rarely. What they break is told like any violation. */
const plays = {
  'an entry that exists stays': (world) => staysAsItIs(world, anEntry(1n), anEntry(2n)),
  'a postback that exists stays': (world) => staysAsItIs(world, anEvent('1.00'), anEvent('2.00')),
  'a transaction that the SDK repeated is known for our own': repeatedBelow,
  'a payment that lost its bill is not captured': fencedAfterTakeover,
  'a bill whose capture is under way is not taken over': takenOverAfterFence,
  'a payment that lost its bill leaves it alone when it fails': declinedWhileDisplaced,
  'two payments of one network at once keep its limit': twoAttemptsAtOnce,
  'the attempts of a network have a bound': attemptsBeyondTheBound,
  'a payment that the payer cancelled is no failure': cancelledByPayer,
  'a stranger is not led to a payment under way': strangerOpensTheLink,
  'a copied form leads nowhere': copiedForm,
  'a copied form without cookies leads nowhere later': copiedFormWithoutCookies,
  'a copied form without cookies leads nowhere in another network': copiedFormInAnotherNetwork,
  'the id of a payment alone opens nothing': outcomeByIdAlone,
  'the address of a card page is sealed and forgotten': cardPageAtRest,
  'two looks at once ask the acquirer once': twoLooksAtOnce,
  // Each of the two fits into the day's 9 000.00.
  'two payouts at once keep the limit of the day': (world) => twoAtOnce(world, '5000', '5001'),
  async 'two payouts at once keep the limit of the month'(world) {
    // Of the month's 15 000.00 a day has taken 8 000.00; each of the two fits into the rest, and both into their day.
    await payOut(world, thirdMerchant(world), '8000');
    world.scheduler.clock += 24 * 3600_000;
    await twoAtOnce(world, '4000', '4001');
  },
  'a payout that the rail never heard of is cancelled there': cancelledPayout,
  async 'a payout that is on its way to the rail is not declined'(world) {
    const payoutId = await payOut(world, thirdMerchant(world), '100');
    const dispatch = (ports: Ports) => dispatchPayout(ports, payoutId);
    await meanwhile(world, /rail open/, dispatch, () => declineAsShown(world, payoutId));
  },
  'a payout that was sent twice is not declined': declinedAfterTwoCalls,
  'a payout of one rail stays unknown to another': otherRail,
  async 'a standing order is run once for its hour'(world) {
    const { id: merchantId } = thirdMerchant(world);
    // A limit that the first run uses up would stop the second by itself.
    const changes = { dayLimitMinor: 100_000_000n, monthLimitMinor: 100_000_000n };
    await world.pump(
      world.invoke('set terms', (ports) => setTerms(ports, { merchantId, currency: 'RUB', changes })),
    );
    world.scheduler.clock += 3 * 3600_000;
    await meanwhile(world, /put standing order/, runAutoPayouts, async () => {
      // Whoever of them was paid first has enough for a second time.
      for (const { id } of world.population.merchants) await world.population.fund(id, 300_000n);
      await world.pump(world.invoke('run automatic payouts', (ports) => runAutoPayouts(ports)));
    });
  },
  'a merchant who is banned meanwhile pays nothing out': bannedMeanwhile,
  'a merchant who is banned meanwhile is not approved': approvedWhileBanned,
  'a payout whose merchant is banned meanwhile is not sent': sentWhileBanned,
  'a payout whose merchant is banned meanwhile is not sent again': resentWhileBanned,
  'what is put aside while its endpoint is resumed is sent': putAsideLate,
  'what shows on the index a moment late is sent when its endpoint is resumed': shownLate,
  'a receiver that is dead for weeks loses nothing': deadForWeeks,
  'a receiver behind its breaker is probed once in five seconds': probedTwice,
  'a receiver that hangs is left to the workers of retries': leftToRetries,
  'a number that is banned meanwhile is not paid': numberBannedWhileCreated,
  'a payout whose number is banned meanwhile is not sent': numberBannedWhileSent,
  'a payout whose stored account is banned meanwhile is not sent': accountBannedWhileSent,
  'a payout whose sealed destination was changed is not sent': changedDestinations,
  'two payouts at once keep the daily total of a rule': ruleTotalAtOnce,
  'no rule lets go what is above its ceiling': ruleAboveCeiling,
  'a payout that a rule let go makes no account known': knownByRule,
  'a possible duplicate is let go by no rule': duplicateByRule,
  'an order above the sum is let go by no rule and by no one person in parts': aboveTheSum,
  'the twin of a banned account is not paid': twinOfBanned,
  'a card number is not kept as the order_id of its payout': cardAsOrder,
  'two people cannot fail what the rail has paid': (world) =>
    aboutAPayout(world, lieAboutPaid(lies.contradicted)),
  'one person alone cannot fail a payout': (world) => aboutAPayout(world, lieAboutPaid(lies.alone)),
  'one person in two spellings is one': (world) => aboutAPayout(world, lieAboutPaid(lies.inTwoSpellings)),
  'two operators are not two people': (world) => aboutAPayout(world, lieAboutPaid(lies.byTwoOperators)),
  'a payout that is on its way is not failed by who sees nothing of it': (world) =>
    aboutAPayout(world, failedBeforeItArrives),
  'one person alone books nothing that came back': (world) => aboutAPayout(world, returnedAlone),
  'an old decision is carried out by nobody': (world) => aboutAPayout(world, carriedOutLate),
  'two people cannot capture what the acquirer declined': capturedByLie(true, lies.contradicted),
  'one person alone captures nothing': capturedByLie(false, lies.alone),
  async 'a token that was replaced opens nothing'(world) {
    const merchant = thirdMerchant(world);
    const before = merchant.token;
    await world.pump(refresh(world, merchant));
    const ran = await world.pump(
      world.invoke('use a token', (ports) => authenticate(ports, `Bearer ${before}`)),
    );
    if (ran.kind === 'done' && ran.done) world.violate('token', 'a token that was replaced still opens');
  },
  async 'a page secret that was replaced is accepted for two hours and no longer'(world) {
    const since = new Date(world.scheduler.clock);
    const after = (minutes: number) => new Date(world.scheduler.clock + minutes * 60_000);
    if (standingOfPrevious(since, after(121)) !== 'over')
      world.violate('page secret', 'a replaced one is still accepted');
  },
  async 'a new page secret signs when every function knows it'(world) {
    const since = new Date(world.scheduler.clock);
    const fiveMinutesLater = new Date(world.scheduler.clock + 5 * 60_000);
    if (standingOfPrevious(since, fiveMinutesLater) !== 'signs')
      world.violate('page secret', 'pages are signed under one that other functions do not know yet');
  },
} as const satisfies Readonly<Record<string, Play>>;

const aboutAPayout = async (
  world: World,
  happens: (world: World, payoutId: PayoutId) => Promise<void>,
): Promise<void> => happens(world, await payOut(world, thirdMerchant(world), '100'));

export type Scenario = keyof typeof plays;
export const scenarios: readonly Scenario[] = keysOf(plays);

/** Plays one on tables of its own; nothing goes wrong but what the scenario does. */
export async function play(tables: Tables, scenario: Scenario): Promise<World> {
  const name = scenario.replaceAll(' ', '-');
  const [table, sandboxTable] = await Promise.all([
    tables.make(`service-${name}`),
    tables.make(`sandbox-${name}`),
  ]);
  const world = new World(1, 'mixed', table, sandboxTable);
  world.calmDown();
  await world.population.settle();
  for (const { id } of world.population.merchants) await world.population.fund(id, 2_000_000n);
  await plays[scenario](world);
  await checkMoment(world);
  return world;
}

const anEntry = (minor: bigint): Entry => ({
  about: 'somebody',
  kind: 'ADJUST',
  merchantId: toMerchantId('SomebodySomebody'),
  lines: [
    { account: 'fees', currency: 'RUB', minor },
    { account: 'correction', currency: 'RUB', minor: -minor },
  ],
  at: new Date('2026-11-21T12:00:00Z'),
  adjustment: undefined,
});

const anEvent = (sum: string): PostbackEvent => ({
  id: 'pay.somebody.SUCCESS',
  kind: 'payment',
  merchantId: toMerchantId('SomebodySomebody'),
  shopId: toShopId('SomebodySomebody'),
  supersededByBill: undefined,
  status: 'SUCCESS',
  fields: { OutSum: sum },
  state: 'SUPERSEDED',
  attempts: [],
  tries: 0,
  createdAt: new Date('2026-11-21T12:00:00Z'),
  nextAt: new Date('2026-11-21T12:00:00Z'),
});

/** Written a second time with other words, it still has the first. */
async function staysAsItIs<T extends Entry | PostbackEvent>(
  world: World,
  first: T,
  second: T,
): Promise<void> {
  const { table } = world;
  const put = (it: T) => ('lines' in it ? putEntry(table, it) : putEvent(table, it));
  const key = 'lines' in first ? entryKey(first) : eventKey(first.id);
  const read = () => getItem(table, key, (raw) => stable(raw));
  await transact(table, [put(first)]);
  const before = await read();
  await transact(table, [put(second)]).catch(() => undefined);
  if ((await read()) !== before) world.violate('overwritten', `${key.PK} was written over`);
  // It is about nobody, which the audit would not like.
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: key }));
}

/** The second sees the limit as it was before the first took its share. */
async function twoAtOnce(world: World, first: string, second: string): Promise<void> {
  const merchant = thirdMerchant(world);
  // Somebody was paid today already, so both add to what runs.
  await payOut(world, merchant, '10');
  await meanwhile(
    world,
    /transact .*RESERVE/,
    (ports) => request(ports, merchant, first),
    () => payOut(world, merchant, second),
  );
}

/** A message to the rail that is on its way for a day arrives after the payout failed. */
async function cancelledPayout(world: World): Promise<void> {
  const payoutId = await payOut(world, thirdMerchant(world), '100');
  await meanwhile(
    world,
    /rail open/,
    (ports) => dispatchPayout(ports, payoutId),
    async () => {
      world.scheduler.clock += 25 * 3600_000;
      await world.pump(world.invoke('dispatch payout', (ports) => dispatchPayout(ports, payoutId)));
    },
  );
}

/** The first call is still on its way when the answer to the second says that nothing was taken. */
async function declinedAfterTwoCalls(world: World): Promise<void> {
  const emptyAccount = payoutValues.find(
    ({ use, outcome }) => use === 'payout card' && outcome === 'empty_account',
  );
  const payoutId = await payOut(world, thirdMerchant(world), '100', emptyAccount?.value);
  const dispatch = (ports: Ports) => dispatchPayout(ports, payoutId);
  await meanwhile(world, /rail open/, dispatch, async () => {
    world.scheduler.clock += 60_000;
    await world.pump(world.invoke('dispatch payout', dispatch));
    await declineAsShown(world, payoutId);
  });
}

async function declineAsShown(world: World, payoutId: PayoutId): Promise<void> {
  const shown = await world.pump(world.invoke('show payout', ({ payouts }) => payouts.find(payoutId)));
  if (shown.kind === 'done' && shown.done) await world.pump(decide(world, shown.done, false));
}

/** The answer of the rail is on its way when another rail is deployed and the payout is due. */
async function otherRail(world: World): Promise<void> {
  const payoutId = await payOut(world, thirdMerchant(world), '100');
  const called = async (): Promise<never> => {
    world.violate('rail', `${payoutId} was sent to one rail, and another was called about it`);
    throw new Error('no answer');
  };
  const another = { name: 'another', limits: () => undefined, send: called, get: called, cancel: called };
  await meanwhile(
    world,
    /transact payout→SUCCESS/,
    (ports) => dispatchPayout(ports, payoutId),
    async () => {
      world.scheduler.clock += 60_000;
      await world.pump(
        world.invoke('dispatch payout', (ports) => dispatchPayout({ ...ports, rail: another }, payoutId)),
      );
    },
  );
}

const ban = (world: World, { id: merchantId }: KnownMerchant) =>
  world.pump(world.invoke('ban', (ports) => setMerchant(ports, { merchantId, flags: { banned: true } })));

async function approvedWhileBanned(world: World): Promise<void> {
  const merchant = world.population.merchants[0];
  if (!merchant) throw new Error('The population has merchants');
  const payoutId = await payOut(world, merchant, '1000');
  await meanwhile(
    world,
    /transact payout→PROCESS.QUEUED/,
    (ports) => approvePayout(ports, { payoutId, revision: 1, by: 'olga' }),
    () => ban(world, merchant),
  );
}

async function sentWhileBanned(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const payoutId = await payOut(world, merchant, '100');
  await meanwhile(
    world,
    /transact payout→PROCESS.SENT/,
    (ports) => dispatchPayout(ports, payoutId),
    () => ban(world, merchant),
  );
}

/** The first call is still on its way when the merchant is banned and the payout is asked about. */
async function resentWhileBanned(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  const payoutId = await payOut(world, merchant, '100');
  const dispatch = (ports: Ports) => dispatchPayout(ports, payoutId);
  await meanwhile(world, /rail open/, dispatch, async () => {
    await ban(world, merchant);
    world.scheduler.clock += 60_000;
    await world.pump(world.invoke('dispatch payout', dispatch));
  });
  const shown = await world.pump(world.invoke('show payout', ({ payouts }) => payouts.find(payoutId)));
  const status = shown.kind === 'done' ? shown.done?.status : undefined;
  if (status !== 'FAIL')
    world.violate('banned', `${payoutId} is ${status ?? 'lost'} for a merchant who is banned`);
}

async function bannedMeanwhile(world: World): Promise<void> {
  const merchant = thirdMerchant(world);
  await meanwhile(
    world,
    /transact .*RESERVE/,
    (ports) => request(ports, merchant, '100'),
    () => ban(world, merchant),
  );
}
