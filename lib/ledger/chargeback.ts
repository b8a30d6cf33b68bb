import { Defect } from '../defect.ts';
import type { MerchantId, PaymentId } from '../ids.ts';
import type { Money } from '../money/money.ts';
import type { PostbackEvent } from '../postback/event.ts';
import type { Result } from '../result.ts';
import type { Claim } from './claim.ts';
import type { Entry } from './entry.ts';
import { isSamePerson } from './same-person.ts';

export const chargebackStatuses = ['OPEN', 'CONFIRMED', 'DISMISSED'] as const;
type ChargebackStatus = (typeof chargebackStatuses)[number];

/** `loss`: the acquirer holds less of the payment than the books; `surplus`: more. */
export const chargebackDirections = ['loss', 'surplus'] as const;
export type ChargebackDirection = (typeof chargebackDirections)[number];

/** Who bears a confirmed loss: the merchant's balance, or the platform. */
export const bearers = ['merchant', 'platform'] as const;
export type Bearer = (typeof bearers)[number];

/**
 * A difference between what a paid payment received and what its acquirer holds of it: a chargeback, a refund that was made
 * there, or the return of such money. Two people confirm or dismiss it. The payment stays paid.
 */
export type Chargeback = {
  /** `<payment>.chargeback.<number>` */
  readonly id: string;
  readonly paymentId: PaymentId;
  /** Counts the payment's items from 1, without a gap: of concurrent writers that read the same list one succeeds. */
  readonly number: number;
  readonly merchantId: MerchantId;
  readonly direction: ChargebackDirection;
  /** In the payment's currency, above zero. */
  readonly amount: Money;
  /**
   * What the acquirer reported; undefined for an item that a person entered. `refundedMinor`: what the payment's own refunds had returned by
   * then, which is no loss; undefined: nothing.
   */
  readonly seen:
    | { readonly state: string; readonly heldMinor: bigint; readonly refundedMinor: bigint | undefined }
    | undefined;
  /** The person who entered it, for what only a letter or a statement told of. */
  readonly entered: { readonly id: string; readonly by: string; readonly reason: string } | undefined;
  readonly at: Date;
  readonly status: ChargebackStatus;
  readonly decision: ChargebackDecision | undefined;
};

export type ChargebackDecision = {
  /** The id of the proposal: carrying it out again is recognised by it. */
  readonly id: string;
  readonly proposedBy: string;
  readonly approvedBy: string;
  readonly reason: string;
  readonly at: Date;
  /** Undefined for a dismissed item and for a surplus. */
  readonly bearer: Bearer | undefined;
  /** Whether its postback was recorded with it: a confirmed loss, of a shop that had a refund URL. */
  readonly posted: boolean | undefined;
};

/** The refunds of a payment as they were read with it: those that have not failed, and those that have succeeded. */
export type RefundsRead = { readonly reservedMinor: bigint; readonly refundedMinor: bigint } | undefined;

export interface Chargebacks {
  /** All items of the payment by their numbers; strongly consistent. */
  ofPayment(paymentId: PaymentId): Promise<readonly Chargeback[]>;
  find(id: string): Promise<Chargeback | undefined>;
  /**
   * Refused when the payment has an item with this number, or when its refunds are not as they were read: a refund takes its part on the
   * condition that this number is free. So refunds and chargebacks together never pass what was received.
   */
  create(
    chargeback: Chargeback,
    refunds: RefundsRead,
  ): Promise<Result<void, 'chargeback_exists' | 'refunds_changed'>>;
  /**
   * Writes state, balance, claim, journal entry and postback in one transaction, on condition that the item is OPEN and that what is
   * debited is available.
   */
  confirm(
    after: Chargeback,
    posting: {
      readonly entry: Entry;
      readonly claim: Claim | undefined;
      readonly event: PostbackEvent | undefined;
    },
  ): Promise<Result<void, 'chargeback_already_decided' | 'balance_not_enough'>>;
  dismiss(after: Chargeback): Promise<Result<void, 'chargeback_already_decided'>>;
  /** The items that wait for two people, oldest first. */
  listOpen(): Promise<readonly Chargeback[]>;
  /** The merchant's latest items in any status, newest first. */
  listOf(merchantId: MerchantId, limit: number): Promise<readonly Chargeback[]>;
}

export const chargebackId = (paymentId: PaymentId, number: number): string =>
  `${paymentId}.chargeback.${number}`;

export const isDecidedChargeback = ({ status }: Pick<Chargeback, 'status'>): boolean => status !== 'OPEN';

/** Returns the amount that the acquirer no longer holds, in minor units; negative for a surplus. */
const lossMinor = ({ direction, amount }: Pick<Chargeback, 'direction' | 'amount'>): bigint =>
  direction === 'loss' ? amount.minor : -amount.minor;

/**
 * Returns what the acquirer holds of the payment according to the items: what was received less every known loss. What the
 * acquirer reported counts also after it was dismissed (it is known, and was accounted for otherwise); what a person entered
 * counts unless it was dismissed.
 */
export const expectedMinor = (receivedMinor: bigint, known: readonly Chargeback[]): bigint =>
  known
    .filter(({ seen, status }) => seen !== undefined || status !== 'DISMISSED')
    .reduce((held, each) => held - lossMinor(each), receivedMinor);

/**
 * Returns what refunds and further losses may take: what was received less every known loss, plus the surpluses that two people have
 * confirmed. One that was only reported may be the view of an acquirer that does not know of a chargeback which a person entered.
 */
export const certainMinor = (receivedMinor: bigint, known: readonly Chargeback[]): bigint =>
  expectedMinor(
    receivedMinor,
    known.filter(({ direction, status }) => direction === 'loss' || status === 'CONFIRMED'),
  );

/** Returns the payment's next item. */
export const nextChargeback = (
  known: readonly Chargeback[],
  item: Omit<Chargeback, 'id' | 'number' | 'status' | 'decision'>,
): Chargeback => {
  const number = known.length + 1;
  return {
    id: chargebackId(item.paymentId, number),
    number,
    ...item,
    status: 'OPEN',
    decision: undefined,
  };
};

/** Returns the item as decided. Throws when it is decided, or by one person alone. */
export function decidedChargeback(
  chargeback: Chargeback,
  status: 'CONFIRMED' | 'DISMISSED',
  decision: ChargebackDecision,
): Chargeback {
  if (isSamePerson(decision.proposedBy, decision.approvedBy))
    throw new Defect('CHARGEBACK_DECIDED_ALONE', 'A chargeback is decided by two people');
  if (isDecidedChargeback(chargeback))
    throw new Defect('CHARGEBACK_MOVE_IMPOSSIBLE', `A chargeback cannot move from ${chargeback.status}`);
  return { ...chargeback, status, decision };
}
