import type { Language } from '../page/language.ts';
import type { CardTrouble } from './card.ts';

export type Messages = {
  readonly sandbox: string;
  readonly title: string;
  readonly sbpTitle: string;
  readonly minutesLeft: (minutes: number) => string;
  readonly toPay: string;
  readonly number: string;
  readonly expiry: string;
  readonly expiryHint: string;
  readonly cvc: string;
  readonly holder: string;
  readonly optional: string;
  readonly pay: string;
  readonly abandon: string;
  readonly testCards: string;
  readonly testCardsHint: string;
  readonly outcome: string;
  readonly troubles: Readonly<Record<CardTrouble, string>>;
  readonly checkFields: string;
  readonly challengeTitle: string;
  readonly challengeText: (card: string) => string;
  readonly code: string;
  readonly codeHint: string;
  readonly wrongCode: string;
  readonly confirm: string;
  readonly refuse: string;
  readonly timedOutTitle: string;
  readonly timedOutText: string;
  readonly back: string;
  readonly expiredTitle: string;
  readonly expiredText: string;
  readonly notFoundTitle: string;
  readonly notFoundText: string;
  readonly tooLargeTitle: string;
  readonly tooLargeText: string;
};

const en: Messages = {
  sandbox: 'Sandbox: no real money moves',
  title: 'Card payment',
  sbpTitle: 'Payment by SBP',
  minutesLeft: (minutes) =>
    `This page can be paid for ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}.`,
  toPay: 'To pay',
  number: 'Card number',
  expiry: 'Expiry',
  expiryHint: 'MM/YY',
  cvc: 'CVC',
  holder: 'Name on the card',
  optional: 'optional',
  pay: 'Pay',
  abandon: 'Cancel and go back',
  testCards: 'Test cards',
  testCardsHint: 'Any future date and any CVC. A card that is not listed pays at once.',
  outcome: 'What it does',
  troubles: {
    missing: 'Please fill this in.',
    digits: 'A card number has digits only.',
    length: 'A card number has 12 to 19 digits.',
    luhn: 'This card number is not valid.',
    expiry: 'Month and year, such as 09/30.',
    expired: 'This card has expired.',
    cvc: 'The CVC has 3 or 4 digits.',
  },
  checkFields: 'Please check the marked fields.',
  challengeTitle: 'Confirm the payment',
  challengeText: (card) =>
    `The bank that issued the card ${card} asks whether it is you. This is a 3-D Secure test.`,
  code: 'Code from the message',
  codeHint: 'The test code is 123456. You can also leave it empty and press the button.',
  wrongCode: 'The code is wrong. The test code is 123456.',
  confirm: 'Confirm',
  refuse: 'Refuse',
  timedOutTitle: 'The bank did not answer in time',
  timedOutText: 'We do not know yet whether the payment was made. Go back to the shop: it will find out.',
  back: 'Back to the shop',
  expiredTitle: 'The time to pay is over',
  expiredText: 'Nothing was charged. Go back to the shop to start again.',
  notFoundTitle: 'No such order',
  notFoundText: 'The address is not complete, or the order was never opened.',
  tooLargeTitle: 'Too much was sent',
  tooLargeText: 'Nothing was processed. Go back and try again.',
};

const ru: Messages = {
  sandbox: 'Песочница: деньги не списываются',
  title: 'Оплата картой',
  sbpTitle: 'Оплата через СБП',
  minutesLeft: (minutes) => `Оплатить здесь можно ещё ${minutes} мин.`,
  toPay: 'К оплате',
  number: 'Номер карты',
  expiry: 'Срок действия',
  expiryHint: 'ММ/ГГ',
  cvc: 'CVC',
  holder: 'Имя на карте',
  optional: 'необязательно',
  pay: 'Оплатить',
  abandon: 'Отказаться и вернуться',
  testCards: 'Тестовые карты',
  testCardsHint: 'Подойдут любой будущий срок и любой CVC. Карта не из списка платит сразу.',
  outcome: 'Что произойдёт',
  troubles: {
    missing: 'Заполните это поле.',
    digits: 'В номере карты только цифры.',
    length: 'В номере карты от 12 до 19 цифр.',
    luhn: 'В номере карты ошибка.',
    expiry: 'Месяц и год, например 09/30.',
    expired: 'Срок действия карты истёк.',
    cvc: 'В CVC 3 или 4 цифры.',
  },
  checkFields: 'Проверьте отмеченные поля.',
  challengeTitle: 'Подтвердите оплату',
  challengeText: (card) => `Банк, выпустивший карту ${card}, спрашивает, вы ли это. Это проверка 3-D Secure.`,
  code: 'Код из сообщения',
  codeHint: 'Тестовый код: 123456. Можно просто нажать кнопку.',
  wrongCode: 'Неверный код. Тестовый код: 123456.',
  confirm: 'Подтвердить',
  refuse: 'Отклонить',
  timedOutTitle: 'Банк не ответил вовремя',
  timedOutText: 'Прошла ли оплата, пока неизвестно. Вернитесь в магазин, он это выяснит.',
  back: 'Вернуться в магазин',
  expiredTitle: 'Время на оплату истекло',
  expiredText: 'Ничего не списано. Вернитесь в магазин и начните заново.',
  notFoundTitle: 'Такого заказа нет',
  notFoundText: 'Адрес неполный, или заказ не открывали.',
  tooLargeTitle: 'Отправлено слишком много данных',
  tooLargeText: 'Они не обработаны. Вернитесь назад и попробуйте ещё раз.',
};

const messages: Readonly<Record<Language, Messages>> = { en, ru };

export const messagesIn = (language: Language): Messages => messages[language];
