import { toggleBillActivity, type ToggleBillPorts } from '../lib/bill/toggle-bill-activity.ts';
import { toggleBillActivityRoute } from '../lib/contract/bill.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentBillActivity } from '../lib/http/present/bill.ts';
import { readBillId } from '../lib/ids.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { bills } from '../lib/runtime/stores.ts';
import { system, timeZone } from '../lib/runtime/system.ts';

export const create = (deps: ToggleBillPorts & EndpointDeps) =>
  endpoint(toggleBillActivityRoute, deps, {
    run: ({ id, active, ...rest }, { caller }) => {
      nothingLeft(rest);
      return toggleBillActivity(deps, { caller, billId: readBillId(id), active });
    },
    present: presentBillActivity,
  });

export const handler = lambdaHandler(() => create({ ...system, timeZone: timeZone(), bills: bills() }));
