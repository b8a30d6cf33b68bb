/** What the issuer does with a card on the hosted page. */
export type CardOutcome =
  | { readonly kind: 'paid'; readonly threeDSecure: boolean }
  | { readonly kind: 'refused'; readonly reason: RefusalReason };

/** A `cancellation_details.reason` that a test card selects. */
export type RefusalReason =
  | '3d_secure_failed'
  | 'call_issuer'
  | 'card_expired'
  | 'country_forbidden'
  | 'fraud_suspected'
  | 'general_decline'
  | 'insufficient_funds'
  | 'invalid_card_number'
  | 'invalid_csc'
  | 'issuer_unavailable'
  | 'payment_method_limit_exceeded'
  | 'payment_method_restricted';

export type TestCard = { readonly number: string; readonly outcome: CardOutcome };

const paid = (number: string, threeDSecure: boolean): TestCard => ({
  number,
  outcome: { kind: 'paid', threeDSecure },
});
const refused = (number: string, reason: RefusalReason): TestCard => ({
  number,
  outcome: { kind: 'refused', reason },
});

/** The vendor's test cards. Any future expiry date, security code and 3-D Secure code are accepted with them. */
export const testCards: readonly TestCard[] = [
  paid('5555555555554477', true),
  paid('5555555555554444', false),
  paid('4793128161644804', true),
  paid('4111111111111111', false),
  paid('2200000000000004', true),
  paid('2202474301322987', false),
  refused('5555555555554592', '3d_secure_failed'),
  refused('5555555555554535', 'call_issuer'),
  refused('5555555555554543', 'card_expired'),
  refused('5555555555554568', 'fraud_suspected'),
  refused('5555555555554527', 'general_decline'),
  refused('5555555555554600', 'insufficient_funds'),
  refused('5555555555554618', 'invalid_card_number'),
  refused('5555555555554626', 'invalid_csc'),
  refused('5555555555554501', 'issuer_unavailable'),
  refused('5555555555554576', 'payment_method_limit_exceeded'),
  refused('5555555555554550', 'payment_method_restricted'),
  refused('5555555555554584', 'country_forbidden'),
];

const outcomes = new Map(testCards.map(({ number, outcome }) => [number, outcome]));

/** Returns the outcome of a test card. Undefined for any other number: a test shop accepts test cards only. */
export const outcomeOfCard = (number: string): CardOutcome | undefined => outcomes.get(number);
