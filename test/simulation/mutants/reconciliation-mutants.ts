import type { Mutant } from './mutant.ts';

const compare = 'lib/reconciliation/compare.ts';
const lookups = 'lib/reconciliation/lookups.ts';
const judge = 'lib/reconciliation/judge.ts';
const day = 'lib/reconciliation/day.ts';
const reconcile = 'lib/reconciliation/reconcile-day.ts';
const postbacks = 'lib/reconciliation/postbacks.ts';
const each = { scenario: 'each difference of a day is found and no other' } as const;

const changed = {
  scenario: 'a day that was changed after its reconciliation is found by the audit',
} as const;
const providerDays = 'lib/operator/audit/provider-days.ts';
const left = 'lib/reconciliation/left-over.ts';

const refunds = { scenario: 'of the refunds of a day each difference is found and no other' } as const;

/** The comparisons of a day (lib/reconciliation/README.md). */
export const reconciliationMutants: readonly Mutant[] = [
  {
    name: 'reconciled-without-refunds',
    guard: 'our own refunds are movements of their acquirer',
    patches: [
      {
        file: 'lib/reconciliation/movement.ts',
        find: "REFUND_SETTLE: { kind: 'refund', account: 'acquirer', sign: 1n },",
        put: '',
      },
    ],
    by: refunds,
  },
  {
    name: 'reconciled-refunds-as-one',
    guard: 'each refund of a payment agrees with a line of its own',
    patches: [
      {
        file: compare,
        find: "return isPaymentId(subject) || (kind === 'refund' && isRefundId(subject));",
        put: 'return isPaymentId(subject);',
      },
    ],
    by: refunds,
  },
  {
    name: 'reconciled-refunds-held',
    guard: 'the acquirer holds what was received less our own refunds',
    patches: [{ file: lookups, find: ' - totalsOf(payment).refundedMinor;', put: ';' }],
    by: refunds,
  },
  {
    name: 'reconciled-refund-by-another',
    guard: 'a refund without a line is not excused by another refund of its payment',
    patches: [
      { file: lookups, find: 'const isBack = isPaid(payment)', put: 'const isBack = payment.id.length < 0' },
    ],
    by: refunds,
  },
  {
    name: 'reconciled-refund-of-two-attempts',
    guard: 'a refund that was carried out under two attempts is a difference',
    patches: [
      {
        file: lookups,
        find: 'refund?.call !== undefined && ourId !== refundCallKey(refund.id, refund.call);',
        put: 'refund?.call === undefined && ourId === refundCallKey.name;',
      },
    ],
    by: refunds,
  },
  {
    name: 'reconciled-failed-refund-unseen',
    guard: 'the view decides about a refund that did not succeed here',
    patches: [{ file: lookups, find: ' || isRefundId(subjectOf(line));', put: ';' }],
    by: refunds,
  },
  {
    name: 'audited-day-without-refunds',
    guard: 'the audit counts a refund at the acquirer of its payment',
    patches: [
      {
        file: providerDays,
        find: 'if (acquirer !== undefined) providers.set(id, acquirer);',
        put: '',
      },
    ],
    by: refunds,
  },
  {
    name: 'reconciled-any-amount',
    guard: 'a line agrees with an entry of the same amount alone',
    patches: [
      {
        file: compare,
        find: 'line.amountMinor === movement.amountMinor && line.currency',
        put: 'line.currency',
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-any-currency',
    guard: 'a line agrees with an entry of the same currency alone',
    patches: [
      {
        file: compare,
        find: 'line.amountMinor === movement.amountMinor && line.currency === movement.currency;',
        put: 'line.amountMinor === movement.amountMinor;',
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-any-fee',
    guard: 'the provider’s fee is compared with the booked one',
    patches: [
      {
        file: compare,
        find: 'if (line.feeMinor !== movement.amountMinor || line.currency !== movement.currency)',
        put: 'if (line.feeMinor === -1n)',
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-unbooked-unseen',
    guard: 'a line without an entry is a difference',
    patches: [
      {
        file: compare,
        find: '(this.#isSecond(key, line) ? second : unbooked).push(line);',
        put: 'void this.#isSecond(key, line);',
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-second-transfer',
    guard: 'a second transfer of a paid payout is a difference',
    patches: [
      {
        file: compare,
        find: '(this.#isSecond(key, line) ? second : unbooked).push(line);',
        put: 'unbooked.push(line); void second; void this.#isSecond(key, line);',
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-unstated-unseen',
    guard: 'an entry without a line is a difference',
    patches: [
      {
        file: compare,
        find: 'unstated.push(...movements.filter(({ at }) => isWithin(this.#day, at)));',
        put: 'void movements;',
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-any-order',
    guard: 'an order belongs to the payment that names it alone',
    patches: [
      {
        file: lookups,
        find: "if (!isOrderOf(payment, line)) return isClosed ? explained : missingHere(line, 'another_reference');",
        put: '',
      },
      { file: lookups, find: "if (facts.isSecond) return missingHere(line, 'another_reference');", put: '' },
    ],
    by: each,
  },
  {
    name: 'reconciled-open-payment',
    guard: 'a captured order of a payment that is not settled is a difference of state',
    patches: [
      {
        file: lookups,
        find: 'if (!movement && isAsExpected(facts, payment)) return explained;',
        put: 'if (!movement) return isAsExpected(facts, payment) ? explained : same;',
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-refund-of-another',
    guard: 'a refund that nobody here asked for is a difference until a chargeback item tells of it',
    patches: [
      {
        file: lookups,
        find: 'if (isPaid(payment)) return heldMinor === shouldHold(payment, chargebacks);',
        put: 'if (isPaid(payment)) return heldMinor !== undefined || shouldHold(payment, chargebacks) < 0n;',
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-failed-with-money',
    guard: 'money of a failed payment that the provider holds is a difference until it went back',
    patches: [
      {
        file: lookups,
        find: "heldMinor === 0n && payment.status === 'FAIL'",
        put: "payment.status === 'FAIL'",
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-contradiction',
    guard:
      'a provider that contradicts itself about a captured amount explains nothing without a chargeback item',
    patches: [
      { file: lookups, find: 'return mayDiffer && isAsExpected', put: 'void mayDiffer; return isAsExpected' },
    ],
    by: each,
  },
  {
    name: 'reconciled-any-correction',
    guard: 'a captured amount differs unless the corrections of its order make it the booked one',
    patches: [
      {
        file: lookups,
        find: 'line.amountMinor + correctedMinor === amountMinor',
        put: 'correctedMinor !== 0n && line.amountMinor !== amountMinor',
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-correction-of-another',
    guard: 'a correction of another order, currency or provider corrects nothing',
    patches: [{ file: judge, find: 'each.orderReference === order && each', put: 'order && each' }],
    by: each,
  },
  {
    name: 'reconciled-correction-unseen',
    guard: 'an amount that was corrected before it was booked is no difference',
    patches: [{ file: lookups, find: ' || isCorrected(facts, movement)', put: '' }],
    by: each,
  },
  {
    name: 'reconciled-any-provider',
    guard: 'a line agrees with an entry of a payment of that provider alone',
    patches: [
      {
        file: compare,
        find: 'provider === line.provider &&',
        put: 'provider !== line.kind &&',
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-twice-elsewhere',
    guard: 'of two orders of a payment that was booked on another day, one agrees with it',
    patches: [{ file: judge, find: 'if (this.#agreed.has(key))', put: "if (key === '')" }],
    by: each,
  },
  {
    name: 'accounts-without-fees',
    guard: 'the account of a provider has the fees of its statement',
    patches: [
      { file: 'lib/reconciliation/accounts.ts', find: 'stated.fees += -feeEffectOf(line);', put: '' },
    ],
    by: each,
  },
  {
    name: 'accounts-without-booked-fees',
    guard: 'the account of a provider has the fees of the journal',
    patches: [
      {
        file: 'lib/reconciliation/movement.ts',
        find: '  effects[kind] * amountMinor;',
        put: "  kind === 'fee' ? 0n : effects[kind] * amountMinor;",
      },
    ],
    by: each,
  },
  {
    name: 'accounts-without-other-days',
    guard: 'what is booked on another day is between the statement and the journal of both',
    patches: [
      {
        file: 'lib/reconciliation/accounts.ts',
        find: "this.unbooked({ ...stated, minor: booked.minor }, 'onAnotherDay');",
        put: '',
      },
    ],
    by: each,
  },
  {
    name: 'accounts-without-differences',
    guard: 'a line that the journal does not have is between the statement and the journal',
    patches: [{ file: left, find: 'else this.#accounts.unbooked(lineAmount(line), cause);', put: '' }],
    by: each,
  },
  {
    name: 'accounts-fee-alone',
    guard: 'a fee whose payment differs is between the statement and the journal with it',
    patches: [{ file: left, find: "this.#causes.get(fee.subject) ?? 'onAnotherDay'", put: "'onAnotherDay'" }],
    by: each,
  },
  {
    name: 'audited-day-any-total',
    guard: 'the journal of a day is what its reconciliation read',
    patches: [
      { file: providerDays, find: 'if (now === then) return [];', put: 'if (now !== undefined) return [];' },
    ],
    by: changed,
  },
  {
    name: 'audited-day-any-provider',
    guard: 'the accounts of a day are those of each provider',
    patches: [
      {
        file: providerDays,
        find: "for (const { id, acquirer = 'sandbox' } of await books.payments(batch)) providers.set(id, acquirer);",
        put: "for (const { id } of await books.payments(batch)) providers.set(id, 'sandbox');",
      },
    ],
    by: changed,
  },
  {
    name: 'audited-day-without-fees',
    guard: 'the accounts of a day have the fees that providers kept',
    patches: [
      {
        file: providerDays,
        find: 'const entries = (await reader.until(to)).filter(',
        put: "const entries = (await reader.until(to)).filter(({ kind }) => kind !== 'PROVIDER_FEE').filter(",
      },
    ],
    by: changed,
  },
  {
    name: 'audited-day-without-rails',
    guard: 'the accounts of a day are also those of the rails',
    patches: [
      {
        file: providerDays,
        find: "clearing: { role: 'rail', sign: 1n },",
        put: "clearing: { role: 'rail', sign: 0n },",
      },
    ],
    by: changed,
  },
  {
    name: 'audited-day-adds-up',
    guard: 'the statement leads to the journal',
    patches: [
      {
        file: providerDays,
        find: 'if (addsUp(account) && isNamed) return [];',
        put: 'if (isNamed) return [];',
      },
    ],
    by: changed,
  },
  {
    name: 'audited-day-unnamed',
    guard: 'what differs on the account of a day was named',
    patches: [
      {
        file: providerDays,
        find: '(differing === 0n || countOf(result) > 0)',
        put: '(differing === 0n || countOf(result) >= 0)',
      },
    ],
    by: changed,
  },
  {
    name: 'audited-day-undecided',
    guard: 'a day that was compared whole left nothing undecided',
    patches: [{ file: providerDays, find: ' && undecided === 0n;', put: ' && undecided !== undefined;' }],
    by: changed,
  },
  {
    name: 'audited-day-incomplete',
    guard: 'a day that was not compared whole is no difference',
    patches: [
      {
        file: providerDays,
        find: 'if (isIncomplete(result)) return',
        put: 'if (isIncomplete(result) && !result.day) return',
      },
    ],
    by: changed,
  },
  {
    name: 'audited-day-not-over',
    guard: 'a day that was not over is no difference',
    patches: [{ file: providerDays, find: 'if (!result?.isOver || ', put: 'if (!result || ' }],
    by: changed,
  },
  {
    name: 'reconciled-without-edges',
    guard: 'what is within 15 minutes of midnight is matched with the neighbouring day',
    patches: [
      { file: day, find: 'export const edgeMs = 15 * minuteMs;', put: 'export const edgeMs = 0 * minuteMs;' },
    ],
    by: { scenario: 'what is captured before midnight and booked after it agrees' },
  },
  {
    name: 'reconciled-part-of-a-statement',
    guard: 'a day whose statement failed in part is incomplete',
    patches: [
      {
        file: reconcile,
        find: 'if (incomplete) states.set(source, { ...state, incomplete });',
        put: 'void incomplete;',
      },
    ],
    by: { scenario: 'a statement that failed in part does not agree' },
  },
  {
    name: 'reconciled-missing-without-statement',
    guard: 'nothing is missing on a statement that could not be read whole',
    patches: [
      {
        file: judge,
        find: "if (statement === 'whole' && this.#isIncomplete(...providerOf(item))) return;",
        put: 'void statement;',
      },
    ],
    by: { scenario: 'a statement that failed in part does not agree' },
  },
  {
    name: 'reconciled-undelivered',
    guard: 'a postback that was not delivered is a difference',
    patches: [
      {
        file: postbacks,
        find: "if (state === 'DELIVERED' || state === 'SUPERSEDED') this.told += 1;",
        put: "if (state !== 'DEAD') this.told += 1;",
      },
    ],
    by: each,
  },
  {
    name: 'reconciled-postback-unwritten',
    guard: 'a postback that was never written is a difference',
    patches: [
      {
        file: postbacks,
        find: 'else if (await this.#isOwedPayment(payment)) this.#missing(payment.id, id, payment.status);',
        put: '',
      },
    ],
    by: { scenario: 'a postback that was never written is missing' },
  },
  {
    name: 'balance-not-listed',
    guard: 'a merchant is listed with the first movement of money, so that the journal of a day has it',
    patches: [
      {
        file: 'lib/store/balance-item.ts',
        find: "export const setListed = 'workList = :list, workDue = :listed';",
        put: "export const setListed = 'notListed = :list, notDue = :listed';",
      },
    ],
    by: { scenario: 'the journal of a day has the first movement of a merchant' },
  },
];
