import * as z from 'zod/mini';
import { functionNameIn } from '../functions/functions.ts';
import { type MockIntegration, mockOf } from './mock.ts';
import { ofType, type Resource } from '../template/resources.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';

/** The integration of a method. */
type Integration =
  | { readonly kind: 'function'; readonly functionName: string; readonly timeoutMs: number }
  | MockIntegration;

export type Method = {
  readonly integration: Integration;
  /** The authorizer that is invoked first. */
  readonly authorizerId: string | undefined;
};

/** Returns the method for a resource and an HTTP method. `ANY` is used where the HTTP method is not defined. */
type Methods = (resourceId: string, httpMethod: string) => Method | undefined;

const schema = z.object({
  HttpMethod: z.string(),
  ResourceId: z.string(),
  AuthorizationType: z._default(z.string(), 'NONE'),
  AuthorizerId: z.optional(z.string()),
  ApiKeyRequired: z._default(z.boolean(), false),
  RequestValidatorId: z.optional(z.string()),
  Integration: z.object({
    Type: z.string(),
    Uri: z.optional(z.string()),
    TimeoutInMillis: z._default(z.number(), 29_000),
  }),
});
type Definition = z.infer<typeof schema>;

/** Reads the methods of the template's REST API. */
export function methodsOf(resources: readonly Resource[]): Methods {
  const methods = new Map(
    ofType(resources, 'AWS::ApiGateway::Method').map((resource) => {
      const definition = read(resource);
      return [keyOf(definition.ResourceId, definition.HttpMethod), methodOf(resource, definition)] as const;
    }),
  );
  return (resourceId, httpMethod) =>
    methods.get(keyOf(resourceId, httpMethod)) ?? methods.get(keyOf(resourceId, 'ANY'));
}

const keyOf = (resourceId: string, httpMethod: string): string => `${httpMethod} ${resourceId}`;

function read({ id, properties }: Resource): Definition {
  const parsed = schema.safeParse(properties);
  if (!parsed.success) throw unknown(id, 'its properties');
  const { AuthorizationType, ApiKeyRequired, RequestValidatorId } = parsed.data;
  if (!['NONE', 'CUSTOM'].includes(AuthorizationType))
    throw unknown(id, `authorization ${AuthorizationType}`);
  if (ApiKeyRequired || RequestValidatorId) throw unknown(id, 'API keys and request validators');
  return parsed.data;
}

function methodOf(resource: Resource, { AuthorizationType, AuthorizerId, Integration }: Definition): Method {
  const authorizerId = AuthorizationType === 'CUSTOM' ? AuthorizerId : undefined;
  if (Integration.Type === 'MOCK') return { authorizerId, integration: mockOf(resource) };
  const functionName = functionNameIn(Integration.Uri ?? '');
  if (Integration.Type !== 'AWS_PROXY' || !functionName)
    throw unknown(resource.id, `integration ${Integration.Type}`);
  return {
    authorizerId,
    integration: { kind: 'function', functionName, timeoutMs: Integration.TimeoutInMillis },
  };
}

const unknown = (id: string, what: string): CommandError =>
  new CommandError(
    `The local runner cannot run the method ${id} of the template: it does not support ${what}.`,
  );
