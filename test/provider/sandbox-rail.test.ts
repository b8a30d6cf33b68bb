import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { sandboxRail } from '../../lib/provider/sandbox-rail.ts';
import { payoutValues, type TransferOutcome } from '../../lib/sandbox/test-values.ts';
import { aTransfer } from '../support/rail.ts';
import { aSandbox, sandboxSecret, sandboxUrl } from '../support/sandbox.ts';

const anOrder = aTransfer(1);
const another = aTransfer(2);
const sbp = (phone: string) => ({ type: 'sbp', phone, bankId: 1 }) as const;
const card = (number: string) => ({ type: 'credit_card', number, holder: 'A B' }) as const;
const phoneFor = (outcome: TransferOutcome) =>
  payoutValues.find((row) => row.use === 'payout phone' && row.outcome === outcome)?.value ?? '';

const railAt = (fetch: typeof globalThis.fetch) =>
  sandboxRail({ url: sandboxUrl, secret: sandboxSecret, fetch });

async function aRail() {
  const delays: number[] = [];
  const sandbox = await aSandbox({ delay: async (ms) => void delays.push(ms) });
  const rail = railAt(sandbox.send);
  const sent = async () => (await sandbox.books()).rail.totals;
  const to = (outcome: TransferOutcome) => ({ ...anOrder, destination: sbp(phoneFor(outcome)) });
  return { sandbox, rail, sent, delays, to };
}

const paidOut = [{ currency: 'RUB', paidOut: 150_000 }];
const reference = expect.stringMatching(/^SBX-[0-9a-f]{16}$/);

describe('the sandbox rail', () => {
  it('pays once under one key, however many concurrent requests arrive', async () => {
    const { rail, sandbox, sent } = await aRail();
    const order = { ...anOrder, destination: sbp('79161234567') };
    const meeting = railAt(sandbox.meeting(8));
    const sends = await Promise.all(Array.from({ length: 8 }, () => meeting.send(order)));
    for (const view of sends) expect(view).toEqual({ state: 'paid', reference });
    expect(new Set(sends.map((view) => view.reference)).size).toBe(1);
    expect(await rail.get(anOrder)).toEqual(sends[0]);
    expect(await sent()).toEqual(paidOut);
  });

  it('refuses another amount, destination or currency under a used key', async () => {
    const { rail, sent } = await aRail();
    const order = { ...anOrder, destination: sbp('79161234567') };
    await rail.send(order);
    await expect(rail.send({ ...order, amountMinor: 150_001n })).rejects.toThrow();
    await expect(rail.send({ ...order, destination: sbp('79161234568') })).rejects.toThrow();
    await expect(rail.send({ ...order, currency: 'USD' })).rejects.toThrow();
    expect(await sent()).toEqual(paidOut);
  });

  it('answers `unknown` for a payout that was never sent', async () => {
    const { rail } = await aRail();
    expect(await rail.get(anOrder)).toEqual({ state: 'unknown' });
  });

  it('never pays a key that was cancelled before it was sent', async () => {
    const { rail, sent } = await aRail();
    const refused = { state: 'refused', reason: 'cancelled' };
    expect(await rail.cancel(anOrder)).toEqual(refused);
    expect(await rail.cancel(anOrder)).toEqual(refused);
    expect(await rail.send({ ...anOrder, destination: sbp('79161234567') })).toEqual(refused);
    expect(await rail.get(anOrder)).toEqual(refused);
    expect(await sent()).toEqual([]);
  });

  it('accepts one of a concurrent payout and cancellation', async () => {
    const { sandbox, sent } = await aRail();
    const meeting = railAt(sandbox.meeting(2));
    const order = { ...anOrder, destination: sbp('79161234567') };
    const [answer, cancelled] = await Promise.all([meeting.send(order), meeting.cancel(anOrder)]);
    expect(answer).toEqual(cancelled);
    expect(await sent()).toEqual(answer.state === 'paid' ? paidOut : []);
  });

  it('cancels neither a paid payout nor one in progress', async () => {
    const { rail, to } = await aRail();
    await rail.send(to('paid'));
    expect(await rail.cancel(anOrder)).toEqual({ state: 'paid', reference });
    await rail.send({ ...another, destination: sbp(phoneFor('paid_later')) });
    expect(await rail.cancel(another)).toEqual({ state: 'accepted', reference });
  });

  it('stores the mask of a card and never its number', async () => {
    const { rail, sandbox } = await aRail();
    for (const { use, value } of payoutValues) {
      if (use !== 'payout card') continue;
      const order = { ...anOrder, key: `to-${value.slice(-5)}`, destination: card(value) };
      await rail.send(order).catch(() => undefined);
    }
    const { client, name } = sandbox.table;
    const { Items } = await client.send(new ScanCommand({ TableName: name }));
    const stored = JSON.stringify(Items, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    expect(stored).toContain('411111******1111');
    for (const { value } of payoutValues.filter(({ use }) => use === 'payout card')) {
      expect(stored).not.toContain(value);
    }
  });
});

describe('the test values of payouts', () => {
  it('paid later: accepted, and paid at the third query', async () => {
    const { rail, sent, to } = await aRail();
    expect(await rail.send(to('paid_later'))).toEqual({ state: 'accepted', reference });
    expect(await rail.send(to('paid_later'))).toEqual({ state: 'accepted', reference });
    expect(await rail.get(anOrder)).toMatchObject({ state: 'accepted' });
    expect(await rail.get(anOrder)).toMatchObject({ state: 'accepted' });
    expect(await sent()).toEqual([]);
    expect(await rail.get(anOrder)).toEqual({ state: 'paid', reference });
    expect(await sent()).toEqual(paidOut);
  });

  it('refused: permanently', async () => {
    const { rail, sent, to } = await aRail();
    const refused = { state: 'refused', reference, reason: 'account_refused' };
    expect(await rail.send(to('refused'))).toEqual(refused);
    expect(await rail.send(to('refused'))).toEqual(refused);
    expect(await rail.get(anOrder)).toEqual(refused);
    expect(await sent()).toEqual([]);
  });

  it('500 before acting: unknown afterwards, paid by the next request', async () => {
    const { rail, sent, to } = await aRail();
    await expect(rail.send(to('fails_before'))).rejects.toThrow('500');
    expect(await rail.get(anOrder)).toEqual({ state: 'unknown' });
    expect(await sent()).toEqual([]);
    expect(await rail.send(to('fails_before'))).toMatchObject({ state: 'paid' });
    expect(await sent()).toEqual(paidOut);
  });

  it('500 before acting: can be cancelled afterwards', async () => {
    const { rail, sent, to } = await aRail();
    await expect(rail.send(to('fails_before'))).rejects.toThrow('500');
    expect(await rail.cancel(anOrder)).toMatchObject({ state: 'refused', reason: 'cancelled' });
    expect(await rail.send(to('fails_before'))).toMatchObject({ state: 'refused' });
    expect(await sent()).toEqual([]);
  });

  it.each([
    ['500 after acting', 'fails_after', '500'],
    ['timeout after acting', 'times_out', '504'],
    ['lost answer', 'garbled', 'not JSON'],
  ] as const)(
    '%s: the answer leaves the outcome unknown, and the payout is paid once',
    async (_case, outcome, trouble) => {
      const { rail, sent, to } = await aRail();
      await expect(rail.send(to(outcome))).rejects.toThrow(trouble);
      expect(await rail.get(anOrder)).toMatchObject({ state: 'paid' });
      expect(await rail.send(to(outcome))).toMatchObject({ state: 'paid' });
      expect(await sent()).toEqual(paidOut);
    },
  );

  it('timeout after acting: the answer comes after the client’s timeout', async () => {
    const { rail, delays, to } = await aRail();
    await expect(rail.send(to('times_out'))).rejects.toThrow();
    expect(delays.every((ms) => ms > 4000)).toBe(true);
    expect(delays).toHaveLength(1);
  });

  it('empty provider account: the payout is not accepted, and the next try is paid', async () => {
    const { rail, sent, to } = await aRail();
    expect(await rail.send(to('empty_account'))).toEqual({ state: 'provider_empty', reference });
    expect(await rail.get(anOrder)).toMatchObject({ state: 'provider_empty' });
    expect(await sent()).toEqual([]);
    expect(await rail.send(to('empty_account'))).toMatchObject({ state: 'paid' });
    expect(await sent()).toEqual(paidOut);
  });

  it('are chosen by a card or an amount as well', async () => {
    const { rail } = await aRail();
    const byCard = { ...anOrder, destination: card('4000000000000002') };
    expect(await rail.send(byCard)).toMatchObject({ state: 'refused' });
    const byAmount = { ...another, amountMinor: 440_003n };
    expect(await rail.send({ ...byAmount, destination: sbp('79161234567') })).toMatchObject({
      state: 'refused',
    });
  });
});
