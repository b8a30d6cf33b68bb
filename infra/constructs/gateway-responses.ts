import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { gatewayAnswers } from '../../lib/contract/gateway-answers.ts';
import { safetyHeaders } from '../../lib/contract/safety-headers.ts';

type StatusAndBody = readonly [status: string | undefined, body: object];

const unauthenticated: StatusAndBody = ['401', gatewayAnswers.unauthenticated];
const notFound: StatusAndBody = ['404', gatewayAnswers.notFound];
const general: StatusAndBody = ['500', gatewayAnswers.general];
const invalid: StatusAndBody = ['422', gatewayAnswers.invalid];
const tooMany: StatusAndBody = ['429', gatewayAnswers.tooMany];

const answersByType: ReadonlyMap<ResponseType, StatusAndBody> = new Map([
  [ResponseType.UNAUTHORIZED, unauthenticated],
  [ResponseType.ACCESS_DENIED, unauthenticated],
  [ResponseType.INVALID_SIGNATURE, unauthenticated],
  [ResponseType.EXPIRED_TOKEN, unauthenticated],
  [ResponseType.INVALID_API_KEY, unauthenticated],

  [ResponseType.MISSING_AUTHENTICATION_TOKEN, notFound],
  [ResponseType.RESOURCE_NOT_FOUND, notFound],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, notFound],

  [ResponseType.BAD_REQUEST_BODY, invalid],
  [ResponseType.BAD_REQUEST_PARAMETERS, invalid],
  [ResponseType.REQUEST_TOO_LARGE, ['413', gatewayAnswers.tooLarge]],
  [ResponseType.THROTTLED, tooMany],
  [ResponseType.QUOTA_EXCEEDED, tooMany],
  [ResponseType.WAF_FILTERED, tooMany],
  [ResponseType.DEFAULT_4XX, [undefined, gatewayAnswers.invalid]],

  [ResponseType.AUTHORIZER_FAILURE, general],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, general],
  [ResponseType.API_CONFIGURATION_ERROR, general],
  [ResponseType.INTEGRATION_FAILURE, general],
  [ResponseType.INTEGRATION_TIMEOUT, general],
  [ResponseType.DEFAULT_5XX, general],
]);

const headers = Object.fromEntries(
  Object.entries(safetyHeaders).map(([name, value]) => [name, `'${value}'`]),
);

/** Sets the fixed body and headers of every response that API Gateway generates itself. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, [statusCode, body]] of answersByType) {
    api.addGatewayResponse(type.responseType, {
      type,
      ...(statusCode && { statusCode }),
      responseHeaders: headers,
      templates: { 'application/json': JSON.stringify(body) },
    });
  }
}
