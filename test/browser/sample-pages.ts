import { type Askable, askable } from '../../lib/bill/options.ts';
import type { FieldTroubles, Typed } from '../../lib/payment/payer-contact.ts';
import { toBillId, toPaymentId } from '../../lib/ids.ts';
import { aboutPage } from '../../lib/page/about-page.ts';
import { beingPaidPage } from '../../lib/page/being-paid-page.ts';
import type { BillToPay } from '../../lib/page/bill-summary.ts';
import { handOffPage } from '../../lib/page/hand-off-page.ts';
import { linkPage } from '../../lib/page/link-page.ts';
import { type End, messagePage } from '../../lib/page/message-page.ts';
import { outcomePage } from '../../lib/page/outcome-page.ts';
import type { Page, Reader } from '../../lib/page/page.ts';
import { type PaymentNotice, paymentPage } from '../../lib/page/payment-page.ts';
import { unpaidPage } from '../../lib/page/unpaid-page.ts';
import { waitingPage } from '../../lib/page/waiting-page.ts';
import type { DeclineReason, PaymentMethod } from '../../lib/payment/acquirer.ts';
import type { MethodForm } from '../../lib/payment/open-bill.ts';
import type { PaymentStatus } from '../../lib/payment/payment.ts';
import type { Unpaid } from '../../lib/payment/unpaid.ts';

export const sampleBill: BillToPay = {
  bill: {
    id: toBillId('aB3dE6gH9jK2mN5p'),
    name: 'Кружка «Утро», 2 шт.',
    description: 'Заказ № 1047 от 21 ноября',
    items: undefined,
    options: undefined,
  },
  shop: { name: 'Гончарная мастерская' },
  amount: { minor: 125_000n, currency: 'RUB' },
  surchargeMinor: 0n,
  chargeMinor: 125_000n,
};

const surcharged: BillToPay = { ...sampleBill, surchargeMinor: 2_500n, chargeMinor: 127_500n };

/** A bill of as many lines, which a short list shows and a long one folds. */
const itemized = (lines: number): BillToPay => ({
  ...surcharged,
  bill: {
    ...sampleBill.bill,
    items: Array.from({ length: lines }, (_, at) => ({
      name: at === 0 ? 'Кружка «Утро»' : 'Ш'.repeat(128),
      priceMinor: 12_345_678n,
      quantity: at === 0 ? '1' : '2.125',
      category: undefined,
    })),
  },
});

const million: BillToPay = { ...sampleBill, chargeMinor: 123_456_789n };

const endless: BillToPay = {
  bill: {
    id: toBillId('aB3dE6gH9jK2mN5p'),
    name: 'W'.repeat(255),
    description: `<b>"${'x'.repeat(240)}`,
    items: undefined,
    options: undefined,
  },
  shop: { name: 'Общество с ограниченной ответственностью «Длинноназванная торговая компания»' },
  amount: { minor: 9_999_999_999n, currency: 'KZT' },
  surchargeMinor: 199_999_999n,
  chargeMinor: 10_199_999_998n,
};

const payUrl = 'https://abcdefghij.execute-api.eu-central-1.amazonaws.com/prod/transfer/aB3dE6gH9jK2mN5p';
const token = `${'t'.repeat(22)}.1795230000.${'s'.repeat(43)}`;

const shopUrl = 'https://shop.example/cart';
const cardOnly = [{ method: 'card', token }] as const;
const cardAndSbp = [...cardOnly, { method: 'sbp', token }] as const;
const withContact = cardAndSbp.map((form) => ({ ...form, asks: 'email_or_phone' as const }));
const withEmail = [{ method: 'card', token, asks: 'email' }] as const;
type Shown = {
  readonly typed?: Typed;
  readonly fields?: readonly Askable[];
  readonly troubles?: FieldTroubles;
  readonly backTo?: string;
  readonly notice?: PaymentNotice;
  readonly forms?: readonly MethodForm[];
  readonly failedMethod?: PaymentMethod;
};

const payment =
  (bill: BillToPay, { notice, forms = cardOnly, failedMethod, backTo, ...asked }: Shown = {}) =>
  (reader: Reader) =>
    paymentPage(backTo === undefined ? reader : { ...reader, backTo }, {
      ...bill,
      ...asked,
      forms,
      notice,
      ...(failedMethod && { failedMethod }),
      acquirerSources: ['https://cards.example'],
    });

const outcome =
  (status: PaymentStatus, receivedMinor?: bigint, declineReason?: DeclineReason) => (reader: Reader) =>
    outcomePage(reader, {
      payment: {
        id: toPaymentId('aB3dE6gH9jK2mN5p00Qr7Tu8Vw'),
        status,
        amount: sampleBill.amount,
        surchargeMinor: 0n,
        receivedMinor,
        declineReason,
      },
      bill: sampleBill.bill,
      shop: sampleBill.shop,
      payUrl,
    });

const message = (end: End) => (reader: Reader) => messagePage(reader, end);

const handOff = (url: string, result: 'success' | 'fail') => (reader: Reader) =>
  handOffPage(reader, {
    url,
    isShops: true,
    outcome: result,
    fields: { InvId: '1047', OutSum: '1250.00', CurrencyIn: 'RUB', SignatureValue: 'AB'.repeat(16) },
    plainHttp: false,
  });

const waiting = (displaced: { readonly holds: boolean } | undefined) => (reader: Reader) =>
  waitingPage(reader, { checks: 0, key: 'the-key-of-the-way-back', displaced });

const now = new Date('2026-11-21T12:34:56Z');

const unpaid =
  (given: Partial<Unpaid> = {}) =>
  (reader: Reader): Page =>
    unpaidPage(reader, {
      checks: 0,
      key: 'the-key-of-the-way-back',
      payUrl,
      now,
      unpaid: {
        billId: sampleBill.bill.id,
        method: 'card',
        pageUrl: 'https://cards.example/page',
        until: new Date('2026-11-21T13:34:56Z'),
        againFrom: new Date('2026-11-21T12:49:56Z'),
        hasOtherWay: true,
        ...given,
      },
    });

const beingPaid =
  (until: Date | undefined) =>
  (reader: Reader): Page =>
    beingPaidPage(reader, { ...sampleBill, until }, { now, checks: 0 });

/** Every page that a payer can see. */
export const samplePages: Readonly<Record<string, (reader: Reader) => Page>> = {
  link: (reader) => linkPage(reader, { ...sampleBill, payUrl }),
  payment: payment(sampleBill),
  'payment-items': payment(itemized(4)),
  'payment-items-folded': payment(itemized(12)),
  'payment-card-or-sbp': payment(sampleBill, { forms: cardAndSbp }),
  'payment-sbp': payment(surcharged, { forms: [{ method: 'sbp', token }] }),
  'payment-contact': payment(surcharged, { forms: withContact }),
  'payment-contact-for-one-way': payment(sampleBill, { forms: [...withEmail, { method: 'sbp', token }] }),
  'payment-contact-missing': payment(sampleBill, { forms: withEmail, notice: 'contact_missing' }),
  'payment-contact-unreadable': payment(sampleBill, {
    forms: withContact,
    notice: 'contact_unreadable',
    typed: { contact: '"><b>ivan@'.padEnd(254, 'x') },
  }),
  'payment-fields': payment(surcharged, { forms: cardAndSbp, fields: askable, backTo: shopUrl }),
  'payment-fields-and-contact': payment(sampleBill, { forms: withEmail, fields: ['phone', 'comment'] }),
  'payment-fields-wrong': payment(sampleBill, {
    forms: withContact,
    fields: ['phone', 'name', 'comment'],
    notice: 'fields_wrong',
    typed: { contact: '', phone: '112', name: '', comment: `\n</textarea>"${'x'.repeat(480)}` },
    troubles: { contact: 'missing', phone: 'unreadable', name: 'missing' },
  }),
  'payment-no-method': payment(sampleBill, { forms: [] }),
  'payment-not-responding': payment(sampleBill, {
    notice: 'not_responding',
    forms: cardAndSbp,
    failedMethod: 'card',
  }),
  'payment-other-way': payment(sampleBill, { notice: 'other_way', forms: cardAndSbp }),
  'payment-method-refused': payment(sampleBill, { notice: 'method_refused' }),
  'payment-surcharge': payment(surcharged),
  'payment-endless': payment(endless),
  'payment-million': payment(million),
  'payment-failed-before': payment(sampleBill, { notice: 'failed_before' }),
  'payment-form-too-old': payment(sampleBill, { notice: 'form_too_old' }),
  'payment-foreign-form': payment(sampleBill, { notice: 'foreign_form' }),
  'not-found': message('not_found'),
  'no-page': message('no_page'),
  about: (reader) => aboutPage(reader, { openApiUrl: 'https://pay.example/openapi.json' }),
  paid: message('paid'),
  'switched-off': message('switched_off'),
  expired: message('expired'),
  'expired-back': (reader) => message('expired')({ ...reader, backTo: shopUrl }),
  'too-many-failures': message('too_many_failures'),
  'too-many-attempts': message('too_many_attempts'),
  'too-large': message('too_large'),
  unavailable: message('unavailable'),
  error: message('error'),
  waiting: waiting(undefined),
  displaced: waiting({ holds: true }),
  'displaced-without-hold': waiting({ holds: false }),
  unpaid: unpaid(),
  'unpaid-sbp': unpaid({
    method: 'sbp',
    againFrom: new Date('2026-11-21T13:34:56Z'),
    hasOtherWay: false,
  }),
  'unpaid-multi': unpaid({ againFrom: undefined }),
  'unpaid-lock-over': unpaid({ againFrom: new Date('2026-11-21T12:30:00Z') }),
  'being-paid': beingPaid(new Date('2026-11-21T12:46:00Z')),
  'being-paid-ending': beingPaid(new Date('2026-11-21T12:30:00Z')),
  'being-paid-soon': beingPaid(undefined),
  'hand-off-success': handOff('https://shop.example/paid', 'success'),
  'hand-off-fail': handOff('https://shop.example/failed', 'fail'),
  'outcome-paid': outcome('SUCCESS', 125_000n),
  'outcome-overpaid': outcome('OVERPAID', 130_000n),
  'outcome-underpaid': outcome('UNDERPAID', 100_000n),
  'outcome-failed': outcome('FAIL', undefined, 'insufficient_funds'),
  'outcome-refunded': outcome('FAIL', 125_000n),
  'outcome-waiting': outcome('PROCESS'),
  'outcome-unknown': (reader) => outcomePage(reader, undefined),
};
