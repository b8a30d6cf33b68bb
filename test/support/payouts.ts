import { newPayoutId, toGroupId } from '../../lib/ids.ts';
import { merchantId } from './builders.ts';
import type { MerchantFlags } from '../../lib/merchant/merchant.ts';
import type { Terms } from '../../lib/merchant/terms.ts';
import type { Decision, ModeratedPayout, Payout, SentPayout } from '../../lib/payout/payout.ts';
import type { PayoutStatus } from '../../lib/payout/states.ts';

const payoutGroup = toGroupId('GroupOfTwentyDigits0');

const destination = { sealed: 'sealed' };
const dueAt = new Date('2026-11-21T12:00:00Z');

/** What a payout has in one of its statuses alone; one in PROCESS was not sent yet. */
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

/** A payout of 1000.00 to a card, one percent on top, waiting for a moderator unless its status is given. */
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
    rail: undefined,
    notTaken: undefined,
    accepted: undefined,
    reference: undefined,
    reason: undefined,
    sentAt: undefined,
    checks: 0,
    ...given,
    ...states[status],
  } as Payout;
}

/** Made by a person alone, without a reason. */
export const aDecision = (
  decision: Partial<Decision> & Pick<Decision, 'verdict' | 'by' | 'at'>,
): Decision => ({
  id: undefined,
  approvedBy: undefined,
  reason: undefined,
  ...decision,
});

const isIn = <S extends PayoutStatus>(payout: Payout, status: S): payout is In<S> => payout.status === status;

/** The same payout, which must be in this status. */
export function inStatus<S extends PayoutStatus>(payout: Payout, status: S): In<S> {
  if (!isIn(payout, status)) throw new Error(`The payout is ${payout.status}, not ${status}`);
  return payout;
}

/** What a merchant needs to pay out. */
export const payingFlags: MerchantFlags = {
  enabled: true,
  banned: false,
  verified: true,
  regularPayouts: true,
  subscription: 'active',
};

/** One percent on top, 1.00 at least and 500 000.00 at most, a million a day and ten a month. */
export const payoutTerms = (given: Partial<Terms> = {}): Terms => ({
  currency: 'RUB',
  paymentFee: { bps: 200, fixedMinor: 0n, minimumMinor: 0n },
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
  ...given,
});
