import type { Contradiction } from '../ledger/signed-reason.ts';
import type { Result } from '../result.ts';
import { CommandError } from '../installation/command-error.ts';

/** A sentence for each refusal of the operator's use cases: what it means and what to do. */
const sentences = {
  audit_cursor_unreadable:
    'This is no cursor of an audit: copy the one that the interrupted audit printed, whole.',
  merchant_not_found: 'There is no such merchant: see merchant list.',
  token_replaced_meanwhile: 'This token was just replaced by somebody else: run the command again.',
  shop_not_found: 'There is no such shop: see shop list.',
  shop_or_merchant_not_found: 'There is no such shop or merchant: see merchant list and shop list.',
  webhook_secret_replaced_meanwhile:
    'This secret was just replaced by somebody else: use the new one, or run the command again.',
  settles_in_itself: 'RUB, USD and EUR settle without conversion: set a rate for KZT only.',
  bad_price: 'The price must be a decimal above zero with at most eight places, like 0.17.',
  smallest_above_largest:
    'The smallest payout would be above the largest: set --payout-min and --payout-max together.',
  fee_above_everything: 'A fee above 10000 basis points exceeds the amount: give a lower one.',
  reserve_without_days: 'A reserve needs the days after which it is released: add --reserve-days, 1 to 365.',
  payout_account_not_found: 'There is no such payout account of this merchant: see account list.',
  card_number_invalid: 'This is not a valid card number: check its digits.',
  card_holder_invalid: 'This is not a valid card holder: give the name in letters, as on the card.',
  phone_invalid: 'This is not a Russian mobile number: give it like +79123456789.',
  bank_unknown: 'There is no active bank with this member id: see payout/dictionaries/sbp_banks.',
  banks_kept_no_answer:
    'The provider did not answer with a list of banks, so the old list stays in use: run the command again later.',
  banks_kept_no_banks:
    'The provider answered with an empty list of banks, so the old list stays in use: ask the provider.',
  banks_kept_bank_listed_twice:
    'The provider lists a bank twice, so the old list stays in use: ask the provider.',
  banks_kept_too_many_banks:
    'The provider lists more banks than SBP has, so the old list stays in use: ask the provider.',
  banks_kept_half_of_the_banks_gone:
    'Half of the known banks are gone from the provider’s list, so the old list stays in use: compare it with the provider’s cabinet, then run the command with --accept-fewer.',
  auto_account_banned:
    'This account is banned: lift that with account set <account> --banned no, or name another.',
  auto_account_out_of_use:
    'This account is not available: change that with account set <account> --available yes, or name another.',
  auto_account_currency: 'Payouts are made in RUB only: name an account in that currency.',
  auto_payout_not_found: 'This merchant has no automatic payout: set one with auto set.',
  hour_invalid: 'The hour must be a whole number from 0 to 23.',
  threshold_invalid: 'The threshold must be above zero.',
  refund_not_found: 'There is no such refund: see trace of its payment.',
  refund_not_paid: 'Only a paid payment can be refunded: see trace.',
  refund_no_order:
    'This payment was settled without an order at its acquirer: return its money there, then enter it with chargebacks enter.',
  refund_acquirer_not_deployed:
    'The acquirer of this payment is not deployed in this environment: return its money in its back office, then enter it with chargebacks enter.',
  refund_nothing_left:
    'Nothing of this payment is left to refund: its refunds and chargebacks take all that was received. See trace.',
  refund_more_than_refundable:
    'This is more than is refundable of the payment: what was received, less its other refunds and its chargebacks. See trace.',
  refund_no_contact:
    'The refund needs a fiscal receipt, and no contact of the payer is known: the merchant can send payer_email with refund/partial/create.',
  refund_amount_invalid: 'The amount must be above zero, with at most two decimals.',
  refund_balance_not_enough:
    'The merchant has not enough available for this refund: let them earn it first, refund less, or credit them with adjustments propose.',
  payout_not_found: 'There is no such payout: see payouts list.',
  payout_not_moderating: 'This payout is not waiting for moderation: see trace.',
  payout_already_sent: 'The rail may already have this payout, so it can no longer be declined: see trace.',
  payout_not_in_error: 'This payout is not in ERROR: see trace.',
  payout_not_paid: 'Only a paid payout can be returned, and only once: see trace.',
  payout_proposed:
    'One person has already approved this: a second person decides with proposals approve, or reject it first.',
  answer_lost:
    'No answer came, so this may already be done: see trace, then decide again on what still waits.',
  not_reached: 'Not attempted, because an earlier batch got no answer: decide again.',
  payout_changed: 'This payout has changed since it was shown: check it with trace.',
  merchant_banned:
    'The merchant is banned: lift that with merchant set <id> --banned no, or decline the payout.',
  payout_account_banned:
    'The account is banned: lift that with account set <account> --banned no, or decline the payout.',
  day_not_begun: 'This day has not begun: name today or an earlier day.',
  newer_result: 'Another run that started later has stored its result: see reconcile show.',
  nothing_due: 'Nothing is due: name a day with --date.',
  reconciliation_not_found: 'This day was not reconciled yet: reconcile --date compares it now.',
  reconciliation_unanswered:
    'No answer came, but the comparison may still be running: see reconcile show in a few minutes.',
  bill_not_found: 'There is no such bill: see bills list.',
  payment_not_found: 'There is no such payment: see payments list --unknown.',
  payment_is_final: 'This payment is already final: see trace.',
  payment_changed: 'This payment has changed since it was shown: check it with trace.',
  payment_is_being_asked_about: 'This payment is being checked with the acquirer right now: see trace.',
  payment_is_young:
    'This payment is less than an hour old, so it may still end by itself: check it with payments ask.',
  payment_goes_back:
    'This payment is being voided or refunded: do that at the acquirer, then resolve it as failed.',
  void_is_under_way:
    'The sweep is cancelling this payment at the acquirer: see trace in an hour, and resolve it again if that acquirer is gone.',
  amount_not_possible:
    'Give an amount only for a captured payment: above zero and at most the charge. Book more with adjustments propose.',
  receipt_not_found: 'This payment has no such receipt on the list: see receipts list.',
  receipt_closed: 'This receipt is closed already: see receipts list --closed.',
  unknown_payment_not_found: 'There is no such order: see payments unknown.',
  unknown_payment_closed: 'This order is closed already: see payments unknown --closed.',
  unknown_payment_changed: 'This order has changed since it was shown: see payments unknown.',
  adjustment_not_found: 'There is no such adjustment: see adjustments list.',
  adjustment_already_decided: 'This adjustment has already been decided: see trace.',
  adjustment_amount_invalid: 'The amount must be above zero, and at most 99999999.99.',
  payment_not_paid: 'This payment is not paid, so nothing of it can be charged back: see trace.',
  chargeback_not_found: 'There is no such chargeback: see chargebacks list.',
  chargeback_already_decided: 'This chargeback has already been decided: see trace.',
  chargeback_is_open:
    'This payment has an open chargeback: confirm or dismiss that one first, see chargebacks list.',
  chargeback_amount_invalid:
    'The amount must be above zero, and at most what is left of the payment: what was received less its chargebacks and its refunds, also those under way. See trace.',
  claim_not_found: 'There is no such claim: see claims list.',
  claim_is_closed: 'Nothing is owed on this claim any more: see trace.',
  nothing_available: 'The merchant has nothing available now: collect it later, or write it off.',
  same_person: 'You proposed this yourself: somebody else must approve it.',
  proposal_not_found: 'There is no such proposal: see proposals list.',
  proposal_already_decided: 'This proposal has already been decided: see trace.',
  takes_two_people: 'This needs a second person: see proposals list.',
  decision_not_found: 'The decision was not found under your name: run the command again.',
  decision_expired:
    'This decision is more than an hour old, or this computer’s clock is wrong: decide again.',
  not_in_this_role: 'Only its proposer or an approver may decide this.',
  too_many_payouts: 'Name at least one payout, and at most 300 at a time.',
  balance_not_enough:
    'The merchant’s available balance is too low: nothing was posted. Approve it later, or reject it.',
  about_not_found: 'This merchant has no payment or payout with that id: see trace.',
  reason_invalid: 'Give a reason of 1 to 500 printable characters, in one line.',
  reason_holds_card_number: 'The reason seems to contain a card number: give only its last four digits.',
  person_invalid: 'Give a name of 1 to 100 printable characters with --by.',
  postback_not_found: 'There is no such postback: see postbacks list.',
  postback_under_way: 'This postback is being sent right now: see trace.',
  endpoint_paused: 'The endpoint of this postback is paused: resume it with endpoint resume.',
  not_a_payment_of_this_bill:
    'This payment is not one of this bill: give --before as trace printed it, or a time.',
  nothing_known:
    'Nothing has this id, and no order has it as its order_id: check it, and the environment with --env; find looks for amounts and cards.',
} as const;

type Refusal = keyof typeof sentences | { readonly badUrl: string };

const isKnown = (key: string): key is keyof typeof sentences => key in sentences;

/** Returns the sentence for a refusal key. An unknown key, from a newer function, is shown as it is. */
export const sentenceOf = (key: string): string => (isKnown(key) ? sentences[key] : `Refused: ${key}.`);

/** Throws a `CommandError` with the sentence of a refusal. */
export function refuse(error: string | Contradiction): never {
  if (typeof error === 'string') throw new CommandError(sentenceOf(error), error);
  const { contradictedBy, says } = error;
  const sentence = `The ${contradictedBy} says otherwise: for it this is “${says}”. Nothing was done; see trace, and ask the ${contradictedBy} about it.`;
  throw new CommandError(sentence, 'contradicted');
}

/** Returns the value. Throws a `CommandError` with the sentence of a refusal. */
export function unwrap<T>(result: Result<T, Refusal>): T {
  if (result.ok) return result.value;
  throw typeof result.error === 'string'
    ? new CommandError(sentences[result.error], result.error)
    : new CommandError(result.error.badUrl, 'bad_url');
}

/** Returns the value. Throws a `CommandError` if it is undefined. */
export function required<T>(value: T | undefined, otherwise: keyof typeof sentences): T {
  if (value !== undefined) return value;
  throw new CommandError(sentences[otherwise], otherwise);
}
