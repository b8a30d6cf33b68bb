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
    items: (count) => `Items: ${count}`,
    pay: (amount) => `Pay ${amount}`,
    payBy: {
      card: (amount) => `Pay ${amount} by card`,
      sbp: (amount) => `Pay ${amount} by SBP`,
    },
    hints: {
      card: 'You will enter your card on the secure page of the payment service. The shop never sees it.',
      sbp: 'SBP, the Russian Faster Payments System, needs the app of your bank.',
    },
    tryAgain: {
      card: 'Try again, or use another card.',
      sbp: 'Try again.',
      any: 'Try again: with another card, or in another way.',
    },
    otherWay: 'Pay in another way, or try this one again in a minute.',
    tryLater: 'Try again in a minute. If it does not work, contact the shop.',
    contact: {
      email_or_phone: {
        label: 'Email or phone for the receipt',
        hint: 'The fiscal receipt is sent here. For example: ivan@example.com or +7\u00a0912\u00a0345-67-89.',
        contact_missing: 'Enter an email address or a phone number: the receipt cannot be sent without one.',
        contact_unreadable:
          'This is neither an email address (ivan@example.com) nor a Russian phone number (+7\u00a0912\u00a0345-67-89).',
      },
      email: {
        label: 'Email for the receipt',
        hint: 'The fiscal receipt is sent here. For example: ivan@example.com.',
        contact_missing: 'Enter an email address: the receipt cannot be sent without one.',
        contact_unreadable: 'This is not an email address. One looks like this: ivan@example.com.',
      },
    },
    asked: {
      hint: 'The shop asks you to fill this in. It will get what you enter.',
      email: {
        label: 'Email',
        missing: 'Enter your email address.',
        unreadable: 'This is not an email address. One looks like this: ivan@example.com.',
      },
      phone: {
        label: 'Mobile phone',
        missing: 'Enter your phone number.',
        unreadable:
          'This is not a mobile number of Russia or Kazakhstan. For example: +7\u00a0912\u00a0345-67-89.',
      },
      name: {
        label: 'Name',
        missing: 'Enter your name.',
        unreadable: 'The name may not be longer than 128 characters.',
      },
      comment: {
        label: 'Comment for the shop (optional)',
        missing: 'Enter a comment.',
        unreadable: 'The comment may not be longer than 500 characters.',
      },
    },
    noMethod:
      'This bill cannot be paid right now: no way to pay takes this amount or currency. Contact the shop.',
  },
  notices: {
    failed_before: 'The last attempt failed and you were not charged.',
    form_too_old:
      'This page was too old, so no payment was started. Check the amount and press the button again.',
    foreign_form:
      'No payment was started: the request did not come from this page. Check the amount and press the button again.',
    not_responding: 'The payment service is not responding. No payment was started and you were not charged.',
    method_refused: 'The payment service refused to start the payment. You were not charged.',
    other_way:
      'You have started a payment and were not charged. If you pay in another way, that payment is cancelled.',
    contact_missing: 'No payment was started: enter where to send the receipt.',
    contact_unreadable: 'No payment was started: check where to send the receipt.',
    fields_wrong: 'No payment was started: check the marked fields.',
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
      'The payment service is not responding. You have not paid anything yet. Try again in a minute: the same payment goes on.',
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
    soon: 'The payment is being completed. The outcome will be known in a moment.',
    ending: 'That payment’s time is over. You can pay here as soon as the payment service has closed it.',
    text: 'If you started this payment in another browser, finish it there.',
    check: 'Check now',
  },
  waiting: {
    heading: 'Checking your payment',
    text: 'This usually takes a few seconds.',
    warning: 'Do not pay again.',
    check: 'Check now',
    displaced: 'This payment is being cancelled',
    notCharged:
      'If you still pay on its page, you will not be charged: your bank may hold the amount for a while, and then releases it.',
    refunded: 'If you still pay on its page, your money will be returned.',
    another: 'Another payment is paying the bill, or has paid it.',
    reloads: 'The page reloads by itself.',
    reloadsNoMore: 'The page no longer reloads by itself.',
  },
  unpaid: {
    heading: 'Not paid yet',
    begun: { card: 'You have started to pay by card.', sbp: 'You have started to pay by SBP.' },
    nothing: 'The payment service has not received your money yet.',
    goOn: { card: 'Go on paying by card', sbp: 'Go on paying by SBP' },
    otherWay: 'Pay in another way',
    anew: 'Start again',
    paid: 'If you have already paid, wait. Do not pay again.',
    notPaid: 'If not, go back to the payment page: it is the same payment, so you cannot be charged twice.',
    open: ['It is open for another', '.'],
    notCharged: 'If you do not pay, you will not be charged.',
    again: ['A new payment of the bill can be started in', ' at the latest.'],
    againNow: 'If you do not pay, you will not be charged. A new payment of the bill can be started now.',
  },
  minutes: 'min',
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
    FAIL: ['Payment failed', 'You were not charged. You can try again.'],
    refunded: [
      'Your money is being refunded',
      'This bill no longer needed the payment. The amount will return to where it came from. Do not pay again.',
    ],
    PROCESS: ['The payment is being checked', 'Do not pay again: the shop will soon know the outcome.'],
    unknown: ['Thank you', 'The shop will tell you the outcome of the payment. You can close this page.'],
  },
  declined: {
    insufficient_funds: 'There was not enough money.',
    card_expired: 'The card has expired.',
    invalid_card_data: 'The card’s number, date or code was wrong.',
    limit_exceeded: 'The amount is above a limit that the bank has set.',
    not_confirmed: 'The payment was not confirmed at the bank.',
    bank_unavailable: 'The bank did not respond.',
    canceled_by_payer: 'The payment was cancelled.',
    expired: 'The time to pay was over.',
    declined: 'The bank declined the payment. It can tell you why.',
  },
  purpose: 'For',
  received: 'Received',
  reference: 'Payment number',
};
