import * as z from 'zod/mini';
import { type GatewayAnswer, type Headers, withType } from './gateway-answer.ts';
import { ofType, type Resource } from '../template/resources.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';

/** API Gateway's gateway responses, with their default status and message. */
const defaults = {
  ACCESS_DENIED: [403, 'User is not authorized to access this resource'],
  API_CONFIGURATION_ERROR: [500, 'Internal server error'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error'],
  AUTHORIZER_FAILURE: [500, 'Internal server error'],
  BAD_REQUEST_PARAMETERS: [400, 'Bad Request'],
  INTEGRATION_FAILURE: [502, 'Internal server error'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out'],
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long'],
  THROTTLED: [429, 'Too Many Requests'],
  UNAUTHORIZED: [401, 'Unauthorized'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type GatewayResponseType = keyof typeof defaults;

/** Returns the gateway response of a type, as the template defines it. */
type GatewayResponses = (type: GatewayResponseType, requestId: string) => GatewayAnswer;

const schema = z.object({
  ResponseType: z.string(),
  StatusCode: z.optional(z.coerce.number()),
  ResponseTemplates: z._default(z.record(z.string(), z.string()), {}),
  ResponseParameters: z._default(z.record(z.string(), z.string()), {}),
});
type Definition = z.infer<typeof schema>;

/** Looks up a type's own definition first, then DEFAULT_4XX or DEFAULT_5XX, then API Gateway's default. */
export function gatewayResponsesOf(resources: readonly Resource[]): GatewayResponses {
  const definitions = ofType(resources, 'AWS::ApiGateway::GatewayResponse').map((resource) => read(resource));
  const named = new Map(definitions.map((definition) => [definition.ResponseType, definition]));
  return (type, requestId) => {
    const [status, message] = defaults[type];
    const definition = named.get(type) ?? named.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    return {
      status: definition?.StatusCode ?? status,
      headers: withType(headersOf(definition?.ResponseParameters ?? {})),
      body: Buffer.from(bodyOf(definition, { message, requestId, type })),
    };
  };
}

function read({ id, properties }: Resource): Definition {
  const parsed = schema.safeParse(properties);
  if (!parsed.success)
    throw new CommandError(`The local runner cannot read the gateway response ${id} of the template.`);
  const [unknown] = Object.values(parsed.data.ResponseTemplates).flatMap(unknownVariables);
  if (unknown)
    throw new CommandError(
      `The gateway response ${id} uses ${unknown}, which the local runner does not support.`,
    );
  return parsed.data;
}

type ResponseVariables = { readonly message: string; readonly requestId: string; readonly type: string };

const variables: Readonly<Record<string, (values: ResponseVariables) => string>> = {
  '$context.error.messageString': ({ message }) => JSON.stringify(message),
  '$context.error.message': ({ message }) => message,
  '$context.error.responseType': ({ type }) => type,
  '$context.requestId': ({ requestId }) => requestId,
};
const variable = /\$[A-Za-z][\w.]*/g;

const unknownVariables = (template: string): string[] =>
  [...template.matchAll(variable)].map(([name]) => name).filter((name) => !(name in variables));

function bodyOf(definition: Definition | undefined, values: ResponseVariables): string {
  const template =
    definition?.ResponseTemplates['application/json'] ?? '{"message":$context.error.messageString}';
  return template.replaceAll(variable, (name) => variables[name]?.(values) ?? name);
}

/** Header values in the template are quoted: `'text'`. */
const headersOf = (parameters: Readonly<Record<string, string>>): Headers =>
  Object.entries(parameters).map(([name, value]) => [
    name.replace('gatewayresponse.header.', ''),
    value.replace(/^'(.*)'$/s, '$1'),
  ]);
