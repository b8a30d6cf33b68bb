import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { MerchantId, ShopId } from '../../../lib/ids.ts';
import { waitsUntilSlow } from '../../../lib/postback/breaker.ts';
import { deliverPostback } from '../../../lib/postback/deliver-postback.ts';
import type { EventState, PostbackEvent } from '../../../lib/postback/event.ts';
import { replayOwnPostback } from '../../../lib/postback/replay-own-postback.ts';
import { resumeEndpoint } from '../../../lib/postback/replay-postbacks.ts';
import { dynamoEndpoints } from '../../../lib/store/endpoints.ts';
import { eventKey, putEvent } from '../../../lib/store/event-item.ts';
import { dynamoEvents } from '../../../lib/store/events.ts';
import { transact } from '../../../lib/store/transact.ts';
import type { Ports } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';
import { PausedHandler } from './paused-handler.ts';
import { caller } from './scenario-steps.ts';

const day = 24 * 3600_000;

/** The worker has read that the endpoint is paused; the operator resumes it before the event becomes PAUSED. */
export const putAsideLate = (world: World): Promise<void> =>
  aboutPostbacks(world, async ({ owe, stateOf, endpointId }) => {
    const id = await owe();
    await dynamoEndpoints(world.table).pause(endpointId);
    const worker = new PausedHandler(world, (ports) => deliverPostback(ports, id));
    await worker.goTo(/transact event→PAUSED/);
    await resume(world, endpointId);
    await worker.end();
    if ((await stateOf(id)) === 'PAUSED')
      world.violate('events_match_states', `${id} stays PAUSED after its endpoint was resumed`);
  });

/** The first listing reads the index before it contains the paused event. */
export const shownLate = (world: World): Promise<void> =>
  aboutPostbacks(world, async ({ owe, stateOf, endpointId }) => {
    const id = await owe();
    await dynamoEndpoints(world.table).pause(endpointId);
    await deliver(world, id);
    let listings = 0;
    await world.pump(
      world.invoke('resume endpoint', (ports) => {
        const listUndelivered = async () => ((listings += 1) === 1 ? [] : ports.events.listUndelivered());
        return resumeEndpoint({ ...ports, events: { ...ports.events, listUndelivered } }, endpointId);
      }),
    );
    if ((await stateOf(id)) === 'PAUSED')
      world.violate('events_match_states', `${id} stays PAUSED after its endpoint was resumed`);
  });

/** A shop with one sale a week: a DEAD postback raises an alarm, later ones are PAUSED, and resuming the endpoint sends all of them. */
export const deadForWeeks = (world: World): Promise<void> =>
  aboutPostbacks(world, async ({ owe, stateOf, endpointId }) => {
    world.receivers.isDead = () => true;
    const begun = world.scheduler.clock;
    const ids: string[] = [];
    for (let week = 0; week < 3; week += 1) {
      world.scheduler.clock = begun + week * 7 * day;
      const id = await owe();
      ids.push(id);
      await deliverUntilFinal(world, id);
      if ((await stateOf(id)) === 'DEAD' && !world.alarms.has(`postback_dead ${id}`))
        world.violate('silent', `${id} is DEAD without an alarm`);
    }
    const [, ...later] = await Promise.all(ids.map(stateOf));
    if (later.some((state) => state !== 'PAUSED'))
      world.violate('lost', `after three weeks of failures the postbacks are ${later.join(', ')}`);
    await resume(world, endpointId);
    for (const id of ids)
      if ((await stateOf(id)) !== 'RETRY')
        world.violate('lost', `${id} is not sent when its endpoint is resumed`);
  });

/** Two workers with new postbacks find the circuit breaker open at the same time. */
export const probedTwice = (world: World): Promise<void> =>
  aboutPostbacks(world, async ({ owe, endpointId }) => {
    const { now, table, receivers } = world;
    const endpoints = dynamoEndpoints(table);
    const health = await endpoints.failed(endpointId, now);
    await endpoints.open(health, { until: new Date(now.getTime() + 30_000), nextProbeAt: now });
    receivers.isDead = () => true;
    const [first, second] = [await owe(), await owe()];
    const worker = new PausedHandler(world, (ports) => deliverPostback(ports, first));
    await worker.goTo(/update endpoint nextProbeAt/);
    const before = receivers.requests;
    await deliver(world, second);
    await worker.end();
    if (receivers.requests - before > 1)
      world.violate('breaker', `${endpointId} was probed twice at the same time`);
  });

/** A slow endpoint: its first attempt is handed to the retry workers, which can lease the event immediately. */
export const leftToRetries = (world: World): Promise<void> =>
  aboutPostbacks(world, async ({ owe, endpointId }) => {
    const { now, table, receivers } = world;
    for (let waits = 0; waits < waitsUntilSlow; waits += 1)
      await dynamoEndpoints(table).slow(endpointId, new Date(now.getTime() + 60_000));
    receivers.isDead = () => true;
    const id = await owe();
    await deliver(world, id);
    if (receivers.requests > 0) world.violate('lanes', `${endpointId} blocks a worker of first attempts`);
    await world.pump(world.invoke('deliver postback', (ports) => deliverPostback(ports, id, 'retries')));
    if (receivers.requests !== 1) world.violate('lanes', `${id} was handed over, but no worker can lease it`);
  });

/** A merchant asks for its postback again and again within a minute, and then another merchant does. */
export const askedForAgain = (world: World): Promise<void> =>
  aboutPostbacks(world, async ({ owe, endpointId }) => {
    const id = await owe();
    await deliver(world, id);
    const [own, other] = world.population.merchants;
    if (!own || !other) throw new Error('The scenario needs two merchants');
    const replayed = async (by: typeof own) => {
      const ran = await world.pump(
        world.invoke('replay postback', (ports) =>
          replayOwnPostback(ports, { caller: caller(by), eventId: id }),
        ),
      );
      return ran.kind === 'done' && ran.done.ok;
    };
    if (await replayed(other)) world.violate('secrets', `another merchant repeats ${id}`);
    const answers: boolean[] = [];
    for (let n = 0; n < 15; n += 1) answers.push(await replayed(own));
    // The clock moves on with each call: at most two minutes are touched.
    if (answers.filter(Boolean).length === 0) throw new Error('The scenario needs a replay');
    if (answers.every(Boolean)) world.violate('lanes', `${endpointId} was asked for 15 postbacks at once`);
    await dynamoEndpoints(world.table).pause(endpointId);
    world.scheduler.clock += 60_000;
    if (await replayed(own)) world.violate('lanes', `${id} is queued for a paused endpoint`);
    await resume(world, endpointId);
  });

type Postbacks = {
  readonly endpointId: ShopId;
  /** One more postback to this endpoint, due now. */
  readonly owe: () => Promise<string>;
  readonly stateOf: (id: string) => Promise<EventState | undefined>;
};

/** Plays with postbacks of one shop for payments that do not exist, and deletes them afterwards because the audit would report them. */
async function aboutPostbacks(world: World, play: (given: Postbacks) => Promise<void>): Promise<void> {
  const { table, population } = world;
  const [merchant] = population.merchants;
  const endpointId = merchant?.shops[0];
  if (!merchant || !endpointId) throw new Error('The population has no shop');
  const ids: string[] = [];
  const owe = async () => {
    const event = eventOf(merchant.id, endpointId, {
      id: `pay.owed${ids.length}.SUCCESS`,
      now: world.now,
    });
    ids.push(event.id);
    await transact(table, [putEvent(table, event)]);
    return event.id;
  };
  const stateOf = async (id: string) => (await dynamoEvents(table).find(id))?.state;
  await play({ endpointId, owe, stateOf });
  for (const id of ids)
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: eventKey(id) }));
}

const eventOf = (
  merchantId: MerchantId,
  shopId: ShopId,
  { id, now }: { readonly id: string; readonly now: Date },
): PostbackEvent => ({
  id,
  kind: 'payment',
  merchantId,
  shopId,
  supersededByBill: undefined,
  sealedPhone: undefined,
  sentAfter: undefined,
  extended: undefined,
  status: 'SUCCESS',
  fields: { InvId: '1', OutSum: '1.00', TrsId: id, Status: 'SUCCESS' },
  state: 'PENDING',
  attempts: [],
  tries: 0,
  createdAt: now,
  nextAt: now,
});

const deliver = (world: World, id: string) =>
  world.pump(world.invoke('deliver postback', (ports: Ports) => deliverPostback(ports, id)));

const resume = (world: World, endpointId: ShopId) =>
  world.pump(world.invoke('resume endpoint', (ports) => resumeEndpoint(ports, endpointId)));

async function deliverUntilFinal(world: World, id: string): Promise<void> {
  for (;;) {
    await deliver(world, id);
    const event = await dynamoEvents(world.table).find(id);
    if (!event || (event.state !== 'PENDING' && event.state !== 'RETRY')) return;
    world.scheduler.clock = Math.max(event.nextAt.getTime(), world.scheduler.clock);
  }
}
