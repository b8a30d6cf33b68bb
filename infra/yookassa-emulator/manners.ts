import { day, hour } from './clock.ts';
import { minorUnits } from './money.ts';
import type { Registration } from './records.ts';

/** What goes wrong with one HTTP exchange. `acted` says whether the request took effect. */
export type HttpFault =
  | { readonly kind: 'internal_error'; readonly acted: boolean }
  | { readonly kind: 'no_answer'; readonly acted: boolean }
  | { readonly kind: 'too_many_requests'; readonly retryAfterMs: number }
  | { readonly kind: 'refused_credentials' }
  | { readonly kind: 'refused' };

/** How the notifications about an object are sent. */
export type NoticeManner = 'doubled' | 'early' | 'late' | 'lost' | 'forged';

/** What happens to an object beyond what the caller asked for. */
export type Manner =
  | { readonly kind: 'notices'; readonly how: NoticeManner }
  /** Missing from lists, and a payout from the search, for so long after its creation. */
  | { readonly kind: 'listed_late'; readonly afterMs: number }
  /** A payment: nine tenths of the amount are authorized. */
  | { readonly kind: 'authorizes_less' }
  /** A succeeded payment: refunded from the provider's side, with a refund that the merchant did not ask for. */
  | { readonly kind: 'refunded_by_provider'; readonly afterMs: number }
  /** A succeeded payment: charged back, without a refund object. */
  | { readonly kind: 'charged_back'; readonly afterMs: number }
  /** A payment that expired unpaid succeeds all the same. */
  | { readonly kind: 'succeeds_late'; readonly afterMs: number }
  /** A succeeded payment: the captured amount is corrected to nine tenths. */
  | { readonly kind: 'captured_amount_changes'; readonly afterMs: number }
  /** A succeeded payment: what the shop gets is told so long after the success, without a time never. */
  | { readonly kind: 'fee_told_late'; readonly afterMs: number | undefined }
  /** A succeeded payment or refund: its receipt is pending until then, without a time forever. */
  | {
      readonly kind: 'receipt_ends';
      readonly afterMs: number | undefined;
      readonly registration: Exclude<Registration, 'pending'>;
    }
  /** A refund or payout: pending until then, without a time forever. With a reason it is canceled, otherwise it succeeds. */
  | { readonly kind: 'ends'; readonly afterMs: number | undefined; readonly reason: string | undefined };

/** The call that an amount disturbs, always the first one under an idempotency key. */
export type DisturbedCall = 'create' | 'capture' | 'cancel';

export type AmountRow = {
  readonly object: 'payment' | 'refund' | 'payout';
  readonly amount: string;
  readonly effect:
    | { readonly kind: 'fault'; readonly call: DisturbedCall; readonly fault: HttpFault }
    | { readonly kind: 'manner'; readonly manner: Manner };
};

export const refundReasons = [
  'insufficient_funds',
  'general_decline',
  'rejected_by_payee',
  'rejected_by_timeout',
  'yoo_money_account_closed',
] as const;

export const payoutReasons = [
  'insufficient_funds',
  'fraud_suspected',
  'one_time_limit_exceeded',
  'periodic_limit_exceeded',
  'rejected_by_payee',
  'general_decline',
  'issuer_unavailable',
  'recipient_not_found',
  'recipient_check_failed',
  'identification_required',
  'self_employed_annual_limit_exceeded',
] as const;

type Kind = AmountRow['object'];
/** `7700` for payments, `7800` for refunds, `8800` for payouts. */
const roubles = { payment: 7700, refund: 7800, payout: 8800 } as const;
const kopecks = (object: Kind, number: number): string =>
  `${roubles[object]}.${String(number).padStart(2, '0')}`;

const fault = (object: Kind, number: number, does: HttpFault, call: DisturbedCall = 'create'): AmountRow => ({
  object,
  amount: kopecks(object, number),
  effect: { kind: 'fault', call, fault: does },
});
const manner = (object: Kind, number: number, does: Manner): AmountRow => ({
  object,
  amount: kopecks(object, number),
  effect: { kind: 'manner', manner: does },
});

const httpFaults: readonly HttpFault[] = [
  { kind: 'internal_error', acted: false },
  { kind: 'internal_error', acted: true },
  { kind: 'no_answer', acted: false },
  { kind: 'no_answer', acted: true },
  { kind: 'too_many_requests', retryAfterMs: 1500 },
  { kind: 'refused_credentials' },
  { kind: 'refused' },
];
const noticeManners: readonly NoticeManner[] = ['doubled', 'early', 'late', 'lost', 'forged'];

/** What becomes of a receipt. */
const receiptManners: readonly Manner[] = [
  { kind: 'receipt_ends', afterMs: hour, registration: 'succeeded' },
  { kind: 'receipt_ends', afterMs: hour, registration: 'canceled' },
  { kind: 'receipt_ends', afterMs: undefined, registration: 'succeeded' },
];

/** .01 to .07 and .11 to .15, alike for the three objects. */
const common = (object: Kind): readonly AmountRow[] => [
  ...httpFaults.map((each, index) => fault(object, 1 + index, each)),
  ...noticeManners.map((how, index) => manner(object, 11 + index, { kind: 'notices', how })),
  manner(object, 20, { kind: 'listed_late', afterMs: hour }),
];

/** The amounts that select a fault or a manner. An exact amount of the request counts, in roubles. */
export const amountTable: readonly AmountRow[] = [
  ...common('payment'),
  manner('payment', 21, { kind: 'authorizes_less' }),
  manner('payment', 22, { kind: 'refunded_by_provider', afterMs: day }),
  manner('payment', 23, { kind: 'charged_back', afterMs: day }),
  manner('payment', 24, { kind: 'succeeds_late', afterMs: hour }),
  manner('payment', 25, { kind: 'captured_amount_changes', afterMs: day }),
  ...receiptManners.map((each, index) => manner('payment', 26 + index, each)),
  manner('payment', 29, { kind: 'fee_told_late', afterMs: hour }),
  manner('payment', 30, { kind: 'fee_told_late', afterMs: undefined }),
  ...httpFaults.slice(0, 5).map((each, index) => fault('payment', 31 + index, each, 'capture')),
  ...httpFaults.slice(0, 5).map((each, index) => fault('payment', 41 + index, each, 'cancel')),
  ...common('refund'),
  manner('refund', 30, { kind: 'ends', afterMs: hour, reason: undefined }),
  ...refundReasons.map((reason, index) => manner('refund', 31 + index, { kind: 'ends', afterMs: 0, reason })),
  ...refundReasons.map((reason, index) =>
    manner('refund', 41 + index, { kind: 'ends', afterMs: hour, reason }),
  ),
  manner('refund', 50, { kind: 'ends', afterMs: undefined, reason: undefined }),
  ...receiptManners.map((each, index) => manner('refund', 51 + index, each)),
  ...common('payout'),
  manner('payout', 30, { kind: 'ends', afterMs: hour, reason: undefined }),
  ...payoutReasons.map((reason, index) => manner('payout', 31 + index, { kind: 'ends', afterMs: 0, reason })),
  ...payoutReasons.map((reason, index) =>
    manner('payout', 51 + index, { kind: 'ends', afterMs: hour, reason }),
  ),
  manner('payout', 70, { kind: 'ends', afterMs: undefined, reason: undefined }),
];

const byAmount = new Map(amountTable.map((row) => [`${row.object} ${minorUnits(row.amount)}`, row.effect]));

/** The manner of an object of this amount. */
export function mannerOf(object: Kind, minor: number): Manner | undefined {
  const effect = byAmount.get(`${object} ${minor}`);
  return effect?.kind === 'manner' ? effect.manner : undefined;
}

/** The fault that an amount brings to a call. */
export function faultOf(object: Kind, minor: number, call: DisturbedCall): HttpFault | undefined {
  const effect = byAmount.get(`${object} ${minor}`);
  return effect?.kind === 'fault' && effect.call === call ? effect.fault : undefined;
}
