import type { HTMLElement } from 'node-html-parser';
import { CommandError } from '../installation/command-error.ts';
import { type Page, type Submission, submissionOf } from './browser.ts';

/** Returns the kind of a page: its `data-page`, else by its form. An acquirer's pages need not have `data-page`. */
export function pageKind(page: Page): string {
  const ours = page.root.querySelector('main[data-page]')?.getAttribute('data-page');
  if (ours) return ours;
  if (formWithCard(page)) return 'card';
  return page.root.querySelector('form') ? 'challenge' : 'unknown';
}

/** Returns the `data-outcome` of one of the service's pages. */
export const pageOutcome = (page: Page): string | undefined =>
  page.root.querySelector('main[data-outcome]')?.getAttribute('data-outcome');

/** What the scripted payer answers where a bill asks. */
const payerPhone = '+7 912 345-67-89';
const payerName = 'Ivan Petrov';

/**
 * Returns the submission that chooses a method, by its button or another field, with the contact and the answers that the form asks for;
 * undefined when the page does not offer the method.
 */
export function methodChoiceOf(page: Page, method: 'card' | 'sbp', contact = ''): Submission | undefined {
  const choice = page.root.querySelector(`main form [name=method][value=${method}]`);
  const form = choice?.closest('form');
  const filled: Readonly<Record<string, string>> = { email: contact, tel: payerPhone, name: payerName };
  const typed = (form?.querySelectorAll('input[autocomplete]') ?? []).flatMap((input) => {
    const value = filled[input.getAttribute('autocomplete') ?? ''];
    return value === undefined ? [] : [[input.getAttribute('name') ?? '', value]];
  });
  return form ? submissionOf(form, page, { method, ...Object.fromEntries(typed) }) : undefined;
}

/** Returns the submission of the page's first form. */
export function firstFormOf(page: Page): Submission {
  const form = page.root.querySelector('main form');
  if (form) return submissionOf(form, page);
  throw new CommandError(
    `The page at ${page.url.origin} has no button to press: update this command.`,
    'strange_page',
  );
}

/** Returns the target of the page's link, the one with the look of a button where there is one. */
export function linkOn(page: Page): URL {
  const link = page.root.querySelector('main a.button') ?? page.root.querySelector('main a');
  return new URL(link?.getAttribute('href') ?? '', page.url);
}

/** Returns the text that describes the first invalid field. */
export function troubleOn({ root }: Page): string | undefined {
  const id = root.querySelector('input[aria-invalid]')?.getAttribute('aria-describedby');
  return id === undefined ? undefined : root.querySelector(`[id="${id}"]`)?.textContent.trim();
}

/** Returns the filled-in card form. Inputs are found by their standard `autocomplete` values, as in browsers. */
export function cardFieldsOf(page: Page, card: string): Submission {
  const form = formWithCard(page);
  if (!form) throw new Error('This page has no card form');
  const typed: Record<string, string> = {};
  for (const input of form.querySelectorAll('input[autocomplete]')) {
    const value = typedInto(input.getAttribute('autocomplete') ?? '', card);
    const name = input.getAttribute('name');
    if (value !== undefined && name) typed[name] = value;
  }
  return submissionOf(form, page, typed);
}

/** An expiry date far in the future that a card may have. */
const expiry = { month: '12', year: '49' };

function typedInto(autocomplete: string, card: string): string | undefined {
  const answers: Readonly<Record<string, string>> = {
    'cc-number': card,
    'cc-exp': `${expiry.month}/${expiry.year}`,
    'cc-exp-month': expiry.month,
    'cc-exp-year': expiry.year,
    'cc-csc': '123',
    'cc-name': 'TEST PAYER',
  };
  return answers[autocomplete];
}

/** Returns the confirmation of a 3-D Secure page: the form with a confirm button, else the first form. */
export function confirmationOf(page: Page): Submission {
  const forms = page.root.querySelectorAll('form');
  const form = forms.find((each) => each.querySelector('[value=confirm]')) ?? forms[0];
  if (!form) throw new Error('This page has no form');
  return submissionOf(form, page);
}

const formWithCard = ({ root }: Page): HTMLElement | undefined =>
  root.querySelectorAll('form').find((form) => form.querySelector('input[autocomplete=cc-number]'));
