import { createPersonalPayoutRoute } from '../lib/contract/payout.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPayouts } from '../lib/http/present/payout.ts';
import type { CreationPorts } from '../lib/payout/create-payouts.ts';
import { createPersonalPayout } from '../lib/payout/create-personal-payout.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payoutCreationPorts } from '../lib/runtime/ports.ts';

export const create = (deps: CreationPorts & EndpointDeps) =>
  endpoint(createPersonalPayoutRoute, deps, {
    run: ({ amount, payout_account_id: accountId, order_id: orderId }, call) =>
      createPersonalPayout(deps, { ...call, amount, accountId, orderId }),
    present: presentPayouts,
    isReplay: ({ replayed }) => replayed,
  });

export const handler = lambdaHandler(() => create(payoutCreationPorts()));
