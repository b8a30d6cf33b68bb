import { setTimeout as sleep } from 'node:timers/promises';
import { open, type Page, submit } from './browser.ts';
import {
  cardFieldsOf,
  confirmationOf,
  firstFormOf,
  linkOn,
  methodChoiceOf,
  pageKind,
  pageOutcome,
  troubleOn,
} from './payer-pages.ts';
import { CommandError } from '../installation/command-error.ts';
import { whyStopped } from './why-stopped.ts';

/** A payment as the payer saw it. */
export type Journey = {
  readonly status: string;
  /** What the service's own page says of the outcome: of a failure also why. Absent when it did not respond. */
  readonly said: string | undefined;
  readonly billId: string;
  readonly paymentId: string;
  /** The URL that the browser was redirected to, with the fields that it posted there (contract 6.3). */
  readonly sentTo: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The HTTP status of the shop's page. Absent when it did not respond. */
  readonly shopAnswered: number | undefined;
};

/** Where the receipt goes unless another contact is given. */
export const payerContact = 'payer@example.com';

/** The means of payment that is not a card's number. */
export const sbp = 'sbp';

const maxPages = 60;
const maxPauseSeconds = 2;

/** The payer's action on each kind of page, with a card's number or `sbp`. */
const steps: Readonly<Record<string, (page: Page, means: string, contact: string) => Promise<Page>>> = {
  link: (page) => open(linkOn(page)),
  payment: startPayment,
  card: payOnCardPage,
  challenge: (page) => submit(confirmationOf(page), page),
  'to-bank': (page) => open(linkOn(page)),
  sbp: payOnSbpPage,
  'sbp-bank': (page) => submit(confirmationOf(page), page),
  waiting: wait,
};

/** Pages that appear again only when the form was not accepted. */
const stuck: Readonly<Record<string, (page: Page) => CommandError>> = {
  payment: (page) => new CommandError(notStarted(page), 'not_started'),
  card: (page) => new CommandError(refusedCard(page), 'card_refused'),
};

/**
 * Pays a bill as a person with a browser would, from the bill's link to the shop's page. `means`: a card's number, or `sbp`. `contact` is
 * given where the page asks where to send the receipt.
 */
export async function payBill(link: URL, means: string, contact = payerContact): Promise<Journey> {
  let page = await open(link);
  const seen: string[] = [];
  while (seen.length < maxPages) {
    const kind = pageKind(page);
    if (kind === 'hand-off') return arrive(link, page);
    if (kind === 'message' || kind === 'being-paid') throw whyStopped(pageOutcome(page));
    if (seen.includes(kind) && stuck[kind]) throw stuck[kind](page);
    const step = steps[kind];
    if (!step) throw unknownPage(page);
    seen.push(kind);
    page = await step(page, means, contact);
  }
  throw new CommandError(
    'The payment is still being checked: query payment/status for its outcome.',
    'undecided',
  );
}

/** Presses the button of the method. A page without it is left as it is: its first form would start another payment. */
function startPayment(page: Page, means: string, contact: string): Promise<Page> {
  const choice = methodChoiceOf(page, means === sbp ? 'sbp' : 'card', contact);
  if (choice) return submit(choice, page);
  throw new CommandError(
    means === sbp
      ? 'This bill cannot be paid by SBP: pay with --card.'
      : 'This bill cannot be paid by card: pay with --sbp.',
    'method_not_offered',
  );
}

/** A card page may offer SBP as well. */
function payOnCardPage(page: Page, means: string): Promise<Page> {
  if (means !== sbp) return submit(cardFieldsOf(page, means), page);
  const choice = methodChoiceOf(page, 'sbp');
  if (choice) return submit(choice, page);
  throw new CommandError(
    `The page at ${page.url.origin} does not offer SBP: pay with --card.`,
    'method_not_offered',
  );
}

function payOnSbpPage(page: Page, means: string): Promise<Page> {
  if (means === sbp) return open(linkOn(page));
  throw new CommandError(
    `The page at ${page.url.origin} takes SBP only: pay with --sbp.`,
    'method_not_offered',
  );
}

const unknownPage = ({ url, status }: Page): CommandError =>
  new CommandError(
    `${url.origin} answered ${status} with an unknown page: check the link, or pay again later.`,
    'strange_page',
  );

async function wait({ refresh, url }: Page): Promise<Page> {
  await sleep(Math.min(refresh?.seconds ?? 1, maxPauseSeconds) * 1000);
  return open(refresh?.url ?? url);
}

/** Submits the hand-off form to the shop. The payment's outcome does not depend on the shop's response. */
async function arrive(link: URL, page: Page): Promise<Journey> {
  const submission = firstFormOf(page);
  const paymentId = lastSegment(page.url);
  const shop = await submit(submission, page).catch(() => undefined);
  return {
    ...(await outcomeOf(page, paymentId)),
    billId: lastSegment(link),
    paymentId,
    sentTo: submission.url.href,
    fields: submission.fields,
    shopAnswered: shop?.status,
  };
}

const statuses: Readonly<Record<string, string>> = {
  paid: 'SUCCESS',
  overpaid: 'OVERPAID',
  underpaid: 'UNDERPAID',
  failed: 'FAIL',
};

/** Returns the exact status, and what the service's own page says of it. The hand-off page only distinguishes paid from not paid. */
async function outcomeOf(page: Page, paymentId: string): Promise<Pick<Journey, 'status' | 'said'>> {
  const handedOff = pageOutcome(page);
  const own = new URL(`../redirect/payment/${handedOff === 'paid' ? 'success' : 'fail'}`, page.url);
  own.search = new URLSearchParams({ TrsId: paymentId }).toString();
  const shown = await open(own).catch(() => undefined);
  return {
    status: statuses[(shown && pageOutcome(shown)) ?? ''] ?? statuses[handedOff ?? ''] ?? 'PROCESS',
    said: shown?.root.querySelector('h1 + p')?.textContent.trim(),
  };
}

const refusedCard = (page: Page): string => {
  const said = troubleOn(page) ?? page.root.querySelector('[role=alert], .error')?.textContent.trim();
  return `The card page refuses this card${said ? ` (${said})` : ''}: give another one with --card.`;
};

function notStarted(page: Page): string {
  const trouble = troubleOn(page);
  if (trouble !== undefined) return `The page does not accept this contact: ${trouble}`;
  const said = page.root.querySelector('[role=status]')?.textContent.trim();
  return said
    ? `The payment did not start. The page says: ${said}`
    : 'The payment page refused its own form: pay again.';
}

const lastSegment = ({ pathname }: URL): string =>
  decodeURIComponent(pathname.replace(/\/+$/, '').split('/').at(-1) ?? '');
