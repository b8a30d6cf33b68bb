import * as z from 'zod/mini';
import { type GatewayAnswer, withType } from './gateway-answer.ts';
import { type GatewayRequest, headerOf, mediaType } from './gateway-request.ts';
import type { GatewayResponseType } from './gateway-response.ts';
import type { Resource } from '../template/resources.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';

/** A MOCK integration, which the gateway answers itself. Only static mapping templates are supported. */
export type MockIntegration = {
  readonly kind: 'mock';
  readonly passthrough: 'WHEN_NO_MATCH' | 'WHEN_NO_TEMPLATES' | 'NEVER';
  /** The status code in each media type's request template. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly responses: readonly MockResponse[];
};

type MockResponse = {
  /** The status codes that it applies to. Absent: the default response. */
  readonly pattern: RegExp | undefined;
  readonly answer: GatewayAnswer;
};

const schema = z.object({
  Integration: z.object({
    PassthroughBehavior: z._default(z.enum(['WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES', 'NEVER']), 'WHEN_NO_MATCH'),
    RequestTemplates: z._default(z.record(z.string(), z.string()), {}),
    IntegrationResponses: z._default(
      z.array(
        z.object({
          StatusCode: z.coerce.number(),
          SelectionPattern: z.optional(z.string()),
          ResponseTemplates: z._default(z.record(z.string(), z.string()), {}),
          ResponseParameters: z._default(z.record(z.string(), z.string()), {}),
        }),
      ),
      [],
    ),
  }),
});
type Response = z.infer<typeof schema>['Integration']['IntegrationResponses'][number];

const statusSchema = z.object({ statusCode: z.coerce.number() });

/** Reads a method's MOCK integration. */
export function mockOf({ id, properties }: Resource): MockIntegration {
  const parsed = schema.safeParse(properties);
  if (!parsed.success)
    throw new CommandError(`The local runner cannot read the mock integration ${id} of the template.`);
  const { PassthroughBehavior, RequestTemplates, IntegrationResponses } = parsed.data.Integration;
  return {
    kind: 'mock',
    passthrough: PassthroughBehavior,
    statuses: new Map(Object.entries(RequestTemplates).map(([type, text]) => [type, statusIn(id, text)])),
    responses: IntegrationResponses.map((response) => responseOf(id, response)),
  };
}

/** Returns the mock's response, or the type of the gateway response that replaces it. */
export function answerMock(
  mock: MockIntegration,
  request: GatewayRequest,
): GatewayAnswer | GatewayResponseType {
  const status = mock.statuses.get(mediaType(headerOf(request, 'content-type')) ?? 'application/json');
  if (status === undefined) {
    const isRefused =
      mock.passthrough === 'NEVER' || (mock.passthrough === 'WHEN_NO_TEMPLATES' && hasTemplates(mock));
    // A request that is passed through has no status code for the mock.
    return isRefused ? 'UNSUPPORTED_MEDIA_TYPE' : 'API_CONFIGURATION_ERROR';
  }
  const fitting = mock.responses.find(({ pattern }) => pattern?.test(String(status)));
  return (fitting ?? mock.responses.find(({ pattern }) => !pattern))?.answer ?? 'API_CONFIGURATION_ERROR';
}

const hasTemplates = ({ statuses }: MockIntegration): boolean => statuses.size > 0;

function statusIn(id: string, template: string): number {
  refuseVariables(id, template);
  try {
    return statusSchema.parse(JSON.parse(template)).statusCode;
  } catch {
    throw new CommandError(`The mock integration ${id} must name its statusCode in each request template.`);
  }
}

function responseOf(id: string, response: Response): MockResponse {
  const template = response.ResponseTemplates['application/json'] ?? '';
  refuseVariables(id, template);
  const headers = Object.entries(response.ResponseParameters).map(
    ([name, value]) =>
      [name.replace('method.response.header.', ''), value.replace(/^'(.*)'$/s, '$1')] as const,
  );
  return {
    pattern: response.SelectionPattern ? new RegExp(`^(${response.SelectionPattern})$`) : undefined,
    answer: {
      status: response.StatusCode,
      headers: withType(headers),
      body: Buffer.from(template),
    },
  };
}

function refuseVariables(id: string, template: string): void {
  if (/[$#]/.test(template)) {
    throw new CommandError(
      `The mock integration ${id} has a mapping template with variables, which the local runner does not support.`,
    );
  }
}
