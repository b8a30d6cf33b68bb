import { describe, expect, it } from 'vitest';
import { toGroupId, toMerchantId, toPayoutId } from '../../lib/ids.ts';
import type { NewTransfer } from '../../lib/payout/payout-rail.ts';
import { yookassaRail } from '../../lib/provider/yookassa/rail.ts';
import { today } from '../support/builders.ts';
import {
  answering,
  apiUrl,
  aPayoutObject,
  errorOf,
  listOf,
  shop,
  type Canned,
} from '../support/yookassa-answers.ts';

const payoutId = toPayoutId('GroupGroupGroupGroup01');
const reference = 'po-27ced252-0025-5000-9000-0a682a8bab8f';
const sbpLimits = { minMinor: 100n, maxMinor: 50_000_000n };
const transfer: NewTransfer = {
  payoutId,
  key: `${payoutId}.1`,
  attempt: 1,
  reference: undefined,
  firstCallAt: today,
  lastCallAt: today,
  amountMinor: 150_000n,
  currency: 'RUB',
  destination: { type: 'sbp', phone: '79161234567', bankId: 100_000_000_004 },
  about: {
    merchantId: toMerchantId('MerchantMerchant'),
    groupId: toGroupId('GroupGroupGroupGroup'),
    orderId: 'payout-1',
  },
};

function aRail(...answers: readonly Canned[]) {
  const { send, asked } = answering(...answers);
  const limits = { sbp: sbpLimits };
  return { rail: yookassaRail({ apiUrl, credentials: async () => [shop], limits, fetch: send }), asked };
}
const cancelled = (reason: string, traits: object = {}) =>
  aPayoutObject({
    status: 'canceled',
    cancellation_details: { party: 'payout_network', reason },
    ...traits,
  });

describe('a payout by YooKassa', () => {
  it('goes to a phone and the 12 digits of its bank, with our ids', async () => {
    const { rail, asked } = aRail([200, aPayoutObject()]);
    expect(await rail.send(transfer)).toEqual({ state: 'accepted', reference });
    expect(asked[0]).toMatchObject({ path: '/v3/payouts', headers: { 'idempotence-key': `${payoutId}.1` } });
    expect(asked[0]?.body).toEqual({
      amount: { value: '1500.00', currency: 'RUB' },
      payout_destination_data: { type: 'sbp', phone: '79161234567', bank_id: '100000000004' },
      metadata: {
        payout_id: payoutId,
        attempt: '1',
        merchant_id: 'MerchantMerchant',
        group_id: 'GroupGroupGroupGroup',
        order_id: 'payout-1',
      },
    });
  });

  it('goes to a card by its number', async () => {
    const { rail, asked } = aRail([200, aPayoutObject()]);
    await rail.send({
      ...transfer,
      destination: { type: 'credit_card', number: '4111111111111111', holder: 'IVAN PETROV' },
    });
    expect(asked[0]?.body).toMatchObject({
      payout_destination_data: { type: 'bank_card', card: { number: '4111111111111111' } },
    });
  });

  it('to an account without a bank is refused without a call', async () => {
    const { rail, asked } = aRail();
    const destination = { type: 'sbp', phone: '79161234567', bankId: undefined } as const;
    expect(await rail.send({ ...transfer, destination })).toEqual({
      state: 'refused',
      reason: 'sbp_bank_missing',
    });
    expect(asked).toEqual([]);
  });

  it.each([
    ['pending', aPayoutObject(), { state: 'accepted', reference }],
    [
      'succeeded',
      aPayoutObject({ status: 'succeeded', succeeded_at: '2026-11-21T12:35:42.312Z' }),
      { state: 'paid', reference },
    ],
    [
      'canceled, as our account was empty',
      cancelled('insufficient_funds'),
      { state: 'provider_empty', reference, reason: 'insufficient_funds' },
    ],
    [
      'canceled for a reason of the recipient',
      cancelled('recipient_not_found'),
      { state: 'refused', reference, reason: 'recipient_not_found' },
    ],
  ])('%s', async (_case, body, view) => {
    expect(await aRail([200, body]).rail.send(transfer)).toEqual(view);
    expect(await aRail([200, body]).rail.get({ ...transfer, reference })).toEqual(view);
  });

  it.each([
    'fraud_suspected',
    'one_time_limit_exceeded',
    'periodic_limit_exceeded',
    'rejected_by_payee',
    'general_decline',
    'issuer_unavailable',
    'recipient_not_found',
    'recipient_check_failed',
    'identification_required',
    'self_employed_annual_limit_exceeded',
    'a_reason_of_tomorrow',
  ])('that is canceled with %s is final', async (reason) => {
    const { rail } = aRail([200, cancelled(reason)]);
    expect(await rail.send(transfer)).toEqual({ state: 'refused', reference, reason });
  });

  it.each([
    ['its phone', 400, { parameter: 'payout_destination_data.phone' }, 'refused'],
    ['its amount', 400, { parameter: 'amount.value' }, 'refused'],
    ['another field', 400, { parameter: 'deal' }, 'not_taken'],
    ['no field', 400, {}, 'not_taken'],
    ['the address', 404, {}, 'not_taken'],
    ['our credentials', 401, {}, 'not_taken'],
    ['our rights', 403, {}, 'not_taken'],
  ])('of which it refuses %s is not created', async (_case, status, more, state) => {
    const { rail } = aRail([status, errorOf('some_code', more)]);
    expect(await rail.send(transfer)).toEqual({ state, reason: expect.stringContaining('some_code') });
  });

  it.each([
    ['a 500', [500, errorOf('internal_server_error')]],
    ['no answer', undefined],
    ['a payout of another id', [200, aPayoutObject({ metadata: { payout_id: 'Another' } })]],
    ['another amount', [200, aPayoutObject({ amount: { value: '15.00', currency: 'RUB' } })]],
    ['a state that is not known', [200, aPayoutObject({ status: 'frozen' })]],
  ] as const)('is unknown after %s', async (_case, answer) => {
    await expect(aRail(answer).rail.send(transfer)).rejects.toThrow();
  });
});

describe('the search for a payout', () => {
  it('asks for our id, in the hours around the calls', async () => {
    const { rail, asked } = aRail([200, listOf([aPayoutObject()])]);
    expect(await rail.get(transfer)).toEqual({ state: 'accepted', reference });
    expect(asked[0]).toMatchObject({
      path: '/v3/payouts/search',
      query: {
        'metadata[payout_id]': payoutId,
        'created_at.gte': '2026-11-21T11:34:56.789Z',
        'created_at.lte': '2026-11-21T13:34:56.789Z',
        limit: '100',
      },
    });
  });

  it('knows nothing of a payout that it does not find', async () => {
    expect(await aRail([200, listOf([])]).rail.get(transfer)).toEqual({ state: 'unknown' });
    const missing = aRail([404, errorOf('not_found')]).rail.get({ ...transfer, reference });
    expect(await missing).toEqual({ state: 'unknown' });
  });

  const second = { ...transfer, attempt: 2, key: `${payoutId}.2` };
  const attempt = (n: number, traits: object) =>
    aPayoutObject({
      id: `${reference.slice(0, -1)}${n}`,
      metadata: { payout_id: payoutId, attempt: `${n}` },
      ...traits,
    });
  const empty = { status: 'canceled', cancellation_details: { reason: 'insufficient_funds' } };

  it.each([
    [
      'the attempt asked for, not one before it',
      [attempt(2, { status: 'pending' }), attempt(1, empty)],
      'accepted',
    ],
    [
      'an earlier attempt that was paid before this one that was not',
      [attempt(2, empty), attempt(1, { status: 'succeeded' })],
      'paid',
    ],
    ['nothing when only an earlier attempt is there, cancelled', [attempt(1, empty)], 'unknown'],
    [
      'the attempt asked for when all are cancelled',
      [attempt(1, empty), attempt(2, { ...empty, cancellation_details: { reason: 'general_decline' } })],
      'refused',
    ],
  ] as const)('sees %s', async (_case, items, state) => {
    expect(await aRail([200, listOf(items)]).rail.get(second)).toMatchObject({ state });
  });
});

describe('the rail of YooKassa', () => {
  it('lists banks by names of one line that keeps its direction, and no bank without a name', async () => {
    const bank = (name: string) => ({ bank_id: '100000000004', name, bic: '044525974' });
    const { rail } = aRail([200, listOf([bank(' Т‑Банк\u202e\n\u001b[2J')])]);
    expect(await rail.banks?.()).toEqual([
      { memberId: 100_000_000_004, name: 'Т‑Банк [2J', bic: '044525974' },
    ]);
    await expect(aRail([200, listOf([bank('\u202e \n')])]).rail.banks?.()).rejects.toMatchObject({
      code: 'YOOKASSA_ANSWER_UNREADABLE',
    });
  });

  it('has no tombstones, and reaches cards only where the record says so', async () => {
    const { rail } = aRail();
    expect(rail.tombstones).toBe(false);
    expect([rail.limits('sbp'), rail.limits('credit_card')]).toEqual([sbpLimits, undefined]);
    await expect(rail.cancel(transfer)).rejects.toMatchObject({ code: 'YOOKASSA_CANNOT_CANCEL' });
  });

  it('states the payouts of a period by their payment', async () => {
    const paid = aPayoutObject({ status: 'succeeded', succeeded_at: '2026-11-21T12:35:42.312Z' });
    const { rail, asked } = aRail([200, listOf([paid])]);
    const from = new Date('2026-11-20T21:00:00.000Z');
    const to = new Date('2026-11-21T21:00:00.000Z');
    expect(await rail.statement({ from, to })).toEqual([
      {
        kind: 'payout',
        reference,
        ourId: payoutId,
        orderReference: undefined,
        amountMinor: 150_000n,
        feeMinor: undefined,
        currency: 'RUB',
        at: new Date('2026-11-21T12:35:42.312Z'),
      },
    ]);
    expect(asked[0]?.query).toMatchObject({
      status: 'succeeded',
      'succeeded_at.gte': from.toISOString(),
      'succeeded_at.lt': to.toISOString(),
    });
  });
});
