import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { toAuthorizerContext } from '../lib/http/caller.ts';
import { type Authenticating, authenticate } from '../lib/merchant/authenticate.ts';
import { lambdaHandler, PublicError } from '../lib/runtime/lambda-handler.ts';
import { merchants } from '../lib/runtime/stores.ts';

/**
 * Bearer token -> merchant. API Gateway turns the exact message `Unauthorized` into the 401; a Deny policy would be a 403, and
 * any other error is a 500.
 */
export const create =
  (deps: Authenticating) =>
  async (event: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const caller = await authenticate(deps, event.authorizationToken);
    if (!caller) throw new PublicError('Unauthorized');
    return {
      principalId: caller.merchantId,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: event.methodArn }],
      },
      context: toAuthorizerContext(caller),
    };
  };

export const handler = lambdaHandler(() => create({ merchants: merchants() }));
