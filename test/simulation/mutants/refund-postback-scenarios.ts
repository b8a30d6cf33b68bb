import { confirmChargeback } from '../../../lib/decision/decide-chargeback.ts';
import { enterChargeback } from '../../../lib/decision/enter-chargeback.ts';
import { refundUrlIdOf, type PaymentId, type ShopId } from '../../../lib/ids.ts';
import { chargebackId } from '../../../lib/ledger/chargeback.ts';
import { setShop } from '../../../lib/merchant/set-shop.ts';
import { deliverPostback } from '../../../lib/postback/deliver-postback.ts';
import { chargebackEventId, paymentEventId, refundEventId } from '../../../lib/postback/event.ts';
import { dynamoEndpoints } from '../../../lib/store/endpoints.ts';
import { dynamoEvents } from '../../../lib/store/events.ts';
import type { Ports } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';
import { carryOut, created, type Paid, paid } from './refund-scenarios.ts';

const refundUrl = 'http://127.0.0.1/refunds';

function shopOf({ merchant }: Paid): ShopId {
  const [shopId] = merchant.shops;
  if (!shopId) throw new Error('The population has no shop');
  return shopId;
}

/** A refund that has ended, whose postback waits as the payment's does; returns the ids of both. */
async function refunded(world: World) {
  const of = await paid(world);
  const shopId = shopOf(of);
  await world.pump(world.invoke('set shop', (ports) => setShop(ports, { shopId, refundUrl })));
  const id = await created(world, of);
  await carryOut(world, id);
  const [own, payments] = [refundEventId(id, 'SUCCESS'), paymentEventId(of.paymentId, 'SUCCESS')];
  if (!(await dynamoEvents(world.table).find(own))) throw new Error('The scenario needs a postback');
  return { shopId, own, payments };
}

/** Delivers the event; returns the URLs that were called. */
async function called(world: World, eventId: string): Promise<readonly string[]> {
  const urls: string[] = [];
  const post = async ({ url }: { readonly url: string }) => {
    urls.push(url);
    return { kind: 'answered', status: 200, retryAfterSeconds: undefined, body: '' } as const;
  };
  await world.pump(
    world.invoke('deliver postback', (ports) => deliverPostback({ ...ports, post: { post } }, eventId)),
  );
  return urls;
}

export async function refundToldFirst(world: World): Promise<void> {
  const { own, payments } = await refunded(world);
  if ((await called(world, own)).length > 0) world.violate('postbacks', `${own} was sent before ${payments}`);
}

/** The operator paused the refund URL. */
export async function refundUrlPaused(world: World): Promise<void> {
  const { shopId, own, payments } = await refunded(world);
  await dynamoEndpoints(world.table).pause(refundUrlIdOf(shopId));
  if ((await called(world, payments)).length === 0)
    world.violate('postbacks', `${payments} waits for the refund URL`);
  if ((await called(world, own)).length > 0)
    world.violate('postbacks', `${own} was sent to a refund URL that is paused`);
}

async function confirmed(world: World, paymentId: PaymentId, direction: 'loss' | 'surplus'): Promise<void> {
  // People decide here without a record of it.
  world.broken.add('decisions_were_made');
  const decided = async (ports: Ports) => {
    const id = ports.newId(16);
    const entered = { id, by: 'olga', paymentId, direction, amountMinor: 500n, reason: 'letter' };
    await enterChargeback(ports, entered);
    await confirmChargeback(ports, {
      id: ports.newId(16),
      by: 'olga',
      approvedBy: 'petr',
      reason: 'case 4711',
      chargebackId: chargebackId(paymentId, 1),
      bearer: 'merchant',
    });
  };
  await world.pump(world.invoke('confirm', decided));
}

const isPosted = async (world: World, paymentId: PaymentId): Promise<boolean> =>
  (await dynamoEvents(world.table).find(chargebackEventId({ paymentId, number: 1 }, 'CONFIRMED'))) !==
  undefined;

export async function chargebackWithoutUrl(world: World): Promise<void> {
  const { paymentId } = await paid(world);
  await confirmed(world, paymentId, 'loss');
  if (await isPosted(world, paymentId))
    world.violate(
      'postbacks',
      `the chargeback of ${paymentId} is to be posted to a shop without a refund URL`,
    );
}

/** What the acquirer holds more of a payment than was received is no chargeback. */
export async function surplusPosted(world: World): Promise<void> {
  const of = await paid(world);
  const shopId = shopOf(of);
  await world.pump(world.invoke('set shop', (ports) => setShop(ports, { shopId, refundUrl })));
  await confirmed(world, of.paymentId, 'surplus');
  if (await isPosted(world, of.paymentId))
    world.violate('postbacks', `a surplus of ${of.paymentId} is posted as a chargeback`);
}
