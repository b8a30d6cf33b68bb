import { billStatusRoute, createBillRoute, toggleBillActivityRoute } from './bill.ts';
import { merchantBalanceRoute } from './merchant.ts';
import { billPaymentsRoute, paymentStatusRoute } from './payment.ts';
import {
  cancelPayoutRoute,
  createPersonalPayoutRoute,
  createRegularPayoutRoute,
  payoutStatusRoute,
  quotePayoutRoute,
  sbpBanksRoute,
} from './payout.ts';
import { searchBillsRoute, searchPaymentsRoute, searchPayoutsRoute, searchRefundsRoute } from './search.ts';
import { createFullRefundRoute, createPartialRefundRoute, refundStatusRoute } from './refund.ts';
import { listPostbacksRoute, replayPostbackRoute, testPostbackRoute } from './postback.ts';
import type { ApiRoute } from './route.ts';

/** One Lambda function behind the gateway. `{name}` marks a path parameter. */
export type Route = {
  readonly function: string;
  readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'ANY')[];
  readonly paths: readonly string[];
  readonly access: 'bearer' | 'public';
};

/** The merchant's API, in the order of contract 4; additions follow. */
export const contract: readonly ApiRoute[] = [
  createBillRoute,
  toggleBillActivityRoute,
  billPaymentsRoute,
  billStatusRoute,
  paymentStatusRoute,
  merchantBalanceRoute,
  createPersonalPayoutRoute,
  createRegularPayoutRoute,
  payoutStatusRoute,
  sbpBanksRoute,
  quotePayoutRoute,
  cancelPayoutRoute,
  searchBillsRoute,
  searchPaymentsRoute,
  searchPayoutsRoute,
  searchRefundsRoute,
  createFullRefundRoute,
  createPartialRefundRoute,
  refundStatusRoute,
  listPostbacksRoute,
  replayPostbackRoute,
  testPostbackRoute,
];

export const apiRoutes: readonly Route[] = contract.map(({ function: name, method, path }) => ({
  function: name,
  methods: [method],
  paths: [path],
  access: 'bearer',
}));

const open = (name: string, methods: Route['methods'], ...paths: string[]): Route => ({
  function: name,
  methods,
  paths,
  access: 'public',
});

/** The OpenAPI document, the payer's pages, the providers' notifications, and a fallback for all other paths. */
export const publicRoutes: readonly Route[] = [
  open('openapi', ['GET'], '/openapi.json'),
  open('link-page', ['GET', 'HEAD'], '/link/{bill}'),
  open('pay-page', ['GET', 'HEAD'], '/transfer/{bill}'),
  open('pay-submit', ['POST'], '/transfer/{bill}'),
  open('result-page', ['GET', 'POST'], '/result/{payment}'),
  open('redirect-page', ['GET', 'POST'], '/redirect/payment/success', '/redirect/payment/fail'),
  open('acquirer-notification', ['POST'], '/acquirer/notification'),
  open('provider-notification', ['POST'], '/acquirer/{provider}/{secret}'),
  open('fallback', ['ANY'], '/', '/{proxy+}'),
];

/** Only in environments with the sandbox provider. */
export const sandboxRoutes: readonly Route[] = [open('sandbox', ['ANY'], '/sandbox/{proxy+}')];
