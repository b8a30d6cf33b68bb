import { openBill } from '../../../lib/payment/open-bill.ts';
import { newPaymentId } from '../../../lib/payment/payment.ts';
import { returnOfPayer } from '../../../lib/payment/return-of-payer.ts';
import { startPayment } from '../../../lib/payment/start-payment.ts';
import { type CardOutcome, paymentCards } from '../../../lib/sandbox/test-values.ts';
import { publicUrl } from '../harness/ports.ts';
import type { KnownBill } from '../harness/population.ts';
import type { World } from '../harness/world.ts';

/** Somebody opens a payment link, and mostly pays; slowly, twice at once, or not at all. */
export async function payer(world: World): Promise<void> {
  const bill = world.population.someBill();
  if (bill) await visit(world, bill);
}

/** A payer who has the form of a bill open. */
type Form = { readonly billId: string; readonly paymentId: string; readonly token: string };

async function visit(world: World, bill: KnownBill): Promise<void> {
  const { random } = world;
  const form = await open(world, bill.id);
  if (!form) return;
  await world.pause(random.happens(0.2) ? random.below(200) : random.below(20));
  await submitAndPay(world, form);
}

/** Undefined when there was nothing to fill in; a payment that is under way is paid by whoever opens its page. */
async function open(world: World, billId: string): Promise<Form | undefined> {
  const opened = await world.invoke('open bill', (ports) => openBill(ports, { billId, publicUrl }));
  if (!('done' in opened)) return undefined;
  if (opened.done.kind === 'in_progress') await pay(world, opened.done.pageUrl, opened.done.paymentId);
  if (opened.done.kind !== 'payable') return undefined;
  const { token } = opened.done;
  const paymentId = newPaymentId(billId, token.slice(0, 8));
  world.population.payments.push(paymentId);
  return { billId, paymentId, token };
}

async function submitAndPay(world: World, form: Form): Promise<void> {
  const clicks = world.random.happens(0.15) ? 2 : 1;
  const pages = await Promise.all(Array.from({ length: clicks }, () => submit(world, form)));
  const pageUrl = pages.find((page) => page !== undefined);
  if (pageUrl !== undefined) await pay(world, pageUrl, form.paymentId);
}

/** Two for one bill: the first takes longer than the lock lasts, and pays about when the second takes over. */
export async function rivals(world: World): Promise<void> {
  const { random, population, scheduler } = world;
  const bill = population.someBill();
  const slow = bill && (await open(world, bill.id));
  const pageUrl = slow && (await submit(world, slow));
  if (!slow || pageUrl === undefined) return;
  const lockEnds = scheduler.clock + 15 * 60_000;
  for (let look = 0; look < 60 && scheduler.clock < lockEnds; look += 1) await world.pause(10);
  const quick = await open(world, bill.id);
  if (!quick) return pay(world, pageUrl, slow.paymentId);
  const payLate = async () => {
    await world.pause(random.below(90));
    await pay(world, pageUrl, slow.paymentId, 0);
  };
  await Promise.all([submitAndPay(world, quick), payLate()]);
}

/** A payer whose browser showed an error tries the same form once more. */
async function submit(world: World, { billId, token }: Form): Promise<string | undefined> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const submission = { billId, token, sourceIp: '203.0.113.7', publicUrl };
    const started = await world.invoke('start payment', (ports) => startPayment(ports, submission));
    if ('done' in started) {
      world.count(`started ${started.done.kind}`);
      return started.done.kind === 'started' ? started.done.pageUrl : undefined;
    }
  }
  return undefined;
}

const cardWeights: Readonly<Partial<Record<CardOutcome, number>>> = { paid: 40, challenge: 8, declined: 6 };

async function pay(world: World, pageUrl: string, paymentId: string, patience = 400): Promise<void> {
  const { random } = world;
  if (random.happens(0.08)) return;
  // Some take their time, so that the lock of the bill is over when they pay.
  if (patience > 0) await world.pause(random.happens(0.4) ? random.below(patience) : random.below(40));
  const weights = Object.fromEntries(paymentCards.map(({ outcome }) => [outcome, cardWeights[outcome] ?? 2]));
  const outcome = random.weighted(weights);
  const number = paymentCards.find((card) => card.outcome === outcome)?.value ?? '';
  const form: Readonly<Record<string, string>> = random.happens(0.05)
    ? { do: 'abandon' }
    : { number, expiry: '12/60', cvc: '123', holder: '' };
  const next = await world.outside('card page', () => world.provider.browse(pageUrl, form));
  if (next?.includes('/3ds/')) await answerChallenge(world, next);
  world.count('card form sent');
  if (random.happens(0.75)) await comeBack(world, paymentId);
}

async function answerChallenge(world: World, page: string): Promise<void> {
  const { random } = world;
  await world.pause(random.below(40));
  if (random.happens(0.1)) return;
  const form: Record<string, string> = random.happens(0.1) ? { answer: 'refuse' } : { code: '123456' };
  await world.outside('3-D Secure page', () => world.provider.browse(page, form));
}

async function comeBack(world: World, paymentId: string): Promise<void> {
  for (let look = 0; look < 2; look += 1) {
    const ran = await world.invoke('payer returns', (ports) => returnOfPayer(ports, { paymentId }));
    if ('done' in ran && ran.done.kind !== 'waiting') return;
    await world.pause(world.random.below(30));
  }
}
