import * as z from 'zod/mini';
import { gatewayAnswers } from './gateway-answers.ts';
import { type ErrorRow, errorsOf } from './error-table.ts';
import type { ApiRoute } from './route.ts';
import { refusalDetails } from './refusal-details.ts';
import { contract } from './routes.ts';

type Json = { readonly [key: string]: unknown };

/** The contract as an OpenAPI 3.1 document, made from the very schemas that requests are read with. */
export const openApiDocument = (baseUrl: string): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Paylink',
    version: '1',
    description: 'Payment links and payouts. Changes under /api/v1/ are additive only.',
  },
  servers: [{ url: baseUrl }],
  security: [{ token: [] }],
  paths: Object.fromEntries(
    contract.map((route) => [route.path, { [route.method.toLowerCase()]: operation(route) }]),
  ),
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
});

const operation = (route: ApiRoute): Json => ({
  operationId: route.function,
  summary: route.summary,
  parameters: [...(route.method === 'GET' ? queryParameters(route) : []), ...headerParameters(route)],
  ...(route.method === 'POST' ? { requestBody: requestBody(route) } : {}),
  responses: { 200: success(route), ...failures(route), ...gatewayRefusals },
});

/** A schema as the wire sees it, before anything is read out of the texts. */
function schemaOf(schema: z.ZodMiniType) {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

function queryParameters({ input }: ApiRoute): readonly Json[] {
  const { properties = {}, required = [] } = schemaOf(input);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

const headerParameters = ({ idempotent }: ApiRoute): readonly Json[] =>
  idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'The same key with the same data answers with the first result, for seven days.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      ]
    : [];

/** All three encodings carry the same fields; they may also stand in the query. */
function requestBody({ input }: ApiRoute): Json {
  const content = { schema: schemaOf(input) };
  return {
    content: {
      'application/x-www-form-urlencoded': content,
      'multipart/form-data': content,
      'application/json': content,
    },
  };
}

const success = ({ output, idempotent }: ApiRoute): Json => ({
  description: 'Done',
  ...(idempotent
    ? {
        headers: {
          'Idempotency-Replayed': { description: 'Nothing new was made', schema: { const: 'true' } },
        },
      }
    : {}),
  content: { 'application/json': { schema: schemaOf(output) } },
});

/** One response per status, with every `message` that the endpoint can give with it. */
function failures(route: ApiRoute): Json {
  const byStatus = Map.groupBy(errorsOf(route), ({ status }) => status);
  return Object.fromEntries([...byStatus].map(([status, rows]) => [status, failure(status, rows)]));
}

const failure = (status: number, rows: readonly ErrorRow[]): Json => ({
  description: rows
    .map(({ cause, message, field }) => `- \`${message}\`${field ? ` (\`${field}\`)` : ''}: ${cause}`)
    .join('\n'),
  content: {
    'application/json': {
      schema: errorSchema(
        status,
        rows.map(({ message }) => message),
        {
          errors: status === 422 || rows.some(({ field }) => field !== undefined),
          details: rows.some(({ details }) => details),
        },
      ),
    },
  },
});

/** Before a request comes to its function: the gateway's own limits. */
const gatewayRefusals: Json = {
  413: gatewayRefusal(413, 'The body is larger than the gateway takes.', gatewayAnswers.tooLarge),
  429: gatewayRefusal(429, 'Too many requests: wait a moment and ask again.', gatewayAnswers.tooMany),
};

function gatewayRefusal(
  status: 413 | 429,
  description: string,
  { message }: { readonly message: string },
): Json {
  return { description, content: { 'application/json': { schema: errorSchema(status, [message]) } } };
}

function errorSchema(
  status: number,
  messages: readonly string[],
  has: { readonly errors?: boolean; readonly details?: boolean } = {},
): Json {
  const message = { type: 'string', enum: [...new Set(messages)] };
  if (status === 401) return { type: 'object', properties: { message }, required: ['message'] };
  const errors = {
    type: 'object',
    description: 'Where something in the request is to be fixed: what, by field.',
    additionalProperties: { type: 'array', items: { type: 'string' } },
  };
  return {
    type: 'object',
    properties: {
      success: { const: false },
      message,
      ...(has.errors && { errors }),
      ...(has.details && { details: schemaOf(refusalDetails) }),
    },
    required: ['success', 'message'],
  };
}
