import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { liveSandbox } from '../lib/runtime/sandbox.ts';
import { sandbox } from '../lib/sandbox/sandbox.ts';

export const create = sandbox;

export const handler = lambdaHandler(() => create(liveSandbox()));
