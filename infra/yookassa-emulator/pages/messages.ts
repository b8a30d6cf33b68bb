import type { CardTrouble } from './card-form.ts';

/** The values of `confirmation.locale`. Without one, the vendor's page is in Russian. */
export type Locale = 'ru_RU' | 'en_US';

export type Messages = {
  readonly language: 'ru' | 'en';
  readonly testShop: string;
  readonly toPay: string;
  readonly cardTitle: string;
  readonly number: string;
  readonly expiry: string;
  readonly expiryHint: string;
  readonly cvc: string;
  readonly pay: string;
  readonly paySbp: string;
  readonly or: string;
  readonly backToShop: string;
  readonly checkFields: string;
  readonly troubles: Readonly<Record<CardTrouble, string>>;
  readonly testCards: string;
  readonly testCardsHint: string;
  readonly outcome: string;
  readonly isPaid: string;
  readonly isPaidWith3ds: string;
  readonly isRefused: string;
  readonly bankPendingTitle: string;
  readonly bankPendingText: string;
  readonly toBank: string;
  readonly sbpTitle: string;
  readonly sbpText: string;
  readonly sbpButton: string;
  readonly payByCardInstead: string;
  readonly qrLabel: string;
  readonly bank: string;
  readonly challengeTitle: string;
  readonly challengeText: (card: string) => string;
  readonly code: string;
  readonly codeHint: string;
  readonly confirm: string;
  readonly refuse: string;
  readonly sbpBankTitle: string;
  readonly sbpBankText: string;
  readonly notFoundTitle: string;
  readonly notFoundText: string;
};

const en: Messages = {
  language: 'en',
  testShop: 'YooKassa emulator, test shop: no real money moves',
  toPay: 'To pay',
  cardTitle: 'Payment',
  number: 'Card number',
  expiry: 'Valid until',
  expiryHint: 'MM/YY',
  cvc: 'CVC',
  pay: 'Pay',
  paySbp: 'Pay with SBP',
  or: 'or',
  backToShop: 'Back to the shop without paying',
  checkFields: 'Check the marked fields.',
  troubles: {
    missing: 'Fill this in.',
    number: 'A card number has 16 to 19 digits.',
    not_a_test_card: 'A test shop accepts test cards only. They are listed below.',
    expiry: 'Month and year, such as 09/30.',
    expired: 'This card has expired.',
    cvc: 'The CVC has 3 digits.',
  },
  testCards: 'Test cards',
  testCardsHint: 'Any future date and any CVC.',
  outcome: 'Result',
  isPaid: 'paid',
  isPaidWith3ds: 'paid, with 3-D Secure',
  isRefused: 'refused',
  bankPendingTitle: 'Your bank asks for a confirmation',
  bankPendingText: 'Continue on the page of your bank.',
  toBank: 'Continue to the bank',
  sbpTitle: 'Payment with SBP',
  sbpText: 'Scan the code with your phone, or open your bank’s page on this device.',
  sbpButton: 'Open the bank',
  payByCardInstead: 'Pay by card instead',
  qrLabel: 'QR code with the address of the bank’s page',
  bank: 'Test bank: no real money moves',
  challengeTitle: 'Confirm the payment',
  challengeText: (card) => `A payment with the card ${card} needs your confirmation (3-D Secure).`,
  code: 'Code from the message',
  codeHint: 'Any code is accepted, none as well.',
  confirm: 'Confirm',
  refuse: 'Refuse',
  sbpBankTitle: 'Payment with SBP',
  sbpBankText: 'Your bank sends the payment when you confirm it.',
  notFoundTitle: 'There is no such payment',
  notFoundText: 'Check the address.',
};

const ru: Messages = {
  language: 'ru',
  testShop: 'Эмулятор ЮKassa, тестовый магазин: деньги не списываются',
  toPay: 'К оплате',
  cardTitle: 'Оплата',
  number: 'Номер карты',
  expiry: 'Действует до',
  expiryHint: 'ММ/ГГ',
  cvc: 'CVC',
  pay: 'Заплатить',
  paySbp: 'Заплатить через СБП',
  or: 'или',
  backToShop: 'Вернуться в магазин без оплаты',
  checkFields: 'Проверьте отмеченные поля.',
  troubles: {
    missing: 'Заполните это поле.',
    number: 'В номере карты от 16 до 19 цифр.',
    not_a_test_card: 'Тестовый магазин принимает только тестовые карты, они перечислены ниже.',
    expiry: 'Месяц и год, например 09/30.',
    expired: 'Срок действия карты истёк.',
    cvc: 'В CVC три цифры.',
  },
  testCards: 'Тестовые карты',
  testCardsHint: 'Подойдут любой будущий срок и любой CVC.',
  outcome: 'Результат',
  isPaid: 'оплачивается',
  isPaidWith3ds: 'оплачивается, с 3-D Secure',
  isRefused: 'отклоняется',
  bankPendingTitle: 'Банк просит подтвердить оплату',
  bankPendingText: 'Продолжите на странице банка.',
  toBank: 'Перейти в банк',
  sbpTitle: 'Оплата через СБП',
  sbpText: 'Отсканируйте код телефоном или откройте страницу банка на этом устройстве.',
  sbpButton: 'Открыть банк',
  payByCardInstead: 'Заплатить картой',
  qrLabel: 'QR-код с адресом страницы банка',
  bank: 'Тестовый банк: деньги не списываются',
  challengeTitle: 'Подтвердите оплату',
  challengeText: (card) => `Оплату картой ${card} нужно подтвердить (3-D Secure).`,
  code: 'Код из сообщения',
  codeHint: 'Подойдёт любой код, можно оставить поле пустым.',
  confirm: 'Подтвердить',
  refuse: 'Отказаться',
  sbpBankTitle: 'Оплата через СБП',
  sbpBankText: 'Банк отправит деньги, когда вы подтвердите оплату.',
  notFoundTitle: 'Такого платежа нет',
  notFoundText: 'Проверьте адрес.',
};

export const messagesIn = (locale: Locale): Messages => (locale === 'en_US' ? en : ru);
