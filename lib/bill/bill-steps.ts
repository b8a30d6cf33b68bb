import { type Bill, type BillStatus, billStatusesBefore, mostFailuresOfBill } from './bill.ts';

/** What a step demands of the bill as it lies in the store: of one attribute, or of any of several ways. */
export type Demand =
  | {
      readonly of: keyof Bill;
      readonly must: 'be' | 'not be' | 'be below' | 'be up to' | 'be after';
      readonly value: Value;
    }
  | { readonly of: keyof Bill; readonly must: 'be one of'; readonly values: readonly Value[] }
  | { readonly of: keyof Bill; readonly must: 'be absent' }
  | { readonly anyOf: readonly (readonly Demand[])[] };
type Value = string | number | boolean | Date;

/**
 * One step of a NORMAL bill (core, section 4.1), as data: the store makes one conditional write of it, and the search
 * of the whole protocol in the tests takes the very same steps.
 */
export type BillStep = {
  readonly to: BillStatus;
  readonly demands: readonly Demand[];
  readonly set: Partial<Bill>;
  readonly clears: readonly (keyof Bill)[];
  readonly countsFailure: boolean;
};

type Step = Partial<BillStep> & Pick<BillStep, 'to' | 'demands' | 'set'>;

/** Along the table of the bill's moves, and under the step's own demands. */
const step = ({ to, demands, ...rest }: Step): BillStep => ({
  clears: [],
  countsFailure: false,
  ...rest,
  to,
  demands: [{ of: 'status', must: 'be one of', values: billStatusesBefore(to) }, ...demands],
});

type Hold = { readonly now: Date; readonly lockUntil: Date };

/** T1 and T1': the bill is free, or the lock that held it is over and nothing was fenced. */
export const holdStep = (paymentId: string, { now, lockUntil }: Hold): BillStep =>
  step({
    to: 'PROCESS',
    set: { current: paymentId, lockUntil, fenced: false },
    demands: [
      { of: 'active', must: 'be', value: true },
      {
        anyOf: [
          [{ of: 'expiresAt', must: 'be absent' }],
          [{ of: 'expiresAt', must: 'be after', value: now }],
        ],
      },
      { of: 'failures', must: 'be below', value: mostFailuresOfBill },
      { of: 'paidBy', must: 'be absent' },
      {
        anyOf: [
          [{ of: 'status', must: 'not be', value: 'PROCESS' }],
          [
            { of: 'lockUntil', must: 'be up to', value: now },
            { of: 'fenced', must: 'be', value: false },
          ],
        ],
      },
    ],
  });

const isHeldBy = (paymentId: string): readonly Demand[] => [
  { of: 'current', must: 'be', value: paymentId },
  { of: 'status', must: 'be', value: 'PROCESS' },
];

/** T2: only the payment that holds the bill may ask for its capture. */
export const fenceStep = (paymentId: string): BillStep =>
  step({ to: 'PROCESS', set: { fenced: true }, demands: isHeldBy(paymentId) });

/** T3: the first captured payment finishes the bill. */
export const finishStep = (paymentId: string, to: BillStatus): BillStep =>
  step({
    to,
    set: { paidBy: paymentId, current: paymentId, fenced: true },
    clears: ['lockUntil'],
    demands: [{ of: 'paidBy', must: 'be absent' }],
  });

/** T4: the payment that holds the bill lets it go; the next try may begin. */
export const releaseStep = (paymentId: string): BillStep =>
  step({
    to: 'FAIL',
    set: { fenced: false },
    clears: ['lockUntil'],
    countsFailure: true,
    demands: isHeldBy(paymentId),
  });
