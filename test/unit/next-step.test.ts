import { describe, expect, it } from 'vitest';
import type { Bill } from '../../lib/bill/bill.ts';
import { nextStep, type SeenState } from '../../lib/payment/next-step.ts';
import { paymentPhases, phaseMoves } from '../../lib/payment/payment.ts';
import { aBill, aCall, aPayment, paymentId, today, otherPaymentId } from '../support/builders.ts';

const views = [
  'pending',
  'authorised',
  'captured',
  'declined',
  'cancelled',
  'voided',
  'refunded',
  'absent',
] as const satisfies readonly SeenState[];

const held = aBill({ status: 'PROCESS', current: paymentId });
const takenOver = aBill({ status: 'PROCESS', current: otherPaymentId });
const paidByAnother = aBill({ status: 'SUCCESS', current: otherPaymentId, paidBy: otherPaymentId });
const multi = aBill({ type: 'MULTI', status: 'SUCCESS' });

const after = (minutes: number) => new Date(today.getTime() + minutes * 60_000);
const terms = { endsOpenOrders: true };
const stepOf = (
  payment: Parameters<typeof aPayment>[0],
  view: SeenState,
  bill: Bill = held,
  minutes = 1,
  promised = terms,
) => nextStep({ payment: aPayment(payment), terms: promised, bill, view, now: after(minutes) });

describe('the next step of a payment', () => {
  it.each([
    [
      'AUTHORIZING',
      {
        authorised: 'fence',
        captured: 'settle',
        declined: 'fail',
        cancelled: 'fail',
        voided: 'fail',
        refunded: 'fail',
        absent: 'fail',
      },
    ],
    [
      'CAPTURING',
      {
        authorised: 'capture',
        captured: 'settle',
        declined: 'fail',
        cancelled: 'fail',
        voided: 'fail',
        refunded: 'fail',
      },
    ],
    [
      'VOIDING',
      {
        pending: 'cancel',
        authorised: 'cancel',
        captured: 'settle',
        declined: 'fail',
        cancelled: 'fail',
        voided: 'fail',
        refunded: 'fail',
        absent: 'fail',
      },
    ],
    [
      'REFUNDING',
      { captured: 'refund', declined: 'fail', cancelled: 'fail', voided: 'fail', refunded: 'fail' },
    ],
  ] as const)('%s follows the acquirer', (phase, steps: Partial<Record<SeenState, string>>) => {
    for (const view of views)
      expect([view, stepOf({ phase }, view)]).toEqual([view, steps[view] ?? 'nothing']);
  });

  it.each(['SUCCESS', 'UNDERPAID', 'OVERPAID'] as const)(
    'is none for %s, whatever the acquirer’s view',
    (status) => {
      for (const view of views) expect(stepOf({ status, phase: 'DONE' }, view)).toBe('nothing');
    },
  );

  it('reopens a failed payment when the acquirer authorised or captured it', () => {
    for (const view of views) {
      const late = view === 'authorised' || view === 'captured';
      expect([view, stepOf({ status: 'FAIL', phase: 'DONE' }, view)]).toEqual([
        view,
        late ? 'reopen' : 'nothing',
      ]);
    }
  });

  it.each([
    ['was taken over', takenOver],
    ['was paid by another', paidByAnother],
  ])('voids or settles when the bill %s', (_case, bill) => {
    expect(stepOf({}, 'authorised', bill)).toBe('void');
    expect(stepOf({}, 'pending', bill)).toBe('void');
    expect(stepOf({}, 'captured', bill)).toBe('settle');
    expect(stepOf({}, 'declined', bill)).toBe('fail');
  });

  it('never cancels an open payment of a MULTI bill because of another', () => {
    expect(stepOf({ billType: 'MULTI' }, 'authorised', multi)).toBe('fence');
    expect(stepOf({ billType: 'MULTI' }, 'pending', multi)).toBe('nothing');
  });

  it('ends an abandoned payment only after its time', () => {
    expect([59.999, 60].map((minutes) => stepOf({}, 'pending', held, minutes))).toEqual(['nothing', 'void']);
  });

  it('waits for the acquirer where it cannot end open orders', () => {
    const cannot = { endsOpenOrders: false };
    for (const bill of [held, takenOver])
      for (const phase of ['AUTHORIZING', 'VOIDING'] as const)
        expect(stepOf({ phase }, 'pending', bill, 1000, cannot)).toBe('nothing');
    expect(stepOf({}, 'authorised', takenOver, 1000, cannot)).toBe('void');
    expect(stepOf({ phase: 'VOIDING' }, 'authorised', takenOver, 1000, cannot)).toBe('cancel');
  });

  it.each([
    ['is still its own', held, 'settle'],
    ['was taken over', takenOver, 'refund'],
    ['was paid by another', paidByAnother, 'refund'],
  ])('settles or refunds what was captured while it was voided, when the bill %s', (_case, bill, step) => {
    expect(stepOf({ phase: 'VOIDING' }, 'captured', bill)).toBe(step);
    expect(stepOf({ phase: 'VOIDING', status: 'FAIL' }, 'captured', bill)).toBe('refund');
  });

  it('never fails a payment by a timeout alone', () => {
    for (const phase of paymentPhases)
      for (const view of ['unknown', 'pending'] as const)
        expect(stepOf({ phase }, view, held, 1_000_000)).not.toBe('fail');
  });
});

describe('the next step of a payment whose reference is unknown', () => {
  const hours = (at: number) => at * 60;

  it('is the same call while its key lives, and then the list, with a pause in between', () => {
    for (const phase of ['AUTHORIZING', 'VOIDING'] as const)
      expect(
        [0, 21.99, 22, 25.99, 26, 1000].map((at) => stepOf({ phase }, 'unknown', held, hours(at))),
      ).toEqual(['start', 'start', 'nothing', 'nothing', 'find', 'find']);
  });

  it('fails at once when the only call was refused, and waits while another is unanswered', () => {
    const refused = (unanswered: number) => ({ startCall: aCall({ answer: 'refused', unanswered }) });
    expect(stepOf(refused(0), 'unknown')).toBe('fail');
    expect(stepOf(refused(1), 'unknown')).toBe('start');
    expect(stepOf(refused(1), 'unknown', held, hours(23))).toBe('nothing');
  });

  it('is none once it is DONE', () => {
    for (const status of ['FAIL', 'SUCCESS'] as const)
      expect(stepOf({ status, phase: 'DONE' }, 'unknown')).toBe('nothing');
  });
});

describe('the phases of a payment', () => {
  const allowed = paymentPhases.flatMap((from) => phaseMoves[from].map((to) => `${from} ${to}`));

  it('change only as the protocol allows', () => {
    expect(allowed.toSorted()).toEqual([
      'AUTHORIZING CAPTURING',
      'AUTHORIZING DONE',
      'AUTHORIZING REFUNDING',
      'AUTHORIZING VOIDING',
      'CAPTURING DONE',
      'CAPTURING REFUNDING',
      'CAPTURING VOIDING',
      'DONE REFUNDING',
      'DONE VOIDING',
      'REFUNDING DONE',
      'VOIDING DONE',
      'VOIDING REFUNDING',
    ]);
  });
});
