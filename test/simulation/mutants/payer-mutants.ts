import type { Mutant } from './mutant.ts';

const start = 'lib/payment/start-payment.ts';

/** The guards of the payer's pages against card testing and untrusted visitors. */
export const payerMutants: readonly Mutant[] = [
  {
    name: 'limits-checked-before-only',
    guard: 'concurrent payments from one network do not exceed its limits together',
    patches: [
      {
        file: start,
        find: "return entered === 'full' || hasTooManyAttempts(entered, candidate, cardTestingLimits, now())",
        put: "return entered === 'full' || hasTooManyAttempts({}, candidate, cardTestingLimits, now())",
      },
    ],
    by: { scenario: 'two concurrent payments from one network keep its limit' },
  },
  {
    name: 'attempts-unbounded',
    guard: 'the item of a network has a maximum size',
    patches: [
      {
        file: 'lib/store/network-attempts.ts',
        find: 'attribute_not_exists(#open.#id) AND size(#open) < :most',
        put: 'attribute_not_exists(#open.#id) AND :most > :zero',
      },
      {
        file: 'lib/store/network-attempts.ts',
        find: "      ':ttl': ttlAt(attempt.at),\n      // The condition",
        put: "      ':ttl': ttlAt(attempt.at),\n      ':zero': 0,\n      // The condition",
      },
    ],
    by: { scenario: 'the item of a network has a maximum size' },
  },
  {
    name: 'cancel-counts-as-failure',
    guard: 'a payment that the payer cancelled does not count as a failure of the bill',
    patches: [
      {
        file: 'lib/payment/fail-payment.ts',
        find: 'const countsFailure = !isGivenUp(payment, seenState(view));',
        put: 'const countsFailure = isGivenUp(found.payment, view.state) || true;',
      },
    ],
    by: { scenario: 'a payment that the payer cancelled does not count as a failure' },
  },
  {
    name: 'another-browser-redirected',
    guard: 'only the browser that started a payment is redirected to it',
    patches: [
      {
        file: 'lib/payment/browser.ts',
        find: 'browserHash !== undefined && browser !== undefined && browserHash === hashBrowser(browser);',
        put: 'browserHash !== undefined && browser !== undefined;',
      },
    ],
    by: { scenario: 'another browser is not redirected to a payment in progress' },
  },
  {
    name: 'copied-form-accepted',
    guard: 'a form starts a payment only in the browser in which it was shown',
    patches: [
      {
        file: start,
        find: '(browser !== undefined && form.browserHash !== hashBrowser(browser))',
        put: "(browser !== undefined && form.browserHash === '')",
      },
    ],
    by: { scenario: 'a copied form is not redirected' },
  },
  {
    name: 'double-tap-without-time-limit',
    guard: 'without cookies a repeated form is redirected for ten seconds only',
    patches: [
      {
        file: 'lib/payment/browser.ts',
        find: 'now.getTime() - createdAt.getTime() < doubleTapMs;',
        put: 'now.getTime() - createdAt.getTime() < 1000 * doubleTapMs;',
      },
    ],
    by: { scenario: 'a copied form without cookies is not redirected later' },
  },
  {
    name: 'double-tap-from-anywhere',
    guard: 'without cookies a repeated form is redirected only in the network that sent it first',
    patches: [
      {
        file: 'lib/payment/browser.ts',
        find: '  payerHash === sender.payerHash &&\n',
        put: '',
      },
    ],
    by: { scenario: 'a copied form without cookies is not redirected in another network' },
  },
  {
    name: 'outcome-by-id-alone',
    guard: 'the return to a payment requires the key that was given to the acquirer',
    patches: [
      {
        file: 'lib/payment/return-of-payer.ts',
        find: 'if (!secrets.some((each) => isReturnKey(each, paymentId, key)))',
        put: "if (secrets.some((each) => isReturnKey(each, '', key)))",
      },
    ],
    by: { scenario: 'a payment id alone does not open its outcome' },
  },
  {
    name: 'card-page-in-the-clear',
    guard: 'the URL of a card page is stored encrypted',
    patches: [
      {
        file: 'lib/payment/start-order.ts',
        find: "? seal({ secret, use: 'card-page', paymentId }, pageUrl)",
        put: '? pageUrl',
      },
    ],
    by: { scenario: 'the URL of a card page is stored encrypted and deleted afterwards' },
  },
  {
    name: 'card-page-not-deleted',
    guard: 'the URL of a card page is deleted when its payment no longer waits for a card',
    patches: [
      {
        file: 'lib/store/payment-steps.ts',
        find: "    'cardPage',\n    ...(isOver",
        put: '    ...(isOver',
      },
    ],
    by: { scenario: 'the URL of a card page is stored encrypted and deleted afterwards' },
  },
  {
    name: 'queries-without-interval',
    guard: 'page visits query the acquirer at most once in two seconds',
    patches: [
      {
        file: 'lib/store/payment-visits.ts',
        find: 'attribute_exists(PK) AND (attribute_not_exists(#askedAt) OR #askedAt <= :before)',
        put: 'attribute_exists(PK) OR (attribute_not_exists(#askedAt) OR #askedAt <= :before)',
      },
    ],
    by: { scenario: 'two concurrent visits query the acquirer once' },
  },
];
