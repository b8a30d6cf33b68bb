import { parse } from 'node-html-parser';

// Single steps of a payer, for tests in which the payer stops midway. `lib/cli/payer.ts` performs all of them.

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** What the payment page gives a browser: the form token, and the cookie to send with it. */
type Form = { readonly token: string; readonly cookie: string };

/** Opens a bill's payment page in a new browser. */
export async function openForm(page: URL): Promise<Form> {
  const answer = await fetch(page);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const token = parse(await answer.text())
    .querySelector('input[name=token], input[name=token-card]')
    ?.getAttribute('value');
  if (token === undefined) throw new Error('There is nothing to pay on this page.');
  return { token, cookie };
}

/** Submits the form with what the payer typed; returns the URL of the card page to which the browser is redirected. */
export async function sendForm(
  page: URL,
  { token, cookie }: Form,
  typed: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  const body = new URLSearchParams({ token, ...typed });
  const headers = { ...form, cookie };
  const answer = await fetch(page, { method: 'POST', headers, body, redirect: 'manual' });
  await answer.body?.cancel();
  return answer.headers.get('location');
}

/** Submits a card on the card page; returns the return URL without following it: the payer does not come back. */
export async function giveCard(cardPage: string, number: string): Promise<string> {
  const body = new URLSearchParams({ do: 'pay', number, expiry: '12/49', cvc: '123' });
  const answer = await fetch(cardPage, { method: 'POST', headers: form, body, redirect: 'manual' });
  await answer.body?.cancel();
  return answer.headers.get('location') ?? '';
}

/** Returns the payment id in the URL by which the payer returns from the card page. */
export const paymentOn = (wayBack: string): string => /\/result\/([0-9A-Za-z]+)/.exec(wayBack)?.[1] ?? '';
