import { searchRefundsRoute } from '../lib/contract/search.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentRefund } from '../lib/http/present/refund.ts';
import { presentSearch, sentTo } from '../lib/http/present/search.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { searchPorts } from '../lib/runtime/search-ports.ts';
import { system } from '../lib/runtime/system.ts';
import { searchRefunds } from '../lib/search/search-refunds.ts';
import type { SearchPorts } from '../lib/search/search.ts';

export const create = (deps: SearchPorts & EndpointDeps) =>
  endpoint(searchRefundsRoute, deps, {
    run: (sent, { caller }) => {
      const { start_date: start, finish_date: finish, per_page: perPage, cursor, ...filters } = sent;
      const { payment_id: paymentId, bill_id: billId, status, ...rest } = filters;
      nothingLeft(rest);
      const query = { caller, dates: { start, finish }, perPage, cursor };
      return sentTo(sent, searchRefunds(deps, query, { paymentId, billId, status }));
    },
    present: presentSearch(searchRefundsRoute.path, presentRefund),
  });

export const handler = lambdaHandler(() => create({ ...system, ...searchPorts() }));
