import { createBill, type CreateBillPorts } from '../lib/bill/create-bill.ts';
import { createBillRoute } from '../lib/contract/bill.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentCreatedBill } from '../lib/http/present/bill.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { readShopId } from '../lib/ids.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { chargeLimits } from '../lib/runtime/provider-terms.ts';
import { contactSealer } from '../lib/runtime/sealing.ts';
import { merchantUrls } from '../lib/runtime/settings.ts';
import { bills, contacts, merchants, rates, shops, terms } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

export const create = (deps: CreateBillPorts & EndpointDeps) =>
  endpoint(createBillRoute, deps, {
    run: (
      { shop_id, currency_in, order_id, payer_pays_commission, ...input },
      { caller, idempotencyKey },
    ) => {
      const { payer_email, payer_phone, payer_name, ...texts } = input;
      const { ttl, locale, payment_method, success_url, fail_url, return_url, request_fields, ...own } =
        texts;
      const { amount, type, description, name, custom, items, ...rest } = own;
      nothingLeft(rest);
      return createBill(deps, {
        caller,
        idempotencyKey,
        shopId: readShopId(shop_id),
        amount,
        currency: currency_in,
        type,
        payerPaysCommission: payer_pays_commission,
        orderId: order_id,
        description,
        name,
        custom,
        items,
        options: {
          ttlSeconds: ttl,
          locale,
          method: payment_method,
          successUrl: success_url,
          failUrl: fail_url,
          returnUrl: return_url,
          asks: request_fields,
        },
        payer: { email: payer_email, phone: payer_phone, name: payer_name, comment: undefined },
      });
    },
    present: presentCreatedBill,
    isReplay: ({ replayed }) => replayed,
  });

export const handler = lambdaHandler(() =>
  create({
    ...system,
    bills: bills(),
    contacts: contacts(),
    contactSealer: contactSealer(),
    shops: shops(),
    merchants: merchants(),
    rates: rates(),
    terms: terms(),
    chargeLimits: chargeLimits(),
    merchantUrls: merchantUrls(),
  }),
);
