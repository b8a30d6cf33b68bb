import { testPostbackRoute } from '../lib/contract/postback.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentTestedPostback } from '../lib/http/present/postback.ts';
import { readShopId } from '../lib/ids.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { sampleStatuses } from '../lib/postback/sample-event.ts';
import { sendTestPostback, type TestPostbackPorts } from '../lib/postback/send-test-postback.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { testPostbackPorts } from '../lib/runtime/ports.ts';
import { system } from '../lib/runtime/system.ts';

export const create = (deps: TestPostbackPorts & EndpointDeps) =>
  endpoint(testPostbackRoute, deps, {
    run: ({ kind, status = sampleStatuses[kind][0], shop_id, ...rest }, { caller }) => {
      nothingLeft(rest);
      return sendTestPostback(deps, { caller, kind, status, shopId: readShopId(shop_id) });
    },
    present: presentTestedPostback,
  });

export const handler = lambdaHandler(() => create({ ...system, ...testPostbackPorts() }));
