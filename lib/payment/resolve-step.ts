import { Defect } from '../defect.ts';
import type { AlarmName } from '../alarms.ts';
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
  readonly postbackQueue: PostbackQueue;
  readonly attempts: Pick<NetworkAttempts, 'leave' | 'end'>;
  readonly now: () => Date;
  /** Tells the operator. */
  readonly alarm: (alarm: PaymentAlarm, about: { readonly payment: string }) => void;
};

/** What writing an outcome down needs: it is known by then, so the acquirer is not asked. */
export type OutcomePorts = Pick<ResolvePorts, 'payments' | 'shops' | 'postbackQueue' | 'now'>;

/** The acquirer's view to go on with; undefined when it is to be asked again. */
export type StepResult = 'nothing' | AcquirerView | undefined;

/** Whoever lost a race has an old view of the acquirer: what the winner did may have changed it. */
export const viewUnlessRaced = ({ ok }: Result<void, unknown>, view: AcquirerView): StepResult =>
  ok ? view : undefined;

/** An acquirer that says the same as before is still at work: it is asked again later, not at once. */
export const viewIfProgressed = (before: AcquirerView, after: AcquirerView): StepResult =>
  after.state === before.state ? 'nothing' : after;

export function amountIn(view: AcquirerView): bigint {
  if ('amountMinor' in view) return view.amountMinor;
  throw new Defect('VIEW_WITHOUT_AMOUNT', `The acquirer's view ${view.state} carries no amount`);
}

export const cardOf = (view: AcquirerView): { readonly fromCard?: string } =>
  'fromCard' in view && view.fromCard !== undefined ? { fromCard: view.fromCard } : {};
