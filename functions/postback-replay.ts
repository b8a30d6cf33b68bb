import { replayPostbackRoute } from '../lib/contract/postback.ts';
import { endpoint, type EndpointDeps } from '../lib/http/endpoint.ts';
import { presentPostback } from '../lib/http/present/postback.ts';
import { nothingLeft } from '../lib/nothing-left.ts';
import { replayOwnPostback, type ReplayOwnPorts } from '../lib/postback/replay-own-postback.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { replayPostbackPorts } from '../lib/runtime/ports.ts';
import { system } from '../lib/runtime/system.ts';

export const create = (deps: ReplayOwnPorts & EndpointDeps) =>
  endpoint(replayPostbackRoute, deps, {
    run: ({ id: eventId, ...rest }, { caller }) => {
      nothingLeft(rest);
      return replayOwnPostback(deps, { caller, eventId });
    },
    present: presentPostback,
  });

export const handler = lambdaHandler(() => create({ ...system, ...replayPostbackPorts() }));
