import { readPaymentId, readPayoutId, readRefundId } from '../ids.ts';
import type { Chargebacks } from '../ledger/chargeback.ts';
import { type Caller, whyRefused } from '../merchant/merchant.ts';
import { isFinalPayment, isPaid, type Payment } from '../payment/payment.ts';
import type { Payments } from '../payment/ports.ts';
import type { Payouts } from '../payout/ports.ts';
import {
  chargebackEventId,
  isEventId,
  paymentEventId,
  payoutEventId,
  type PostbackEvent,
  refundEventId,
} from '../postback/event.ts';
import type { Events } from '../postback/ports.ts';
import type { Refunds } from '../refund/ports.ts';
import { dayOf } from '../reconciliation/day.ts';
import { fail, ok, type Result } from '../result.ts';
import { fillPage, type Place } from './fill-page.ts';
import { listingOf } from './listing.ts';
import type { Listings } from './ports.ts';

export type ListPostbacksPorts = {
  readonly events: Pick<Events, 'findAll'>;
  readonly payments: Pick<Payments, 'find'>;
  readonly payouts: Pick<Payouts, 'find'>;
  readonly chargebacks: Pick<Chargebacks, 'ofPayment'>;
  readonly refunds: Pick<Refunds, 'ofPayment'>;
  readonly listings: Pick<Listings, 'events'>;
  readonly timeZone: string;
};

/** Which postbacks: the first of these that is given. Ids may be any text; `date` is a date of the calendar. */
type PostbackQuery = {
  readonly id: string | undefined;
  readonly paymentId: string | undefined;
  readonly payoutId: string | undefined;
  readonly refundId: string | undefined;
  readonly date: string | undefined;
};

type Query = PostbackQuery & {
  readonly caller: Caller;
  readonly perPage: number;
  readonly cursor: string | undefined;
};

/** One page of postbacks, newest first. */
export type PostbackPage = {
  readonly events: readonly PostbackEvent[];
  readonly perPage: number;
  readonly next: string | undefined;
  readonly previous: string | undefined;
};

const merchantRefusals = ['merchant_not_found', 'merchant_banned'] as const;
type NotFound = 'postback_not_found' | 'payment_not_found' | 'payout_not_found';
export type ListPostbacksRefusal = (typeof merchantRefusals)[number] | NotFound | 'unknown_cursor';

/** Every item of this service was created in this time. */
const always = { from: new Date('2020-01-01T00:00:00.000Z'), to: new Date('2100-01-01T00:00:00.000Z') };

/**
 * Returns the caller's postbacks with their attempts: of a payment (with those of its refunds and chargebacks), a payout, a refund or a day of the
 * environment's time zone.
 */
export async function listPostbacks(
  ports: ListPostbacksPorts,
  query: Query,
): Promise<Result<PostbackPage, ListPostbacksRefusal>> {
  const { caller, perPage, cursor } = query;
  const refusal = whyRefused(caller, merchantRefusals);
  if (refusal) return fail(refusal);
  const place = cursor === undefined ? undefined : readPlace(cursor);
  if (cursor !== undefined && !place) return fail('unknown_cursor');

  const { merchantId } = caller;
  const found = await eventIds(ports, query);
  if (typeof found === 'string') return fail(found);
  const listing = found
    ? listingOf((await ports.events.findAll(found)).filter((event) => event.merchantId === merchantId))
    : ports.listings.events({ merchantId, shards: 1 });
  const window = found || query.date === undefined ? always : dayOf(query.date, ports.timeZone);
  const page = await fillPage(listing, { window, place, perPage, matches: undefined });
  if (query.id !== undefined && page.items.length === 0) return fail('postback_not_found');
  return ok({
    events: page.items,
    perPage,
    next: page.next && placeText(page.next),
    previous: page.previous && placeText(page.previous),
  });
}

/** The ids that the postbacks can have; undefined: those of a day are listed. */
async function eventIds(
  ports: ListPostbacksPorts,
  { caller, id, paymentId, payoutId, refundId }: Query,
): Promise<readonly string[] | undefined | NotFound> {
  if (id !== undefined) return isEventId(id) ? [id] : 'postback_not_found';
  if (paymentId !== undefined) return ofPayment(ports, caller, paymentId);
  if (payoutId !== undefined) return ofPayout(ports, caller, payoutId);
  if (refundId === undefined) return undefined;
  const refund = readRefundId(refundId);
  return refund === undefined ? [] : ['SUCCESS', 'FAIL'].map((status) => refundEventId(refund, status));
}

/** Another merchant's payment is indistinguishable from a missing one; the same goes for a payout. */
async function ofPayment(
  { payments, chargebacks, refunds }: ListPostbacksPorts,
  { merchantId }: Caller,
  text: string,
): Promise<readonly string[] | 'payment_not_found'> {
  const id = readPaymentId(text);
  const payment = id && (await payments.find(id));
  if (payment?.merchantId !== merchantId) return 'payment_not_found';
  if (!isPaid(payment)) return ownEvents(payment);
  const [charged, refunded] = await Promise.all([
    chargebackEvents(chargebacks, payment),
    payment.refunds ? refunds.ofPayment(payment.id) : [],
  ]);
  const ended = refunded.map(({ id: refund, status }) => refundEventId(refund, status));
  return [...ownEvents(payment), ...charged, ...ended];
}

const ownEvents = (payment: Payment): readonly string[] =>
  isFinalPayment(payment) ? [paymentEventId(payment.id, payment.status)] : [];

const chargebackEvents = async (
  chargebacks: ListPostbacksPorts['chargebacks'],
  { id }: Payment,
): Promise<readonly string[]> =>
  (await chargebacks.ofPayment(id))
    .filter(({ status }) => status === 'CONFIRMED')
    .map((chargeback) => chargebackEventId(chargeback, chargeback.status));

async function ofPayout(
  { payouts }: ListPostbacksPorts,
  { merchantId }: Caller,
  text: string,
): Promise<readonly string[] | 'payout_not_found'> {
  const id = readPayoutId(text);
  const payout = id && (await payouts.find(id));
  if (payout?.merchantId !== merchantId) return 'payout_not_found';
  // A payout that was returned after its SUCCESS has a postback of each.
  return ['SUCCESS', 'FAIL', 'DECLINED'].map((status) => payoutEventId(payout.id, status));
}

const placeText = ({ cut, direction }: Place): string =>
  Buffer.from(`${direction} ${cut}`).toString('base64url');

const shape = /^(older|newer) (20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z(?:#[\w.]{1,128} ?)?)$/;

/** Reads a cursor; undefined for other text. A place of another day only leads to an empty page of this one. */
function readPlace(text: string): Place | undefined {
  const [, direction, cut] = shape.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (cut === undefined || Number.isNaN(Date.parse(cut.slice(0, 24)))) return undefined;
  return { cut, direction: direction === 'newer' ? 'newer' : 'older' };
}
