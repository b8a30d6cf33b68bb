import { getBill, type GetBillPorts } from '../lib/payment/get-bill.ts';
import { billStatusRoute } from '../lib/contract/bill.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentBillStatus } from '../lib/http/present/bill.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { bills, contacts, payments } from '../lib/runtime/stores.ts';
import { system, timeZone } from '../lib/runtime/system.ts';

export const create = (deps: GetBillPorts & EndpointDeps) =>
  endpoint(billStatusRoute, deps, {
    run: ({ id, order_id: orderId, shop_id: shopId, ...rest }, { caller }) => {
      nothingLeft(rest);
      return getBill(deps, { caller, id, orderId, shopId });
    },
    present: presentBillStatus,
  });

export const handler = lambdaHandler(() =>
  create({ ...system, timeZone: timeZone(), bills: bills(), contacts: contacts(), payments: payments() }),
);
