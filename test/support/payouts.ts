import type { MerchantFlags } from '../../lib/merchant/merchant.ts';
import type { Terms } from '../../lib/merchant/terms.ts';
import type { Payout } from '../../lib/payout/payout.ts';

export const payoutGroup = 'GroupOfTwentyDigits0';

/** A payout of 1000.00 to a card, one percent on top, waiting for a moderator. */
export const aPayout = (given: Partial<Payout> = {}): Payout => ({
  id: `${payoutGroup}01`,
  groupId: payoutGroup,
  merchantId: 'merchant-1',
  kind: 'regular',
  isAuto: false,
  status: 'MODERATING',
  amount: { minor: 100_000n, currency: 'RUB' },
  commissionMinor: 1_000n,
  commissionPayer: 'sender',
  accountType: 'credit_card',
  mask: '411111******1111',
  accountHash: 'hash-of-the-account',
  destination: { sealed: 'sealed' },
  possibleDuplicate: false,
  limitDay: '2026-11-21',
  limitMonth: '2026-11',
  createdAt: new Date('2026-11-21T12:00:00Z'),
  revision: 1,
  decisions: [],
  checks: 0,
  ...given,
});

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
