import { parse } from 'node-html-parser';

// The steps of a payer one by one, for tests in which the payer stops half way. `lib/cli/payer.ts` takes them all.

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Opens a bill's payment page, and answers the token of its form. */
export async function openForm(page: URL): Promise<string> {
  const markup = parse(await (await fetch(page)).text());
  const token = markup.querySelector('input[name=token]')?.getAttribute('value');
  if (token === undefined) throw new Error('There is nothing to pay on this page.');
  return token;
}

/** Sends that form, and answers the address of the card page that the browser is led to. */
export async function sendForm(page: URL, token: string): Promise<string | null> {
  const body = new URLSearchParams({ token });
  const answer = await fetch(page, { method: 'POST', headers: form, body, redirect: 'manual' });
  await answer.body?.cancel();
  return answer.headers.get('location');
}

/** Gives a card on the card page and goes away: the shop never sees this browser again. */
export async function giveCard(cardPage: string, number: string): Promise<void> {
  const body = new URLSearchParams({ do: 'pay', number, expiry: '12/49', cvc: '123' });
  const answer = await fetch(cardPage, { method: 'POST', headers: form, body, redirect: 'manual' });
  await answer.body?.cancel();
}

/** The payment that a card page belongs to: its address ends in the payment's id and the page's key. */
export const paymentOn = (cardPage: string): string => /\/card\/([0-9A-Za-z]+)\./.exec(cardPage)?.[1] ?? '';
