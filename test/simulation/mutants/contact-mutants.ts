import type { Mutant } from './mutant.ts';

/** The guards of payers' contacts (docs/security.md). */
export const contactMutants: readonly Mutant[] = [
  {
    name: 'contact-in-the-clear',
    guard: 'the contact of a payer is stored sealed, and shown by masks',
    patches: [
      {
        file: 'lib/bill/contact.ts',
        find: 'return { sealed, masks: masksOf(contact), until };',
        put: 'return { sealed, masks: contact, until };',
      },
    ],
    by: { scenario: 'the contact of a payer is not stored in the clear' },
  },
  {
    name: 'contact-for-any-bill',
    guard: 'the contact of one bill does not open for another',
    patches: [
      {
        file: 'lib/bill/contact.ts',
        find: "({ use: 'payer-contact', bill: billId });",
        put: "({ use: 'payer-contact', bill: billId.slice(0, 0) });",
      },
    ],
    by: { scenario: 'the contact of one bill does not open for another' },
  },
  {
    name: 'contact-after-its-end',
    guard: 'an expired contact is absent before DynamoDB deletes it',
    patches: [
      {
        file: 'lib/store/contact-item.ts',
        find: 'if (sealed === undefined || ttl * 1000 <= now.getTime()) return undefined;',
        put: 'if (sealed === undefined || now.getTime() < 0) return undefined;',
      },
    ],
    by: { scenario: 'an expired contact is absent' },
  },
  {
    name: 'payer-in-every-postback',
    guard: 'a shop that did not switch extended postbacks on is not told the payer',
    patches: [
      {
        file: 'lib/postback/payer-fields.ts',
        find: 'const paymentId = event.extended && readPaymentId',
        put: 'const paymentId = readPaymentId',
      },
    ],
    by: { scenario: 'a shop that did not ask is not told the payer' },
  },
  {
    name: 'extended-for-every-shop',
    guard: 'only shops that switched extended postbacks on get them',
    patches: [
      {
        file: 'lib/payment/outcome-postback.ts',
        find: 'shop.extendedPostbacks === true',
        put: 'shop.extendedPostbacks !== undefined',
      },
    ],
    by: { scenario: 'a shop that did not ask is not told the payer' },
  },
  {
    name: 'payer-in-an-answer',
    guard: 'what a receiver echoes of the payer is not stored',
    patches: [
      {
        file: 'lib/postback/signed-request.ts',
        find: '  ...Object.values(payer),\n',
        put: '',
      },
    ],
    by: { scenario: 'an answer that echoes the payer is stored without the payer' },
  },
  {
    name: 'asked-and-not-answered',
    guard: 'a payment starts only with what the bill has the payer asked',
    patches: [
      {
        file: 'lib/payment/payer-contact.ts',
        find: "else if (field !== 'comment') troubles[field] = 'missing';",
        put: "else if (field === 'comment' && value) troubles[field] = 'missing';",
      },
    ],
    by: { scenario: 'a payer who was asked and did not answer starts no payment' },
  },
  {
    name: 'answers-unasked',
    guard: 'fields that the bill does not ask are not read from the form',
    patches: [
      {
        file: 'lib/payment/payer-contact.ts',
        find: 'const asked = askedFields(bill, sealed?.masks);',
        put: 'const asked = askedFields(bill, sealed?.masks).concat(typed.name ? ["name"] : []);',
      },
    ],
    by: { scenario: 'the answers of a payer are stored as they were asked for' },
  },
  {
    name: 'answers-replace-contact',
    guard: 'a payment with answers keeps the rest of the bill’s contact',
    patches: [
      {
        file: 'lib/payment/payer-contact.ts',
        find: ': (ofBill ?? noContact);',
        put: ': { ...noContact, ...(ofBill && {}) };',
      },
    ],
    by: { scenario: 'the answers of a payer are stored as they were asked for' },
  },
  {
    name: 'replay-of-another',
    guard: 'a merchant repeats only its own postbacks',
    patches: [
      {
        file: 'lib/postback/replay-own-postback.ts',
        find: 'if (known?.merchantId !== caller.merchantId)',
        put: 'if (!known)',
      },
    ],
    by: { scenario: 'a merchant repeats its own postbacks alone and ten a minute' },
  },
  {
    name: 'replay-without-limit',
    guard: 'a merchant asks for ten postbacks a minute at most',
    patches: [
      {
        file: 'lib/store/endpoints.ts',
        find: "when: 'askedMinute = :minute AND asked < :most',",
        put: "when: 'askedMinute = :minute AND :most > :one',",
      },
    ],
    by: { scenario: 'a merchant repeats its own postbacks alone and ten a minute' },
  },
  {
    name: 'replay-to-a-paused-url',
    guard: 'no postback is repeated to a paused URL',
    patches: [
      {
        file: 'lib/postback/replay-own-postback.ts',
        find: '?.paused) return',
        put: '?.paused && now().getTime() < 0) return',
      },
    ],
    by: { scenario: 'a merchant repeats its own postbacks alone and ten a minute' },
  },
  {
    name: 'contact-kept-after-payment',
    guard: 'the contact of a paid bill is erased 90 days after the payment',
    patches: [
      {
        file: 'lib/store/payments.ts',
        find: '      ...endBillContact(table, bill, capture.at),\n',
        put: '',
      },
    ],
    by: { scenario: 'the contact of a paid bill is erased 90 days after the payment' },
  },
];
