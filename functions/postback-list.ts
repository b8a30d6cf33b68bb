import { listPostbacksRoute } from '../lib/contract/postback.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPostbacks } from '../lib/http/present/postback.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { listPostbacksPorts } from '../lib/runtime/ports.ts';
import { system } from '../lib/runtime/system.ts';
import { listPostbacks, type ListPostbacksPorts } from '../lib/search/list-postbacks.ts';

export const create = (deps: ListPostbacksPorts & EndpointDeps) =>
  endpoint(listPostbacksRoute, deps, {
    run: (input, { caller }) => {
      const { id, payment_id: paymentId, payout_id: payoutId, refund_id: refundId, date, ...page } = input;
      const { per_page: perPage, cursor, ...rest } = page;
      nothingLeft(rest);
      return listPostbacks(deps, { caller, id, paymentId, payoutId, refundId, date, perPage, cursor });
    },
    present: presentPostbacks,
  });

export const handler = lambdaHandler(() => create({ ...system, ...listPostbacksPorts() }));
