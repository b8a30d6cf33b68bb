import { searchPayoutsRoute } from '../lib/contract/search.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPayoutPart } from '../lib/http/present/payout.ts';
import { presentSearch, sentTo } from '../lib/http/present/search.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { searchPorts } from '../lib/runtime/search-ports.ts';
import { system } from '../lib/runtime/system.ts';
import { searchPayouts } from '../lib/search/search-payouts.ts';
import type { SearchPorts } from '../lib/search/search.ts';

export const create = (deps: SearchPorts & EndpointDeps) =>
  endpoint(searchPayoutsRoute, deps, {
    run: (sent, { caller }) => {
      const { start_date: start, finish_date: finish, per_page: perPage, cursor, ...filters } = sent;
      const { order_id: orderId, status, account_type: accountType, ...rest } = filters;
      nothingLeft(rest);
      const query = { caller, dates: { start, finish }, perPage, cursor };
      return sentTo(sent, searchPayouts(deps, query, { orderId, status, accountType }));
    },
    present: presentSearch(searchPayoutsRoute.path, presentPayoutPart),
  });

export const handler = lambdaHandler(() => create({ ...system, ...searchPorts() }));
