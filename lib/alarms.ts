/** What an operator alarm means and what to do about it; the table in docs/operating.md and the template's alarms are made from this. */
type Alarm = { readonly means: string; readonly remedy: string };

export const alarms = {
  payment_stuck: {
    means:
      'the acquirer has not decided for a day; of a failed payment: its late void or refund is still open',
    remedy:
      '`trace` it and look at its acquirer’s back office; `payments ask` has it asked at once, `payments resolve` settles it by hand',
  },
  duplicate_capture: {
    means: 'a bill was paid twice; the refund is under way',
    remedy: '`trace` it in an hour: REFUND must be there',
  },
  late_money: {
    means: 'the acquirer took up a payment that had failed; void or refund is under way',
    remedy: '`trace` it in an hour: of captured money REFUND must be there',
  },
  refund_undone: {
    means: 'the acquirer holds again what it had refunded',
    remedy:
      'settle it with the acquirer; the journal is as before, `adjustments propose … --about <payment>` changes the balance',
  },
  capture_undone: {
    means: 'the acquirer does not hold what it had captured any more: refunded there, or charged back',
    remedy:
      'look at the acquirer’s account; the payment stays paid, `adjustments propose … --about <payment>` takes it from the balance',
  },
  payout_error: {
    means: 'nobody knows whether the rail paid, or it was sent to a rail that is not deployed now',
    remedy: "look at the provider's account, then `payouts resolve`",
  },
  destination_mismatch: {
    means:
      'the sealed destination of a payout is not the one that was asked for, so nothing was sent: its record was changed from outside',
    remedy:
      'find out who wrote to the table; `trace` it, then `payouts resolve --as failed` gives the money back',
  },
  paid_after_failure: {
    means: 'the rail paid a payout that had failed, and its money was given back to the balance',
    remedy:
      'settle it with the provider; `adjustments propose … --debit … --about <payout>` takes it from the balance',
  },
  provider_empty: {
    means: 'the payout provider’s account is empty',
    remedy: 'fill it; payouts go on by themselves',
  },
  moderation_waiting: {
    means: 'a payout has waited for a moderator for more than a day',
    remedy: '`payouts list --moderating --older-than 1d`, then `payouts approve` or `decline`',
  },
  endpoint_paused: {
    means: 'a merchant’s server took nothing for five days, or said 410',
    remedy: 'tell the merchant, then `endpoint resume`',
  },
  postback_dead: {
    means: 'a postback was given up after eleven tries in three days, or its URL was taken away',
    remedy:
      'tell the merchant; when the server is back, `postbacks replay --shop <id> --since <date>` or `endpoint resume`',
  },
} as const satisfies Readonly<Record<string, Alarm>>;

export type AlarmName = keyof typeof alarms;
