import type { Bill } from '../bill/bill.ts';
import type { Shop } from '../merchant/shop.ts';
import { chargeMinor, isToBeRefunded, type Payment, type PaymentStatus } from '../payment/payment.ts';
import { shownAmount } from './amount.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import { messagesIn } from './messages.ts';
import { type Page, queryOf, type Reader } from './page.ts';
import { sign, type Tone } from './signs.ts';

type ShownPayment = {
  readonly payment: Pick<
    Payment,
    'id' | 'status' | 'amount' | 'surchargeMinor' | 'receivedMinor' | 'declineReason'
  >;
  readonly bill: Pick<Bill, 'name' | 'description'>;
  readonly shop: Pick<Shop, 'name'> | undefined;
  /** The payment page, for another attempt after a failure. */
  readonly payUrl: string;
};

type ShownOutcome = PaymentStatus | 'refunded' | 'unknown';

const words = {
  SUCCESS: ['paid', 'good'],
  OVERPAID: ['overpaid', 'good'],
  UNDERPAID: ['underpaid', 'calm'],
  FAIL: ['failed', 'bad'],
  PROCESS: ['waiting', 'calm'],
  refunded: ['refunded', 'calm'],
  unknown: ['unknown', 'quiet'],
} as const satisfies Readonly<Record<ShownOutcome, readonly [string, Tone]>>;

/**
 * `/redirect/payment/success` and `/fail`, the service's own pages for shops without a URL. They show the stored outcome,
 * whatever was posted and to whichever of the two, and why a payment failed. Without a payment they say nothing about money.
 */
export function outcomePage(reader: Reader, shown: ShownPayment | undefined): Page {
  const is = shown ? outcomeOf(shown) : 'unknown';
  const [heading, text] = messagesIn(reader.language).outcomes[is];
  const [outcome, tone] = words[is];
  const reason = is === 'FAIL' ? shown?.payment.declineReason : undefined;
  const markup = layout(reader, {
    title: heading,
    name: 'outcome',
    outcome,
    keep: shown ? { TrsId: shown.payment.id } : {},
    body: html`${sign(tone)}
<h1>${heading}</h1>
<p>${reason && html`${messagesIn(reader.language).declined[reason]} `}${text}</p>
${shown && details(reader, shown)}
${is === 'FAIL' && html`<a class="button" href="${shown?.payUrl}${queryOf(reader)}">${messagesIn(reader.language).retry}</a>`}`,
  });
  return { status: 200, markup };
}

const outcomeOf = ({ payment }: ShownPayment): ShownOutcome =>
  isToBeRefunded(payment) ? 'refunded' : payment.status;

function details({ language }: Reader, { payment, bill, shop }: ShownPayment): Html {
  const texts = messagesIn(language);
  const purpose = bill.name ?? bill.description;
  const { currency } = payment.amount;
  const received = payment.receivedMinor;
  return html`<dl>
${shop && html`<dt>${texts.payment.to}</dt><dd><bdi>${shop.name}</bdi></dd>`}
${purpose !== undefined && html`<dt>${texts.purpose}</dt><dd><bdi>${purpose}</bdi></dd>`}
<dt>${texts.payment.amount}</dt><dd>${shownAmount({ minor: chargeMinor(payment), currency }, language)}</dd>
${received !== undefined && html`<dt>${texts.received}</dt><dd>${shownAmount({ minor: received, currency }, language)}</dd>`}
</dl>
<p class="quiet">${texts.reference}: ${payment.id}</p>`;
}
