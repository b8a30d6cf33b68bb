import type { PaymentId } from '../ids.ts';
import { type BillStatus, billStatusesBefore, mostFailuresOfBill, type NormalBill } from './bill.ts';

/** What must hold of the bill as it lies in the store: of one attribute, or one of several ways. */
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
 * One step of a NORMAL bill (lib/payment/README.md), as data: the store makes one conditional write of it, and the
 * search of the whole protocol in the tests takes the very same steps.
 */
export type BillStep = {
  readonly to: BillStatus;
  readonly preconditions: readonly Precondition[];
  readonly set: Partial<NormalBill>;
  readonly clears: readonly (keyof NormalBill)[];
  readonly countsFailure: boolean;
};

type GivenStep = Partial<BillStep> & Pick<BillStep, 'to' | 'preconditions' | 'set'>;

/** Along the table of the bill's moves, and under the step's own preconditions. */
const step = ({ to, preconditions, ...rest }: GivenStep): BillStep => ({
  clears: [],
  countsFailure: false,
  ...rest,
  to,
  preconditions: [{ attribute: 'status', operator: 'in', values: billStatusesBefore(to) }, ...preconditions],
});

type Hold = { readonly now: Date; readonly lockUntil: Date };

/** T1 and T1': the bill is free, or the lock that held it is over and nothing was fenced. */
export const holdStep = (paymentId: PaymentId, { now, lockUntil }: Hold): BillStep =>
  step({
    to: 'PROCESS',
    set: { current: paymentId, lockUntil, fenced: false },
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
        ],
      },
    ],
  });

const isHeldBy = (paymentId: PaymentId): readonly Precondition[] => [
  { attribute: 'current', operator: '=', value: paymentId },
  { attribute: 'status', operator: '=', value: 'PROCESS' },
];

/** T2: only the payment that holds the bill may ask for its capture. */
export const fenceStep = (paymentId: PaymentId): BillStep =>
  step({ to: 'PROCESS', set: { fenced: true }, preconditions: isHeldBy(paymentId) });

/** T3: the first captured payment finishes the bill. */
export const finishStep = (paymentId: PaymentId, to: BillStatus): BillStep =>
  step({
    to,
    set: { paidBy: paymentId, current: paymentId, fenced: true },
    clears: ['lockUntil'],
    preconditions: [{ attribute: 'paidBy', operator: 'absent' }],
  });

/** T4: the payment that holds the bill lets it go; the next try may begin. */
export const releaseStep = (paymentId: PaymentId, countsFailure: boolean): BillStep =>
  step({
    to: 'FAIL',
    set: { fenced: false },
    clears: ['lockUntil'],
    countsFailure,
    preconditions: isHeldBy(paymentId),
  });
