import { Defect } from '../defect.ts';
import type { AlarmName } from '../alarms.ts';
import type { Chargebacks } from '../ledger/chargeback.ts';
import type { Shops } from '../merchant/ports.ts';
import type { PostbackQueue } from '../postback/ports.ts';
import type { Result } from '../result.ts';
import type { NetworkAttempts } from './network-attempts.ts';
import type { Acquirer, AcquirerView, Payments } from './ports.ts';

type PaymentAlarm = Extract<
  AlarmName,
  'late_money' | 'duplicate_capture' | 'refund_undone' | 'capture_undone' | 'payment_stuck'
>;

export type ResolvePorts = {
  readonly payments: Payments;
  readonly shops: Pick<Shops, 'find'>;
  readonly acquirer: Acquirer;
  readonly chargebacks: Pick<Chargebacks, 'ofPayment' | 'create'>;
  readonly postbackQueue: PostbackQueue;
  readonly attempts: Pick<NetworkAttempts, 'leave' | 'end'>;
  readonly now: () => Date;
  /** Raises an alarm for the operator. */
  readonly alarm: (alarm: PaymentAlarm, about: { readonly payment: string }) => void;
};

/** The ports for recording an outcome: it is known, so the acquirer is not among them. */
export type OutcomePorts = Pick<ResolvePorts, 'payments' | 'shops' | 'postbackQueue' | 'now'>;

/** `nothing`: stop. Otherwise the acquirer's view to continue with; undefined: query it again. */
export type StepResult = 'nothing' | AcquirerView | undefined;

/** After a lost race the view is outdated: the winner's step may have changed it. */
export const viewUnlessRaced = ({ ok }: Result<void, unknown>, view: AcquirerView): StepResult =>
  ok ? view : undefined;

/** An acquirer whose view has not changed is still processing: it is queried later, not at once. */
export const viewIfProgressed = (before: AcquirerView, after: AcquirerView): StepResult =>
  after.state === before.state ? 'nothing' : after;

export function amountIn(view: AcquirerView): bigint {
  if ('amountMinor' in view) return view.amountMinor;
  throw new Defect('VIEW_WITHOUT_AMOUNT', `The acquirer's view ${view.state} carries no amount`);
}

export const cardOf = (view: AcquirerView): { readonly fromCard?: string } =>
  'fromCard' in view && view.fromCard !== undefined ? { fromCard: view.fromCard } : {};
