import { sbpBanksRoute } from '../lib/contract/payout.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentSbpBanks } from '../lib/http/present/payout.ts';
import { type ListBanksPorts, listSbpBanks } from '../lib/payout/list-sbp-banks.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { activeBanks } from '../lib/runtime/sbp-banks.ts';
import { system } from '../lib/runtime/system.ts';

export const create = (deps: ListBanksPorts & EndpointDeps) =>
  endpoint(sbpBanksRoute, deps, {
    run: (_input, { caller }) => listSbpBanks(deps, { caller }),
    present: presentSbpBanks,
  });

export const handler = lambdaHandler(() => create({ ...system, activeBanks }));
