import type { World } from '../harness/world.ts';
import { aBill, anotherBrowser, open, payerOf, start, takeOver } from './bill-scenarios.ts';
import { PausedHandler } from './paused-handler.ts';

const goodCard = '4111111111111111';

/** The payer chooses SBP while the capture of their card payment may be in flight. */
export async function otherWayAfterFence(world: World): Promise<void> {
  const billId = await aBill(world);
  const sbp = await open(world, billId, undefined, 'sbp');
  const card = await open(world, billId);
  await world.pump(world.invoke('start', (ports) => start(ports, card)));
  const slow = payerOf(world, card);
  const quick = new PausedHandler(world, (ports) => start(ports, sbp));
  await quick.goTo(takeOver);
  await slow.pay(goodCard);
  const back = slow.comesBack();
  await back.goTo(/acquirer capture/);
  await quick.end();
  await back.end();
}

/** Another browser chooses SBP while a payer is on the card page. */
export async function otherWayOfStranger(world: World): Promise<void> {
  const billId = await aBill(world);
  const theirs = await open(world, billId, anotherBrowser, 'sbp');
  const card = await open(world, billId);
  await world.pump(world.invoke('start', (ports) => start(ports, card)));
  await world.pump(world.invoke('start', (ports) => start(ports, theirs, anotherBrowser)));
  const ran = await world.pump(world.invoke('look', (ports) => ports.bills.find(billId)));
  const bill = ran.kind === 'done' ? ran.done : undefined;
  if (bill?.type !== 'NORMAL' || bill.current !== card.paymentId)
    world.violate('browsers', 'another browser displaced a payment within its lock');
}

/** Somebody changes the method in a form's token. */
export async function otherMethodInToken(world: World): Promise<void> {
  const billId = await aBill(world);
  const form = await open(world, billId);
  const changed = { ...form, token: form.token.replace('.card.', '.sbp.') };
  const ran = await world.pump(world.invoke('start', (ports) => start(ports, changed)));
  if (ran.kind !== 'done' || ran.done.kind !== 'stale_form')
    world.violate('forms', 'a form starts a payment of a method that it was not signed for');
}
