import { type PaymentId, toPaymentId } from '../../../lib/ids.ts';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { openBill } from '../../../lib/payment/open-bill.ts';
import { resolvePayment } from '../../../lib/payment/resolve-payment.ts';
import { returnOfPayer } from '../../../lib/payment/return-of-payer.ts';
import { startPayment } from '../../../lib/payment/start-payment.ts';
import { paymentKey } from '../../../lib/store/payment-item.ts';
import { type Ports, publicUrl } from '../harness/ports.ts';
import type { World } from '../harness/world.ts';
import { aBill, type Form, open, payerOf, start } from './bill-scenarios.ts';
import { PausedHandler } from './paused-handler.ts';

const oneAtATime = (ports: Ports) => ({ ...ports.cardTestingLimits, openOnMultiBill: 1 });

/** Two concurrent payments from one network both read that none is open; only one may be open. */
export async function twoAttemptsAtOnce(world: World): Promise<void> {
  const billId = await aBill(world, 'MULTI');
  const started: string[] = [];
  const begin = (form: Form) => async (ports: Ports) => {
    const limited = { ...ports, cardTestingLimits: oneAtATime(ports) };
    started.push((await start(limited, form)).kind);
  };
  const both = [await open(world, billId), await open(world, billId)];
  const handlers = both.map((form) => new PausedHandler(world, begin(form)));
  for (const handler of handlers) await handler.goTo(/update attempts of a network/);
  for (const handler of handlers) await handler.end();
  if (started.filter((kind) => kind === 'started').length > 1)
    world.violate('limits', `two concurrent payments exceeded a limit of one: ${started.join(', ')}`);
}

/** The item of a network does not grow beyond its maximum size, however many payments the network starts. */
export async function attemptsBeyondTheBound(world: World): Promise<void> {
  const enter = (paymentId: PaymentId) =>
    world.pump(
      world.invoke('enter', (ports) =>
        ports.attempts.enter('a network', { paymentId, now: ports.now(), seen: {}, most: 1 }),
      ),
    );
  await enter(toPaymentId('FirstPaymentOfANetwork0001'));
  const ran = await enter(toPaymentId('OtherPaymentOfANetwork0002'));
  if (ran.kind !== 'done' || ran.done !== 'full')
    world.violate('limits', 'the item of a network exceeds its maximum size');
}

/** The payer cancels; no card was refused. */
export async function cancelledByPayer(world: World): Promise<void> {
  const billId = await aBill(world);
  const form = await open(world, billId);
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).cancels();
  const ran = await world.pump(
    world.invoke('resolve', (ports) =>
      resolvePayment(ports, form.paymentId).then(() => ports.bills.find(billId)),
    ),
  );
  const bill = ran.kind === 'done' ? ran.done : undefined;
  if (bill?.type !== 'NORMAL' || bill.failures !== 0)
    world.violate('limits', 'a payment that the payer cancelled counts against the bill');
}

const another = 'AnotherBrowser00000002';
const cardPages = /sandbox\.test\/sandbox\/(?:card|3ds)\//;

/** One browser is on the card page; another opens the link. */
export async function anotherBrowserOpensTheLink(world: World): Promise<void> {
  const billId = await aBill(world);
  const form = await open(world, billId);
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await mustNotBeRedirected(world, (ports) => openBill(ports, { billId, browser: another, publicUrl }));
}

/** Another browser submits a copy of the form before the browser to which it was shown. */
export async function copiedForm(world: World): Promise<void> {
  const form = await open(world, await aBill(world));
  await mustNotBeRedirected(world, (ports) => start(ports, form, another));
}

/** A copy of the form of a browser without cookies is submitted eleven seconds later. */
export async function copiedFormWithoutCookies(world: World): Promise<void> {
  const form = await open(world, await aBill(world));
  const bare = (ports: Ports) => startPayment(ports, { ...form, ...address, browser: undefined });
  await world.pump(world.invoke('start', bare));
  world.scheduler.clock += 11_000;
  await mustNotBeRedirected(world, bare);
}

/** A copy of the form of a browser without cookies is submitted immediately, from another network. */
export async function copiedFormInAnotherNetwork(world: World): Promise<void> {
  const form = await open(world, await aBill(world));
  const bare = (sourceIp: string) => (ports: Ports) =>
    startPayment(ports, { ...form, ...address, sourceIp, browser: undefined });
  await world.pump(world.invoke('start', bare(address.sourceIp)));
  await mustNotBeRedirected(world, bare('198.51.100.7'));
}

const address = { sourceIp: '203.0.113.7', publicUrl, language: 'en' } as const;

async function mustNotBeRedirected(world: World, visit: (ports: Ports) => Promise<object>): Promise<void> {
  const ran = await world.pump(world.invoke('visit', visit));
  const text = ran.kind === 'done' ? JSON.stringify(ran.done, (_, value) => plain(value)) : '';
  if (ran.kind === 'done' && cardPages.test(text))
    world.violate('browsers', `another browser is redirected to a payment: ${text.slice(0, 100)}`);
}

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** A visitor knows the id of a completed payment and nothing else. */
export async function outcomeByIdAlone(world: World): Promise<void> {
  const form = await open(world, await aBill(world));
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await payerOf(world, form).pay('4111111111111111');
  const ran = await world.pump(
    world.invoke('come back', (ports) =>
      returnOfPayer(ports, { paymentId: form.paymentId, key: 'A'.repeat(22) }),
    ),
  );
  if (ran.kind !== 'done' || ran.done.kind !== 'not_found')
    world.violate('browsers', 'the payment id alone opens its signed outcome');
}

/** The table stores the URL of the card page while the payment waits for a card; it must not be readable there. */
export async function cardPageAtRest(world: World): Promise<void> {
  const form = await open(world, await aBill(world));
  const stored = async () => {
    const item = await world.table.client.send(
      new GetCommand({ TableName: world.table.name, Key: paymentKey(form.paymentId), ConsistentRead: true }),
    );
    return item.Item?.['cardPage'];
  };
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  if (cardPages.test(String(await stored())))
    world.violate('secrets', 'the URL of a card page is stored in the clear');
  await payerOf(world, form).pay('4111111111111111');
  await world.pump(world.invoke('resolve', (ports) => resolvePayment(ports, form.paymentId)));
  if (await stored())
    world.violate('secrets', 'the URL of a card page is stored after its payment has ended');
}

/** Two browsers open a bill with a payment in progress at the same time. */
export async function twoConcurrentVisits(world: World): Promise<void> {
  const billId = await aBill(world);
  const form = await open(world, billId);
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  const before = acquirerQueries(world);
  const look = (ports: Ports) => openBill(ports, { billId, browser: another, publicUrl });
  const both = [new PausedHandler(world, look), new PausedHandler(world, look)];
  for (const handler of both) await handler.goTo(/update payment/);
  for (const handler of both) await handler.end();
  if (acquirerQueries(world) > before + 1)
    world.violate('limits', 'the acquirer was queried twice at the same time');
}

/** The number of acquirer queries so far. */
const acquirerQueries = ({ scheduler }: World): number =>
  [...scheduler.sites].reduce((sum, [site, times]) => sum + (/acquirer get/.test(site) ? times : 0), 0);
