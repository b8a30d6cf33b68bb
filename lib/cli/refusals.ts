import type { Contradiction } from '../ledger/signed-reason.ts';
import type { Result } from '../result.ts';
import { CommandError } from '../installation/command-error.ts';

/** What each refusal of the operator's use cases means, and what to do about it. */
const sentences = {
  merchant_not_found: 'There is no such merchant: see merchant list.',
  token_replaced_meanwhile: 'Somebody else refreshed this token a moment ago: run the command again.',
  shop_not_found: 'There is no such shop: see shop list.',
  shop_or_merchant_not_found: 'There is no such shop or merchant: see merchant list and shop list.',
  webhook_secret_replaced_meanwhile:
    'Somebody else replaced this secret a moment ago: use theirs, or run the command again.',
  settles_in_itself: 'RUB, USD and EUR settle in themselves: set a rate for KZT.',
  bad_price: 'The price must be a decimal above zero with at most eight places, like 0.17.',
  smallest_above_largest:
    'The smallest payout would be above the largest: set --payout-min and --payout-max together.',
  fee_above_everything: 'A fee of more than 10000 basis points is more than the whole amount: give less.',
  payout_account_not_found: 'There is no such payout account of this merchant: see account list.',
  card_number_invalid: 'This is no card number: check its digits.',
  card_holder_invalid: 'This is no name on a card: give letters, as on the card.',
  phone_invalid: 'This is no Russian mobile number: give it like +79123456789.',
  bank_unknown: 'There is no active bank with this member id: see payout/dictionaries/sbp_banks.',
  auto_account_banned:
    'This account is banned: lift that with account set <account> --banned no, or name another.',
  auto_account_out_of_use:
    'This account is out of use: change that with account set <account> --available yes, or name another.',
  auto_account_currency: 'Payouts go out in RUB only: name an account of that currency.',
  auto_payout_not_found: 'This merchant has no automatic payout: set one with auto set.',
  hour_invalid: 'The hour must be a whole number from 0 to 23.',
  threshold_invalid: 'The threshold must be above zero.',
  payout_not_found: 'There is no such payout: see payouts list.',
  payout_not_moderating: 'This payout does not wait for a moderator: see trace.',
  payout_already_sent: 'The rail may have this payout already, so it cannot be declined any more: see trace.',
  payout_not_in_error: 'This payout does not wait for a person to look: see trace.',
  payout_not_paid: 'Only a paid payout can come back, and only once: see trace.',
  payout_proposed:
    'One person has let this go already: another decides with proposals approve, or reject it first.',
  answer_lost:
    'The answer was lost, so this may be done already: see trace, then decide again about what still waits.',
  not_reached: 'Nothing was done about it, because an earlier answer was lost: decide again.',
  payout_changed: 'This payout changed since it was shown: look at it again with trace.',
  merchant_banned:
    'The merchant is banned: lift that with merchant set <id> --banned no, or decline the payout.',
  payout_account_banned:
    'The account is banned: lift that with account set <account> --banned no, or decline the payout.',
  payment_not_found: 'There is no such payment: see payments list --unknown.',
  payment_is_final: 'This payment is decided: see trace.',
  payment_changed: 'This payment changed since it was shown: look at it again with trace.',
  payment_is_being_asked_about: 'The acquirer is being asked about this payment just now: see trace.',
  payment_is_young:
    'This payment is less than an hour old, and the payer may be at it still: payments ask has the acquirer asked.',
  payment_goes_back:
    'This payment is being voided or refunded: have that done at the acquirer, then resolve it as failed.',
  void_is_under_way:
    'The sweep is having this payment cancelled at the acquirer: see trace in an hour, and say it again if that acquirer is gone.',
  amount_not_possible:
    'Only what was captured has an amount: above zero, and at most the charge. Book more with adjustments propose.',
  adjustment_not_found: 'There is no such adjustment: see adjustments list.',
  adjustment_already_decided: 'Somebody has decided on this adjustment already: see trace.',
  adjustment_amount_invalid: 'The amount must be above zero, and at most 99999999.99.',
  same_person: 'You proposed this yourself: somebody else has to approve it.',
  proposal_not_found: 'There is no such proposal: see proposals list.',
  proposal_already_decided: 'Somebody has decided on this proposal already: see trace.',
  takes_two_people: 'This takes two people: see proposals list.',
  decision_not_found: 'The decision was not found under your name: run the command again.',
  decision_expired: 'This decision is more than an hour old, or the clock here is wrong: decide anew.',
  not_in_this_role: 'Only who proposed this or an approver may decide that.',
  too_many_payouts: 'Name at least one payout, and at most 300 at a time.',
  balance_not_enough:
    'The merchant has less than that available: nothing was posted. Approve it when there is enough, or reject it.',
  about_not_found: 'This merchant has no payment or payout with that id: see trace.',
  reason_invalid: 'Give a reason of 1 to 500 printable characters, in one line.',
  reason_holds_card_number: 'The reason seems to hold a card number: give its last four digits only.',
  person_invalid: 'Give a name of 1 to 100 printable characters with --by.',
  postback_not_found: 'There is no such postback: see postbacks list.',
  postback_under_way: 'This postback is being sent at the moment: see trace.',
  endpoint_paused: 'The endpoint of this postback is paused: resume it with endpoint resume.',
  nothing_known:
    'Nothing here has this id: check it (a merchant’s order_id is not one), and the environment with --env.',
} as const;

type Refusal = keyof typeof sentences | { readonly badUrl: string };

const isKnown = (key: string): key is keyof typeof sentences => key in sentences;

/** What a refusal key means; a key of a newer function is told as it is. */
export const sentenceOf = (key: string): string => (isKnown(key) ? sentences[key] : `Refused: ${key}.`);

/** Ends the command with the sentence of what the function refused. */
export function refuse(error: string | Contradiction): never {
  if (typeof error === 'string') throw new CommandError(sentenceOf(error), error);
  const { contradictedBy, says } = error;
  const sentence = `The ${contradictedBy} says otherwise: for it this is “${says}”. Nothing was done; see trace, and ask the ${contradictedBy} about it.`;
  throw new CommandError(sentence, 'contradicted');
}

/** The value, or the refusal as the sentence that ends the command. */
export function unwrap<T>(result: Result<T, Refusal>): T {
  if (result.ok) return result.value;
  throw typeof result.error === 'string'
    ? new CommandError(sentences[result.error], result.error)
    : new CommandError(result.error.badUrl, 'bad_url');
}

/** The thing looked up, or the sentence that there is none. */
export function required<T>(value: T | undefined, otherwise: keyof typeof sentences): T {
  if (value !== undefined) return value;
  throw new CommandError(sentences[otherwise], otherwise);
}
