import { deliverPorts } from '../lib/runtime/ports.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { system } from '../lib/runtime/system.ts';
import { create } from './postback-deliver.ts';

/** SQS -> signed POST of what was tried before, and of whatever goes to an endpoint that is slow. */
export const handler = lambdaHandler(() => create({ ...system, ...deliverPorts() }, 'retries'));
