import { getBill, type GetBillPorts } from '../lib/bill/get-bill.ts';
import { billStatusRoute } from '../lib/contract/bill.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentBillStatus } from '../lib/http/present/bill.ts';

export const create = (deps: GetBillPorts & EndpointDeps) =>
  endpoint(billStatusRoute, deps, {
    run: ({ id }, { caller }) => getBill(deps, { caller, id }),
    present: presentBillStatus,
  });
