import type { Messages } from './messages-ru.ts';

export const english: Messages = {
  service: 'Payment page by Paylink',
  switchTo: 'Русский',
  payment: {
    title: (shop) => `Payment — ${shop}`,
    heading: 'Your payment',
    to: 'To',
    amount: 'Amount',
    surcharge: 'Fee',
    total: 'To pay',
    pay: (amount) => `Pay ${amount}`,
    payBy: {
      card: (amount) => `Pay ${amount} by card`,
      sbp: (amount) => `Pay ${amount} by SBP`,
    },
    hints: {
      card: 'You will enter your card on the secure page of the payment service. The shop never sees it.',
      sbp: 'SBP, the Russian Faster Payments System, needs the app of your bank.',
    },
    otherWay: 'Pay in another way, or try this one again in a minute.',
    tryLater: 'Try again in a minute. If it does not work, contact the shop.',
    noMethod:
      'This bill cannot be paid right now: no way to pay takes this amount or currency. Contact the shop.',
  },
  notices: {
    failed_before: 'The last attempt failed and you were not charged. Try again, or use another card.',
    form_too_old:
      'This page was too old, so no payment was started. Check the amount and press the button again.',
    foreign_form:
      'No payment was started: the request did not come from this page. Check the amount and press the button again.',
    not_responding: 'The payment service is not responding. No payment was started and you were not charged.',
    method_refused: 'The payment service refused to start the payment. You were not charged.',
  },
  link: {
    title: (shop) => `Bill — ${shop}`,
    scan: 'Point your phone’s camera at the code to pay',
    qr: 'QR code with a link to the payment page',
    open: 'Go to payment',
  },
  ends: {
    not_found: [
      'Bill not found',
      'Check the link: part of it may be missing. Or ask the shop for a new one.',
    ],
    no_page: ['Page not found', 'If a shop sent you a payment link, check it: part of it may be missing.'],
    paid: ['This bill is already paid', 'There is no need to pay again.'],
    switched_off: [
      'This bill is switched off',
      'The shop no longer takes payments by this link. If you want to pay, contact the shop.',
    ],
    expired: ['This bill has expired', 'It can no longer be paid by this link. Ask the shop for a new one.'],
    too_many_failures: [
      'Too many failed attempts',
      'This link can no longer be used to pay. Ask the shop for a new one.',
    ],
    too_many_attempts: ['Too many attempts', 'Wait a little and try again. You were not charged.'],
    too_large: ['Too much was sent', 'Nothing was processed. Open this page again.'],
    unavailable: [
      'Payment is unavailable right now',
      'The payment service is not responding. Try again in a minute.',
    ],
    error: [
      'Something went wrong',
      'We know about it already. Reload the page; if you have paid, do not pay again until you know the outcome.',
    ],
  },
  about: {
    heading: 'Payment links by Paylink',
    payers: 'Shops take card payments here. To pay, open the complete link that the shop sent you.',
    developers: 'The API for shops is described in',
  },
  retry: 'Try again',
  beingPaid: {
    heading: 'This bill is being paid right now',
    held: ['If that payment does not go through, you can pay here in', ' at the latest.'],
    minutes: 'min',
    soon: 'The payment is being completed. The outcome will be known in a moment.',
    text: 'If you started this payment in another browser, finish it there.',
    check: 'Check now',
    reloads: 'The page reloads by itself.',
  },
  waiting: {
    heading: 'Checking your payment',
    text: 'This usually takes a few seconds. The page reloads by itself.',
    warning: 'Do not pay again.',
    check: 'Check now',
    displaced: 'This payment is being cancelled',
    notCharged: 'If you still pay on its page, you will not be charged.',
    refunded: 'If you still pay on its page, your money will be returned.',
    reloads: 'Another payment is paying the bill, or has paid it. This page reloads by itself.',
  },
  handOff: {
    success: 'Payment received',
    fail: 'Payment failed',
    text: 'Taking you back to the shop.',
    back: 'Back to the shop',
    next: 'Continue',
  },
  outcomes: {
    SUCCESS: ['Payment received', 'We are notifying the shop.'],
    OVERPAID: [
      'Payment received',
      'More was received than the amount of the bill. Contact the shop about the difference.',
    ],
    UNDERPAID: [
      'Part of the amount received',
      'Less was received than the amount of the bill. Contact the shop.',
    ],
    FAIL: ['Payment failed', 'You were not charged. You can try again or use another card.'],
    refunded: [
      'Your money is being refunded',
      'This bill no longer needed the payment. The amount will return to your card. Do not pay again.',
    ],
    PROCESS: ['The payment is being checked', 'Do not pay again: the shop will soon know the outcome.'],
    unknown: ['Thank you', 'The shop will tell you the outcome of the payment. You can close this page.'],
  },
  purpose: 'For',
  received: 'Received',
  reference: 'Payment number',
};
