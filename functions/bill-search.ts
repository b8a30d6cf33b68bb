import { searchBillsRoute } from '../lib/contract/search.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentBillStatus } from '../lib/http/present/bill.ts';
import { presentSearch, sentTo } from '../lib/http/present/search.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { searchPorts } from '../lib/runtime/search-ports.ts';
import { contacts } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';
import { searchBills, type SearchBillsPorts } from '../lib/search/search-bills.ts';

export const create = (deps: SearchBillsPorts & EndpointDeps) =>
  endpoint(searchBillsRoute, deps, {
    run: (sent, { caller }) => {
      const { start_date: start, finish_date: finish, per_page: perPage, cursor, ...filters } = sent;
      const { shop_id: shopId, order_id: orderId, status, type, active, ...rest } = filters;
      nothingLeft(rest);
      const query = { caller, dates: { start, finish }, perPage, cursor };
      return sentTo(sent, searchBills(deps, query, { shopId, orderId, status, type, active }));
    },
    present: presentSearch(searchBillsRoute.path, presentBillStatus),
  });

export const handler = lambdaHandler(() => create({ ...system, ...searchPorts(), contacts: contacts() }));
