import { type ErrorRow, errorsOf } from './error-table.ts';
import { gatewayAnswers } from './gateway-answers.ts';
import { componentSchemas, namedSchemas, refTo } from './openapi/named-schemas.ts';
import type { Json } from './openapi/schema.ts';
import { webhooks } from './openapi/webhooks.ts';
import type { ApiRoute } from './route.ts';
import { contract } from './routes.ts';

/** Returns the contract as an OpenAPI 3.1 document, built from the schemas that parse the requests. */
export const openApiDocument = (baseUrl: string): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Paylink',
    version: '1',
    description: 'Payment links and payouts. Changes under /api/v1/ are additive only.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: baseUrl }],
  security: [{ token: [] }],
  tags,
  paths: Object.fromEntries(
    contract.map((route) => [route.path, { [route.method.toLowerCase()]: operation(route) }]),
  ),
  webhooks: webhooks(),
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: "The merchant's API token." },
    },
    schemas: componentSchemas(),
    responses: commonResponses,
  },
});

const tags: readonly Json[] = [
  { name: 'Bills', description: 'Payment links, for one payer or for many.' },
  { name: 'Payments', description: "Payers' attempts to pay a bill." },
  { name: 'Refunds', description: 'Money of paid payments that goes back to their payers.' },
  { name: 'Balance', description: 'The money that was earned and can be paid out.' },
  { name: 'Payouts', description: 'Money sent from the balance.' },
  {
    name: 'Postbacks',
    description: "What the service and payers' browsers send to the merchant, and the log of it.",
  },
];

const tagOf: Readonly<Record<string, string>> = {
  bill: 'Bills',
  payment: 'Payments',
  refund: 'Refunds',
  merchant: 'Balance',
  payout: 'Payouts',
  postback: 'Postbacks',
};

/** `/api/v1/<noun>/…` */
const nounOf = ({ path }: ApiRoute): string => path.split('/')[3] ?? '';

const operation = (route: ApiRoute): Json => ({
  operationId: route.function,
  tags: [tagOf[nounOf(route)]],
  summary: route.summary,
  parameters: [...(route.method === 'GET' ? queryParameters(route) : []), ...headerParameters(route)],
  ...(route.method === 'POST' ? { requestBody: requestBody(route) } : {}),
  responses: { 200: success(route), ...failures(route), ...gatewayRefusals },
});

function queryParameters(route: ApiRoute): readonly Json[] {
  const { properties, required } = namedSchemas(route).takes;
  const names = Array.isArray(required) ? required : [];
  return Object.entries(Object(properties)).map(([name, property]) => {
    const { description, ...schema } = Object(property);
    return { name, in: 'query', required: names.includes(name), description, schema };
  });
}

const headerParameters = ({ idempotent }: ApiRoute): readonly Json[] =>
  idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'For seven days the same key with the same data returns the first result. Printable ASCII.',
          schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['5f1c7a9e-order-1'] },
        },
      ]
    : [];

/** All three encodings carry the same fields. The query may carry them too; the document omits that, as no generated client needs it. */
function requestBody(route: ApiRoute): Json {
  const content = { schema: refTo(namedSchemas(route).body ?? '') };
  return {
    required: true,
    content: {
      'application/x-www-form-urlencoded': content,
      'multipart/form-data': content,
      'application/json': content,
    },
  };
}

const success = (route: ApiRoute): Json => ({
  description: 'Done',
  ...(route.idempotent
    ? {
        headers: {
          'Idempotency-Replayed': {
            description: 'Nothing new was created: this is the response of an earlier request.',
            schema: { const: 'true' },
          },
        },
      }
    : {}),
  content: { 'application/json': { schema: refTo(namedSchemas(route).answer) } },
});

/** One response per status, with every `message` that the endpoint returns with it. */
function failures(route: ApiRoute): Json {
  const byStatus = Map.groupBy(errorsOf(route), ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, rows]) => [
      status,
      status === 401 ? { $ref: '#/components/responses/Unauthenticated' } : failure(status, rows),
    ]),
  );
}

const failure = (status: number, rows: readonly ErrorRow[]): Json => ({
  description: rows
    .map(({ cause, message, field }) => `- \`${message}\`${field ? ` (\`${field}\`)` : ''}: ${cause}`)
    .join('\n'),
  content: {
    'application/json': {
      schema: errorSchema(
        rows.map(({ message }) => message),
        {
          errors: status === 422 || rows.some(({ field }) => field !== undefined),
          details: rows.some(({ details }) => details),
        },
      ),
    },
  },
});

function errorSchema(
  messages: readonly string[],
  has: { readonly errors?: boolean; readonly details?: boolean } = {},
): Json {
  const values = [...new Set(messages)];
  return {
    type: 'object',
    properties: {
      success: { const: false, description: 'The result flag.', examples: [false] },
      message: {
        type: 'string',
        enum: values,
        description: 'What is wrong, as a key for programs.',
        examples: [values[0]],
      },
      ...(has.errors && { errors: refTo('FieldErrors') }),
      ...(has.details && { details: refTo('RefusalDetails') }),
    },
    required: ['success', 'message'],
  };
}

const answered = (description: string, schema: Json): Json => ({
  description,
  content: { 'application/json': { schema } },
});

const { unauthenticated, tooLarge, tooMany } = gatewayAnswers;

/** The same at every endpoint. The last two come from the gateway, before a request reaches its function. */
const commonResponses: Json = {
  Unauthenticated: answered('Missing, malformed, unknown or replaced token', {
    type: 'object',
    properties: {
      message: {
        const: unauthenticated.message,
        description: 'The token is missing or is not the one issued most recently.',
        examples: [unauthenticated.message],
      },
    },
    required: ['message'],
  }),
  TooLarge: answered('The body is larger than the gateway accepts.', errorSchema([tooLarge.message])),
  TooManyRequests: answered('Too many requests: wait a moment and retry.', errorSchema([tooMany.message])),
};

const gatewayRefusals: Json = {
  413: { $ref: '#/components/responses/TooLarge' },
  429: { $ref: '#/components/responses/TooManyRequests' },
};
