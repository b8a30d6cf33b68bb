import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { paymentCards } from '../../lib/sandbox/test-values.ts';
import { aCard, aSandbox, sandboxSecret, sandboxUrl, type Sandbox } from '../support/sandbox.ts';
import { sandboxById } from '../support/sandbox-by-id.ts';

const order = {
  paymentId: 'payment-1',
  amountMinor: 10_000n,
  currency: 'RUB',
  description: 'Order 1',
  returnUrl: 'https://shop.test/result/payment-1',
  notifyUrl: 'https://shop.test/acquirer/notification',
} as const;
const key = 'payment-1.capture';
const fromCard = expect.stringMatching(/^\d{6}\*{6}\d{4}$/);

const acquirerAt = (fetch: Sandbox['send'], steps: 'one' | 'two' = 'two') =>
  sandboxById({ url: sandboxUrl, secret: sandboxSecret, steps, fetch });

async function paidWith(number: string, steps: 'one' | 'two' = 'two') {
  const sandbox = await aSandbox();
  const acquirer = acquirerAt(sandbox.send, steps);
  const { pageUrl } = await acquirer.start(order);
  const page = await sandbox.pay(pageUrl, { ...aCard, number });
  const totals = async () => (await sandbox.books()).acquirer.totals;
  return { sandbox, acquirer, pageUrl, page, totals };
}

const booked = (captured: number, refunded = 0) => [{ currency: 'RUB', captured, refunded }];

describe('the sandbox acquirer', () => {
  it('authorises, captures once under one key, and refunds once', async () => {
    const { acquirer, sandbox, totals } = await paidWith('4111111111111111');
    expect(await acquirer.get('payment-1')).toEqual({ state: 'authorised', amountMinor: 10_000n, fromCard });
    expect(await totals()).toEqual([]);

    const capturing = acquirerAt(sandbox.meeting(5));
    const captures = Array.from({ length: 5 }, () => capturing.capture('payment-1', 10_000n, key));
    for (const view of await Promise.all(captures)) {
      expect(view).toEqual({ state: 'captured', amountMinor: 10_000n, fromCard });
    }
    expect(await totals()).toEqual(booked(10_000));

    const refunding = acquirerAt(sandbox.meeting(5));
    const refunds = Array.from({ length: 5 }, () => refunding.refund('payment-1', 'payment-1.refund'));
    for (const view of await Promise.all(refunds)) expect(view).toMatchObject({ state: 'refunded' });
    expect(await totals()).toEqual(booked(10_000, 10_000));
  });

  it('captures immediately with one step', async () => {
    const { acquirer, totals } = await paidWith('4111111111111111', 'one');
    expect(await acquirer.get('payment-1')).toEqual({ state: 'captured', amountMinor: 10_000n, fromCard });
    expect(await totals()).toEqual(booked(10_000));
  });

  it('opens one page per payment, and refuses another amount or currency under its id', async () => {
    const sandbox = await aSandbox();
    const acquirer = acquirerAt(sandbox.send);
    const { pageUrl } = await acquirer.start(order);
    expect(await acquirer.start(order)).toEqual({ pageUrl });
    const other = { ...order, paymentId: 'payment-2' };
    const meeting = acquirerAt(sandbox.meeting(10));
    const opened = await Promise.all(Array.from({ length: 10 }, () => meeting.start(other)));
    expect(new Set(opened.map((page) => page.pageUrl)).size).toBe(1);
    await expect(acquirer.start({ ...order, amountMinor: 10_001n })).rejects.toThrow();
    await expect(acquirer.start({ ...order, currency: 'KZT' })).rejects.toThrow();
  });

  it.each([
    ['the longest description of a bill', 'a'.repeat(1024)],
    ['a character outside the basic plane where it is cut', `${'a'.repeat(999)}${'\u{1F600}'.repeat(12)}`],
  ])('opens a page for %s, truncated to the maximum length', async (_case, description) => {
    const sandbox = await aSandbox();
    await expect(acquirerAt(sandbox.send).start({ ...order, description })).resolves.toBeDefined();
  });

  it('ends an unpaid order: its card page only redirects back', async () => {
    const sandbox = await aSandbox();
    const acquirer = acquirerAt(sandbox.send);
    const { pageUrl } = await acquirer.start(order);
    expect(await acquirer.cancel('payment-1')).toEqual({ state: 'voided' });
    expect(await sandbox.pay(pageUrl, aCard)).toMatchObject({ status: 303, location: order.returnUrl });
    expect(await acquirer.get('payment-1')).toEqual({ state: 'voided' });
  });

  it('voids an authorisation, which can then no longer be captured', async () => {
    const { acquirer, totals } = await paidWith('4111111111111111');
    expect(await acquirer.cancel('payment-1')).toEqual({ state: 'voided', fromCard });
    expect(await acquirer.capture('payment-1', 10_000n, key)).toEqual({ state: 'voided', fromCard });
    expect(await totals()).toEqual([]);
  });

  it('accepts one of a concurrent capture and void', async () => {
    const { sandbox, totals } = await paidWith('4111111111111111');
    const meeting = acquirerAt(sandbox.meeting(2));
    const both = [meeting.capture('payment-1', 10_000n, key), meeting.cancel('payment-1')];
    const [captured, cancelled] = await Promise.all(both);
    expect(captured).toEqual(cancelled);
    expect(await totals()).toEqual(captured?.state === 'captured' ? booked(10_000) : []);
  });
});

describe('the test cards', () => {
  it.each([
    ['4000000000000002', 'card_declined'],
    ['4000000000009995', 'insufficient_funds'],
    ['4000000000009987', 'lost_card'],
    ['4000000000009979', 'stolen_card'],
    ['4000000000000069', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc'],
    ['4000000000000119', 'processing_error'],
  ])('%s is declined: %s', async (number, outcome) => {
    const { acquirer, totals } = await paidWith(number);
    expect(await acquirer.get('payment-1')).toEqual({ state: 'declined', outcome, fromCard });
    expect(await acquirer.capture('payment-1', 10_000n, key)).toMatchObject({ state: 'declined' });
    expect(await acquirer.cancel('payment-1')).toMatchObject({ state: 'declined' });
    expect(await totals()).toEqual([]);
  });

  it.each([
    ['4000000000110009', 9000],
    ['4000000000110017', 11_000],
  ])('%s pays %i kopecks of 10000', async (number, received) => {
    const { acquirer, totals } = await paidWith(number);
    const amountMinor = BigInt(received);
    expect(await acquirer.get('payment-1')).toMatchObject({ state: 'authorised', amountMinor });
    expect(await acquirer.capture('payment-1', BigInt(Math.min(received, 10_000)), key)).toMatchObject({
      state: 'captured',
      amountMinor,
    });
    expect(await totals()).toEqual(booked(received));
  });

  it('4000000000110025 is authorised although the page and the next question time out', async () => {
    const { acquirer, page } = await paidWith('4000000000110025');
    expect(page.status).toBe(504);
    expect(page.page.querySelector('form[method=post]')?.getAttribute('action')).toBe(order.returnUrl);
    await expect(acquirer.get('payment-1')).rejects.toThrow('504');
    expect(await acquirer.get('payment-1')).toMatchObject({ state: 'authorised' });
  });

  it('4000000000110033 is authorised when asked for the third time', async () => {
    const { acquirer, page } = await paidWith('4000000000110033');
    expect(page.location).toBe(order.returnUrl);
    expect(await acquirer.get('payment-1')).toEqual({ state: 'pending' });
    expect(await acquirer.get('payment-1')).toEqual({ state: 'pending' });
    expect(await acquirer.get('payment-1')).toMatchObject({ state: 'authorised' });
  });

  it('4000000000110066 is captured by the second request: the first did nothing', async () => {
    const { acquirer, totals } = await paidWith('4000000000110066');
    await expect(acquirer.capture('payment-1', 10_000n, key)).rejects.toThrow('500');
    expect(await acquirer.get('payment-1')).toMatchObject({ state: 'authorised' });
    expect(await totals()).toEqual([]);
    expect(await acquirer.capture('payment-1', 10_000n, key)).toMatchObject({ state: 'captured' });
    expect(await totals()).toEqual(booked(10_000));
  });

  it('4000000000110074 is captured by the first request, which answers 500', async () => {
    const { acquirer, totals } = await paidWith('4000000000110074');
    await expect(acquirer.capture('payment-1', 10_000n, key)).rejects.toThrow('500');
    expect(await totals()).toEqual(booked(10_000));
    expect(await acquirer.capture('payment-1', 10_000n, key)).toMatchObject({ state: 'captured' });
    expect(await totals()).toEqual(booked(10_000));
  });

  it('4000000000110082 is captured at the third query after the request', async () => {
    const { acquirer, totals } = await paidWith('4000000000110082');
    expect(await acquirer.capture('payment-1', 10_000n, key)).toEqual({ state: 'pending' });
    expect(await acquirer.get('payment-1')).toEqual({ state: 'pending' });
    expect(await acquirer.capture('payment-1', 10_000n, key)).toEqual({ state: 'pending' });
    expect(await acquirer.get('payment-1')).toEqual({ state: 'pending' });
    expect(await totals()).toEqual([]);
    expect(await acquirer.get('payment-1')).toMatchObject({ state: 'captured', amountMinor: 10_000n });
    expect(await totals()).toEqual(booked(10_000));
  });

  it('4000000000110090 has lapsed when the capture is requested', async () => {
    const { acquirer, totals } = await paidWith('4000000000110090');
    expect(await acquirer.get('payment-1')).toMatchObject({ state: 'authorised' });
    expect(await acquirer.capture('payment-1', 10_000n, key)).toMatchObject({ state: 'voided' });
    expect(await totals()).toEqual([]);
  });

  it('4000000000110108 is voided by the second request', async () => {
    const { acquirer } = await paidWith('4000000000110108');
    expect(await acquirer.cancel('payment-1')).toMatchObject({ state: 'authorised' });
    expect(await acquirer.cancel('payment-1')).toMatchObject({ state: 'voided' });
  });

  it('are never stored in the table, whatever their outcome', async () => {
    const sandbox = await aSandbox();
    const acquirer = acquirerAt(sandbox.send);
    for (const [place, { value }] of paymentCards.entries()) {
      const { pageUrl } = await acquirer.start({ ...order, paymentId: `payment-${place}` });
      await sandbox.pay(pageUrl, { ...aCard, number: value, cvc: '7391', holder: 'CANARY' });
    }
    const { client, name } = sandbox.table;
    const { Items } = await client.send(new ScanCommand({ TableName: name }));
    const stored = JSON.stringify(Items, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    expect(Items?.filter(({ SK }) => SK === 'ORDER').length).toBe(paymentCards.length);
    for (const secret of [...paymentCards.map(({ value }) => value), '7391', 'CANARY']) {
      expect(stored).not.toContain(secret);
    }
  });
});
