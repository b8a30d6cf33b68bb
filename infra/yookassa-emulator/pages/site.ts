import {
  bankPageOf,
  challengeUrl,
  checkoutUrl,
  isVisited,
  type PageOrigins,
  paymentOfCheckout,
  visitedUrl,
  visitUrl,
} from './addresses.ts';
import { readCard } from './card-form.ts';
import { cardPage } from './card-page.ts';
import { challengePage, toBankPage, unknownPage } from './challenge-page.ts';
import { type Checkout, type PageAnswer, seeOther } from './layout.ts';
import type { Locale } from './messages.ts';
import { sbpBankPage, sbpPage } from './sbp-page.ts';
import type { PayerCard } from '../acts.ts';

/** A browser's request to one of the two page origins. */
export type PageRequest = {
  readonly method: string;
  readonly url: URL;
  /** The fields of a submitted form. */
  readonly form: URLSearchParams;
  readonly acceptLanguage: string | undefined;
};

/** The page that the payer is on. `challenge`: the issuer asks for 3-D Secure. `closed`: nothing is left to do. */
export type PayerView = {
  readonly step: 'card' | 'sbp' | 'challenge' | 'closed';
  readonly checkout: Checkout;
};

/** What a payer can do with a payment. An act that the payment's state no longer allows changes nothing. */
export type PayerSide = {
  readonly now: () => Date;
  /** Returns the payment as its payer sees it, after what was due has happened. */
  readonly find: (paymentId: string) => PayerView | undefined;
  readonly payByCard: (paymentId: string, card: PayerCard) => void;
  readonly answerChallenge: (paymentId: string, answer: 'confirm' | 'refuse') => void;
  readonly chooseSbp: (paymentId: string) => void;
  readonly paySbp: (paymentId: string) => void;
};

type Site = (request: PageRequest) => PageAnswer;

/**
 * The vendor's hosted page: `GET` shows it, after a redirect over the third origin, `POST` pays by card or chooses SBP. A shop whose
 * page limits `form-action` to the address of the `confirmation_url` finds that a browser stops there.
 */
export function checkoutSite(payers: PayerSide, origins: PageOrigins): Site {
  return (request) => {
    const paymentId = paymentOfCheckout(request.url);
    const found = paymentId === undefined ? undefined : payers.find(paymentId);
    if (!found) return unknownPage(languageOf(request), 'checkout');
    const { step, checkout } = found;
    if (step === 'closed') return seeOther(checkout.returnUrl);
    if (step === 'challenge') return toBankPage(checkout, challengeUrl(origins, checkout.paymentId));
    if (request.method === 'POST') return submitted(payers, origins, request, checkout);
    if (!isVisited(request.url)) return seeOther(visitUrl(origins, checkout.paymentId));
    const wantsCard = request.url.searchParams.get('method') === 'bank_card';
    return step === 'card' || (wantsCard && checkout.methods.includes('bank_card'))
      ? cardPage(checkout, cardLeadsTo(origins, checkout))
      : sbpPage(checkout, origins);
  };
}

function submitted(
  payers: PayerSide,
  origins: PageOrigins,
  { form }: PageRequest,
  checkout: Checkout,
): PageAnswer {
  const { paymentId, methods, returnUrl } = checkout;
  if (form.get('method') === 'sbp' || !methods.includes('bank_card')) {
    payers.chooseSbp(paymentId);
    return seeOther(checkoutUrl(origins, paymentId));
  }
  const typed = { number: text(form, 'number'), expiry: text(form, 'expiry'), cvc: text(form, 'cvc') };
  const read = readCard(typed, payers.now());
  if (!read.ok) return cardPage(checkout, cardLeadsTo(origins, checkout), typed, read.errors);
  payers.payByCard(paymentId, read.card);
  const isChallenged = payers.find(paymentId)?.step === 'challenge';
  return seeOther(isChallenged ? challengeUrl(origins, paymentId) : returnUrl);
}

const cardLeadsTo = (origins: PageOrigins, { paymentId, returnUrl }: Checkout): readonly string[] => [
  challengeUrl(origins, paymentId),
  returnUrl,
];

/** The bank's pages: 3-D Secure, and the confirmation of an SBP payment. Both lead back to the hosted page. */
export function bankSite(payers: PayerSide, origins: PageOrigins): Site {
  return (request) => {
    const named = bankPageOf(request.url);
    const found = named && payers.find(named.paymentId);
    if (!found) return unknownPage(languageOf(request), 'bank');
    const { step, checkout } = found;
    const back = checkoutUrl(origins, checkout.paymentId);
    if (named.page === 'visit') return seeOther(visitedUrl(origins, checkout.paymentId));
    if (step !== (named.page === '3ds' ? 'challenge' : 'sbp')) return seeOther(back);
    if (request.method !== 'POST') {
      const leadsTo = [back, checkout.returnUrl];
      return named.page === '3ds' ? challengePage(checkout, leadsTo) : sbpBankPage(checkout, leadsTo);
    }
    const answer = request.form.get('answer') === 'refuse' ? 'refuse' : 'confirm';
    if (named.page === '3ds') payers.answerChallenge(checkout.paymentId, answer);
    else if (answer === 'confirm') payers.paySbp(checkout.paymentId);
    return seeOther(back);
  };
}

const text = (form: URLSearchParams, name: string): string => (form.get(name) ?? '').slice(0, 60);

/** Without a payment there is no `locale`, so the browser's preference counts. */
const languageOf = ({ acceptLanguage }: PageRequest): Locale =>
  /^en\b/i.test(acceptLanguage ?? '') ? 'en_US' : 'ru_RU';
