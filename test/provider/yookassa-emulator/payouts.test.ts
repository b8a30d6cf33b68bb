import { describe, expect, it } from 'vitest';
import { changeSettings } from '../../../infra/yookassa-emulator/world.ts';
import { anEmulator, aPayoutBody, days, hours, rub } from '../../support/yookassa-emulator.ts';

const toCard = { payout_destination_data: { type: 'bank_card', card: { number: '2200000000000004' } } };

describe('a payout in the YooKassa emulator', () => {
  it('through SBP is pending at first and succeeds a few seconds later', async () => {
    const { post, get, advance, violations } = await anEmulator();
    const { status, body } = await post('/payouts', {
      ...aPayoutBody,
      description: 'Payout 37',
      metadata: { payout_id: 'o-1' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^po-[0-9a-f-]{36}$/),
      status: 'pending',
      amount: rub('1000.00'),
      payout_destination: {
        type: 'sbp',
        phone: '79000000000',
        bank_id: '100000000111',
        recipient_checked: false,
      },
      description: 'Payout 37',
      metadata: { payout_id: 'o-1' },
      test: true,
    });
    advance(3000);
    expect((await get(`/payouts/${body.id}`)).body).toMatchObject({
      status: 'succeeded',
      succeeded_at: expect.any(String),
      payout_destination: { sbp_operation_id: expect.stringMatching(/^[0-9A-F]{32}$/) },
    });
    expect(violations).toEqual([]);
  });

  it('to a card or a wallet succeeds at once, and shows no card number', async () => {
    const { post, violations } = await anEmulator();
    const card = await post('/payouts', { ...aPayoutBody, ...toCard });
    expect(card.body).toMatchObject({
      status: 'succeeded',
      payout_destination: {
        type: 'bank_card',
        card: { first6: '220000', last4: '0004', card_type: 'Mir' },
      },
    });
    expect(JSON.stringify(card.body)).not.toContain('2200000000000004');
    const wallet = { payout_destination_data: { type: 'yoo_money', account_number: '41001614575714' } };
    expect((await post('/payouts', { ...aPayoutBody, ...wallet })).body.status).toBe('succeeded');
    expect(violations).toEqual([]);
  });

  it('leaves the gateway’s account, and comes back when it is canceled', async () => {
    const { aPayout, world, advance } = await anEmulator({ payoutBalance: '20000.00' });
    // 8800.56 is canceled with general_decline an hour later.
    await aPayout({ amount: rub('8800.56') });
    expect(world.state.balance('gateway')).toBe(11_199_44);
    advance(hours(1));
    expect(world.state.balance('gateway')).toBe(20_000_00);
  });

  it('is canceled with insufficient_funds when the account has less', async () => {
    const { post, world } = await anEmulator({ payoutBalance: '999.99' });
    expect((await post('/payouts', aPayoutBody)).body).toMatchObject({
      status: 'canceled',
      cancellation_details: { party: 'yoo_money', reason: 'insufficient_funds' },
    });
    expect(world.state.balance('gateway')).toBe(999_99);
    expect((await post('/payouts', { ...aPayoutBody, amount: rub('999.99') })).body.status).toBe('pending');
  });

  it.each([
    ['31', '51', 'insufficient_funds'],
    ['32', '52', 'fraud_suspected'],
    ['33', '53', 'one_time_limit_exceeded'],
    ['34', '54', 'periodic_limit_exceeded'],
    ['35', '55', 'rejected_by_payee'],
    ['36', '56', 'general_decline'],
    ['37', '57', 'issuer_unavailable'],
    ['38', '58', 'recipient_not_found'],
    ['39', '59', 'recipient_check_failed'],
    ['40', '60', 'identification_required'],
    ['41', '61', 'self_employed_annual_limit_exceeded'],
  ])('of 8800.%s is canceled at once, of 8800.%s an hour later, with %s', async (now, later, reason) => {
    const { post, get, advance, events, violations } = await anEmulator();
    const canceled = { status: 'canceled', cancellation_details: { reason } };
    const first = await post('/payouts', { ...aPayoutBody, amount: rub(`8800.${now}`) });
    expect(first.body).toMatchObject(canceled);
    const second = await post('/payouts', { ...aPayoutBody, amount: rub(`8800.${later}`) });
    expect(second.body.status).toBe('pending');
    advance(hours(1));
    expect((await get(`/payouts/${second.body.id}`)).body).toMatchObject(canceled);
    expect(events().map(({ event }) => event)).toEqual(['payout.canceled', 'payout.canceled']);
    expect(violations).toEqual([]);
  });

  it('of 8800.30 succeeds an hour later, and of 8800.70 never ends', async () => {
    const { aPayout, get, advance } = await anEmulator();
    const [slow, endless] = [
      await aPayout({ amount: rub('8800.30') }),
      await aPayout({ amount: rub('8800.70') }),
    ];
    advance(hours(1) - 1);
    expect((await get(`/payouts/${slow}`)).body.status).toBe('pending');
    advance(1);
    expect((await get(`/payouts/${slow}`)).body.status).toBe('succeeded');
    advance(days(365));
    expect((await get(`/payouts/${endless}`)).body.status).toBe('pending');
  });
});

describe('the search of payouts', () => {
  it('finds by one exact pair of metadata, within the times of creation', async () => {
    const { aPayout, get, advance, world } = await anEmulator();
    const one = await aPayout({ metadata: { payout_id: 'o-1' } });
    advance(1000);
    const again = await aPayout({ metadata: { payout_id: 'o-1' } });
    await aPayout({ metadata: { payout_id: 'o-10' } });
    await aPayout({ metadata: { other: 'o-1' } });
    const found = async (query: string) =>
      (await get(`/payouts/search?${query}`)).body.items?.map(({ id }) => id);
    expect(await found('metadata[payout_id]=o-1')).toEqual([again, one]);
    expect(await found('metadata%5Bpayout_id%5D=o-1')).toEqual([again, one]);
    const since = encodeURIComponent(new Date(world.clock.now()).toISOString());
    expect(await found(`metadata[payout_id]=o-1&created_at.gte=${since}`)).toEqual([again]);
    expect(await found('metadata[payout_id]=o')).toEqual([]);
    expect(await found('metadata[payout_id]=o-1&limit=1')).toEqual([again]);
  });

  it('refuses two pairs, and a pair that metadata cannot have', async () => {
    const { get } = await anEmulator();
    const refusal = { status: 400, body: { code: 'invalid_request', parameter: 'metadata' } };
    expect(await get('/payouts/search?metadata[a]=1&metadata[b]=2')).toMatchObject(refusal);
    expect(await get(`/payouts/search?metadata[${'k'.repeat(33)}]=1`)).toMatchObject(refusal);
    expect(await get(`/payouts/search?metadata[a]=${'v'.repeat(513)}`)).toMatchObject(refusal);
  });

  it('may lag behind, and reaches back three months', async () => {
    const { aPayout, get, advance, world } = await anEmulator();
    changeSettings(world, { searchLagSeconds: 600 });
    const id = await aPayout({ metadata: { payout_id: 'o-1' } });
    const found = async () =>
      (await get('/payouts/search?metadata[payout_id]=o-1')).body.items?.map((each) => each.id);
    expect(await found()).toEqual([]);
    expect((await get(`/payouts/${id}`)).status).toBe(200);
    advance(600_000);
    expect(await found()).toEqual([id]);
    advance(days(90));
    expect(await found()).toEqual([]);
  });

  it('finds a payout of 8800.20 an hour after its creation', async () => {
    const { aPayout, get, advance } = await anEmulator();
    const id = await aPayout({ amount: rub('8800.20'), metadata: { payout_id: 'o-1' } });
    const found = async () =>
      (await get('/payouts/search?metadata[payout_id]=o-1')).body.items?.map((each) => each.id);
    advance(hours(1) - 1);
    expect(await found()).toEqual([]);
    advance(1);
    expect(await found()).toEqual([id]);
  });
});

describe('the list of payouts', () => {
  it('is filtered by status, destination and time of success', async () => {
    const { aPayout, get, advance, world } = await anEmulator();
    const card = await aPayout(toCard);
    advance(5000);
    const since = encodeURIComponent(new Date(world.clock.now()).toISOString());
    const pending = await aPayout({ amount: rub('8800.70') });
    const late = await aPayout(toCard);
    const listed = async (query: string) => (await get(`/payouts?${query}`)).body.items?.map(({ id }) => id);
    expect(await listed('status=pending')).toEqual([pending]);
    expect(await listed('payout_destination.type=bank_card')).toEqual([late, card]);
    expect(await listed(`succeeded_at.gte=${since}`)).toEqual([late]);
    expect(await listed(`succeeded_at.lt=${since}`)).toEqual([card]);
  });
});

describe('the accounts of the YooKassa emulator', () => {
  it('tell the shop its methods, and the gateway its methods and balance', async () => {
    const { call, get, aPayout, gatewayId, gatewaySecretKey, shopId, violations } = await anEmulator();
    await aPayout();
    expect((await get('/me')).body).toMatchObject({
      account_id: shopId,
      status: 'enabled',
      test: true,
      payment_methods: ['bank_card', 'sbp'],
    });
    const headers = { authorization: `Basic ${btoa(`${gatewayId}:${gatewaySecretKey}`)}` };
    expect((await call('GET', '/me', undefined, { headers })).body).toMatchObject({
      account_id: gatewayId,
      status: 'enabled',
      payout_methods: ['bank_card', 'yoo_money', 'sbp'],
      payout_balance: rub('999000.00'),
    });
    expect(violations).toEqual([]);
  });

  it('list the participants of SBP, by descending id', async () => {
    const { get, violations } = await anEmulator();
    const { body } = await get('/sbp_banks');
    const ids = (body.items ?? []).map((bank) => String(bank['bank_id']));
    expect(ids.length).toBeGreaterThan(200);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(body.items).toContainEqual({ bank_id: '100000000111', name: 'Сбербанк', bic: '044525225' });
    expect(violations).toEqual([]);
  });
});
