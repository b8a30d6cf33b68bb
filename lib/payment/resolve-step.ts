import { Defect } from '../defect.ts';
import type { AlarmName } from '../alarms.ts';
import type { Chargebacks } from '../ledger/chargeback.ts';
import type { Shops } from '../merchant/ports.ts';
import type { PostbackQueue } from '../postback/ports.ts';
import type { Result } from '../result.ts';
import type { AcquirerView, Acquirers, MethodTerms } from './acquirer.ts';
import type { CallKind } from './call.ts';
import type { ContactPorts } from './contact.ts';
import type { NetworkAttempts } from './network-attempts.ts';
import { type OrderView, seenState } from './next-step.ts';
import type { PageSecrets } from './page-secrets.ts';
import type { Payment } from './payment.ts';
import type { Payments } from './ports.ts';

type PaymentAlarm = Extract<
  AlarmName,
  | 'late_money'
  | 'duplicate_capture'
  | 'refund_undone'
  | 'refund_rejected'
  | 'capture_undone'
  | 'payment_stuck'
  | 'reference_conflict'
  | 'receipt_not_registered'
>;

export type ResolvePorts = {
  readonly payments: Payments;
  readonly shops: Pick<Shops, 'find'>;
  readonly acquirers: Acquirers;
  readonly chargebacks: Pick<Chargebacks, 'ofPayment' | 'create'>;
  readonly postbackQueue: PostbackQueue;
  readonly attempts: Pick<NetworkAttempts, 'leave' | 'end'>;
  readonly pageSecrets: () => Promise<PageSecrets>;
  /**
   * Decrypts payers' contacts, for the receipts of captures of less and of refunds. Absent in functions that may not: they leave these
   * calls to the check.
   */
  readonly payerContacts?: ContactPorts;
  readonly now: () => Date;
  /** Raises an alarm for the operator. */
  readonly alarm: (alarm: PaymentAlarm, about: { readonly payment: string }) => void;
};

/** The ports for recording an outcome: it is known, so the acquirers are not among them. */
export type OutcomePorts = Pick<ResolvePorts, 'payments' | 'shops' | 'postbackQueue' | 'now'>;

/** The ports for recording a capture: what its acquirer promises decides what the payment waits for afterwards. */
export type CapturePorts = OutcomePorts & { readonly acquirers: Pick<Acquirers, 'named'> };

/** What this handler knows of the order, and which call it has recorded already, together with the last step. */
export type Known = { readonly view: OrderView; readonly begun?: CallKind };

/** `nothing`: stop. Otherwise what to continue with; undefined: query the acquirer again. */
export type StepResult = 'nothing' | Known | undefined;

/** After a lost race the view is outdated: the winner's step may have changed it. */
export const knownUnlessRaced = ({ ok }: Result<void, unknown>, known: Known): StepResult =>
  ok ? known : undefined;

/** An acquirer whose view has not changed is still processing: it is queried later, not at once. */
export const knownIfProgressed = (before: AcquirerView, after: AcquirerView): StepResult =>
  seenState(after) === seenState(before) ? 'nothing' : { view: after };

export function amountIn(view: OrderView): bigint {
  if ('amountMinor' in view) return view.amountMinor;
  throw new Defect('VIEW_WITHOUT_AMOUNT', `The acquirer's view ${view.state} carries no amount`);
}

/** Returns what the view tells of the payer's account. What it does not tell leaves the payment's unchanged. */
export const accountOf = (view: OrderView): Partial<Pick<Payment, 'fromCard' | 'accountBank'>> => ({
  ...('fromCard' in view && view.fromCard !== undefined && { fromCard: view.fromCard }),
  ...('bank' in view && view.bank !== undefined && { accountBank: view.bank }),
});

/** Of a method that the acquirer no longer has: nothing is promised. */
export const termsOrNone = (
  terms: MethodTerms | undefined,
): Pick<MethodTerms, 'endsOpenOrders' | 'failureIsFinal'> =>
  terms ?? { endsOpenOrders: false, failureIsFinal: false };
