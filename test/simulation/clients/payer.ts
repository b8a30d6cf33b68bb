import { type BillId, newPaymentId, type PaymentId } from '../../../lib/ids.ts';
import { type MethodForm, openBill, otherWaysToPay } from '../../../lib/payment/open-bill.ts';
import { returnKey } from '../../../lib/payment/return-key.ts';
import { returnOfPayer } from '../../../lib/payment/return-of-payer.ts';
import { startPayment } from '../../../lib/payment/start-payment.ts';
import { type CardOutcome, paymentCards } from '../../../lib/sandbox/test-values.ts';
import { publicUrl } from '../harness/ports.ts';
import type { KnownBill } from '../harness/population.ts';
import type { World } from '../harness/world.ts';

/** A payer opens a payment link and mostly pays: slowly, with a double click, or not at all. */
export async function payer(world: World): Promise<void> {
  const bill = world.population.someBill();
  if (bill) await visit(world, bill);
}

/** An open payment form; `browser` is undefined if the browser does not store cookies. */
type Form = {
  readonly billId: BillId;
  readonly paymentId: PaymentId;
  readonly token: string;
  readonly browser: string | undefined;
};

/** Draws a browser: one without cookies, one used before (a return or a second tab), or a new one. */
function someBrowser({ random, population }: World): string | undefined {
  if (random.happens(0.15)) return undefined;
  const known = population.browsers;
  if (known.length > 0 && random.happens(0.3)) return known[random.below(known.length)];
  const browser = random.id(22);
  known.push(browser);
  return browser;
}

async function visit(world: World, bill: KnownBill): Promise<void> {
  const { random } = world;
  const form = await open(world, bill.id, someBrowser(world));
  if (!form) return;
  await world.pause(random.happens(0.2) ? random.below(200) : random.below(20));
  await submitAndPay(world, form);
}

/** Opens the link; undefined when no form is shown. A payer whose payment is in progress is redirected to it, in every tab. */
async function open(world: World, billId: BillId, browser: string | undefined): Promise<Form | undefined> {
  // A browser without cookies gets a new number with each page and sends none back.
  const number = browser ?? world.random.id(22);
  const ran = await world.invoke('open bill', (ports) =>
    openBill(ports, { billId, browser: number, publicUrl }),
  );
  if (ran.kind !== 'done') return undefined;
  world.count(`opened ${ran.done.kind}`);
  if (ran.done.kind === 'in_progress' || ran.done.kind === 'pending')
    checkSameBrowser(world, ran.done.paymentId, browser);
  if (ran.done.kind === 'payable') return chosen(world, billId, browser, ran.done.forms);
  const isOwn = ran.done.kind === 'in_progress' || ran.done.kind === 'not_responding';
  if (isOwn && world.random.happens(0.3)) return otherWay(world, billId, number, browser);
  if (ran.done.kind === 'in_progress') await pay(world, ran.done.pageUrl, ran.done.paymentId);
  return undefined;
}

/** The payer of a payment under way looks for another way to pay. */
async function otherWay(
  world: World,
  billId: BillId,
  number: string,
  browser: string | undefined,
): Promise<Form | undefined> {
  const ran = await world.invoke('other ways to pay', (ports) =>
    otherWaysToPay(ports, { billId, browser: number }),
  );
  if (ran.kind !== 'done' || !ran.done) return undefined;
  world.count('did choose another way to pay');
  return chosen(world, billId, browser, ran.done.forms);
}

/** The form of the method that the payer chooses: mostly the first. */
function chosen(
  world: World,
  billId: BillId,
  browser: string | undefined,
  forms: readonly MethodForm[],
): Form | undefined {
  const form = world.random.happens(0.65) ? forms[0] : forms.at(-1);
  if (!form) return undefined;
  const { token } = form;
  const paymentId = newPaymentId(billId, token.slice(0, 8));
  world.population.payments.push(paymentId);
  return { billId, paymentId, token, browser };
}

/** No browser is redirected to a payment that another browser started. */
function checkSameBrowser(world: World, paymentId: PaymentId, browser: string | undefined): void {
  const begunBy = world.population.begunBy.get(paymentId);
  if (browser === undefined || begunBy !== browser)
    world.violate('browsers', `payment ${paymentId} of ${begunBy} was shown to ${browser}`);
}

async function submitAndPay(world: World, form: Form): Promise<void> {
  const clicks = world.random.happens(0.15) ? 2 : 1;
  const pages = await Promise.all(Array.from({ length: clicks }, () => submit(world, form)));
  const page = pages.find((each) => each !== undefined);
  if (page !== undefined) await pay(world, page.pageUrl, page.paymentId);
}

/** Two payers of one bill: the first stays on the card page past its lock and pays about when the second takes over. */
export async function rivals(world: World): Promise<void> {
  const { random, population, scheduler } = world;
  const bill = population.someBill();
  const slow = bill && (await open(world, bill.id, random.id(22)));
  const page = slow && (await submit(world, slow));
  if (!slow || page === undefined) return;
  const lockEnds = scheduler.clock + 15 * 60_000;
  for (let look = 0; look < 60 && scheduler.clock < lockEnds; look += 1) await world.pause(10);
  const quick = await open(world, bill.id, random.id(22));
  if (!quick) return pay(world, page.pageUrl, page.paymentId);
  const payLate = async () => {
    await world.pause(random.below(90));
    await pay(world, page.pageUrl, page.paymentId, 0);
  };
  await Promise.all([submitAndPay(world, quick), payLate()]);
}

type CardPage = { readonly pageUrl: string; readonly paymentId: PaymentId };

/** A payer whose browser showed an error tries the same form once more. */
async function submit(
  world: World,
  { billId, token, browser, paymentId }: Form,
): Promise<CardPage | undefined> {
  const { begunBy } = world.population;
  if (browser !== undefined && !begunBy.has(paymentId)) begunBy.set(paymentId, browser);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const submission = {
      billId,
      token,
      browser,
      language: 'en',
      sourceIp: '203.0.113.7',
      publicUrl,
    } as const;
    const ran = await world.invoke('start payment', (ports) => startPayment(ports, submission));
    if (ran.kind === 'done') {
      const started = ran.done;
      world.count(`started ${started.kind}`);
      if (started.kind === 'started') return { pageUrl: started.pageUrl, paymentId };
      if (started.kind !== 'in_progress') return undefined;
      checkSameBrowser(world, started.paymentId, browser);
      return started;
    }
  }
  return undefined;
}

const cardWeights: Readonly<Partial<Record<CardOutcome, number>>> = { paid: 40, challenge: 8, declined: 6 };

/** What the payer enters on the acquirer's page: a card drawn by weight, or on SBP's a press of its button. */
function formFor({ random, set }: World, pageUrl: string): Readonly<Record<string, string>> {
  if (random.happens(0.05)) return { do: 'abandon' };
  if (pageUrl.includes('/sbp/')) return { do: 'pay' };
  const drawn: typeof cardWeights = { ...cardWeights, ...set.cards };
  const weights = Object.fromEntries(paymentCards.map(({ outcome }) => [outcome, drawn[outcome] ?? 2]));
  const outcome = random.weighted(weights);
  const number = paymentCards.find((card) => card.outcome === outcome)?.value ?? '';
  return { number, expiry: '12/60', cvc: '123', holder: '' };
}

async function pay(world: World, pageUrl: string, paymentId: PaymentId, patience = 400): Promise<void> {
  const { random } = world;
  if (random.happens(0.08)) return;
  // A long pause lets the bill's lock expire before the payer pays.
  if (patience > 0) await world.pause(random.happens(0.4) ? random.below(patience) : random.below(40));
  const form = formFor(world, pageUrl);
  const next = await world.outside('card page', () => world.browse(pageUrl, form));
  if (next?.includes('/3ds/')) await answerChallenge(world, next);
  world.count('card form sent');
  if (random.happens(0.75)) await comeBack(world, paymentId);
}

async function answerChallenge(world: World, page: string): Promise<void> {
  const { random } = world;
  await world.pause(random.below(40));
  if (random.happens(0.1)) return;
  const form: Record<string, string> = random.happens(0.1) ? { answer: 'refuse' } : { code: '123456' };
  await world.outside('3-D Secure page', () => world.browse(page, form));
}

async function comeBack(world: World, paymentId: PaymentId): Promise<void> {
  for (let look = 0; look < 2; look += 1) {
    const ran = await world.invoke('payer returns', async (ports) =>
      returnOfPayer(ports, { paymentId, key: returnKey((await ports.pageSecrets())[0], paymentId) }),
    );
    if (ran.kind === 'done' && ran.done.kind !== 'waiting' && ran.done.kind !== 'unpaid') return;
    await world.pause(world.random.below(30));
  }
}
