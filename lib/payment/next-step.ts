import { paymentUnderWay } from '../bill/bill.ts';
import type { Payment } from './payment.ts';
import type { AcquirerView } from './ports.ts';

/** What to do about a payment now (T1 to T9 of lib/payment/README.md). */
export type NextStep =
  | 'nothing'
  /** T8 and T1': no money may come any more; the acquirer then says so. */
  | 'cancel'
  /** T2, then the capture. */
  | 'fence'
  | 'capture'
  /** T5, then the void. */
  | 'void'
  /** T3; T6 when another payment finished the bill. */
  | 'settle'
  /** T4, or T7 with its entry. */
  | 'fail'
  | 'refund'
  /** T9: the acquirer took up a payment that had failed. */
  | 'reopen';

/** A payer who has left their card page alone for this long has gone; the acquirer is told so. */
export const abandonedAfterMinutes = 60;
/** An order that never reached the acquirer by then never will. */
export const unheardAfterMinutes = 15;

type Situation = {
  readonly payment: Pick<Payment, 'id' | 'status' | 'phase' | 'createdAt'>;
  readonly bill: Parameters<typeof paymentUnderWay>[0];
  readonly view: AcquirerView['state'];
  readonly now: Date;
};

/** This payment is the one that a NORMAL bill is waiting for. Any payment of a MULTI bill is. */
export const holdsBill = ({ payment, bill }: Pick<Situation, 'payment' | 'bill'>): boolean =>
  bill.type === 'MULTI' || paymentUnderWay(bill) === payment.id;

/**
 * No card failed: the payer cancelled, or left the card page alone until the order was cancelled for them. It is no
 * failure of the bill, or ten of these would close a link for good.
 */
export const isGivenUp = ({ phase }: Pick<Payment, 'phase'>, view: AcquirerView['state']): boolean =>
  view === 'cancelled' || (view === 'voided' && phase === 'AUTHORIZING');

/** The one step that the acquirer's word allows in this state. Pure: the store's conditions guard it once more. */
export function nextStep(situation: Situation): NextStep {
  switch (situation.payment.phase) {
    case 'AUTHORIZING':
      return whileAuthorizing(situation);
    case 'CAPTURING':
      return by(situation.view, { authorised: 'capture', captured: 'settle', not_captured: 'fail' });
    case 'VOIDING':
      return by(situation.view, {
        authorised: 'cancel',
        captured: 'refund',
        not_captured: 'fail',
        open: 'cancel',
      });
    case 'REFUNDING':
      return by(situation.view, { captured: 'refund', not_captured: 'fail' });
    case 'DONE':
      return situation.payment.status === 'FAIL'
        ? by(situation.view, { authorised: 'reopen', captured: 'reopen' })
        : 'nothing';
  }
}

function whileAuthorizing(situation: Situation): NextStep {
  const { view } = situation;
  const open = isHopeless(situation) ? 'cancel' : 'nothing';
  const authorised = holdsBill(situation) ? 'fence' : 'void';
  return by(view, { authorised, captured: 'settle', not_captured: 'fail', open });
}

/** Displaced by another payer, never heard of, or abandoned on the card page. */
function isHopeless({ payment, bill, view, now }: Situation): boolean {
  if (!holdsBill({ payment, bill })) return true;
  const minutes = (now.getTime() - payment.createdAt.getTime()) / 60_000;
  return minutes >= (view === 'unknown' ? unheardAfterMinutes : abandonedAfterMinutes);
}

type StepByView = Partial<Record<'open' | 'authorised' | 'captured' | 'not_captured', NextStep>>;

const kinds = {
  unknown: 'open',
  pending: 'open',
  authorised: 'authorised',
  captured: 'captured',
  declined: 'not_captured',
  cancelled: 'not_captured',
  voided: 'not_captured',
  refunded: 'not_captured',
} as const;

const by = (view: AcquirerView['state'], steps: StepByView): NextStep => steps[kinds[view]] ?? 'nothing';
