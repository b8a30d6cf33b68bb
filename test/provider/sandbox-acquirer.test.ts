import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { toPaymentId } from '../../lib/ids.ts';
import { paymentCards } from '../../lib/sandbox/test-values.ts';
import { aCard, aSandbox } from '../support/sandbox.ts';
import { ordersAt, paymentId, startRequest } from '../support/sandbox-orders.ts';

const fromCard = expect.stringMatching(/^\d{6}\*{6}\d{4}$/);
const bank = 'Sandbox Bank';

/** An order that was paid with this card, and the protocol's calls about it. */
async function paidWith(number: string, steps: 'one' | 'two' = 'two') {
  const sandbox = await aSandbox();
  const { acquirer, open, ...calls } = ordersAt(sandbox.send, { steps });
  const { pageUrl, known } = await open();
  const page = await sandbox.pay(pageUrl, { ...aCard, number });
  return {
    sandbox,
    known,
    page,
    totals: async () => (await sandbox.books()).acquirer.totals,
    view: () => acquirer.get(known),
    capture: (minor?: bigint) => calls.capture(known, minor),
    cancel: (attempt?: number) => calls.cancel(known, attempt),
  };
}

const booked = (captured: number, refunded = 0) => [{ currency: 'RUB', captured, refunded }];

describe('the sandbox acquirer', () => {
  it('authorises, captures once under one key, and refunds once', async () => {
    const { sandbox, known, view, totals } = await paidWith('4111111111111111');
    expect(await view()).toEqual({ state: 'authorised', amountMinor: 10_000n, fromCard, bank });
    expect(await totals()).toEqual([]);

    const capturing = ordersAt(sandbox.meeting(5));
    const captures = Array.from({ length: 5 }, () => capturing.capture(known));
    for (const captured of await Promise.all(captures)) {
      expect(captured).toEqual({
        state: 'captured',
        amountMinor: 10_000n,
        refundedMinor: 0n,
        fromCard,
        bank,
      });
    }
    expect(await totals()).toEqual(booked(10_000));

    const refunding = ordersAt(sandbox.meeting(5));
    const refunds = Array.from({ length: 5 }, () => refunding.refund(known));
    for (const refund of await Promise.all(refunds)) expect(refund).toEqual({ state: 'succeeded' });
    expect(await view()).toMatchObject({ state: 'captured', refundedMinor: 10_000n });
    expect(await totals()).toEqual(booked(10_000, 10_000));
  });

  it('captures immediately with one step', async () => {
    const { view, totals } = await paidWith('4111111111111111', 'one');
    expect(await view()).toEqual({
      state: 'captured',
      amountMinor: 10_000n,
      refundedMinor: 0n,
      fromCard,
      bank,
    });
    expect(await totals()).toEqual(booked(10_000));
  });

  it('opens one order and page for callers that meet', async () => {
    const sandbox = await aSandbox();
    const meeting = ordersAt(sandbox.meeting(10));
    const opened = await Promise.all(Array.from({ length: 10 }, () => meeting.open()));
    expect(new Set(opened.map(({ pageUrl }) => pageUrl)).size).toBe(1);
    expect(await sandbox.ordersOf(paymentId)).toBe(1);
  });

  it.each([
    ['the longest description of a bill', 'a'.repeat(1024)],
    ['a character outside the basic plane where it is cut', `${'a'.repeat(999)}${'\u{1F600}'.repeat(12)}`],
  ])('opens a page for %s, truncated to the maximum length', async (_case, description) => {
    const sandbox = await aSandbox();
    await expect(ordersAt(sandbox.send).open({ description })).resolves.toBeDefined();
  });

  it('ends an unpaid order: its card page only redirects back', async () => {
    const sandbox = await aSandbox();
    const { acquirer, open, cancel } = ordersAt(sandbox.send);
    const { known, pageUrl } = await open();
    expect(await cancel(known)).toEqual({ state: 'voided' });
    const back = { status: 303, location: startRequest().returnUrl };
    expect(await sandbox.pay(pageUrl, aCard)).toMatchObject(back);
    expect(await acquirer.get(known)).toEqual({ state: 'voided' });
  });

  it('voids an authorisation, which can then no longer be captured', async () => {
    const { cancel, capture, totals } = await paidWith('4111111111111111');
    expect(await cancel()).toEqual({ state: 'voided', fromCard, bank });
    expect(await capture()).toEqual({ state: 'voided', fromCard, bank });
    expect(await totals()).toEqual([]);
  });

  it('accepts one of a concurrent capture and void', async () => {
    const { sandbox, known, totals } = await paidWith('4111111111111111');
    const meeting = ordersAt(sandbox.meeting(2));
    const [captured, cancelled] = await Promise.all([meeting.capture(known), meeting.cancel(known)]);
    expect(captured).toEqual(cancelled);
    expect(await totals()).toEqual(captured.state === 'captured' ? booked(10_000) : []);
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
    const { view, capture, cancel, totals } = await paidWith(number);
    expect(await view()).toMatchObject({ state: 'declined', outcome, fromCard, bank });
    expect(await capture()).toMatchObject({ state: 'declined' });
    expect(await cancel()).toMatchObject({ state: 'declined' });
    expect(await totals()).toEqual([]);
  });

  it.each([
    ['4000000000110009', 9000],
    ['4000000000110017', 11_000],
  ])('%s pays %i kopecks of 10000', async (number, received) => {
    const { view, capture, totals } = await paidWith(number);
    const amountMinor = BigInt(received);
    expect(await view()).toMatchObject({ state: 'authorised', amountMinor });
    expect(await capture(BigInt(Math.min(received, 10_000)))).toMatchObject({
      state: 'captured',
      amountMinor,
    });
    expect(await totals()).toEqual(booked(received));
  });

  it('4000000000110025 is authorised although the page and the next question time out', async () => {
    const { view, page } = await paidWith('4000000000110025');
    expect(page.status).toBe(504);
    expect(page.page.querySelector('form[method=post]')?.getAttribute('action')).toBe(
      startRequest().returnUrl,
    );
    await expect(view()).rejects.toThrow('504');
    expect(await view()).toMatchObject({ state: 'authorised' });
  });

  it('4000000000110033 is authorised when asked for the third time', async () => {
    const { view, page } = await paidWith('4000000000110033');
    expect(page.location).toBe(startRequest().returnUrl);
    expect(await view()).toEqual({ state: 'pending' });
    expect(await view()).toEqual({ state: 'pending' });
    expect(await view()).toMatchObject({ state: 'authorised' });
  });

  it('4000000000110066 is captured by the second request: the first did nothing', async () => {
    const { view, capture, totals } = await paidWith('4000000000110066');
    await expect(capture()).rejects.toThrow('500');
    expect(await view()).toMatchObject({ state: 'authorised' });
    expect(await totals()).toEqual([]);
    expect(await capture()).toMatchObject({ state: 'captured' });
    expect(await totals()).toEqual(booked(10_000));
  });

  it('4000000000110074 is captured by the first request, which answers 500', async () => {
    const { capture, totals } = await paidWith('4000000000110074');
    await expect(capture()).rejects.toThrow('500');
    expect(await totals()).toEqual(booked(10_000));
    expect(await capture()).toMatchObject({ state: 'captured' });
    expect(await totals()).toEqual(booked(10_000));
  });

  it('4000000000110082 is captured at the third query after the request', async () => {
    const { view, capture, totals } = await paidWith('4000000000110082');
    expect(await capture()).toEqual({ state: 'pending' });
    expect(await view()).toEqual({ state: 'pending' });
    expect(await capture()).toEqual({ state: 'pending' });
    expect(await view()).toEqual({ state: 'pending' });
    expect(await totals()).toEqual([]);
    expect(await view()).toMatchObject({ state: 'captured', amountMinor: 10_000n });
    expect(await totals()).toEqual(booked(10_000));
  });

  it('4000000000110090 has lapsed when the capture is requested', async () => {
    const { view, capture, totals } = await paidWith('4000000000110090');
    expect(await view()).toMatchObject({ state: 'authorised' });
    expect(await capture()).toMatchObject({ state: 'voided' });
    expect(await totals()).toEqual([]);
  });

  it('4000000000110108 is voided by the second request', async () => {
    const { cancel } = await paidWith('4000000000110108');
    expect(await cancel()).toMatchObject({ state: 'authorised' });
    expect(await cancel(2)).toMatchObject({ state: 'voided' });
  });

  it('are never stored in the table, whatever their outcome', async () => {
    const sandbox = await aSandbox();
    const { open } = ordersAt(sandbox.send);
    for (const [place, { value }] of paymentCards.entries()) {
      const { pageUrl } = await open({ paymentId: toPaymentId(`BillBillBillBill00Payme${100 + place}`) });
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
