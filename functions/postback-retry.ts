import { deliverPorts } from '../lib/runtime/ports.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { system } from '../lib/runtime/system.ts';
import { create } from './postback-deliver.ts';

/** SQS -> signed POST, for retries and for slow endpoints. */
export const handler = lambdaHandler(() => create({ ...system, ...deliverPorts() }, 'retries'));
