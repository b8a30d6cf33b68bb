import { describe, expect, it } from 'vitest';
import { signatureOf } from '../../lib/sandbox/secret.ts';
import { aCard, aSandbox, payer, sandboxSecret, sandboxUrl, type Sandbox } from '../support/sandbox.ts';
import { ordersAt, paymentId, startRequest } from '../support/sandbox-orders.ts';

const { returnUrl, notifyUrl } = startRequest();
const amountMinor = 123_450n;

async function anOpenOrder(sandbox: Sandbox, steps: 'one' | 'two' = 'two', description = 'Two <b>cups</b>') {
  const { acquirer, open } = ordersAt(sandbox.send, { steps });
  const { pageUrl, known, reference } = await open({ amountMinor, description });
  return { acquirer, pageUrl, reference, view: () => acquirer.get(known) };
}

/** A shop that records the notifications it receives. */
function aListener() {
  const heard: { readonly url: string; readonly body: string; readonly signature: string | null }[] = [];
  const listen: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const signature = request.headers.get('sandbox-signature');
    heard.push({ url: request.url, body: await request.text(), signature });
    return new Response();
  };
  return { heard, fetch: listen };
}

describe('the hosted card page', () => {
  it('shows the amount and the test cards, in the language of the browser', async () => {
    const sandbox = await aSandbox();
    const { pageUrl } = await anOpenOrder(sandbox);

    const english = await sandbox.pay(pageUrl);
    expect(english.status).toBe(200);
    expect(english.text).toContain('₽1,234.50');
    expect(english.text).toContain('Two &lt;b&gt;cups&lt;/b&gt;');
    expect(english.page.querySelector('details')?.text).toContain('4000 0000 0000 3220');
    expect(english.page.querySelectorAll('form input').map((input) => input.getAttribute('name'))).toEqual([
      'number',
      'expiry',
      'cvc',
      'holder',
    ]);

    const russian = await sandbox.pay(pageUrl, undefined, 'ru-RU,ru;q=0.9');
    expect(russian.text).toContain('Номер карты');
    expect(russian.page.querySelector('details')?.text).toContain('отклоняется');
  });

  it('isolates the direction of the shop’s text from the text around it', async () => {
    const sandbox = await aSandbox();
    const { pageUrl } = await anOpenOrder(sandbox, 'two', 'tea\u202e');
    const { page } = await sandbox.pay(pageUrl);
    expect(page.querySelector('bdi')?.text).toBe('tea\u202e');
    page.querySelector('bdi')?.remove();
    expect(page.toString()).not.toContain('\u202e');
  });

  it('runs no script, and its form can be redirected to the shop only', async () => {
    const sandbox = await aSandbox();
    const { pageUrl } = await anOpenOrder(sandbox);
    const { headers, page } = await sandbox.pay(pageUrl);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' https://shop.test;");
    expect(policy).not.toContain('unsafe');
    expect(page.querySelectorAll('script, [style], [onclick], link')).toEqual([]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('sends the payer back to the shop once the card is authorised', async () => {
    const sandbox = await aSandbox();
    const { view, pageUrl } = await anOpenOrder(sandbox);
    const paid = await sandbox.pay(pageUrl, aCard);
    expect(paid).toMatchObject({ status: 303, location: returnUrl });
    expect(await view()).toEqual({
      state: 'authorised',
      amountMinor: 123_450n,
      bank: 'Sandbox Bank',
      fromCard: '411111******1111',
    });
  });

  it('sends the payer back to the shop when the card is declined, and reports the reason to the shop', async () => {
    const sandbox = await aSandbox();
    const { view, pageUrl } = await anOpenOrder(sandbox);
    const declined = await sandbox.pay(pageUrl, { ...aCard, number: '4000000000009995' });
    expect(declined).toMatchObject({ status: 303, location: returnUrl });
    expect(await view()).toMatchObject({
      state: 'declined',
      outcome: 'insufficient_funds',
    });
  });

  it('marks each invalid field, keeps the other values except the CVC, and changes nothing', async () => {
    const sandbox = await aSandbox();
    const { view, pageUrl } = await anOpenOrder(sandbox);
    const wrong = { number: '4111 1111 1111 1112', expiry: '01/20', cvc: '987', holder: 'A "B" C' };
    const { status, page } = await sandbox.pay(pageUrl, wrong);
    expect(status).toBe(422);
    expect(page.querySelector('#number-trouble')?.text).toBe('This card number is not valid.');
    expect(page.querySelector('#expiry-trouble')?.text).toBe('This card has expired.');
    expect(page.querySelector('#cvc-trouble')).toBeNull();
    expect(page.querySelector('#number')?.getAttribute('aria-describedby')).toBe('number-trouble');
    expect(page.querySelector('#holder')?.getAttribute('value')).toBe('A "B" C');
    expect(page.querySelector('#cvc')?.getAttribute('value')).toBe('');
    expect(await view()).toEqual({ state: 'pending' });
  });

  it('redirects to the shop immediately when nothing is left to pay', async () => {
    const sandbox = await aSandbox();
    const { pageUrl } = await anOpenOrder(sandbox);
    await sandbox.pay(pageUrl, aCard);
    expect(await sandbox.pay(pageUrl)).toMatchObject({ status: 303, location: returnUrl });
    const again = { ...aCard, number: '4000000000000002' };
    expect(await sandbox.pay(pageUrl, again)).toMatchObject({ status: 303, location: returnUrl });
  });

  it('lets the payer cancel', async () => {
    const sandbox = await aSandbox();
    const { view, pageUrl } = await anOpenOrder(sandbox);
    expect(await sandbox.pay(pageUrl, { do: 'abandon' })).toMatchObject({ status: 303, location: returnUrl });
    expect(await view()).toEqual({
      state: 'cancelled',
      reason: 'canceled_by_payer',
      outcome: 'abandoned_by_payer',
    });
  });

  it.each([
    'card/REFERENCE',
    'card/REFERENCE.guess',
    'sbp/REFERENCE.guess',
    'card/sbx0.x',
    'card',
    '3ds/REFERENCE.guess',
  ])('is not found under a guessed URL: %s', async (path) => {
    const sandbox = await aSandbox();
    await anOpenOrder(sandbox);
    expect(await sandbox.pay(`${sandboxUrl}/${path}`)).toMatchObject({ status: 404, location: null });
  });
});

describe('the 3-D Secure page', () => {
  async function aChallenge(number = '4000000000003220') {
    const listener = aListener();
    const sandbox = await aSandbox({ fetch: listener.fetch });
    const { view, pageUrl } = await anOpenOrder(sandbox);
    const { location } = await sandbox.pay(pageUrl, { ...aCard, number });
    return { ...listener, sandbox, view, pageUrl, challengeUrl: location ?? '' };
  }

  it('comes between the card and the authorisation', async () => {
    const { sandbox, view, pageUrl, challengeUrl, heard } = await aChallenge();
    expect(challengeUrl).toBe(pageUrl.replace('/card/', '/3ds/'));
    expect(await view()).toEqual({ state: 'pending' });
    expect(heard).toEqual([]);
    expect(await sandbox.pay(pageUrl)).toMatchObject({ status: 303, location: challengeUrl });
    expect((await sandbox.pay(challengeUrl)).text).toContain('400000******3220');
  });

  it.each([
    ['the right code', { code: '123456' }],
    ['the right code and the button', { code: ' 123456 ', answer: 'confirm' }],
    ['the button alone', { code: '', answer: 'confirm' }],
  ])('authorises with %s', async (_case, form) => {
    const { sandbox, view, challengeUrl } = await aChallenge();
    expect(await sandbox.pay(challengeUrl, form)).toMatchObject({ status: 303, location: returnUrl });
    expect(await view()).toMatchObject({ state: 'authorised', amountMinor: 123_450n });
  });

  it('asks again after a wrong code', async () => {
    const { sandbox, view, challengeUrl } = await aChallenge();
    const wrong = await sandbox.pay(challengeUrl, { code: '654321' });
    expect(wrong.status).toBe(422);
    expect(wrong.page.querySelector('#code-hint')?.text).toContain('The code is wrong');
    expect(await view()).toEqual({ state: 'pending' });
  });

  it('declines when the payer refuses', async () => {
    const { sandbox, view, challengeUrl } = await aChallenge();
    expect(await sandbox.pay(challengeUrl, { answer: 'refuse' })).toMatchObject({ location: returnUrl });
    expect(await view()).toMatchObject({
      state: 'declined',
      outcome: 'challenge_refused',
    });
  });

  it('can be followed by a refusal of the issuer', async () => {
    const { sandbox, view, challengeUrl } = await aChallenge('4000008400001629');
    expect(await sandbox.pay(challengeUrl, { code: '123456' })).toMatchObject({ location: returnUrl });
    expect(await view()).toMatchObject({ state: 'declined', outcome: 'card_declined' });
  });

  it('keeps the chosen language', async () => {
    const sandbox = await aSandbox();
    const { pageUrl } = await anOpenOrder(sandbox);
    const card = { ...aCard, number: '4000000000003220' };
    const { location } = await sandbox.pay(`${pageUrl}?lang=ru`, card);
    expect((await sandbox.pay(location ?? '')).text).toContain('Подтвердите оплату');
  });
});

describe('the notification', () => {
  it.each([
    ['authorised', 'two', '4111111111111111'],
    ['captured', 'one', '4111111111111111'],
    ['declined', 'two', '4000000000000002'],
  ] as const)(
    'that an order is %s reaches the shop signed, before the payer does',
    async (state, steps, number) => {
      const { heard, fetch } = aListener();
      const sandbox = await aSandbox({ fetch });
      const { acquirer, pageUrl, reference } = await anOpenOrder(sandbox, steps);
      await sandbox.pay(pageUrl, { ...aCard, number });

      const body = JSON.stringify({ paymentId, reference, state });
      expect(heard).toEqual([{ url: notifyUrl, body, signature: signatureOf(body, sandboxSecret) }]);
      const headers = { 'sandbox-signature': heard[0]?.signature ?? '' };
      expect(await acquirer.readNotification(headers, body)).toEqual({
        about: 'payment',
        reference,
        paymentId,
      });
    },
  );

  it.each([
    ['twice', '4000000000110041', 2],
    ['never', '4000000000110058', 0],
  ])('comes %s for the card that says so', async (_case, number, times) => {
    const { heard, fetch } = aListener();
    const sandbox = await aSandbox({ fetch });
    const { view, pageUrl } = await anOpenOrder(sandbox);
    expect(await sandbox.pay(pageUrl, { ...aCard, number })).toMatchObject({ location: returnUrl });
    expect(heard.map(({ url }) => url)).toEqual(Array.from({ length: times }, () => notifyUrl));
    expect(await view()).toMatchObject({ state: 'authorised' });
  });

  it('that is refused or lost does not delay the payer', async () => {
    const sandbox = await aSandbox({ fetch: () => Promise.reject(new Error('connection refused')) });
    const { view, pageUrl } = await anOpenOrder(sandbox);
    expect(await sandbox.pay(pageUrl, aCard)).toMatchObject({ status: 303, location: returnUrl });
    expect(await view()).toMatchObject({ state: 'authorised' });
  });

  it.each([
    ['one', [{ currency: 'RUB', captured: 123_450, refunded: 0 }]],
    ['two', []],
  ] as const)(
    'is sent once when many browsers pay one order concurrently, capture in %s step(s)',
    async (steps, totals) => {
      const { heard, fetch } = aListener();
      const sandbox = await aSandbox({ fetch });
      const { pageUrl } = await anOpenOrder(sandbox, steps);
      const browsers = Array.from({ length: 20 });
      // Each reads the order once to show the page and once to make the step.
      const pay = payer(sandbox.meeting(browsers.length, 2));
      const answers = await Promise.all(browsers.map(() => pay(pageUrl, aCard)));
      for (const answer of answers) expect(answer).toMatchObject({ location: returnUrl });
      expect(heard).toHaveLength(1);
      expect((await sandbox.books()).acquirer.totals).toEqual(totals);
    },
  );
});
