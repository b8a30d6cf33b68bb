import { searchPaymentsRoute } from '../lib/contract/search.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPayment } from '../lib/http/present/payment.ts';
import { presentSearch, sentTo } from '../lib/http/present/search.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { methodNamed } from '../lib/bill/payment-method.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { searchPorts } from '../lib/runtime/search-ports.ts';
import { system } from '../lib/runtime/system.ts';
import { searchPayments } from '../lib/search/search-payments.ts';
import type { SearchPorts } from '../lib/search/search.ts';

export const create = (deps: SearchPorts & EndpointDeps) =>
  endpoint(searchPaymentsRoute, deps, {
    run: (sent, { caller }) => {
      const { start_date: start, finish_date: finish, per_page: perPage, cursor, ...filters } = sent;
      const { shop_id: shopId, bill_id: billId, order_id: orderId, status, ...others } = filters;
      const { payment_method: method, ...rest } = others;
      nothingLeft(rest);
      const query = { caller, dates: { start, finish }, perPage, cursor };
      const named = { shopId, billId, orderId, status, method: method && methodNamed(method) };
      return sentTo(sent, searchPayments(deps, query, named));
    },
    present: presentSearch(searchPaymentsRoute.path, presentPayment),
  });

export const handler = lambdaHandler(() => create({ ...system, ...searchPorts() }));
