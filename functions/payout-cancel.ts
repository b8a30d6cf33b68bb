import { cancelPayoutRoute } from '../lib/contract/payout.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentCancelled } from '../lib/http/present/payout.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { cancelPayout, type CancelPorts } from '../lib/payout/cancel-payout.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payoutCancelPorts } from '../lib/runtime/ports.ts';

export const create = (deps: CancelPorts & EndpointDeps) =>
  endpoint(cancelPayoutRoute, deps, {
    run: ({ id, payout_id, order_id: orderId, ...rest }, { caller }) => {
      nothingLeft(rest);
      return cancelPayout(deps, { caller, id: id ?? payout_id, orderId });
    },
    present: presentCancelled,
  });

export const handler = lambdaHandler(() => create(payoutCancelPorts()));
