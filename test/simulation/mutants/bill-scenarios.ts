import { noOptions } from '../../../lib/bill/options.ts';
import { noContact } from '../../../lib/bill/contact.ts';
import { type BillId, newPaymentId, type PaymentId } from '../../../lib/ids.ts';
import type { PaymentMethod } from '../../../lib/payment/acquirer.ts';
import { openBill } from '../../../lib/payment/open-bill.ts';
import type { BillType } from '../../../lib/bill/bill.ts';
import { createBill } from '../../../lib/bill/create-bill.ts';
import type { Typed } from '../../../lib/payment/payer-contact.ts';
import { returnKey } from '../../../lib/payment/return-key.ts';
import { returnOfPayer } from '../../../lib/payment/return-of-payer.ts';
import { dynamoBills } from '../../../lib/store/bills.ts';
import { startPayment } from '../../../lib/payment/start-payment.ts';
import { publicUrl, type Ports } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';
import { PausedHandler } from './paused-handler.ts';

export type Form = { readonly billId: BillId; readonly paymentId: PaymentId; readonly token: string };

export const takeOver = /transact payment→PROCESS.AUTHORIZING/;
const quarterOfAnHour = 15 * 60_000;
/** Page visits query the acquirer at most once in two seconds. */
const longerThanQueryInterval = 3_000;
const goodCard = '4111111111111111';
const declinedCard = '4000000000000002';

/** The fence comes after another payment took over the bill: the displaced payment must not be captured. */
export async function fencedAfterTakeover(world: World): Promise<void> {
  const { slow, quick } = await twoPayers(world);
  await quick.goTo(takeOver);
  await slow.pay(goodCard);
  const back = slow.comesBack();
  await back.goTo(/transact payment→PROCESS.CAPTURING/);
  // The bill is taken over, and the displaced payment is not yet voided at the acquirer.
  await quick.goTo(/transact payment→PROCESS.VOIDING/);
  await back.end();
  await quick.end();
}

/** The takeover comes after the fence: the capture of the first payment may be in flight. */
export async function takenOverAfterFence(world: World): Promise<void> {
  const { slow, quick } = await twoPayers(world);
  await quick.goTo(takeOver);
  await slow.pay(goodCard);
  const back = slow.comesBack();
  await back.goTo(/acquirer capture/);
  await quick.end();
  await back.end();
}

/** A displaced payment fails while the capture of the other is in flight. */
export async function declinedWhileDisplaced(world: World): Promise<void> {
  const { slow, quick, quickPayer } = await twoPayers(world);
  await quick.goTo(takeOver);
  await slow.pay(declinedCard);
  const back = slow.comesBack();
  await back.goTo(/transact payment→FAIL/);
  await quick.goTo(/transact payment→FAIL/);
  await quickPayer.pay(goodCard);
  const quickBack = quickPayer.comesBack();
  await quickBack.goTo(/acquirer capture/);
  await back.end();
  await quickBack.end();
  await quick.end();
}

/** One payer is on the card page with an expired lock, another is about to take over. */
async function twoPayers(world: World) {
  const billId = await aBill(world);
  const first = await open(world, billId);
  await world.pump(world.invoke('start', (ports) => start(ports, first)));
  world.scheduler.clock += quarterOfAnHour + 60_000;
  const second = await open(world, billId, anotherBrowser);
  return {
    slow: payerOf(world, first),
    quick: new PausedHandler(world, (ports) => start(ports, second, anotherBrowser)),
    quickPayer: payerOf(world, second),
  };
}

export async function aBill(
  world: World,
  type: BillType = 'NORMAL',
  more: Partial<Pick<Parameters<typeof createBill>[1], 'payer' | 'orderId' | 'items' | 'options'>> = {},
): Promise<BillId> {
  const command = { ...aCommand(world, type), ...more };
  const ran = await world.pump(world.invoke('create bill', (ports) => createBill(ports, command)));
  if (ran.kind !== 'done' || !ran.done.ok) throw new Error('The scenario needs a bill');
  return ran.done.value.bill.id;
}

/** The request was first sent without its items, or to a version that did not know them. */
export async function orderRepeatedWithItems(world: World): Promise<void> {
  const first = await aBill(world, 'NORMAL', { orderId: 'order-1' });
  const items = JSON.stringify([{ name: 'Tea', price: '100' }]);
  if ((await aBill(world, 'NORMAL', { orderId: 'order-1', items })) !== first)
    world.violate('references', 'an open order has a second link');
}

const [ownUrl, foreignUrl] = ['https://cafe.example/paid', 'https://evil.example/paid'];

/** Of its options an order has now one more and now one less that the shop can honour. */
export async function orderRepeatedAfterHosts(world: World): Promise<void> {
  const options = { ...noOptions, ttlSeconds: '3600', successUrl: ownUrl };
  const ordered = () => aBill(world, 'NORMAL', { orderId: 'order-1', options });
  const first = await ordered();
  for (const hosts of [['cafe.example'], undefined]) {
    await setHosts(world, hosts);
    if ((await ordered()) !== first) world.violate('references', 'an open order has a second link');
  }
  await setHosts(world, ['cafe.example']);
  const withUrl = await aBill(world, 'NORMAL', { orderId: 'order-2', options });
  await setHosts(world, undefined);
  if ((await aBill(world, 'NORMAL', { orderId: 'order-2', options })) !== withUrl)
    world.violate('references', 'an open order has a second link');
}

function setHosts(world: World, hosts: readonly string[] | undefined) {
  const { shopId } = aCommand(world, 'NORMAL');
  if (shopId === undefined) throw new Error('The scenario needs a shop');
  return world.pump(world.invoke('set shop', ({ shops }) => shops.set(shopId, { hosts })));
}

/** A token leaked: whoever has it tries to send the shop's payers elsewhere. */
export async function payersElsewhere(world: World): Promise<void> {
  await setHosts(world, ['cafe.example']);
  const options = { ...noOptions, successUrl: ownUrl, failUrl: foreignUrl };
  const billId = await aBill(world, 'NORMAL', { options });
  const bill = await dynamoBills(world.table, () => new Date(world.scheduler.clock)).find(billId);
  if (bill?.options?.successUrl !== ownUrl) throw new Error('The scenario needs a URL that is honoured');
  if (bill.options.failUrl !== undefined)
    world.violate('redirects', 'a bill sends its payers to a host that is not the shop’s');
}

/** The bill was made while the host was the shop's. */
export async function redirectToFormerHost(world: World): Promise<void> {
  await setHosts(world, ['cafe.example']);
  const billId = await aBill(world, 'NORMAL', { options: { ...noOptions, successUrl: ownUrl } });
  const form = await open(world, billId);
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay(goodCard);
  const returned = async () => {
    const ran = await world.pump(world.invoke('return', (ports) => comesBack(ports, form.paymentId)));
    return ran.kind === 'done' && ran.done.kind === 'hand_off' ? ran.done.shopPage?.url : undefined;
  };
  if ((await returned()) !== ownUrl) throw new Error('The scenario needs the redirect to the bill’s URL');
  await setHosts(world, undefined);
  if ((await returned()) === ownUrl)
    world.violate('redirects', 'a payer is sent to a host that the shop has lost');
}

/** The providers take charges up to 100.00: the amount fits, the charge with the payer's fee does not. */
export async function chargeBeyondLimits(world: World): Promise<void> {
  const chargeLimits = { rangesIn: () => [{ minMinor: 1n, maxMinor: 10_000n }], methodsIn: () => undefined };
  const command = { ...aCommand(world, 'NORMAL'), payerPaysCommission: true };
  const ran = await world.pump(
    world.invoke('create bill', (ports) => createBill({ ...ports, chargeLimits }, command)),
  );
  if (ran.kind !== 'done' || ran.done.ok)
    world.violate('limits', 'a bill was created whose charge no provider takes');
}

function aCommand({ population }: World, type: BillType) {
  const [merchant] = population.merchants;
  if (!merchant) throw new Error('The population has no merchant');
  const caller = {
    merchantId: merchant.id,
    enabled: true,
    banned: false,
    verified: true,
    regularPayouts: true,
    subscription: 'active',
    apiAddresses: undefined,
    shards: undefined,
  } as const;
  return {
    caller,
    shopId: merchant.shops[0],
    amount: '100',
    currency: undefined,
    type,
    payerPaysCommission: false,
    orderId: undefined,
    description: undefined,
    name: undefined,
    custom: undefined,
    items: undefined,
    payer: noContact,
    options: noOptions,
    idempotencyKey: undefined,
  } as const;
}

/** The browser of a scenario's payer, and a second one for scenarios that need it. */
const aBrowser = 'ABrowserOfTheScenario1';
export const anotherBrowser = 'ABrowserOfTheScenario2';

export async function open(
  world: World,
  billId: BillId,
  browser = aBrowser,
  method: PaymentMethod = 'card',
): Promise<Form> {
  const ran = await world.pump(
    world.invoke('open', (ports) => openBill(ports, { billId, browser, publicUrl })),
  );
  if (ran.kind !== 'done' || ran.done.kind !== 'payable') throw new Error('The scenario needs a bill to pay');
  const token = ran.done.forms.find((form) => form.method === method)?.token ?? '';
  return { billId, token, paymentId: newPaymentId(billId, token.slice(0, 8)) };
}

export const start = (
  ports: Ports,
  { billId, token }: Form,
  browser: string | undefined = aBrowser,
  typed: Typed = {},
) =>
  startPayment(ports, {
    typed,
    billId,
    token,
    browser,
    language: 'en',
    sourceIp: '203.0.113.7',
    publicUrl,
  });

/** Returns by the URL that was given to the acquirer. */
const comesBack = async (ports: Ports, paymentId: PaymentId) =>
  returnOfPayer(ports, { paymentId, key: returnKey((await ports.pageSecrets())[0], paymentId) });

export function payerOf(world: World, { paymentId }: Form) {
  const send = async (form: Readonly<Record<string, string>>) => {
    const page = await world.providerOf(paymentId).pageOf(paymentId);
    await world.pump(world.outside('card page', () => world.browse(page, form)));
    world.scheduler.clock += longerThanQueryInterval;
  };
  return {
    pay: (number: string) => send({ number, expiry: '12/60', cvc: '123', holder: '' }),
    cancels: () => send({ do: 'abandon' }),
    comesBack: () => new PausedHandler(world, (ports) => comesBack(ports, paymentId)),
  };
}
