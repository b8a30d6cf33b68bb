import * as z from 'zod/mini';
import type { Log } from '../lib/log.ts';
import { type DeliverPorts, deliverPostback, type Lane } from '../lib/postback/deliver-postback.ts';
import { isEventId } from '../lib/postback/event.ts';
import { deliverPorts } from '../lib/runtime/ports.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { sqsBatch } from '../lib/runtime/sqs-batch.ts';
import { system } from '../lib/runtime/system.ts';

const body = z.object({ eventId: z.string().check(z.refine(isEventId)) });

/** SQS -> signed POST. A merchant's server that refuses is an outcome of the attempt, not a failure of the function. */
export const create = (deps: DeliverPorts & { readonly log: Log }, lane: Lane = 'first') =>
  sqsBatch({
    ...deps,
    body,
    failure: 'postback_not_worked_on',
    about: ({ eventId }) => ({ postback: eventId }),
    handle: ({ eventId }) => deliverPostback(deps, eventId, lane),
  });

export const handler = lambdaHandler(() => create({ ...system, ...deliverPorts() }));
