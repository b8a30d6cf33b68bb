import { describe, expect, it } from 'vitest';
import type { Bill } from '../../lib/bill/bill.ts';
import { abandonedAfterMinutes, nextStep, unheardAfterMinutes } from '../../lib/payment/next-step.ts';
import { paymentPhases, phaseMoves } from '../../lib/payment/payment.ts';
import type { AcquirerView } from '../../lib/payment/ports.ts';
import { aBill, aPayment, paymentId, today, otherPaymentId } from '../support/builders.ts';

type View = AcquirerView['state'];
const views = [
  'unknown',
  'pending',
  'authorised',
  'captured',
  'declined',
  'cancelled',
  'voided',
  'refunded',
] as const;

const held = aBill({ status: 'PROCESS', current: paymentId });
const takenOver = aBill({ status: 'PROCESS', current: otherPaymentId });
const paidByAnother = aBill({ status: 'SUCCESS', current: otherPaymentId, paidBy: otherPaymentId });
const multi = aBill({ type: 'MULTI', status: 'SUCCESS' });

const after = (minutes: number) => new Date(today.getTime() + minutes * 60_000);
const stepOf = (payment: Parameters<typeof aPayment>[0], view: View, bill: Bill = held, minutes = 1) =>
  nextStep({ payment: aPayment(payment), bill, view, now: after(minutes) });

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
        unknown: 'cancel',
        pending: 'cancel',
        authorised: 'cancel',
        captured: 'refund',
        declined: 'fail',
        cancelled: 'fail',
        voided: 'fail',
        refunded: 'fail',
      },
    ],
    [
      'REFUNDING',
      { captured: 'refund', declined: 'fail', cancelled: 'fail', voided: 'fail', refunded: 'fail' },
    ],
  ] as const)('%s follows the acquirer', (phase, steps: Partial<Record<View, string>>) => {
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
  ])('voids, cancels or settles when the bill %s', (_case, bill) => {
    expect(stepOf({}, 'authorised', bill)).toBe('void');
    expect(stepOf({}, 'pending', bill)).toBe('cancel');
    expect(stepOf({}, 'unknown', bill)).toBe('cancel');
    expect(stepOf({}, 'captured', bill)).toBe('settle');
    expect(stepOf({}, 'declined', bill)).toBe('fail');
  });

  it('never cancels an open payment of a MULTI bill because of another', () => {
    expect(stepOf({ billType: 'MULTI' }, 'authorised', multi)).toBe('fence');
    expect(stepOf({ billType: 'MULTI' }, 'pending', multi)).toBe('nothing');
  });

  it('cancels an unknown or abandoned payment only after its time', () => {
    const times = (view: View, minutes: number) =>
      [minutes - 0.001, minutes].map((passed) => stepOf({}, view, held, passed));
    expect(times('unknown', unheardAfterMinutes)).toEqual(['nothing', 'cancel']);
    expect(times('pending', abandonedAfterMinutes)).toEqual(['nothing', 'cancel']);
  });

  it('never fails a payment by a timeout alone', () => {
    for (const phase of paymentPhases)
      for (const view of ['unknown', 'pending'] as const)
        expect(stepOf({ phase }, view, held, 1_000_000)).not.toBe('fail');
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
