import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { kindOf, type Log } from '../log.ts';
import { generalError, invalidData } from './answers.ts';
import { merchantIdOf } from './caller.ts';
import { idsOf } from './named-ids.ts';
import { UnreadableBody } from './unreadable-body.ts';

/** Answers thrown errors: an unreadable body with 422; any other error is logged, once, and answered with 500. */
export const answerErrors = (
  endpoint: string,
  deps: { readonly log: Log },
): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  async onError(request) {
    const { error, event } = request;
    if (error instanceof UnreadableBody) {
      request.response = invalidData({ body: [error.message] });
      return;
    }
    const { requestId } = event.requestContext;
    const merchant = merchantIdOf(event);
    const ids = { requestId, ...(merchant !== undefined && { merchant }), ...(await idsOf(event)) };
    deps.log('error', 'endpoint_failed', { endpoint, ...kindOf(error), ...ids });
    request.response = generalError();
  },
});
