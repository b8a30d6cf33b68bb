import type { HTMLElement } from 'node-html-parser';
import { type Page, type Submission, submissionOf } from './browser.ts';

/** Ours say what they are in `data-page`; an acquirer's page is known by what it asks for. */
export function pageKind(page: Page): string {
  const ours = page.root.querySelector('main[data-page]')?.getAttribute('data-page');
  if (ours) return ours;
  if (formWithCard(page)) return 'card';
  return page.root.querySelector('form') ? 'challenge' : 'unknown';
}

/** What our page says in `data-outcome`. */
export const pageOutcome = (page: Page): string | undefined =>
  page.root.querySelector('main[data-outcome]')?.getAttribute('data-outcome');

/** The card form as a payer fills it in. Browsers know these inputs by the same standard words. */
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

/** A date far enough ahead for years, yet what a card may carry. */
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

/** A 3-D Secure page: the form whose button confirms, else its first form. */
export function confirmationOf(page: Page): Submission {
  const forms = page.root.querySelectorAll('form');
  const form = forms.find((each) => each.querySelector('[value=confirm]')) ?? forms[0];
  if (!form) throw new Error('This page has no form');
  return submissionOf(form, page);
}

const formWithCard = ({ root }: Page): HTMLElement | undefined =>
  root.querySelectorAll('form').find((form) => form.querySelector('input[autocomplete=cc-number]'));
