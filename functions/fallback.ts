import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { fallbackAnswer, type FallbackDeps } from '../lib/page/fallback-answer.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { system } from '../lib/runtime/system.ts';

/** `/`, and every path and method outside `/api` without a route. */
export const create =
  (deps: FallbackDeps) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const answer = fallbackAnswer(deps, event);
    return event.httpMethod === 'HEAD' ? { ...answer, body: '' } : answer;
  };

export const handler = lambdaHandler(() => create(system));
