import { toDecimal } from '../money/money.ts';

/** The behaviour of a card on the hosted page. Without any field it pays at once. */
export type CardBehaviour = {
  /** Asks for 3-D Secure first. */
  readonly challenge?: true;
  /** The issuer's decline reason. */
  readonly decline?: string;
  /** Authorises a tenth less or more than requested. */
  readonly holds?: 'less' | 'more';
  /** How many status queries are answered "pending" before the authorisation appears. */
  readonly pendingFor?: number;
  /** The authorisation is made, but the page and the next status query time out. */
  readonly page?: 'times_out';
  /** How many notifications of the payer's step are sent; one by default. */
  readonly notices?: 0 | 2;
  readonly capture?: 'fails_before' | 'fails_after' | 'pending' | 'lapses';
  /** The first void is refused. */
  readonly void?: 'refused_once';
  /** Refunds: pending for two status queries, always rejected, or the first rejected because our account there is empty. */
  readonly refund?: 'pending' | 'rejected' | 'account_empty_once';
  /** What happens two hours after the opening: captured after a decline, charged back, or a tenth less captured. */
  readonly later?: 'captured' | 'charged_back' | 'less';
};

/** The outcomes of a card payment. An order stores the outcome's name, never the card. */
export const cardOutcomes = [
  'paid',
  'declined',
  'insufficient_funds',
  'lost_card',
  'stolen_card',
  'expired_card',
  'incorrect_cvc',
  'processing_error',
  'challenge',
  'challenge_declined',
  'underpaid',
  'overpaid',
  'times_out',
  'late',
  'duplicate_notice',
  'lost_notice',
  'capture_fails_before',
  'capture_fails_after',
  'capture_pending',
  'capture_lapses',
  'void_refused_once',
  'limit_exceeded',
  'refund_pending',
  'refund_rejected',
  'refund_account_empty',
  'captured_after_decline',
  'charged_back',
  'capture_reduced',
] as const;
export type CardOutcome = (typeof cardOutcomes)[number];

const cardBehaviours: Readonly<Record<CardOutcome, CardBehaviour>> = {
  paid: {},
  declined: { decline: 'card_declined' },
  insufficient_funds: { decline: 'insufficient_funds' },
  lost_card: { decline: 'lost_card' },
  stolen_card: { decline: 'stolen_card' },
  expired_card: { decline: 'expired_card' },
  incorrect_cvc: { decline: 'incorrect_cvc' },
  processing_error: { decline: 'processing_error' },
  challenge: { challenge: true },
  challenge_declined: { challenge: true, decline: 'card_declined' },
  underpaid: { holds: 'less' },
  overpaid: { holds: 'more' },
  times_out: { page: 'times_out', notices: 0 },
  late: { pendingFor: 2, notices: 0 },
  duplicate_notice: { notices: 2 },
  lost_notice: { notices: 0 },
  capture_fails_before: { capture: 'fails_before' },
  capture_fails_after: { capture: 'fails_after' },
  capture_pending: { capture: 'pending' },
  capture_lapses: { capture: 'lapses' },
  void_refused_once: { void: 'refused_once' },
  limit_exceeded: { decline: 'limit_exceeded' },
  refund_pending: { refund: 'pending' },
  refund_rejected: { refund: 'rejected' },
  refund_account_empty: { refund: 'account_empty_once' },
  captured_after_decline: { decline: 'card_declined', later: 'captured' },
  charged_back: { later: 'charged_back' },
  capture_reduced: { later: 'less' },
};

/** The behaviour of the rail for a transfer. */
export const transferOutcomes = [
  'paid',
  'paid_later',
  'refused',
  'fails_before',
  'fails_after',
  'times_out',
  'garbled',
  'empty_account',
  'empty_later',
  'refused_later',
  'rejected',
  'forbidden',
  'busy',
] as const;
export type TransferOutcome = (typeof transferOutcomes)[number];

type Sentence = { readonly en: string; readonly ru: string };
type Row<Use, Becomes> = {
  readonly use: Use;
  readonly value: string;
  readonly outcome: Becomes;
} & Sentence;
type PaymentCard = Row<'payment card', CardOutcome>;
type StartOutcome = 'refused' | 'fails_before' | 'fails_after';
type StartValue = Row<'payment amount', StartOutcome>;
type PayoutValue = Row<'payout card' | 'payout phone' | 'payout amount', TransferOutcome>;

const card = (value: string, outcome: CardOutcome, en: string, ru: string): PaymentCard => ({
  use: 'payment card',
  value,
  outcome,
  en,
  ru,
});

/** The cards of the hosted page, by number. Any other valid number pays at once. */
export const paymentCards: readonly PaymentCard[] = [
  card('4111111111111111', 'paid', 'pays at once', 'платит сразу'),
  card('4242424242424242', 'paid', 'pays at once', 'платит сразу'),
  card('4000000000000002', 'declined', 'is declined', 'отклоняется'),
  card('4000000000009995', 'insufficient_funds', 'has insufficient funds', 'на карте не хватает средств'),
  card('4000000000009987', 'lost_card', 'is declined as lost', 'отклоняется как утерянная'),
  card('4000000000009979', 'stolen_card', 'is declined as stolen', 'отклоняется как украденная'),
  card('4000000000000069', 'expired_card', 'is declined as expired', 'отклоняется как просроченная'),
  card('4000000000000127', 'incorrect_cvc', 'is declined for a wrong CVC', 'отклоняется: неверный CVC'),
  card(
    '4000000000000119',
    'processing_error',
    'is declined by a processing error',
    'отклоняется: ошибка обработки',
  ),
  card('4000000000003220', 'challenge', 'asks for 3-D Secure, then pays', 'просит 3-D Secure, затем платит'),
  card(
    '4000008400001629',
    'challenge_declined',
    'asks for 3-D Secure, then is declined',
    'просит 3-D Secure, затем отклоняется',
  ),
  card('4000000000110009', 'underpaid', 'pays a tenth less than requested', 'платит на десятую часть меньше'),
  card('4000000000110017', 'overpaid', 'pays a tenth more than requested', 'платит на десятую часть больше'),
  card(
    '4000000000110025',
    'times_out',
    'is authorised, but the page and the next status query answer 504, and no notification is sent',
    'авторизуется, но страница и следующий запрос отвечают 504, а уведомления нет',
  ),
  card(
    '4000000000110033',
    'late',
    'is pending for two status queries, then authorised; no notification is sent',
    'два запроса отвечают «в обработке», затем авторизуется; уведомления нет',
  ),
  card(
    '4000000000110041',
    'duplicate_notice',
    'pays; the notification is sent twice',
    'платит; уведомление приходит дважды',
  ),
  card('4000000000110058', 'lost_notice', 'pays; the notification is lost', 'платит; уведомление теряется'),
  card(
    '4000000000110066',
    'capture_fails_before',
    'is authorised; the first capture answers 500 and does nothing',
    'авторизуется; первое списание отвечает 500 и ничего не делает',
  ),
  card(
    '4000000000110074',
    'capture_fails_after',
    'is authorised; the first capture succeeds, yet answers 500',
    'авторизуется; первое списание проходит, но отвечает 500',
  ),
  card(
    '4000000000110082',
    'capture_pending',
    'is authorised; the capture is pending for two status queries, then succeeds',
    'авторизуется; списание два запроса «в обработке», затем проходит',
  ),
  card(
    '4000000000110090',
    'capture_lapses',
    'is authorised; the authorisation has lapsed when the capture is requested',
    'авторизуется; к моменту списания авторизация снята',
  ),
  card(
    '4000000000110108',
    'void_refused_once',
    'is authorised; the first void is refused',
    'авторизуется; первая отмена отклоняется',
  ),
  card(
    '4000000000110207',
    'limit_exceeded',
    'is declined: it exceeds the limit of the card',
    'отклоняется: превышен лимит карты',
  ),
  card(
    '4000000000110215',
    'refund_pending',
    'pays; a refund is pending for two status queries, then succeeds',
    'платит; возврат два запроса «в обработке», затем проходит',
  ),
  card('4000000000110223', 'refund_rejected', 'pays; a refund is rejected', 'платит; возврат отклоняется'),
  card(
    '4000000000110231',
    'refund_account_empty',
    "pays; the first refund is rejected because the service's account at the provider is empty",
    'платит; первый возврат отклоняется: на счёте сервиса у провайдера пусто',
  ),
  card(
    '4000000000110249',
    'captured_after_decline',
    'is declined; two hours after the opening it is captured, where the sandbox does not promise that failures are final',
    'отклоняется; через два часа после открытия списывается, если песочница не обещает, что отказ окончателен',
  ),
  card(
    '4000000000110256',
    'charged_back',
    'pays; two hours after the opening it is charged back',
    'платит; через два часа после открытия платёж оспорен и возвращён',
  ),
  card(
    '4000000000110264',
    'capture_reduced',
    'pays; two hours after the opening the captured amount is a tenth less',
    'платит; через два часа после открытия списанная сумма на десятую часть меньше',
  ),
];

const descriptions: Readonly<Record<TransferOutcome, Sentence>> = {
  paid: { en: 'is paid at once', ru: 'выплачивается сразу' },
  paid_later: {
    en: 'is accepted, and paid at the third status query',
    ru: 'принимается, выплачивается к третьему запросу',
  },
  refused: { en: 'is permanently refused', ru: 'отклоняется окончательно' },
  fails_before: { en: 'answers 500 once and does nothing', ru: 'один раз отвечает 500 и ничего не делает' },
  fails_after: { en: 'is paid, yet answers 500', ru: 'выплачивается, но отвечает 500' },
  times_out: { en: 'is paid, yet the answer comes too late', ru: 'выплачивается, но ответ опаздывает' },
  garbled: { en: 'is paid, yet the answer is unreadable', ru: 'выплачивается, но ответ нечитаем' },
  empty_account: {
    en: "finds the provider's account empty once; the next attempt is paid",
    ru: 'один раз на счёте провайдера пусто; следующая попытка выплачивается',
  },
  empty_later: {
    en: "is accepted; the third status query finds the provider's account empty; the next attempt is paid",
    ru: 'принимается; третий запрос находит счёт провайдера пустым; следующая попытка выплачивается',
  },
  refused_later: {
    en: 'is accepted, and permanently refused at the third status query',
    ru: 'принимается, но к третьему запросу отклоняется окончательно',
  },
  rejected: {
    en: 'is answered 400, and no transfer is made',
    ru: 'ответ 400, перевод не создаётся',
  },
  forbidden: {
    en: 'is answered 403 once, as if the credentials were wrong; the next attempt is paid',
    ru: 'один раз ответ 403, будто доступ закрыт; следующая попытка выплачивается',
  },
  busy: {
    en: 'is answered 429 once; the next request is paid',
    ru: 'один раз ответ 429; следующий запрос выплачивается',
  },
};

const payout = (outcome: TransferOutcome, phone: string, number: string, amount: string): PayoutValue[] => [
  { use: 'payout card', value: number, outcome, ...descriptions[outcome] },
  { use: 'payout phone', value: phone, outcome, ...descriptions[outcome] },
  { use: 'payout amount', value: amount, outcome, ...descriptions[outcome] },
];

/**
 * The rail's cards, phones and amounts. Any other value is paid at once. The destination's outcome takes precedence over the amount's,
 * unless it is `paid`.
 */
export const payoutValues: readonly PayoutValue[] = [
  ...payout('paid', '79000000001', '4111111111111111', '4400.01'),
  ...payout('paid_later', '79000000002', '4000000000120024', '4400.02'),
  ...payout('refused', '79000000003', '4000000000000002', '4400.03'),
  ...payout('fails_before', '79000000004', '4000000000120040', '4400.04'),
  ...payout('fails_after', '79000000005', '4000000000120057', '4400.05'),
  ...payout('times_out', '79000000006', '4000000000120065', '4400.06'),
  ...payout('garbled', '79000000007', '4000000000120073', '4400.07'),
  ...payout('empty_account', '79000000008', '4000000000120081', '4400.08'),
  ...payout('empty_later', '79000000009', '4000000000120099', '4400.09'),
  ...payout('refused_later', '79000000010', '4000000000120107', '4400.10'),
  ...payout('rejected', '79000000011', '4000000000120115', '4400.11'),
  ...payout('forbidden', '79000000012', '4000000000120123', '4400.12'),
  ...payout('busy', '79000000013', '4000000000120131', '4400.13'),
];

const start = (value: string, outcome: StartOutcome, en: string, ru: string): StartValue => ({
  use: 'payment amount',
  value,
  outcome,
  en,
  ru,
});

/** The amounts to charge for which opening the page fails. */
const startValues: readonly StartValue[] = [
  start('4400.21', 'refused', 'is refused: no page is opened', 'отклоняется: страница не открывается'),
  start('4400.22', 'fails_before', 'answers 500 and opens no page', 'отвечает 500, страница не открывается'),
  start(
    '4400.23',
    'fails_after',
    'answers 500 once although the page is opened',
    'один раз отвечает 500, хотя страница открыта',
  ),
];

/** All documented values, for the documents and the card page. */
export const testValues: readonly (PaymentCard | StartValue | PayoutValue)[] = [
  ...paymentCards,
  ...startValues,
  ...payoutValues,
];

const cardByNumber = new Map(paymentCards.map(({ value, outcome }) => [value, outcome]));

/** The outcome that a card number selects. */
export const outcomeOfCard = (number: string): CardOutcome => cardByNumber.get(number) ?? 'paid';

/** How the opening of an order fails, by the amount to charge in minor units; undefined: it does not. */
export const outcomeOfStart = (amountMinor: bigint): StartOutcome | undefined =>
  startValues.find(({ value }) => value === toDecimal(amountMinor))?.outcome;

export const behaviourOf = (outcome: CardOutcome): CardBehaviour => cardBehaviours[outcome];

/** The outcome that a transfer's destination selects; with a destination that is paid, the amount selects it. */
export function outcomeOfTransfer(type: 'card' | 'sbp', account: string, amount: string): TransferOutcome {
  const named = (use: PayoutValue['use'], value: string) =>
    payoutValues.find((row) => row.use === use && row.value === value)?.outcome;
  const byDestination = named(type === 'card' ? 'payout card' : 'payout phone', account) ?? 'paid';
  return byDestination === 'paid' ? (named('payout amount', amount) ?? 'paid') : byDestination;
}
