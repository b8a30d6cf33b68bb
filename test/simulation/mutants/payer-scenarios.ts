import { resolvePayment } from '../../../lib/payment/resolve-payment.ts';
import { startPayment } from '../../../lib/payment/start-payment.ts';
import type { Ports } from '../harness/ports.ts';
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
    const submission = { ...form, sourceIp: '203.0.113.7', publicUrl: ports.publicUrl };
    started.push((await startPayment(limited, submission)).kind);
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
  const enter = (paymentId: string) =>
    world.pump(
      world.invoke('enter', (ports) =>
        ports.attempts.enter('a network', { paymentId, now: ports.now(), seen: {}, most: 1 }),
      ),
    );
  await enter('first');
  const ran = await enter('second');
  if (!('done' in ran) || ran.done !== 'full')
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
  if (!('done' in ran) || ran.done?.failures !== 0)
    world.violate('limits', 'a payment that the payer cancelled counts against the bill');
}
