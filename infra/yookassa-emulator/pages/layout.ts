import { createHash } from 'node:crypto';
import { html, type Html } from '../../../lib/page/html.ts';
import type { PayerMethod } from '../acts.ts';
import { messagesIn, type Locale } from './messages.ts';
import { style } from './style.ts';

/** An HTTP answer of a page. */
export type PageAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The amount and the texts that every page shows, and where its forms may lead. */
export type Checkout = {
  readonly paymentId: string;
  readonly amount: { readonly value: string; readonly currency: string };
  readonly description: string | undefined;
  readonly locale: Locale;
  readonly returnUrl: string;
  /** The methods that the payer may choose from. */
  readonly methods: readonly PayerMethod[];
  /** `555555******4477` of a card that waits for its 3-D Secure confirmation. */
  readonly card: string | undefined;
};

type Page = {
  readonly status?: number;
  readonly locale: Locale;
  /** What the page asks of the payer, for scripted payers: `main[data-page]`. */
  readonly kind: 'card' | 'challenge' | 'sbp' | 'to-bank' | 'sbp-bank' | 'problem';
  readonly title: string;
  readonly body: Html;
  /** The URLs that a form of the page is redirected to: browsers apply `form-action` to redirects as well. */
  readonly leadsTo?: readonly string[];
  readonly origin: 'checkout' | 'bank';
  /** Reloads the page after so many seconds, so that a payment made on another device is seen. */
  readonly reloadSeconds?: number;
};

const styleHash = createHash('sha256').update(style.toString()).digest('base64');

const policy = (leadsTo: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ["form-action 'self'", ...new Set(leadsTo.map((url) => new URL(url).origin))].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A page without scripts and external resources, never cached. */
export function page({ status = 200, locale, kind, title, body, leadsTo = [], origin, reloadSeconds }: Page) {
  const { language, testShop, bank } = messagesIn(locale);
  const document = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
<body><header>${origin === 'bank' ? bank : testShop}</header><main data-page="${kind}">${body}</main></body></html>`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(leadsTo),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'strict-origin',
      'X-Content-Type-Options': 'nosniff',
      ...(reloadSeconds !== undefined && { Refresh: String(reloadSeconds) }),
    },
    body: document.toString(),
  } satisfies PageAnswer;
}

export const seeOther = (location: string): PageAnswer => ({
  status: 303,
  headers: { Location: location, 'Cache-Control': 'no-store' },
  body: '',
});

/** `1 250,00 ₽` or `₽1,250.00`. The text of the amount is formatted, never a float. */
export function shownAmount({ amount, locale }: Checkout): string {
  const [whole = '0', fraction = '00'] = amount.value.split('.');
  const format = new Intl.NumberFormat(messagesIn(locale).language, {
    style: 'currency',
    currency: amount.currency,
    currencyDisplay: 'narrowSymbol',
  });
  const parts = format.formatToParts(BigInt(whole));
  return parts.map(({ type, value }) => (type === 'fraction' ? fraction : value)).join('');
}

/** Title, what is paid for, and the amount. */
export function summary(checkout: Checkout, title: string): Html {
  const { toPay } = messagesIn(checkout.locale);
  return html`<h1>${title}</h1>${
    checkout.description !== undefined &&
    html`
<p class="quiet"><bdi>${checkout.description}</bdi></p>`
  }
<p class="quiet">${toPay}</p><p class="amount">${shownAmount(checkout)}</p>`;
}
