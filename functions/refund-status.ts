import { refundStatusRoute } from '../lib/contract/refund.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentRefund } from '../lib/http/present/refund.ts';
import { readRefundId } from '../lib/ids.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { getRefund, type GetRefundPorts } from '../lib/refund/get-refund.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { refunds } from '../lib/runtime/stores.ts';
import { system, timeZone } from '../lib/runtime/system.ts';

export const create = (deps: GetRefundPorts & EndpointDeps) =>
  endpoint(refundStatusRoute, deps, {
    run: ({ id, ...rest }, { caller }) => {
      nothingLeft(rest);
      return getRefund(deps, { caller, id: readRefundId(id) });
    },
    present: presentRefund,
  });

export const handler = lambdaHandler(() => create({ ...system, timeZone: timeZone(), refunds: refunds() }));
