import { Defect } from '../defect.ts';
import { languageNamed, preferredLanguage } from '../page/language.ts';
import { seeOther, type SandboxResponse } from './answer.ts';
import { cardErrors, digitsOf } from './card.ts';
import { cardPage, type CardForm } from './card-page.ts';
import { challengeCode, challengePage, expiredPage, timedOutPage, unknownPage } from './challenge-page.ts';
import { expiredOutcome } from './changes.ts';
import type { SandboxDeps } from './deps.ts';
import { notify } from './notice.ts';
import type { Order, OrderStep } from './order.ts';
import { findOrder, isOrder, moveOrder } from './orders.ts';
import { abandon, answerChallenge, payBySbp, payWithCard } from './payer-steps.ts';
import { field, type Request } from './request.ts';
import { sbpPage } from './sbp-page.ts';
import { isEqual } from './secret.ts';

/** GET and POST card/{order}, sbp/{order} and 3ds/{order}: what the payer sees. */
export async function pages(deps: SandboxDeps, request: Request): Promise<SandboxResponse> {
  const order = await orderOfPage(deps, request);
  if (!order) return unknownPage(languageOf(request));
  const [page = ''] = request.path;
  if (page !== pageOf(order)) return onward(order, request);
  if (page === '3ds') return challenge(deps, request, order);
  return page === 'sbp' ? sbp(deps, request, order) : card(deps, request, order);
}

export const languageOf = ({ lang, headers }: Request) =>
  languageNamed(lang) ?? preferredLanguage(headers['accept-language']);

/** The URL holds the order's reference and the page's secret, which only the payer has. */
async function orderOfPage(deps: SandboxDeps, { path }: Request): Promise<Order | undefined> {
  const [reference = '', key = ''] = (path[1] ?? '').split('.');
  const known = reference === '' || path.length > 2 ? undefined : await findOrder(deps, reference);
  return isOrder(known) && isEqual(known.pageKey, key) ? known : undefined;
}

/** The page of an order on which the payer has something to do. */
function pageOf({ state, method }: Order): string | undefined {
  if (state === 'open') return method;
  return state === 'challenged' ? '3ds' : undefined;
}

/** Redirects to the page for the order's state, or back to the shop when the payer has nothing left to do. */
function onward(order: Order, request: Request): SandboxResponse {
  const { lang, path } = request;
  const here = path[1] ?? '';
  const language = languageNamed(lang);
  const query = language ? `?lang=${language}` : '';
  const page = pageOf(order);
  if (page !== undefined) return seeOther(`../${page}/${here}${query}`);
  if (order.outcome === expiredOutcome) return expiredPage(order, languageOf(request));
  return seeOther(order.returnUrl);
}

async function card(deps: SandboxDeps, request: Request, order: Order): Promise<SandboxResponse> {
  const shown = { language: languageOf(request), now: deps.now() };
  if (request.method !== 'POST') return cardPage(order, shown);
  if (field(request, 'do') === 'abandon') return take(deps, request, order, abandon);

  const form = cardForm(request);
  const errors = cardErrors(form, shown.now);
  if (Object.keys(errors).length > 0) return cardPage(order, shown, form, errors);
  return take(deps, request, order, (now) => payWithCard(now, digitsOf(form.number)));
}

async function sbp(deps: SandboxDeps, request: Request, order: Order): Promise<SandboxResponse> {
  if (request.method !== 'POST') return sbpPage(order, languageOf(request), deps.now());
  return take(deps, request, order, field(request, 'do') === 'abandon' ? abandon : payBySbp);
}

const cardForm = (request: Request): CardForm => ({
  number: field(request, 'number'),
  expiry: field(request, 'expiry'),
  cvc: field(request, 'cvc'),
  holder: field(request, 'holder'),
});

async function challenge(deps: SandboxDeps, request: Request, order: Order): Promise<SandboxResponse> {
  if (request.method !== 'POST') return challengePage(order, languageOf(request));
  if (field(request, 'answer') === 'refuse')
    return take(deps, request, order, (now) => answerChallenge(now, 'refuse'));
  const code = field(request, 'code').trim();
  if (code !== '' && code !== challengeCode) return challengePage(order, languageOf(request), true);
  return take(deps, request, order, (now) => answerChallenge(now, 'confirm'));
}

/** Of several browsers with one order, one takes the step and notifies the shop; all are redirected. */
async function take(
  deps: SandboxDeps,
  request: Request,
  order: Order,
  decide: (order: Order) => OrderStep | undefined,
): Promise<SandboxResponse> {
  const { is, step } = await moveOrder(deps, order.reference, decide);
  if (!isOrder(is)) throw new Defect('SANDBOX_ORDER_MISSING', 'an order vanished');
  if (step) await notify(deps, is);
  return step?.fault ? timedOutPage(is, languageOf(request)) : onward(is, request);
}
