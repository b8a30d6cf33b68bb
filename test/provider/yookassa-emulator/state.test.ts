import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { anEmulator, aPayoutBody, hours, rub } from '../../support/yookassa-emulator.ts';

describe('the state of the YooKassa emulator', () => {
  it('drops a change that a crash cut off', async () => {
    const first = await anEmulator();
    const id = await first.aPayment();
    await first.stop();
    appendFileSync(join(first.folder, 'state.jsonl'), '[{"kind":"payment","id":"cut o');
    const second = await anEmulator({ folder: first.folder });
    expect((await second.get('/payments')).body.items).toMatchObject([{ id }]);
    expect((await second.get(`/payments/${id}`)).status).toBe(200);
  });

  it('is not read when a line in the middle is damaged', async () => {
    const { folder, stop } = await anEmulator();
    await stop();
    appendFileSync(join(folder, 'state.jsonl'), 'damaged\n');
    await expect(anEmulator({ folder })).rejects.toThrow(/^Line 3 of .*state\.jsonl is not JSON/);
  });

  it('is never shown in a form that the vendor does not have', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { aPayment, world, get, violations } = await anEmulator();
    const id = await aPayment();
    const stored = world.state.payments.get(id);
    if (!stored) throw new Error('The payment is not stored.');
    world.state.save({ ...stored, status: 'canceled', cancellation: { party: 'payer', reason: 'regret' } });
    expect(await get(`/payments/${id}`)).toMatchObject({
      status: 500,
      body: { code: 'internal_server_error' },
    });
    expect(violations).toEqual([expect.stringContaining('cancellation_details')]);
    expect(said).toHaveBeenCalledOnce();
  });

  it('writes a payout, its key and its posting as one line, and so a payment with its postings', async () => {
    const { post, folder, aPayment, controlUrl } = await anEmulator();
    const lines = () => readFileSync(join(folder, 'state.jsonl'), 'utf8').trimEnd().split('\n').length;
    const before = lines();
    await post('/payouts', aPayoutBody);
    expect(lines()).toBe(before + 1);
    const id = await aPayment();
    const body = JSON.stringify({ card: '5555555555554444' });
    await fetch(`${controlUrl}/payments/${id}/pay`, { method: 'POST', body });
    expect(lines()).toBe(before + 3);
  });

  it('is readable by its owner only: it has the secret keys', async () => {
    const { folder, journal } = await anEmulator();
    for (const file of [join(folder, 'state.jsonl'), journal]) expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('keeps books whose accounts are the sum of their postings', async () => {
    const { aPayment, aRefund, aPayout, payer, world, advance } = await anEmulator();
    const payment = await aPayment();
    payer.byCard(payment);
    await aRefund({ payment_id: payment, amount: rub('100.00') });
    await aPayout();
    await aPayout({ amount: rub('8800.56') });
    advance(hours(1));
    const { state } = world;
    for (const account of ['shop', 'gateway'] as const) {
      const minors = state.postings.flatMap((each) => (each.account === account ? [each.minor] : []));
      expect(state.balance(account)).toBe(minors.reduce((sum, minor) => sum + minor, 0));
    }
    expect(state.balance('shop')).toBe(1000_00 - 35_00 - 100_00);
    expect(state.balance('gateway')).toBe(1_000_000_00 - 1000_00);
    expect(state.postings.map(({ what }) => what)).toEqual([
      'top_up',
      'payment',
      'fee',
      'refund',
      'payout',
      'payout',
      'payout_returned',
    ]);
  });
});
