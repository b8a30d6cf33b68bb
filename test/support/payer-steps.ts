import { parse } from 'node-html-parser';

// The steps of a payer one by one, for tests in which the payer stops half way. `lib/cli/payer.ts` takes them all.

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** What the payment page gives a browser: the token of its form, and the cookie to send it with. */
type Form = { readonly token: string; readonly cookie: string };

/** Opens a bill's payment page in a browser that has not been here before. */
export async function openForm(page: URL): Promise<Form> {
  const answer = await fetch(page);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const token = parse(await answer.text())
    .querySelector('input[name=token]')
    ?.getAttribute('value');
  if (token === undefined) throw new Error('There is nothing to pay on this page.');
  return { token, cookie };
}

/** Sends that form, and answers the address of the card page that the browser is led to. */
export async function sendForm(page: URL, { token, cookie }: Form): Promise<string | null> {
  const body = new URLSearchParams({ token });
  const headers = { ...form, cookie };
  const answer = await fetch(page, { method: 'POST', headers, body, redirect: 'manual' });
  await answer.body?.cancel();
  return answer.headers.get('location');
}

/** Gives a card on the card page, and answers the way back that the browser does not go: it is not seen again. */
export async function giveCard(cardPage: string, number: string): Promise<string> {
  const body = new URLSearchParams({ do: 'pay', number, expiry: '12/49', cvc: '123' });
  const answer = await fetch(cardPage, { method: 'POST', headers: form, body, redirect: 'manual' });
  await answer.body?.cancel();
  return answer.headers.get('location') ?? '';
}

/** The payment that a card page belongs to: its address ends in the payment's id and the page's key. */
export const paymentOn = (cardPage: string): string => /\/card\/([0-9A-Za-z]+)\./.exec(cardPage)?.[1] ?? '';
