import { createRegularPayoutRoute } from '../lib/contract/payout.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPayouts } from '../lib/http/present/payout.ts';
import type { CreationPorts } from '../lib/payout/create-payouts.ts';
import { createRegularPayout } from '../lib/payout/create-regular-payout.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payoutCreationPorts } from '../lib/runtime/ports.ts';

export const create = (deps: CreationPorts & EndpointDeps) =>
  endpoint(createRegularPayoutRoute, deps, {
    admit: ({ regularPayouts }) => (regularPayouts ? undefined : 'unauthorized_action'),
    run: ({ amount, destination, order_id: orderId }, call) =>
      createRegularPayout(deps, { ...call, amount, destination, orderId }),
    present: presentPayouts,
    isReplay: ({ replayed }) => replayed,
  });

export const handler = lambdaHandler(() => create(payoutCreationPorts()));
