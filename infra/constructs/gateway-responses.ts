import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

/**
 * What the gateway says by itself, each a fixed text: a template that repeats the gateway's own message would show
 * the bearer token of a request to an unknown route.
 */
export const bodies = {
  unauthenticated: '{"message":"Unauthenticated."}',
  notFound: '{"success":false,"message":"Not found."}',
  general: '{"success":false,"message":"api:error.general_error"}',
  invalid: '{"success":false,"message":"The given data was invalid.","errors":{}}',
  tooLarge: '{"success":false,"message":"The request is too large."}',
  tooMany: '{"success":false,"message":"Too many requests."}',
} as const;

type Answer = readonly [status: string | undefined, body: string];

const unauthenticated: Answer = ['401', bodies.unauthenticated];
const notFound: Answer = ['404', bodies.notFound];
const general: Answer = ['500', bodies.general];
const invalid: Answer = ['422', bodies.invalid];
const tooMany: Answer = ['429', bodies.tooMany];

const gatewayAnswers: ReadonlyMap<ResponseType, Answer> = new Map([
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
  [ResponseType.REQUEST_TOO_LARGE, ['413', bodies.tooLarge]],
  [ResponseType.THROTTLED, tooMany],
  [ResponseType.QUOTA_EXCEEDED, tooMany],
  [ResponseType.WAF_FILTERED, tooMany],
  [ResponseType.DEFAULT_4XX, [undefined, bodies.invalid]],

  [ResponseType.AUTHORIZER_FAILURE, general],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, general],
  [ResponseType.API_CONFIGURATION_ERROR, general],
  [ResponseType.INTEGRATION_FAILURE, general],
  [ResponseType.INTEGRATION_TIMEOUT, general],
  [ResponseType.DEFAULT_5XX, general],
]);

/** Gives every answer of the gateway's own its fixed text. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, [statusCode, body]] of gatewayAnswers) {
    api.addGatewayResponse(type.responseType, {
      type,
      ...(statusCode && { statusCode }),
      templates: { 'application/json': body },
    });
  }
}
