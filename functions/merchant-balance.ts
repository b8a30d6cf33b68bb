import { merchantBalanceRoute } from '../lib/contract/merchant.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentBalances } from '../lib/http/present/balances.ts';
import { getBalances, type GetBalancesPorts } from '../lib/ledger/get-balances.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { balances } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

export const create = (deps: GetBalancesPorts & EndpointDeps) =>
  endpoint(merchantBalanceRoute, deps, {
    run: (_input, { caller }) => getBalances(deps, { caller }),
    present: presentBalances,
  });

export const handler = lambdaHandler(() => create({ ...system, balances: balances() }));
