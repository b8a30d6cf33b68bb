import { payoutStatusRoute } from '../lib/contract/payout.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPayoutStatus } from '../lib/http/present/payout.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { getPayout, type GetPayoutPorts } from '../lib/payout/get-payout.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payouts } from '../lib/runtime/stores.ts';
import { system, timeZone } from '../lib/runtime/system.ts';

export const create = (deps: GetPayoutPorts & EndpointDeps) =>
  endpoint(payoutStatusRoute, deps, {
    run: ({ id, payout_id, order_id: orderId, ...rest }, { caller }) => {
      nothingLeft(rest);
      return getPayout(deps, { caller, id: id ?? payout_id, orderId });
    },
    present: presentPayoutStatus,
  });

export const handler = lambdaHandler(() => create({ ...system, timeZone: timeZone(), payouts: payouts() }));
