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

/** Two payments of one network begin at once: each was read as the first, and only one may be open. */
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
    world.violate('limits', `two payments that began at once passed a limit of one: ${started.join(', ')}`);
}

/** However many payments one network names, its item stays as small as it may be. */
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
    world.violate('limits', 'the item of a network grows beyond its bound');
}

/** The payer presses Cancel: no card was refused. */
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
export async function strangerOpensTheLink(world: World): Promise<void> {
  const billId = await aBill(world);
  const form = await open(world, billId);
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  await mustNotBeLed(world, (ports) => openBill(ports, { billId, browser: another, publicUrl }));
}

/** A copy of the form that another browser was given, sent before its own. */
export async function copiedForm(world: World): Promise<void> {
  const form = await open(world, await aBill(world));
  await mustNotBeLed(world, (ports) => start(ports, form, another));
}

/** A copy of the form of a browser without cookies, long after it was sent. */
export async function copiedFormWithoutCookies(world: World): Promise<void> {
  const form = await open(world, await aBill(world));
  const bare = (ports: Ports) => startPayment(ports, { ...form, ...address, browser: undefined });
  await world.pump(world.invoke('start', bare));
  world.scheduler.clock += 11_000;
  await mustNotBeLed(world, bare);
}

/** The same at once, from somewhere else. */
export async function copiedFormInAnotherNetwork(world: World): Promise<void> {
  const form = await open(world, await aBill(world));
  const bare = (sourceIp: string) => (ports: Ports) =>
    startPayment(ports, { ...form, ...address, sourceIp, browser: undefined });
  await world.pump(world.invoke('start', bare(address.sourceIp)));
  await mustNotBeLed(world, bare('198.51.100.7'));
}

const address = { sourceIp: '203.0.113.7', publicUrl };

async function mustNotBeLed(world: World, visit: (ports: Ports) => Promise<object>): Promise<void> {
  const ran = await world.pump(world.invoke('visit', visit));
  const text = ran.kind === 'done' ? JSON.stringify(ran.done, (_, value) => plain(value)) : '';
  if (ran.kind === 'done' && cardPages.test(text))
    world.violate('browsers', `a stranger is led to a payment: ${text.slice(0, 100)}`);
}

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** Somebody knows the id of a payment that was paid, and nothing else. */
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
    world.violate('browsers', 'the id of a payment alone leads to its signed outcome');
}

/** The address of the card page lies in the table while a card is waited for, and must tell nobody anything. */
export async function cardPageAtRest(world: World): Promise<void> {
  const form = await open(world, await aBill(world));
  const kept = async () => {
    const item = await world.table.client.send(
      new GetCommand({ TableName: world.table.name, Key: paymentKey(form.paymentId), ConsistentRead: true }),
    );
    return item.Item?.['cardPage'];
  };
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  if (cardPages.test(String(await kept())))
    world.violate('secrets', 'the address of a card page can be read');
  await payerOf(world, form).pay('4111111111111111');
  await world.pump(world.invoke('resolve', (ports) => resolvePayment(ports, form.paymentId)));
  if (await kept()) world.violate('secrets', 'the address of a card page outlives its payment');
}

/** Two look at a bill that is being paid in the same moment. */
export async function twoLooksAtOnce(world: World): Promise<void> {
  const billId = await aBill(world);
  const form = await open(world, billId);
  await world.pump(world.invoke('start', (ports) => start(ports, form)));
  const before = questions(world);
  const look = (ports: Ports) => openBill(ports, { billId, browser: another, publicUrl });
  const both = [new PausedHandler(world, look), new PausedHandler(world, look)];
  for (const handler of both) await handler.goTo(/update payment/);
  for (const handler of both) await handler.end();
  if (questions(world) > before + 1)
    world.violate('limits', 'the acquirer was asked twice in the same moment');
}

/** How often the acquirer was asked so far. */
const questions = ({ scheduler }: World): number =>
  [...scheduler.sites].reduce((sum, [site, times]) => sum + (/acquirer get/.test(site) ? times : 0), 0);
