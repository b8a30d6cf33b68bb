import { billPaymentsRoute } from '../lib/contract/payment.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPayments } from '../lib/http/present/payment.ts';
import { readBillId } from '../lib/ids.ts';
import { listPayments, type ListPaymentsPorts } from '../lib/payment/list-payments.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { bills, payments } from '../lib/runtime/stores.ts';
import { system, timeZone } from '../lib/runtime/system.ts';

export const create = (deps: ListPaymentsPorts & EndpointDeps) =>
  endpoint(billPaymentsRoute, deps, {
    run: ({ id, limit, per_page: perPage, cursor, ...rest }, { caller }) => {
      nothingLeft(rest);
      return listPayments(deps, { caller, billId: readBillId(id), limit, perPage, cursor });
    },
    present: presentPayments,
  });

export const handler = lambdaHandler(() =>
  create({ ...system, timeZone: timeZone(), bills: bills(), payments: payments() }),
);
