import type { Mutant, Patch } from './mutant.ts';

const room = 'lib/operator/audit';

type Row = readonly [name: string, guard: string, patch: Patch, corruption: string];

/** A rule that is left out of its list. */
const without = (file: string, rule: string): Patch => ({
  file: `${room}/${file}`,
  find: `\n  ${rule},\n`,
  put: '\n',
});

const inPayments = (rule: string) => without('payment-rules.ts', rule);
const inBills = (rule: string) => without('bill-rules.ts', rule);
const inEvents = (rule: string) => without('event-rules.ts', rule);
const inChargebacks = (rule: string) => without('chargeback-rules.ts', rule);

const replaced = (file: string, find: string, put: string): Patch => ({ file: `${room}/${file}`, find, put });

/** A kind of entry that nothing recomputes. */
const notRecomputed = (kind: string, by: string): Patch =>
  replaced('recomputations.ts', `  ${kind}: ${by},`, `  ${kind}: () => [],`);

/** A part of an entry that is not compared. */
const partUnseen = (part: string): Patch => replaced('entry-difference.ts', `    ${part},\n`, '');

/** A field of a postback that never changes, and is not compared. */
const fieldUnseen = (field: string): Patch => replaced('event-rules.ts', `  ${field}: event.${field},\n`, '');

const byPayment = (invariant: string, recompute: string) => `ofPayment('${invariant}', ${recompute})`;
const captures = 'captures_match_payments';

const rows: readonly Row[] = [
  // Payments.
  [
    'audit-phase',
    'a payment has a phase of its status',
    inPayments('hasPhaseOfStatus'),
    'a paid payment that is to be captured again',
  ],
  [
    'audit-id-of-bill',
    'a payment has the id of its bill',
    inPayments('hasIdOfBill'),
    'a payment that names another bill',
  ],
  [
    'audit-received',
    'a paid payment has received what its status says',
    inPayments('receivedWhatItsStatusSays'),
    'an UNDERPAID turned SUCCESS, with its bill and postback',
  ],
  [
    'audit-fee',
    'a payment took the fee of its terms',
    inPayments('tookItsFee'),
    'a CAPTURE with no fee, its payment, postback and balance to match',
  ],
  [
    'audit-surcharge',
    'a payer is charged the fee of the terms',
    inPayments('chargedItsFee'),
    'a surcharge of an open payment that no terms ask for',
  ],
  [
    'audit-rate',
    'money of a balance currency settles as it is',
    inPayments('settlesAtItsRate'),
    'an open payment that settles to another currency',
  ],
  [
    'audit-provider-fee-sign',
    "a provider's fee is not below zero",
    inPayments('costNothingBelowZero'),
    'a provider that pays for a capture',
  ],
  [
    'audit-reserve-terms',
    "a reserve is what the payment's terms say",
    inPayments('reservesByItsTerms'),
    'the time of release of a reserve brought forward',
  ],
  [
    'audit-payment-of-bill',
    'a payment has what its bill fixed',
    inPayments('matchesItsBill'),
    "an open payment's amount raised",
  ],
  [
    'audit-paid-multi-bill',
    'a MULTI bill shows that it was paid',
    inPayments('showsOnItsMultiBill'),
    'a paid MULTI bill NEW',
  ],
  // Bills.
  [
    'audit-payer-named',
    'a bill names the payment that paid it',
    inBills('namesItsPayer'),
    'an unpaid bill SUCCESS, paid by the payment of another',
  ],
  [
    'audit-status-of-payer',
    'a bill that names no payer is not paid',
    inBills('hasStatusOfPayer'),
    'an unpaid bill SUCCESS',
  ],
  [
    'audit-holder',
    'a bill is held by its open payment',
    inBills('hasItsHolder'),
    'a bill that its open payment does not hold any more',
  ],
  [
    'audit-fence',
    'a bill is fenced during the capture of its holder alone',
    inBills('isFencedInTime'),
    'a bill fenced before its capture, so that nobody else can pay it',
  ],
  [
    'audit-captured-holder',
    'only the holder of a bill is captured',
    inBills('capturesItsHolder'),
    'a displaced payment that is captured',
  ],
  [
    'audit-lock',
    'a bill is locked for fifteen minutes at most',
    inBills('isLockedInTime'),
    'a bill locked for a year',
  ],
  [
    'audit-failures',
    'a bill counts no more failures than its payments have',
    inBills('countsFailures'),
    'a bill that nobody can pay, because of failures that never were',
  ],
  // Postbacks.
  [
    'audit-event-without-payment',
    'a postback is about a payment that exists',
    inEvents('hasItsPayment'),
    'a postback about a payment that does not exist',
  ],
  [
    'audit-event-content',
    'a postback says what its payment says',
    inEvents('saysWhatItsPaymentSays'),
    "a postback's OutSum changed",
  ],
  [
    'audit-event-time',
    'a postback is written with its CAPTURE',
    inEvents('isOfItsCapture'),
    'a postback dated to another day',
  ],
  [
    'audit-event-superseded',
    'a postback is superseded only when another payment paid the bill',
    inEvents('isSupersededByAnother'),
    'a postback SUPERSEDED although it says SUCCESS',
  ],
  [
    'audit-event-shop',
    'a postback is of the shop of its payment',
    fieldUnseen('shopId'),
    "a postback's shop changed, so that another server receives it",
  ],
  [
    'audit-event-merchant',
    'a postback is of the merchant of its payment',
    fieldUnseen('merchantId'),
    "a postback's merchant changed",
  ],
  [
    'audit-event-phone',
    'the postback of a payment has no phone',
    fieldUnseen('sealedPhone'),
    'a postback with a phone that its payment does not have',
  ],
  // Entries.
  [
    'audit-entry-merchant',
    'an entry is of the merchant of its subject',
    partUnseen('`merchant ${merchantId}`'),
    'a CAPTURE credited to another merchant, with balances to match',
  ],
  [
    'audit-entry-lines',
    'an entry has the lines that its subject accounts for',
    partUnseen("amounts.length === 0 ? 'no lines' : amounts.toSorted().join(', ')"),
    'a CAPTURE with no fee, and a balance to match',
  ],
  [
    'audit-entry-currency',
    'the lines of an entry have the currencies of its subject',
    replaced('entry-difference.ts', '${toDecimal(minor)} ${currency}', '${toDecimal(minor)}'),
    'a CAPTURE in another currency, with balances to match',
  ],
  [
    'audit-entry-time',
    'an entry is of the time of its subject',
    partUnseen('`at ${at.toISOString()}`'),
    "an adjustment's entry dated to another day",
  ],
  [
    'audit-entry-people',
    'an entry names the people who decided it',
    replaced(
      'entry-difference.ts',
      'by ${proposedBy} and ${approvedBy ?? ',
      'by ${proposedBy} and ${String(approvedBy).slice(0, 0) || ',
    ),
    'the approver of a chargeback replaced in its entry',
  ],
  [
    'audit-entry-missing',
    'a subject has the entries that it accounts for',
    replaced(
      'entry-difference.ts',
      '  if (!posted) return [`entry ${id} is missing, but its ${subject} accounts for it`];\n',
      '  if (!posted) return [];\n',
    ),
    'a REFUND removed',
  ],
  [
    'audit-entry-unaccounted',
    'an entry is one that its subject accounts for',
    replaced(
      'entry-difference.ts',
      '  if (!expected) return [`entry ${id} was posted, but no ${subject} accounts for it`];\n',
      '  if (!expected) return [];\n',
    ),
    'a REFUND about a paid payment',
  ],
  [
    'audit-capture',
    'a CAPTURE is recomputed',
    notRecomputed('CAPTURE', byPayment(captures, 'captureAgain')),
    'a CAPTURE with no fee, and a balance to match',
  ],
  [
    'audit-duplicate-capture',
    'a DUPLICATE_CAPTURE is recomputed',
    notRecomputed('DUPLICATE_CAPTURE', byPayment(captures, 'duplicateCaptureAgain')),
    'a DUPLICATE_CAPTURE about nothing',
  ],
  [
    'audit-refund',
    'a REFUND is recomputed',
    notRecomputed('REFUND', byPayment(captures, 'refundAgain')),
    'a REFUND about a paid payment',
  ],
  [
    'audit-reserve-release',
    'a RESERVE_RELEASE is recomputed',
    notRecomputed('RESERVE_RELEASE', byPayment('reserve_matches_payments', 'reserveReleaseAgain')),
    'a reserve released twice, with a balance to match',
  ],
  [
    'audit-provider-fee',
    'a PROVIDER_FEE is recomputed',
    notRecomputed('PROVIDER_FEE', byPayment('provider_fees_match_payments', 'providerFeeAgain')),
    "a provider's fee that was lowered in its entry",
  ],
  [
    'audit-reserve',
    'a RESERVE is recomputed',
    notRecomputed('RESERVE', 'ofGroup(reserveAgain)'),
    'a RESERVE of less, with a balance to match',
  ],
  [
    'audit-settle',
    'a SETTLE is recomputed',
    notRecomputed('SETTLE', 'ofPayout(settleAgain)'),
    'a SETTLE of less, with a balance to match',
  ],
  [
    'audit-release',
    'a RELEASE is recomputed',
    notRecomputed('RELEASE', 'ofPayout(releaseAgain)'),
    'a RELEASE about a paid payout, with a balance to match',
  ],
  [
    'audit-return',
    'a RETURN is recomputed',
    notRecomputed('RETURN', 'ofPayout(returnAgain)'),
    'a RETURN without its decision, with a balance to match',
  ],
  [
    'audit-adjust',
    'an ADJUST is recomputed',
    notRecomputed('ADJUST', 'ofAdjustment'),
    'an ADJUST of more, with a balance to match',
  ],
  [
    'audit-chargeback',
    'a CHARGEBACK is recomputed',
    notRecomputed('CHARGEBACK', 'ofChargeback(chargebackAgain)'),
    'a chargeback of less, with its entry and balance',
  ],
  [
    'audit-surplus',
    'a SURPLUS is recomputed',
    notRecomputed('SURPLUS', 'ofChargeback(surplusAgain)'),
    'a surplus removed, its entry still there',
  ],
  [
    'audit-collect',
    'a COLLECT is recomputed',
    notRecomputed('COLLECT', 'ofClaim(collectionAgain)'),
    'a COLLECT that took less, with a balance to match',
  ],
  [
    'audit-write-off',
    'a WRITE_OFF is recomputed',
    notRecomputed('WRITE_OFF', 'ofClaim(writeOffAgain)'),
    'a WRITE_OFF posted without a move of its claim',
  ],
  // Chargebacks and claims.
  [
    'audit-chargeback-alone',
    'a chargeback is decided by two people',
    inChargebacks('isDecidedByTwo'),
    'a chargeback that one person decided',
  ],
  [
    'audit-chargeback-gap',
    'the chargebacks of a payment are numbered without a gap',
    inChargebacks('followsThePrevious'),
    'a chargeback numbered with a gap, as after one that was removed',
  ],
  // Payouts.
  [
    'audit-limit-day',
    'a payout counts against the limits of its day',
    replaced(
      'payout-rules.ts',
      '!isAround(limitDay, createdAt) || !limitDay.startsWith(limitMonth)',
      'limitDay === undefined',
    ),
    'a payout that counts against the limit of another day',
  ],
  // Merchants.
  [
    'audit-order-of-reference',
    'an order leads to its own bill',
    replaced('merchant-rules.ts', 'referenceHash(bill.orderId) === hash', 'hash !== undefined'),
    'an order reference that leads to another order of its shop',
  ],
];

/** The comparisons of the audit: without one, a corruption stays unseen or is found under fewer names. */
export const auditMutants: readonly Mutant[] = rows.map(([name, guard, patch, corruption]) => ({
  name,
  guard,
  patches: [patch],
  by: { corruption },
}));
