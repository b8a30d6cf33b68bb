import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAccountId, toMerchantId } from '../../lib/ids.ts';
import type { MerchantFlags } from '../../lib/merchant/merchant.ts';
import { createPersonalPayout } from '../../lib/payout/create-personal-payout.ts';
import { createRegularPayout } from '../../lib/payout/create-regular-payout.ts';
import { sentMinor } from '../../lib/payout/payout.ts';
import type { Destination } from '../../lib/payout/destination.ts';
import type { CreationContext, EarlierRequest, NewPayouts } from '../../lib/payout/ports.ts';
import { quotePayout, type QuotePayout } from '../../lib/payout/quote-payout.ts';
import { ok } from '../../lib/result.ts';
import { toDecimal } from '../../lib/money/money.ts';
import { aCaller } from '../support/api-event.ts';
import { payingFlags, payoutTerms } from '../support/payouts.ts';

const now = new Date('2026-11-21T12:00:00Z');
const bankId = 100_000_000_004;
const card = { type: 'credit_card', number: '4111111111111111', holder: 'IVAN PETROV' } as const;
const phone = { type: 'sbp', phone: '79123456789', bankId } as const;
const account = {
  id: toAccountId('AccountOfPhone01'),
  merchantId: toMerchantId('MerchantMerchant'),
  type: 'sbp',
  currency: 'RUB',
  mask: '7******6789',
  destination: { sealed: 'sealed' },
  numberHash: undefined,
  banned: false,
  available: true,
  createdAt: new Date(0),
} as const;

/** Mostly `usual`: a request with one thing wrong says more than one with everything wrong. */
const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
const minor = (least: number, most: number) => fc.integer({ min: least, max: most }).map(BigInt);
const amountText = fc.oneof(
  { weight: 4, arbitrary: minor(1, 3_000_000).map(toDecimal) },
  { weight: 2, arbitrary: minor(3_000_000, 600_000_000).map(toDecimal) },
  { weight: 1, arbitrary: fc.constantFrom('0', '-1', '1.001', '99999999.99', '100000000', 'x', '1e3') },
);
const day = fc.constantFrom(undefined, '2026-11-20', '2026-11-21', '2026-11-22');
const month = fc.constantFrom(undefined, '2026-10', '2026-11', '2026-12');
const used = minor(0, 1_200_000);

const facts = fc.record({
  flags: mostly<MerchantFlags | undefined>(
    payingFlags,
    undefined,
    { ...payingFlags, banned: true },
    { ...payingFlags, verified: false },
    { ...payingFlags, regularPayouts: false },
    { ...payingFlags, subscription: 'inactive' },
    { ...payingFlags, subscription: 'none' },
  ),
  terms: fc
    .record({
      payoutFee: fc.record({
        bps: fc.constantFrom(0, 100, 250, 10_000),
        fixedMinor: fc.constantFrom(0n, 5_000n),
        minimumMinor: fc.constantFrom(0n, 3_000n),
      }),
      commissionPayer: fc.constantFrom('sender', 'recipient'),
      payoutMinMinor: fc.constantFrom(0n, 100n, 60_000n),
      payoutMaxMinor: fc.constantFrom(100_000n, 1_000_000n, 50_000_000n),
      dayLimitMinor: fc.constantFrom(1_000_000n, 1_000_000_000n),
      monthLimitMinor: fc.constantFrom(1_500_000n, 10_000_000_000n),
      autoApproveUpToMinor: fc.constantFrom(0n, 500_000n),
      autoApproveDayTotalMinor: fc.constantFrom(0n, 1_000_000n),
      autoApproveKnownUpToMinor: fc.constantFrom(0n, 2_000_000n),
      autoApproveKnownDayTotalMinor: fc.constantFrom(0n, 3_000_000n),
      secondPersonAboveMinor: fc.constantFrom(0n, 300_000n),
    } as const)
    .map((given) => payoutTerms(given)),
  availableMinor: fc.oneof(minor(0, 3_000_000), fc.constant(10_000_000_000n)),
  usage: fc.record({
    day,
    dayTotal: used,
    month,
    monthTotal: used,
    byRule: fc.option(
      fc.record({
        auto_approve_up_to: fc.record({ day, total: used }),
        auto_approve_known_accounts: fc.record({ day, total: used }),
      }),
      { nil: undefined },
    ),
  }),
  account: mostly<CreationContext['account']>(
    account,
    undefined,
    { ...account, banned: true },
    { ...account, available: false },
    { ...account, currency: 'USD' },
  ),
  numberBanned: mostly(false, true),
  accountKnown: fc.boolean(),
  duplicateSeen: mostly(false, true),
});

const requests = fc.record({
  amount: amountText,
  orderId: fc.constantFrom(undefined, undefined, 'order-1', card.number),
  idempotencyKey: fc.constantFrom(undefined, undefined, 'key-1'),
  to: fc.constantFrom<undefined | Destination>(undefined, card, phone, { ...phone, bankId: 1 }),
  granted: mostly(true, false),
});
const railLimits = mostly<{ readonly minMinor: bigint; readonly maxMinor: bigint } | undefined>(
  { minMinor: 100n, maxMinor: 50_000_000n },
  { minMinor: 70_000n, maxMinor: 400_000n },
  undefined,
);
/** The earlier requests that hold the order_id and the key when the request comes again. */
const earlierRequests = fc.record({
  order: mostly('same', 'other', 'none'),
  key: mostly('same', 'other', 'none'),
});

type Facts = typeof facts extends fc.Arbitrary<infer F> ? F : never;
type Request = typeof requests extends fc.Arbitrary<infer R> ? R : never;

/** Runs a creation and a quote on the same facts. The creation's write succeeds, and is returned. */
async function onTheSame(
  context: CreationContext,
  { to, granted, ...request }: Request,
  limits: { readonly minMinor: bigint; readonly maxMinor: bigint } | undefined,
  stored: NewPayouts | undefined,
) {
  let made: NewPayouts | undefined;
  const reads = {
    rails: { forNew: () => ({ limits: () => limits }) },
    fingerprintSecret: async () => 'the secret of fingerprints',
    activeBanks: async () => [{ memberId: bankId, name: 'Банк', nameEn: 'Bank', bic: '044525225' }],
    now: () => now,
    newId: (length: number) => '0'.repeat(length),
    timeZone: 'UTC',
  };
  const payouts = {
    loadCreationContext: async () => context,
    findGroup: async () => stored?.payouts ?? [],
  };
  const writes = {
    payouts: {
      ...payouts,
      create: async (created: NewPayouts) => ok(void (made = created)),
      bindKey: async () => ok(undefined),
    },
    destinationSealer: { seal: async () => 'sealed' },
    payoutQueue: { send: async () => undefined },
  };
  const caller = aCaller({ regularPayouts: granted });
  const command: QuotePayout =
    to === undefined
      ? { kind: 'personal', caller, accountId: account.id, ...request }
      : { kind: 'regular', caller, destination: to, ...request };
  const { kind: _kind, ...fields } = command;
  const ports = { ...reads, ...writes };
  return {
    quote: await quotePayout({ ...reads, payouts }, command),
    creation:
      'destination' in fields
        ? await createRegularPayout(ports, fields)
        : await createPersonalPayout(ports, fields),
    made,
  };
}

type Outcome = Awaited<ReturnType<typeof onTheSame>>;

/** The quote and the creation, both as the quote's fields. */
function comparable({ quote, creation, made }: Outcome) {
  if (!quote.ok || !creation.ok) return { quote, creation };
  const { limits, ...quoted } = quote.value;
  const { payouts, replayed } = creation.value;
  const [first] = payouts;
  const waits = payouts.some(({ status }) => status === 'MODERATING');
  const asQuote = {
    accountType: first?.accountType,
    mask: first?.mask,
    commissionPayer: first?.commissionPayer,
    parts: payouts.map((payout) => ({
      amountMinor: payout.amount.minor,
      commissionMinor: payout.commissionMinor,
      sentMinor: sentMinor(payout),
    })),
    approval: waits ? (first?.possibleDuplicate ? 'possible_duplicate' : 'review') : undefined,
    alreadyCreated: replayed,
  };
  const reserved = made?.entry.lines.find(({ account: of }) => of === 'available')?.minor;
  const debit = quoted.parts.reduce((sum, part) => sum + part.sentMinor + part.commissionMinor, 0n);
  const amount = quoted.parts.reduce((sum, part) => sum + part.amountMinor, 0n);
  return {
    quote: { ...quoted, debit: made && -debit, fits: true },
    creation: {
      ...asQuote,
      debit: made && reserved,
      fits: !made || (amount <= limits.day.leftMinor && amount <= limits.month.leftMinor),
    },
  };
}

const claimOf = (kind: string, { groupId, fingerprint }: NewPayouts): EarlierRequest | undefined =>
  kind === 'none' ? undefined : { groupId, fingerprint: kind === 'same' ? fingerprint : 'of other data' };

describe('a quote', () => {
  it('is what a creation does on the same facts, in 10,000 random cases, each created and then repeated', async () => {
    const seen = new Set<string>();
    const cases = fc.asyncProperty(
      facts,
      requests,
      railLimits,
      earlierRequests,
      async (read: Facts, request, limits, earlier) => {
        const context = { ...read, ofOrder: undefined, ofKey: undefined };
        const first = await onTheSame(context, request, limits, undefined);
        const { quote, creation } = comparable(first);
        expect(quote).toEqual(creation);
        seen.add(first.quote.ok ? `approval ${first.quote.value.approval}` : first.quote.error);
        const { made } = first;
        if (!made) return;
        const ofOrder = request.orderId === undefined ? undefined : claimOf(earlier.order, made);
        const ofKey = request.idempotencyKey === undefined ? undefined : claimOf(earlier.key, made);
        const again = await onTheSame({ ...context, ofOrder, ofKey }, request, limits, made);
        const repeated = comparable(again);
        expect(repeated.quote).toEqual(repeated.creation);
        seen.add(again.quote.ok ? `repeated ${again.quote.value.alreadyCreated}` : again.quote.error);
      },
    );
    await fc.assert(cases, { numRuns: 10_000 });
    expect([...seen].toSorted()).toEqual([
      'approval possible_duplicate',
      'approval review',
      'approval undefined',
      'balance_not_enough',
      'daily_payout_limit_exceeded',
      'direction_not_available',
      'idempotency_key_reused',
      'invalid_amount',
      'merchant_banned',
      'merchant_not_found',
      'merchant_not_verified',
      'merchant_subscription_inactive',
      'merchant_subscription_not_found',
      'monthly_payout_limit_exceeded',
      'order_id_is_card_number',
      'order_id_reused',
      'payout_account_banned',
      'payout_account_not_found',
      'repeated false',
      'repeated true',
      'sbp_bank_unknown',
      'unauthorized_action',
    ]);
  });
});
