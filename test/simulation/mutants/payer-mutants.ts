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
        find: "return entered === 'full' || hasTooManyAttempts(entered, candidate, cardTestingLimits, now())",
        put: "return entered === 'full' || hasTooManyAttempts({}, candidate, cardTestingLimits, now())",
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
        find: "      ':ttl': ttlAt(attempt.at),\n      // The condition",
        put: "      ':ttl': ttlAt(attempt.at),\n      ':zero': 0,\n      // The condition",
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
  {
    name: 'stranger-led-on',
    guard: 'only the browser that began a payment is led on to it',
    patches: [
      {
        file: 'lib/payment/browser.ts',
        find: 'browserHash !== undefined && browser !== undefined && browserHash === hashBrowser(browser);',
        put: 'browserHash !== undefined && browser !== undefined;',
      },
    ],
    by: { scenario: 'a stranger is not led to a payment under way' },
  },
  {
    name: 'copied-form-taken',
    guard: 'a form starts a payment in the browser that it was shown in',
    patches: [
      {
        file: start,
        find: '(browser !== undefined && form.browserHash !== hashBrowser(browser))',
        put: "(browser !== undefined && form.browserHash === '')",
      },
    ],
    by: { scenario: 'a copied form leads nowhere' },
  },
  {
    name: 'double-tap-for-ever',
    guard: 'without cookies the same form leads on for ten seconds only',
    patches: [
      {
        file: 'lib/payment/browser.ts',
        find: 'now.getTime() - createdAt.getTime() < doubleTapMs;',
        put: 'now.getTime() - createdAt.getTime() < 1000 * doubleTapMs;',
      },
    ],
    by: { scenario: 'a copied form without cookies leads nowhere later' },
  },
  {
    name: 'double-tap-from-anywhere',
    guard: 'without cookies the same form leads on in the network that sent it first',
    patches: [
      {
        file: 'lib/payment/browser.ts',
        find: '  payerHash === sender.payerHash &&\n',
        put: '',
      },
    ],
    by: { scenario: 'a copied form without cookies leads nowhere in another network' },
  },
  {
    name: 'outcome-by-id-alone',
    guard: 'the way back to a payment needs the key that the acquirer was given',
    patches: [
      {
        file: 'lib/payment/return-of-payer.ts',
        find: 'if (!secrets.some((each) => isReturnKey(each, paymentId, key)))',
        put: "if (secrets.some((each) => isReturnKey(each, '', key)))",
      },
    ],
    by: { scenario: 'the id of a payment alone opens nothing' },
  },
  {
    name: 'card-page-in-the-clear',
    guard: 'the address of a card page is sealed at rest',
    patches: [
      {
        file: 'lib/payment/card-page.ts',
        find: 'sealCardPage(secret, payment.id, opened.pageUrl)',
        put: '[sealCardPage, opened.pageUrl].at(-1)',
      },
    ],
    by: { scenario: 'the address of a card page is sealed and forgotten' },
  },
  {
    name: 'card-page-kept',
    guard: 'the address of a card page goes when no card is waited for any more',
    patches: [
      {
        file: 'lib/store/payment-steps.ts',
        find: "const gone = ['cardPage', ...",
        put: 'const gone = [...',
      },
    ],
    by: { scenario: 'the address of a card page is sealed and forgotten' },
  },
  {
    name: 'asked-without-a-pause',
    guard: 'visits have the acquirer asked once in two seconds',
    patches: [
      {
        file: 'lib/store/payment-visits.ts',
        find: 'attribute_exists(PK) AND (attribute_not_exists(#askedAt) OR #askedAt <= :before)',
        put: 'attribute_exists(PK) OR (attribute_not_exists(#askedAt) OR #askedAt <= :before)',
      },
    ],
    by: { scenario: 'two looks at once ask the acquirer once' },
  },
];
