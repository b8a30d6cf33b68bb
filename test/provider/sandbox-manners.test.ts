import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { KnownOrder, StartRequest } from '../../lib/payment/acquirer.ts';
import { kindManners, type SandboxManners, unkindManners } from '../../lib/sandbox/manners.ts';
import { aCard, aSandbox, sandboxSecret, sandboxUrl } from '../support/sandbox.ts';
import { ordersAt, paymentId, sandboxTime, startRequest } from '../support/sandbox-orders.ts';

const start = sandboxTime;
const request = startRequest();
const captureCall = { key: `${paymentId}.capture.1`, amountMinor: 10_000n, receipt: undefined };
const refundKey = `${paymentId}.refund.1`;
const refundCall = { key: refundKey, refundId: refundKey, amountMinor: 4_000n, receipt: undefined };

async function withManners(traits: Partial<SandboxManners> = {}) {
  const manners = { ...kindManners, ...traits };
  let clock = start.getTime();
  const heard: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    heard.push(JSON.parse(typeof init?.body === 'string' ? init.body : ''));
    return new Response();
  };
  const sandbox = await aSandbox({ manners, now: () => new Date(clock), fetch });
  const { acquirer, open: opened } = ordersAt(sandbox.send, manners);
  const paid = async (number = '4111111111111111', some: Partial<StartRequest> = {}) => {
    const order = await opened(some);
    await sandbox.pay(order.pageUrl, { ...aCard, number });
    return order;
  };
  const pass = (minutes: number) => void (clock += minutes * 60_000);
  return { sandbox, acquirer, opened, paid, pass, heard };
}

describe('an idempotency key of the sandbox', () => {
  it('opens a second order for one payment after its life, and makes a second refund', async () => {
    const { acquirer, paid, opened, pass, sandbox } = await withManners({ keyLifeHours: 24 });
    const first = await paid();
    await acquirer.capture(first.known, captureCall);
    expect(await acquirer.refund(first.known, refundCall)).toEqual({ state: 'succeeded' });
    pass(24 * 60 - 1);
    expect((await opened()).reference).toBe(first.reference);
    expect(await acquirer.refund(first.known, refundCall)).toEqual({ state: 'succeeded' });
    expect((await sandbox.books()).acquirer.totals).toMatchObject([{ refunded: 4_000 }]);

    pass(1);
    expect((await opened()).reference).not.toBe(first.reference);
    expect(await sandbox.ordersOf(paymentId)).toBe(2);
    expect(await acquirer.refund(first.known, refundCall)).toEqual({ state: 'succeeded' });
    expect((await sandbox.books()).acquirer.totals).toMatchObject([{ captured: 10_000, refunded: 8_000 }]);
  });

  it('is kept for ever by the kind sandbox', async () => {
    const { opened, pass } = await withManners();
    const first = await opened();
    pass(400 * 24 * 60);
    expect((await opened()).reference).toBe(first.reference);
  });

  it('with another body is refused, and never taken for an answer', async () => {
    const { acquirer, opened, paid } = await withManners();
    await opened();
    await expect(acquirer.start({ ...request, amountMinor: 10_001n })).rejects.toThrow('another body');
    await expect(acquirer.start({ ...request, currency: 'KZT' })).rejects.toThrow('another body');
    const { known } = await paid('4111111111111111');
    await acquirer.capture(known, captureCall);
    await acquirer.refund(known, refundCall);
    await expect(acquirer.refund(known, { ...refundCall, amountMinor: 1n })).rejects.toThrow('another body');
  });

  it('finds, of two orders for one payment, the one with money', async () => {
    const { acquirer, opened, paid, pass } = await withManners({ keyLifeHours: 1, payableMinutes: 600 });
    const first = await paid();
    pass(61);
    const second = await opened();
    const order = { ...request, lastCallAt: new Date(start.getTime() + 61 * 60_000) };
    expect(await acquirer.find(order)).toMatchObject({ reference: first.reference });
    expect(second.reference).not.toBe(first.reference);
  });

  it.each(['', 'with:colon', 'x'.repeat(65), 'with space'])('is refused when it is %j', async (key) => {
    const { sandbox } = await withManners();
    const headers = { authorization: `Bearer ${sandboxSecret}`, 'idempotency-key': key };
    const { notifyUrl, returnUrl } = request;
    const body = JSON.stringify({
      paymentId,
      method: 'card',
      steps: 'two',
      amountMinor: 100,
      currency: 'RUB',
      description: '',
      returnUrl,
      notifyUrl,
    });
    const answer = await sandbox.send(`${sandboxUrl}/acquirer/orders`, { method: 'POST', headers, body });
    expect(answer.status).toBe(422);
  });
});

describe('an authorisation of the sandbox', () => {
  it.each([
    ['lapses as many hours after the opening as its manners say', 168, 'voided'],
    ['is held for as long as nobody captures it by the kind sandbox', 'unlimited', 'authorised'],
  ] as const)('%s', async (_what, holdHours, state) => {
    const { acquirer, paid, pass } = await withManners({ holdHours });
    const { known } = await paid();
    pass(168 * 60 - 1);
    expect(await acquirer.get(known)).toMatchObject({ state: 'authorised' });
    pass(1);
    expect(await acquirer.get(known)).toMatchObject({ state });
    const acted = await acquirer.capture(known, captureCall);
    expect(acted.refused).toBe(state === 'voided');
  });
});

describe('a refusal of the sandbox', () => {
  it('is repeated under its key by its manners, and not under the next', async () => {
    const { acquirer, opened, sandbox } = await withManners({ endsOpenOrders: false, repeatsRefusals: true });
    const { known, pageUrl } = await opened();
    const key = `${paymentId}.cancel`;
    expect(await acquirer.cancel(known, { key: `${key}.1` })).toMatchObject({ refused: true });
    await sandbox.pay(pageUrl, aCard);
    const refused = await acquirer.cancel(known, { key: `${key}.1` });
    expect(refused).toMatchObject({ refused: true, view: { state: 'authorised' } });
    const done = await acquirer.cancel(known, { key: `${key}.2` });
    expect(done).toMatchObject({ refused: false, view: { state: 'voided' } });
  });

  it('is forgotten by the kind sandbox', async () => {
    const { acquirer, paid } = await withManners();
    const { known } = await paid();
    expect(await acquirer.capture(known, { ...captureCall, amountMinor: 10_001n })).toMatchObject({
      refused: true,
    });
    expect(await acquirer.capture(known, captureCall)).toMatchObject({ refused: false });
  });

  it('of the first void stays a refusal under its key', async () => {
    const { acquirer, paid } = await withManners({ repeatsRefusals: true });
    const { known } = await paid('4000000000110108');
    for (const attempt of [1, 1]) {
      const refused = await acquirer.cancel(known, { key: `${paymentId}.cancel.${attempt}` });
      expect(refused).toMatchObject({ refused: true, view: { state: 'authorised' } });
    }
    expect(await acquirer.cancel(known, { key: `${paymentId}.cancel.2` })).toMatchObject({ refused: false });
  });
});

describe('the list of the sandbox', () => {
  it('lags as its manners say', async () => {
    const { acquirer, opened, pass } = await withManners({ listLagSeconds: 600 });
    await opened();
    pass(9);
    expect(await acquirer.find(request)).toBe('absent');
    pass(1);
    expect(await acquirer.find(request)).toMatchObject({ paymentId });
  });
});

describe('a page of the sandbox', () => {
  it.each([
    ['card', true],
    ['sbp', false],
  ] as const)('of %s says how long it can be paid, and when its time is over', async (method, holds) => {
    const { acquirer, opened, pass, sandbox } = await withManners({ payableMinutes: 30 });
    const { known, pageUrl } = await opened({ method, holds });
    expect((await sandbox.pay(pageUrl)).text).toContain('This page can be paid for 30 more minutes.');
    pass(29);
    expect((await sandbox.pay(pageUrl)).text).toContain('This page can be paid for 1 more minute.');
    expect((await sandbox.pay(pageUrl, undefined, 'ru')).text).toContain('ещё 1 мин.');
    pass(1);
    for (const form of [undefined, { ...aCard, do: 'pay' }]) {
      const over = await sandbox.pay(pageUrl, form);
      expect(over.status).toBe(410);
      expect(over.text).toContain('The time to pay is over');
      expect(over.page.querySelector('form')?.getAttribute('action')).toBe(request.returnUrl);
    }
    expect(await acquirer.get(known)).toEqual({ state: 'cancelled', reason: 'expired', outcome: 'expired' });
  });

  it('can be reopened by its key while it can be paid, and has no URL afterwards', async () => {
    const { acquirer, opened, pass } = await withManners();
    const { pageUrl } = await opened();
    expect(await acquirer.start(request)).toMatchObject({ pageUrl });
    pass(60);
    expect(await acquirer.start(request)).toMatchObject({ kind: 'opened', pageUrl: undefined });
  });

  it('of SBP is a button of the bank, and one to give up', async () => {
    const { acquirer, opened, sandbox } = await withManners();
    const { known, pageUrl } = await opened({ method: 'sbp', holds: false });
    const { page, text } = await sandbox.pay(pageUrl);
    expect(pageUrl).toContain('/sandbox/sbp/');
    expect(page.querySelectorAll('form button').map((button) => button.getAttribute('value'))).toEqual([
      'pay',
      'abandon',
    ]);
    expect(page.querySelectorAll('input')).toEqual([]);
    expect(text).toContain('Two &lt;b&gt;cups&lt;/b&gt;');
    const back = { status: 303, location: request.returnUrl };
    expect(await sandbox.pay(pageUrl, { do: 'pay' })).toMatchObject(back);
    expect(await sandbox.pay(pageUrl)).toMatchObject(back);
    expect(await acquirer.get(known)).toEqual({
      state: 'captured',
      amountMinor: 10_000n,
      refundedMinor: 0n,
      bank: 'Sandbox Bank',
    });
    const onCardPage = await sandbox.pay(pageUrl.replace('/sbp/', '/card/'));
    expect(onCardPage).toMatchObject(back);
  });
});

describe('SBP at the sandbox', () => {
  it.each([
    ['with a hold', { method: 'sbp', holds: true }],
    ['in another currency', { method: 'sbp', holds: false, currency: 'KZT' }],
  ] as const)('is refused %s', async (_case, some) => {
    const { acquirer } = await withManners();
    const started = await acquirer.start({ ...request, ...some });
    expect(started).toEqual({ kind: 'refused', outcome: 'method_not_possible' });
  });
});

describe('the start values', () => {
  it('4400.21 is refused, and 4400.22 opens no order', async () => {
    const { acquirer, sandbox } = await withManners();
    const refused = await acquirer.start({ ...request, amountMinor: 440_021n });
    expect(refused).toEqual({ kind: 'refused', outcome: 'order_refused' });
    for (let tries = 0; tries < 2; tries += 1) {
      await expect(acquirer.start({ ...request, amountMinor: 440_022n })).rejects.toThrow('500');
    }
    expect(await sandbox.ordersOf(paymentId)).toBe(0);
  });

  it('4400.23 opens one order although the first call answers 500', async () => {
    const { acquirer, sandbox } = await withManners();
    const call = () => acquirer.start({ ...request, amountMinor: 440_023n });
    await expect(call()).rejects.toThrow('500');
    expect(await call()).toMatchObject({ kind: 'opened', view: { state: 'pending' } });
    expect(await sandbox.ordersOf(paymentId)).toBe(1);
  });
});

describe('the cards that change afterwards', () => {
  it.each([
    ['4000000000110249', { state: 'captured', amountMinor: 10_000n, refundedMinor: 0n }, unkindManners],
    ['4000000000110249', { state: 'declined', reason: 'declined', outcome: 'card_declined' }, kindManners],
    ['4000000000110256', { state: 'captured', amountMinor: 10_000n, refundedMinor: 10_000n }, kindManners],
    ['4000000000110264', { state: 'captured', amountMinor: 9_000n, refundedMinor: 0n }, kindManners],
  ])('%s changes two hours after the opening, if its manners let it', async (number, becomes, manners) => {
    const { acquirer, paid, pass, sandbox } = await withManners(manners);
    const { known } = await paid(number);
    await acquirer.capture(known, captureCall);
    const before = await acquirer.get(known);
    pass(119);
    expect(await acquirer.get(known)).toEqual(before);
    pass(1);
    expect(await acquirer.get(known)).toMatchObject(becomes);
    pass(1000);
    expect(await acquirer.get(known)).toMatchObject(becomes);
    const charged = 'amountMinor' in becomes ? becomes.amountMinor - becomes.refundedMinor : 0n;
    const totals = (await sandbox.books()).acquirer.totals;
    expect(totals.map(({ captured, refunded }) => captured - refunded)).toEqual(
      becomes.state === 'captured' ? [Number(charged)] : [],
    );
  });
});

describe('a decline of the sandbox', () => {
  it.each([
    ['4000000000000002', 'declined'],
    ['4000000000009995', 'insufficient_funds'],
    ['4000000000009987', 'declined'],
    ['4000000000009979', 'declined'],
    ['4000000000000069', 'card_expired'],
    ['4000000000000127', 'invalid_card_data'],
    ['4000000000000119', 'bank_unavailable'],
    ['4000000000110207', 'limit_exceeded'],
  ])('of the card %s has the reason %s', async (number, reason) => {
    const { acquirer, paid } = await withManners();
    const { known } = await paid(number);
    expect(await acquirer.get(known)).toMatchObject({ state: 'declined', reason });
  });

  it('by the payer in 3-D Secure is not confirmed', async () => {
    const { acquirer, paid, sandbox } = await withManners();
    const { known, pageUrl } = await paid('4000000000003220');
    await sandbox.pay(pageUrl.replace('/card/', '/3ds/'), { answer: 'refuse' });
    expect(await acquirer.get(known)).toMatchObject({ state: 'declined', reason: 'not_confirmed' });
  });
});

describe('the notifications of the sandbox', () => {
  const ofOrder = (reference: string, state: string) => ({ paymentId, reference, state });

  it.each([
    ['once', ['authorised']],
    ['doubled', ['authorised', 'authorised']],
    ['lost', []],
    ['early', ['open', 'authorised', 'captured']],
  ] as const)('come %s', async (notices, states) => {
    const { acquirer, paid, heard } = await withManners({ notices });
    const { known, reference } = await paid();
    await acquirer.capture(known, captureCall);
    expect(heard).toEqual(states.map((state) => ofOrder(reference, state)));
  });

  it('come forged before anybody paid, about the order and about one that does not exist', async () => {
    const { acquirer, opened, heard } = await withManners({ notices: 'forged' });
    const { reference } = await opened();
    expect(heard).toEqual([
      ofOrder(reference, 'captured'),
      { paymentId: `${paymentId}x`, reference: `${reference}x`, state: 'captured' },
    ]);
    expect(await acquirer.look(reference)).toMatchObject({ view: { state: 'pending' } });
    expect(await acquirer.look(`${reference}x`)).toBeUndefined();
  });
});

describe('an order of an earlier version', () => {
  /** As it was stored: under the payment's id, without a time, without a method. */
  const stored = (traits: object) => ({
    PK: `ORDER#${paymentId}`,
    SK: 'ORDER',
    paymentId,
    amountMinor: 10_000,
    currency: 'RUB',
    description: 'Two cups',
    returnUrl: request.returnUrl,
    notifyUrl: request.notifyUrl,
    steps: 'two',
    pageKey: 'page-key',
    state: 'open',
    cardOutcome: 'paid',
    heldMinor: 0,
    pendingPolls: 0,
    faulted: false,
    version: 1,
    ...traits,
  });
  const known: KnownOrder = { ...request, reference: paymentId };

  async function withOrder(traits: object = {}) {
    const made = await withManners();
    const { client, name } = made.sandbox.table;
    await client.send(new PutCommand({ TableName: name, Item: stored(traits) }));
    return made;
  }

  it('is known by the payment’s id, captured as it holds, refunded in parts, and never expires', async () => {
    const { acquirer, sandbox, pass } = await withOrder();
    pass(10_000);
    const pageUrl = `${sandboxUrl}/card/${paymentId}.page-key`;
    await sandbox.pay(pageUrl, { ...aCard, number: '4000000000110009' });
    expect(await acquirer.look(paymentId)).toMatchObject({ reference: paymentId, paymentId });
    expect(await acquirer.get(known)).toMatchObject({ state: 'authorised', amountMinor: 9_000n });
    expect(await acquirer.capture(known, captureCall)).toMatchObject({ view: { amountMinor: 9_000n } });
    expect(await acquirer.refund(known, refundCall)).toEqual({ state: 'succeeded' });
    expect(await acquirer.get(known)).toMatchObject({ state: 'captured', refundedMinor: 4_000n });
  });

  it('that was refunded is a capture that went back whole', async () => {
    const { acquirer } = await withOrder({ state: 'refunded', heldMinor: 9_000, refundKey: 'key' });
    const view = { state: 'captured', amountMinor: 9_000n, refundedMinor: 9_000n, bank: 'Sandbox Bank' };
    expect(await acquirer.get(known)).toEqual(view);
    expect(await acquirer.refund(known, refundCall)).toMatchObject({ state: 'rejected' });
  });

  it('that was cancelled before it was opened is voided', async () => {
    const { acquirer, sandbox } = await withManners();
    const { client, name } = sandbox.table;
    const Item = { PK: `ORDER#${paymentId}`, SK: 'ORDER', paymentId, state: 'never', version: 1 };
    await client.send(new PutCommand({ TableName: name, Item }));
    expect(await acquirer.get(known)).toEqual({ state: 'voided' });
  });
});
