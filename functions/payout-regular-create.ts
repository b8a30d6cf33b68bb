import { createRegularPayoutRoute } from '../lib/contract/payout.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPayouts } from '../lib/http/present/payout.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import type { CreationPorts } from '../lib/payout/create-payouts.ts';
import { createRegularPayout } from '../lib/payout/create-regular-payout.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payoutCreationPorts } from '../lib/runtime/ports.ts';

export const create = (deps: CreationPorts & EndpointDeps) =>
  endpoint(createRegularPayoutRoute, deps, {
    admit: ({ regularPayouts }) => (regularPayouts ? undefined : 'unauthorized_action'),
    // The contract accepts RUB only.
    run: (
      { amount, currency: _rub, destination, order_id: orderId, ...rest },
      { caller, idempotencyKey },
    ) => {
      nothingLeft(rest);
      return createRegularPayout(deps, { caller, amount, destination, orderId, idempotencyKey });
    },
    present: presentPayouts,
    isReplay: ({ replayed }) => replayed,
  });

export const handler = lambdaHandler(() => create(payoutCreationPorts()));
