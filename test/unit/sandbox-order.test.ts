import { describe, expect, it } from 'vitest';
import { ask, cancel, capture } from '../../lib/sandbox/client-steps.ts';
import { kindManners } from '../../lib/sandbox/manners.ts';
import {
  newOrder,
  orderStates,
  type Order,
  type OrderState,
  type OrderStep,
} from '../../lib/sandbox/order.ts';
import { makeRefund } from '../../lib/sandbox/refunds.ts';
import { abandon, answerChallenge, payWithCard } from '../../lib/sandbox/payer-steps.ts';

const anOrder = (some: Partial<Order> = {}): Order => ({
  ...newOrder(
    {
      paymentId: 'payment-1',
      amountMinor: 10_050n,
      currency: 'RUB',
      description: 'Order 1',
      returnUrl: 'https://shop.test/back',
      notifyUrl: 'https://shop.test/notice',
      steps: 'two',
      method: 'card',
    },
    {
      reference: 'sbx1',
      openedAt: new Date('2030-06-15T12:00:00Z'),
      payableUntil: new Date('2030-06-15T13:00:00Z'),
      pageKey: 'page-key',
    },
  ),
  ...some,
});
const authorised = (some: Partial<Order> = {}) =>
  anOrder({ state: 'authorised', heldMinor: 10_050n, ...some });

const refundRequest = {
  reference: 'sbxr1',
  refundId: 'payment-1.refund.1',
  key: 'payment-1.refund.1',
  at: new Date('2030-06-15T12:30:00Z'),
  amountMinor: 4_000n,
};

const moves: Readonly<Record<string, (order: Order) => OrderStep | undefined>> = {
  pay: (order) => payWithCard(order, '4111111111111111'),
  confirm: (order) => answerChallenge(order, 'confirm'),
  refuse: (order) => answerChallenge(order, 'refuse'),
  abandon,
  ask,
  capture: (order) => capture(order, 'payment-1.capture.1', 10_050n),
  refund: (order) => makeRefund(order, refundRequest, kindManners),
  cancel: (order) => cancel(order, kindManners),
};

describe('an order of the sandbox acquirer', () => {
  const allowed: Readonly<Record<OrderState, Readonly<Record<string, OrderState>>>> = {
    open: { pay: 'authorised', abandon: 'declined', cancel: 'voided' },
    challenged: { confirm: 'authorised', refuse: 'declined', abandon: 'declined', cancel: 'voided' },
    pending: { ask: 'authorised', cancel: 'voided' },
    authorised: { capture: 'captured', cancel: 'voided' },
    capturing: { ask: 'captured' },
    captured: { refund: 'captured' },
    declined: {},
    voided: {},
    refunded: {},
  };

  it.each(orderStates)('moves from %s only as its state allows', (state) => {
    const taken = Object.entries(moves).flatMap(([name, move]) => {
      const step = move(anOrder({ state, heldMinor: 10_050n }));
      return step ? [[name, step.to.state]] : [];
    });
    expect(Object.fromEntries(taken)).toEqual(allowed[state]);
  });

  it('books what is captured and what is refunded, and nothing else', () => {
    const named = { reference: 'sbx1', ourId: 'payment-1', order: 'sbx1' };
    const line = { subject: 'payment-1', amountMinor: 10_050n, currency: 'RUB', named };
    expect(moves['pay']?.(anOrder())?.movement).toBeUndefined();
    expect(moves['capture']?.(authorised())?.movement).toEqual({ kind: 'captured', ...line });
    const captured = anOrder({ state: 'captured', heldMinor: 10_050n });
    expect(moves['refund']?.(captured)?.movement).toEqual({
      ...line,
      kind: 'refunded',
      amountMinor: 4_000n,
      named: { reference: 'sbxr1', ourId: 'payment-1.refund.1', order: 'sbx1' },
    });
  });

  it('is captured by the card itself when there is one step', () => {
    const step = payWithCard(anOrder({ steps: 'one' }), '4111111111111111');
    expect(step).toMatchObject({
      to: { state: 'captured', heldMinor: 10_050n },
      movement: { kind: 'captured', amountMinor: 10_050n },
    });
  });

  it('keeps the mask of the card and never its number', () => {
    const step = payWithCard(anOrder(), '4000000000003220');
    expect(step?.to).toMatchObject({ card: '400000******3220', cardOutcome: 'challenge' });
    const kept = Object.values(step?.to ?? {}).map(String);
    expect(kept.some((value) => value.includes('4000000000003220'))).toBe(false);
  });

  it('holds a tenth less or more when the card says so, at least one kopeck', () => {
    const held = (amountMinor: bigint, number: string) =>
      payWithCard(anOrder({ amountMinor }), number)?.to.heldMinor;
    expect(held(10_050n, '4000000000110009')).toBe(9045n);
    expect(held(10_050n, '4000000000110017')).toBe(11_055n);
    expect(held(5n, '4000000000110009')).toBe(4n);
    expect(held(5n, '4000000000110017')).toBe(6n);
  });

  it('refuses to capture more than it holds, and captures less when less is asked for', () => {
    expect(capture(authorised(), 'key', 10_051n)).toBeUndefined();
    expect(capture(authorised(), 'key', 10_050n)?.movement?.amountMinor).toBe(10_050n);
    expect(capture(authorised(), 'key', 10_000n)?.movement?.amountMinor).toBe(10_000n);
  });

  it('of an earlier version, without a reference, captures no more than it holds', () => {
    const earlier = authorised({ reference: 'payment-1' });
    expect(capture(earlier, 'key', 20_000n)?.movement?.amountMinor).toBe(10_050n);
  });

  it('captures what an overpaid authorisation holds, whatever is asked for', () => {
    const overpaid = authorised({ cardOutcome: 'overpaid', heldMinor: 11_055n });
    expect(capture(overpaid, 'key', 10_050n)?.movement?.amountMinor).toBe(11_055n);
  });
});
