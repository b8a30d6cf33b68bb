import { paymentUnderWay } from '../bill/bill.ts';
import type { Payment } from './payment.ts';
import type { AcquirerView } from './ports.ts';

/** The next step of a payment (lib/payment/README.md). */
export type NextStep =
  | 'nothing'
  /** Abandon, or taken over: cancel at the acquirer, so that no money can be captured later. */
  | 'cancel'
  /** Fence the bill, then capture. */
  | 'fence'
  | 'capture'
  /** Record that the authorization is to be voided, then void it. */
  | 'void'
  /** Settle; record a duplicate capture when another payment finished the bill. */
  | 'settle'
  /** Fail; a refunded payment posts its REFUND entry. */
  | 'fail'
  | 'refund'
  /** Late money: the acquirer authorised or captured a payment that had failed. */
  | 'reopen';

/** After this long on the card page a payment is abandoned and cancelled at the acquirer. */
export const abandonedAfterMinutes = 60;
/** A payment still unknown to the acquirer after this long is cancelled there. */
export const unheardAfterMinutes = 15;

type Situation = {
  readonly payment: Pick<Payment, 'id' | 'status' | 'phase' | 'createdAt'>;
  readonly bill: Parameters<typeof paymentUnderWay>[0];
  readonly view: AcquirerView['state'];
  readonly now: Date;
};

/** Whether the payment holds its NORMAL bill. True for every payment of a MULTI bill. */
export const holdsBill = ({ payment, bill }: Pick<Situation, 'payment' | 'bill'>): boolean =>
  bill.type === 'MULTI' || paymentUnderWay(bill) === payment.id;

/**
 * Whether no card failed: the payer cancelled, or abandoned the card page until the order was cancelled. This does not
 * count as a failure of the bill, or ten of them would disable a link permanently.
 */
export const isGivenUp = ({ phase }: Pick<Payment, 'phase'>, view: AcquirerView['state']): boolean =>
  view === 'cancelled' || (view === 'voided' && phase === 'AUTHORIZING');

/** Returns the step that the acquirer's view allows in this state. Pure; the store's conditions check it again. */
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

/** Whether the payment was taken over, is unknown to the acquirer, or was abandoned on the card page. */
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
