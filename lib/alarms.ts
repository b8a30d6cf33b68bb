/** An operator alarm's meaning and remedy. The table in docs/operating.md and the template's alarms are generated from it. */
type Alarm = { readonly means: string; readonly remedy: string };

export const alarms = {
  payment_stuck: {
    means:
      'the payment has had no final state at the acquirer for a day; if the payment failed, its late void or refund is still open',
    remedy:
      '`trace` it and look it up in the acquirer’s back office; `payments ask` checks it at the acquirer at once, `payments resolve` settles it by hand',
  },
  duplicate_capture: {
    means: 'a bill was captured twice; the duplicate is being refunded',
    remedy: '`trace` it in an hour: it must show a REFUND entry',
  },
  late_money: {
    means:
      'the acquirer authorized or captured a payment that had failed here; it is being voided or refunded',
    remedy: '`trace` it in an hour: captured money must show a REFUND entry',
  },
  refund_waits: {
    means:
      'a merchant’s refund waits because our account at the acquirer is empty; it is attempted every ten minutes for three days and then fails, and the merchant’s money is available again',
    remedy: 'top the account up; the refund continues by itself',
  },
  refund_stuck: {
    means: 'a merchant’s refund has had no final state at the acquirer for a day',
    remedy:
      '`trace` its payment and look the refund up in the acquirer’s back office. It ends by itself when the acquirer has decided; where it names an acquirer that is not deployed, deploy that one’s credentials again',
  },
  refund_undone: {
    means: 'the acquirer reports a refunded payment as captured again',
    remedy:
      'settle it with the acquirer; the journal is unchanged, `adjustments propose … --about <payment>` changes the balance',
  },
  refund_rejected: {
    means:
      'the acquirer rejected the refund of a duplicate capture or late money, or does not know the refund whose answers were lost',
    remedy:
      'find out at the acquirer whether the payer has the money, and return it in another way if not; then `payments resolve --as failed`',
  },
  reference_conflict: {
    means: 'the acquirer names two orders for one payment; nothing of the second is believed',
    remedy:
      '`trace` shows the reference of the first, `payments unknown` the second when the acquirer told of it; void or refund the second in the acquirer’s back office, then `payments close`',
  },
  unknown_payment: {
    means:
      'the acquirer notified of a payment that it took from us and that the table does not have, as after a restore',
    remedy:
      '`payments unknown` lists it with the acquirer’s reference; refund it there, or post an adjustment, then `payments close`',
  },
  capture_undone: {
    means:
      'the acquirer holds another amount of a paid payment than the books: less after a refund there or a chargeback, or more again',
    remedy:
      '`chargebacks list`, check the account at the acquirer, then `chargebacks confirm` or `dismiss`: two people; the payment stays paid',
  },
  receipt_not_registered: {
    means:
      'the fiscal receipt of a payment or a refund (54-FZ) failed at the acquirer, or was still not registered four days later',
    remedy:
      '`receipts list` shows it; make the receipt in the acquirer’s cabinet or at the cash register, then `receipts close`',
  },
  payout_error: {
    means:
      'the outcome of a payout is unknown, or it was sent to a provider that is not deployed now, or no provider has taken a call for it for a day',
    remedy:
      '`trace` shows what the provider was asked and what it answered; look it up in the provider’s cabinet, then `payouts resolve`. One that waits: name a provider for it in the record, or `payouts decline`',
  },
  destination_mismatch: {
    means:
      'the sealed destination of a payout differs from the requested one because its record was changed from outside; nothing was sent',
    remedy:
      'find out who wrote to the table; `trace` it, then `payouts resolve --as failed` returns the money to the balance',
  },
  paid_after_failure: {
    means: 'the provider paid a payout that had failed here and whose money was returned to the balance',
    remedy:
      'settle it with the provider; `adjustments propose … --debit … --about <payout>` debits the balance',
  },
  payout_undone: {
    means: 'the provider reports a paid payout as cancelled: the money came back to our account there',
    remedy:
      'check the account at the provider; the payout stays SUCCESS, `payouts returned` books the money to the merchant’s balance',
  },
  sbp_banks_kept: {
    means:
      'the provider did not answer with a usable list of SBP banks: no answer, no banks, or half of the known ones gone; the old list stays in use',
    remedy:
      '`banks list` shows how old it is; compare it with the provider’s, then `banks refresh`, with `--accept-fewer` when the banks are really gone',
  },
  payout_not_taken: {
    means: 'the payout provider refuses our credentials or our rights, so payouts wait',
    remedy:
      '`trace` the payout for its answer; `provider check` says whose keys are refused; correct them with `provider set`, or the right in its cabinet; payouts continue by themselves',
  },
  provider_balance_low: {
    means:
      'the account at the payout provider has less than `payoutBalanceAlarm` in the record; raised again each hour',
    remedy: 'top it up; `provider check` shows its balance',
  },
  provider_empty: {
    means: 'the account at the payout provider is empty',
    remedy: 'top it up; payouts continue by themselves',
  },
  moderation_waiting: {
    means: 'a payout has waited for moderation for more than a day',
    remedy: '`payouts list --moderating --older-than 1d`, then `payouts approve` or `decline`',
  },
  reconciliation_differs: {
    means: 'a day of a provider’s statement, of the journal and of the postbacks differ',
    remedy:
      '`reconcile show <date>` names each difference and what to do about it; nothing was changed, and the day is compared again daily for a week',
  },
  books_differ: {
    means: 'the daily audit found balances, entries, postbacks or other items of the table that do not agree',
    remedy:
      '`audit --last` lists each difference; `trace` each id and find out who or what wrote it, then `audit --merchant` again',
  },
  reconciliation_incomplete: {
    means:
      'a day could not be compared whole: a provider’s statement failed, or was not deployed, or too much differs',
    remedy:
      '`reconcile show <date>` names the provider; the function’s log names the error. The day is compared again by itself, or by `reconcile --date <date>`',
  },
  endpoint_paused: {
    means: 'a merchant’s endpoint accepted no postback for five days, or answered 410',
    remedy: 'tell the merchant, then `endpoint resume`',
  },
  postback_dead: {
    means: 'a postback was abandoned after eleven attempts in three days, or its URL was removed',
    remedy:
      'tell the merchant; when the endpoint works again, `postbacks replay --shop <id> --since <date>` or `endpoint resume`',
  },
} as const satisfies Readonly<Record<string, Alarm>>;

export type AlarmName = keyof typeof alarms;
