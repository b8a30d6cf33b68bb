import { describe, expect, it } from 'vitest';
import { anEmulator, aPaymentBody, aPayoutBody, hours, rub } from '../../support/yookassa-emulator.ts';

const duplicated = {
  status: 400,
  body: { code: 'invalid_request', description: 'Idempotence key duplicated', parameter: 'Idempotence-Key' },
};
const key = 'payment-1';

describe('an idempotence key of the YooKassa emulator', () => {
  it('gives the same object, in its status of today', async () => {
    const { post, payer, world } = await anEmulator();
    const first = await post('/payments', aPaymentBody, { key });
    payer.byCard(first.body.id ?? '');
    const second = await post('/payments', aPaymentBody, { key });
    expect(second).toMatchObject({ status: 200, body: { id: first.body.id, status: 'succeeded' } });
    expect(world.state.payments.size).toBe(1);
  });

  it('takes the same body in another order of its fields', async () => {
    const { post, world } = await anEmulator();
    const { amount, ...rest } = aPaymentBody;
    await post('/payments', { amount, ...rest }, { key });
    expect((await post('/payments', { ...rest, amount }, { key })).status).toBe(200);
    expect(world.state.payments.size).toBe(1);
  });

  it('is refused with another body, and with another path', async () => {
    const { post, aPayment, payer } = await anEmulator();
    await post('/payments', aPaymentBody, { key });
    expect(await post('/payments', { ...aPaymentBody, amount: rub('1000.01') }, { key })).toMatchObject(
      duplicated,
    );
    const held = await aPayment({ capture: false });
    payer.byCard(held);
    await post(`/payments/${held}/capture`, {}, { key: 'capture-1' });
    expect(await post(`/payments/${held}/cancel`, {}, { key: 'capture-1' })).toMatchObject(duplicated);
  });

  it('acts once for concurrent calls', async () => {
    const { post, world } = await anEmulator();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post('/payouts', aPayoutBody, { key })),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(world.state.balance('gateway')).toBe(1_000_000_00 - 1000_00);
  });

  it('repeats a definite refusal with the same words, also when the reason is gone', async () => {
    const { post, aPayment, payer } = await anEmulator();
    const id = await aPayment({ capture: false });
    const refused = await post(`/payments/${id}/capture`, {}, { key });
    expect(refused.status).toBe(400);
    payer.byCard(id);
    expect(await post(`/payments/${id}/capture`, {}, { key })).toEqual(refused);
    expect((await post(`/payments/${id}/capture`, {}, { key: 'capture-2' })).body.status).toBe('succeeded');
  });

  it('lives for 24 hours: then it creates another payment', async () => {
    const { post, advance, world } = await anEmulator();
    const first = await post('/payments', aPaymentBody, { key });
    advance(hours(24) - 1);
    expect((await post('/payments', aPaymentBody, { key })).body.id).toBe(first.body.id);
    advance(1);
    const later = await post('/payments', aPaymentBody, { key });
    expect(later).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect(later.body.id).not.toBe(first.body.id);
    expect(world.state.payments.size).toBe(2);
  });

  it('belongs to one account: the gateway may use the shop’s', async () => {
    const { post } = await anEmulator();
    await post('/payments', aPaymentBody, { key });
    expect((await post('/payouts', aPayoutBody, { key })).status).toBe(200);
  });

  it('is there after a restart', async () => {
    const first = await anEmulator();
    const { body } = await first.post('/payouts', aPayoutBody, { key });
    await first.stop();
    const second = await anEmulator({ folder: first.folder });
    expect((await second.post('/payouts', aPayoutBody, { key })).body.id).toBe(body.id);
    expect(second.world.state.balance('gateway')).toBe(1_000_000_00 - 1000_00);
  });
});
