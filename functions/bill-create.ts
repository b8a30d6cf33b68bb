import { createBill, type CreateBillPorts } from '../lib/bill/create-bill.ts';
import { createBillRoute } from '../lib/contract/bill.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentCreatedBill } from '../lib/http/present/bill.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { bills, merchants, rates, shops } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

export const create = (deps: CreateBillPorts & EndpointDeps) =>
  endpoint(createBillRoute, deps, {
    run: ({ shop_id, currency_in, order_id, payer_pays_commission, ...input }, call) =>
      createBill(deps, {
        ...input,
        ...call,
        shopId: shop_id,
        currency: currency_in,
        orderId: order_id,
        payerPaysCommission: payer_pays_commission,
      }),
    present: presentCreatedBill,
    isReplay: ({ replayed }) => replayed,
  });

export const handler = lambdaHandler(() =>
  create({ ...system, bills: bills(), shops: shops(), merchants: merchants(), rates: rates() }),
);
