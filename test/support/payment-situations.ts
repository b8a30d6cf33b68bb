import { type PaymentHarness, switchAcquirer } from './payment-harness.ts';
import { aCard } from './sandbox.ts';

/** The payer starts p2, and the acquirer can be reached neither to void p1 nor to start p2. */
export async function displaceWithoutAnAnswer(harness: PaymentHarness): Promise<void> {
  harness.line.cut = 'calls';
  await harness.start(harness.form('000000p2'));
  harness.line.cut = undefined;
}

/** Two payers of one bill: p2 displaced p1, and both have submitted their card. */
export async function twoGaveTheirCard(harness: PaymentHarness) {
  const first = await harness.begun('p1');
  harness.pass(15);
  await displaceWithoutAnAnswer(harness);
  const second = await harness.begun('p2');
  await first.pay();
  await second.pay();
  return { first, second };
}

/** The same with another acquirer deployed in between: p1 is paid at the old acquirer, p2 at the new one. */
export async function twoPaidAtTwoAcquirers(harness: PaymentHarness) {
  const first = await harness.begun('p1');
  const next = await switchAcquirer(harness);
  harness.pass(15);
  const started = await harness.start(harness.form('000000p2'));
  if (started.kind !== 'started') throw new Error(started.kind);
  await first.pay();
  await next.sandbox.pay(started.pageUrl, aCard);
  return { first, next };
}
