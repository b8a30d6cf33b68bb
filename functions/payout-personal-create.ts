import { readAccountId } from '../lib/ids.ts';
import { createPersonalPayoutRoute } from '../lib/contract/payout.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPayouts } from '../lib/http/present/payout.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import type { CreationPorts } from '../lib/payout/create-payouts.ts';
import { createPersonalPayout } from '../lib/payout/create-personal-payout.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { payoutCreationPorts } from '../lib/runtime/ports.ts';

export const create = (deps: CreationPorts & EndpointDeps) =>
  endpoint(createPersonalPayoutRoute, deps, {
    run: (input, { caller, idempotencyKey }) => {
      const { amount, payout_account_id, order_id: orderId, ...rest } = input;
      nothingLeft(rest);
      const accountId = readAccountId(payout_account_id);
      return createPersonalPayout(deps, { caller, amount, accountId, orderId, idempotencyKey });
    },
    present: presentPayouts,
    isReplay: ({ replayed }) => replayed,
  });

export const handler = lambdaHandler(() => create(payoutCreationPorts()));
