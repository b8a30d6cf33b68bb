import { create as billCreate } from '../../functions/bill-create.ts';
import { create as billPayments } from '../../functions/bill-payments.ts';
import { create as billSearch } from '../../functions/bill-search.ts';
import { create as billStatus } from '../../functions/bill-status.ts';
import { create as billToggle } from '../../functions/bill-toggle-activity.ts';
import { create as merchantBalance } from '../../functions/merchant-balance.ts';
import { create as paymentSearch } from '../../functions/payment-search.ts';
import { create as paymentStatus } from '../../functions/payment-status.ts';
import { create as personalPayout } from '../../functions/payout-personal-create.ts';
import { create as regularPayout } from '../../functions/payout-regular-create.ts';
import { create as payoutCancel } from '../../functions/payout-cancel.ts';
import { create as payoutQuote } from '../../functions/payout-quote.ts';
import { create as sbpBanks } from '../../functions/payout-sbp-banks.ts';
import { create as payoutSearch } from '../../functions/payout-search.ts';
import { create as payoutStatus } from '../../functions/payout-status.ts';
import { create as fullRefund } from '../../functions/refund-full-create.ts';
import { create as partialRefund } from '../../functions/refund-partial-create.ts';
import { create as refundSearch } from '../../functions/refund-search.ts';
import { create as refundStatus } from '../../functions/refund-status.ts';
import { create as postbackList } from '../../functions/postback-list.ts';
import { create as postbackReplay } from '../../functions/postback-replay.ts';
import { create as postbackTest } from '../../functions/postback-test.ts';
import type { ApiHandler } from '../../lib/http/endpoint.ts';
import type { ServiceHarness } from './service-harness.ts';

/** The handler of each endpoint of the contract, by path. */
export const handlers = {
  '/bill/create': billCreate,
  '/bill/toggle_activity': billToggle,
  '/bill/payments': billPayments,
  '/bill/status': billStatus,
  '/payment/status': paymentStatus,
  '/merchant/balance': merchantBalance,
  '/payout/personal/create': personalPayout,
  '/payout/regular/create': regularPayout,
  '/payout/status': payoutStatus,
  '/payout/dictionaries/sbp_banks': sbpBanks,
  '/payout/quote': payoutQuote,
  '/payout/cancel': payoutCancel,
  '/bill/search': billSearch,
  '/payment/search': paymentSearch,
  '/payout/search': payoutSearch,
  '/refund/search': refundSearch,
  '/refund/full/create': fullRefund,
  '/refund/partial/create': partialRefund,
  '/refund/status': refundStatus,
  '/postback/list': postbackList,
  '/postback/replay': postbackReplay,
  '/postback/test': postbackTest,
} satisfies Readonly<Record<string, (harness: ServiceHarness) => ApiHandler>>;

export type Path = keyof typeof handlers;
export const paths = Object.keys(handlers).filter((path): path is Path => path in handlers);
