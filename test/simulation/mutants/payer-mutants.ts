import type { Mutant } from './mutant.ts';

const start = 'lib/payment/start-payment.ts';

/** The guards against strangers at the payer's doors. */
export const payerMutants: readonly Mutant[] = [
  {
    name: 'attempts-judged-before-only',
    guard: 'payments that one network begins at once do not pass its limits together',
    patches: [
      {
        file: start,
        find: "return entered === 'full' || hasTooManyAttempts(entered, asked, cardTestingLimits, now())",
        put: "return entered === 'full' || hasTooManyAttempts({}, asked, cardTestingLimits, now())",
      },
    ],
    by: { scenario: 'two payments of one network at once keep its limit' },
  },
  {
    name: 'attempts-without-a-bound',
    guard: 'the item of a network has a size that it never passes',
    patches: [
      {
        file: 'lib/store/network-attempts.ts',
        find: 'attribute_not_exists(#open.#id) AND size(#open) < :most',
        put: 'attribute_not_exists(#open.#id) AND :most > :zero',
      },
      {
        file: 'lib/store/network-attempts.ts',
        find: "      ':ttl': ttlAt(attempt.at),\n      // Those",
        put: "      ':ttl': ttlAt(attempt.at),\n      ':zero': 0,\n      // Those",
      },
    ],
    by: { scenario: 'the attempts of a network have a bound' },
  },
  {
    name: 'cancel-counts-as-failure',
    guard: 'a payment that the payer cancelled is no failure of the bill',
    patches: [
      {
        file: 'lib/payment/fail-payment.ts',
        find: 'const countsFailure = !isGivenUp(found.payment, view.state);',
        put: 'const countsFailure = isGivenUp(found.payment, view.state) || true;',
      },
    ],
    by: { scenario: 'a payment that the payer cancelled is no failure' },
  },
];
