import { newPayoutId, toGroupId } from '../../lib/ids.ts';
import { merchantId } from './builders.ts';
import type { MerchantFlags } from '../../lib/merchant/merchant.ts';
import type { Terms } from '../../lib/merchant/terms.ts';
import type { Decision, ModeratedPayout, Payout, SentPayout } from '../../lib/payout/payout.ts';
import type { LimitUsage } from '../../lib/payout/limits.ts';
import type { PayoutGroup } from '../../lib/payout/payout-group.ts';
import type { PayoutStatus } from '../../lib/payout/states.ts';

const payoutGroup = toGroupId('GroupOfTwentyDigits0');

const destination = { sealed: 'sealed' };
const dueAt = new Date('2026-11-21T12:00:00Z');

/** The attributes specific to each status; the payout in PROCESS has not been sent. */
const states = {
  MODERATING: { status: 'MODERATING', destination },
  NEW: { status: 'NEW', destination, dueAt },
  PROCESS: { status: 'PROCESS', phase: 'QUEUED', destination, dueAt },
  ERROR: { status: 'ERROR', destination },
  SUCCESS: { status: 'SUCCESS' },
  FAIL: { status: 'FAIL' },
  DECLINED: { status: 'DECLINED' },
} as const;

type In<S extends PayoutStatus> = Extract<Payout, { status: S }>;
type Traits = Omit<Partial<Payout>, 'status'>;
type NotSent<S extends PayoutStatus> = Exclude<In<S>, SentPayout>;

/** A payout of 1000.00 to a card with a fee of one percent, in MODERATING unless its status is given. */
export function aPayout(given?: Traits): ModeratedPayout;
export function aPayout<S extends PayoutStatus>(given: Traits & { readonly status: S }): NotSent<S>;
export function aPayout({ status = 'MODERATING', ...given }: Partial<Payout> = {}) {
  return {
    id: newPayoutId(payoutGroup, 1),
    groupId: payoutGroup,
    merchantId,
    kind: 'regular',
    accountId: undefined,
    isAuto: false,
    amount: { minor: 100_000n, currency: 'RUB' },
    commissionMinor: 1_000n,
    commissionPayer: 'sender',
    accountType: 'credit_card',
    mask: '411111******1111',
    accountHash: 'hash-of-the-account',
    numberHash: undefined,
    orderId: undefined,
    possibleDuplicate: false,
    limitDay: '2026-11-21',
    limitMonth: '2026-11',
    createdAt: new Date('2026-11-21T12:00:00Z'),
    revision: 1,
    decisions: [],
    providerKey: undefined,
    attempt: undefined,
    firstCallAt: undefined,
    lastCallAt: undefined,
    attemptOver: undefined,
    rail: undefined,
    notTaken: undefined,
    accepted: undefined,
    reference: undefined,
    railCalls: [],
    reason: undefined,
    sentAt: undefined,
    checks: 0,
    ...given,
    ...states[status],
  } as Payout;
}

/** The group of the payout, which is its only one. */
export const aGroup = (traits: Partial<PayoutGroup> = {}): PayoutGroup => ({
  groupId: payoutGroup,
  fingerprint: 'fingerprint',
  merchantId,
  currency: 'RUB',
  orderId: undefined,
  createdAt: aPayout().createdAt,
  ...traits,
});

/** What a balance has used of its limits: what `aPayout` takes of its day and month. */
export const theUsage = (traits: Partial<LimitUsage> = {}): LimitUsage => ({
  day: '2026-11-21',
  dayTotal: 100_000n,
  month: '2026-11',
  monthTotal: 100_000n,
  byRule: undefined,
  ...traits,
});

/** A decision by one person, without a reason. */
export const aDecision = (
  decision: Partial<Decision> & Pick<Decision, 'verdict' | 'by' | 'at'>,
): Decision => ({
  id: undefined,
  approvedBy: undefined,
  reason: undefined,
  ...decision,
});

const isIn = <S extends PayoutStatus>(payout: Payout, status: S): payout is In<S> => payout.status === status;

/** Narrows the payout to this status; throws when it has another. */
export function inStatus<S extends PayoutStatus>(payout: Payout, status: S): In<S> {
  if (!isIn(payout, status)) throw new Error(`The payout is ${payout.status}, not ${status}`);
  return payout;
}

/** The flags that a merchant needs for payouts. */
export const payingFlags: MerchantFlags = {
  enabled: true,
  banned: false,
  verified: true,
  regularPayouts: true,
  subscription: 'active',
  apiAddresses: undefined,
  shards: undefined,
};

/** A fee of one percent; 1.00 to 500 000.00 per payout, one million a day, ten million a month. */
export const payoutTerms = (given: Partial<Terms> = {}): Terms => ({
  currency: 'RUB',
  paymentFee: { bps: 200, fixedMinor: 0n, minimumMinor: 0n },
  refundFee: 'kept',
  payoutFee: { bps: 100, fixedMinor: 0n, minimumMinor: 0n },
  payoutMinMinor: 100n,
  payoutMaxMinor: 50_000_000n,
  dayLimitMinor: 100_000_000n,
  monthLimitMinor: 1_000_000_000n,
  commissionPayer: 'sender',
  autoApproveUpToMinor: 0n,
  autoApproveDayTotalMinor: 100_000_000n,
  autoApproveKnownUpToMinor: 0n,
  autoApproveKnownDayTotalMinor: 100_000_000n,
  secondPersonAboveMinor: 0n,
  reserveBasisPoints: 0,
  reserveDays: 0,
  ...given,
});
