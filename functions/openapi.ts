import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { openApiDocument } from '../lib/contract/openapi.ts';
import { safetyHeaders } from '../lib/contract/safety-headers.ts';
import { baseUrlOf } from '../lib/http/base-url.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { system } from '../lib/runtime/system.ts';

/** `GET /openapi.json`: the contract as an OpenAPI document, without a token. */
export const create =
  (deps: { readonly publicUrl: string | undefined }) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => ({
    statusCode: 200,
    headers: { ...safetyHeaders, 'content-type': 'application/json', 'cache-control': 'public, max-age=300' },
    body: JSON.stringify(openApiDocument(baseUrlOf(event, deps.publicUrl))),
  });

export const handler = lambdaHandler(() => create(system));
