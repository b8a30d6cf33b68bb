import type { PaymentId } from '../ids.ts';
import { type BillStatus, billStatusesBefore, mostFailuresOfBill, type NormalBill } from './bill.ts';

/** A condition on the stored bill: on one attribute, or any one of several alternatives. */
export type Precondition =
  | {
      readonly attribute: keyof NormalBill;
      readonly operator: '=' | '<>' | '<' | '<=' | '>';
      readonly value: Value;
    }
  | { readonly attribute: keyof NormalBill; readonly operator: 'in'; readonly values: readonly Value[] }
  | { readonly attribute: keyof NormalBill; readonly operator: 'absent' }
  | { readonly anyOf: readonly (readonly Precondition[])[] };
type Value = string | number | boolean | Date;

/**
 * One step of a NORMAL bill (lib/payment/README.md), as data: the store builds one conditional write from it, and the
 * exhaustive search of the protocol in the tests takes the same steps.
 */
export type BillStep = {
  readonly to: BillStatus;
  readonly preconditions: readonly Precondition[];
  readonly set: Partial<NormalBill>;
  readonly clears: readonly (keyof NormalBill)[];
  readonly countsFailure: boolean;
};

type GivenStep = Partial<BillStep> & Pick<BillStep, 'to' | 'preconditions' | 'set'>;

/** Adds the condition that `billMoves` allows the move to the step's own preconditions. */
const step = ({ to, preconditions, ...rest }: GivenStep): BillStep => ({
  clears: [],
  countsFailure: false,
  ...rest,
  to,
  preconditions: [{ attribute: 'status', operator: 'in', values: billStatusesBefore(to) }, ...preconditions],
});

type Hold = {
  readonly now: Date;
  readonly lockUntil: Date | undefined;
  /** The holder, when it is a payment of the same browser, which has chosen another way to pay: its lock need not expire. */
  readonly displaces?: PaymentId;
};

/**
 * Start and take over: nobody holds the bill, or the lock of its holder has expired or is the same payer's, and nothing was
 * fenced. A holder without `lockUntil` can be neither held nor ended at its acquirer, so its bill is not taken over.
 */
export const holdStep = (paymentId: PaymentId, { now, lockUntil, displaces }: Hold): BillStep =>
  step({
    to: 'PROCESS',
    set: { current: paymentId, fenced: false, ...(lockUntil && { lockUntil }) },
    clears: lockUntil ? [] : ['lockUntil'],
    preconditions: [
      { attribute: 'active', operator: '=', value: true },
      {
        anyOf: [
          [{ attribute: 'expiresAt', operator: 'absent' }],
          [{ attribute: 'expiresAt', operator: '>', value: now }],
        ],
      },
      { attribute: 'failures', operator: '<', value: mostFailuresOfBill },
      { attribute: 'paidBy', operator: 'absent' },
      {
        anyOf: [
          [{ attribute: 'status', operator: '<>', value: 'PROCESS' }],
          [
            { attribute: 'lockUntil', operator: '<=', value: now },
            { attribute: 'fenced', operator: '=', value: false },
          ],
          ...(displaces ? [ownHolder(displaces)] : []),
        ],
      },
    ],
  });

/** The holder itself, not fenced, and with a lock. */
const ownHolder = (displaces: PaymentId): readonly Precondition[] => [
  { attribute: 'current', operator: '=', value: displaces },
  { attribute: 'fenced', operator: '=', value: false },
  { attribute: 'lockUntil', operator: '>', value: new Date(0) },
];

const isHeldBy = (paymentId: PaymentId): readonly Precondition[] => [
  { attribute: 'current', operator: '=', value: paymentId },
  { attribute: 'status', operator: '=', value: 'PROCESS' },
];

/** Fence: only the payment that holds the bill may request its capture. */
export const fenceStep = (paymentId: PaymentId): BillStep =>
  step({ to: 'PROCESS', set: { fenced: true }, preconditions: isHeldBy(paymentId) });

/** Settle: the first captured payment finishes the bill. */
export const finishStep = (paymentId: PaymentId, to: BillStatus): BillStep =>
  step({
    to,
    set: { paidBy: paymentId, current: paymentId, fenced: true },
    clears: ['lockUntil'],
    preconditions: [{ attribute: 'paidBy', operator: 'absent' }],
  });

/** Fail: the payment that holds the bill releases it, and the next attempt may start. */
export const releaseStep = (paymentId: PaymentId, countsFailure: boolean): BillStep =>
  step({
    to: 'FAIL',
    set: { fenced: false },
    clears: ['lockUntil'],
    countsFailure,
    preconditions: isHeldBy(paymentId),
  });
