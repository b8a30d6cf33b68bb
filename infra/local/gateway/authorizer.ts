import * as z from 'zod/mini';
import { functionNameIn } from '../functions/functions.ts';
import { type GatewayRequest, headerOf } from './gateway-request.ts';
import type { GatewayResponseType } from './gateway-response.ts';
import { ofType, type Resource } from '../template/resources.ts';
import { CommandError } from '../../../lib/installation/command-error.ts';
import type { InvocationOutcome } from '../functions/worker-messages.ts';

/** A TOKEN authorizer of the template. */
export type Authorizer = {
  readonly functionName: string;
  /** The header's name in lower case. */
  readonly header: string;
  readonly validation: RegExp | undefined;
};

/** The authorizer's context in the function's event. Every value is a string, as on API Gateway. */
export type AuthorizerContext = Readonly<Record<string, string>>;

const schema = z.object({
  Type: z.literal('TOKEN'),
  AuthorizerUri: z.string(),
  IdentitySource: z._default(z.string(), 'method.request.header.Authorization'),
  IdentityValidationExpression: z.optional(z.string()),
  AuthorizerResultTtlInSeconds: z._default(z.number(), 300),
});

/** Returns the authorizers by id. Throws for one with a cache, which would keep a replaced token valid. */
export function authorizersOf(resources: readonly Resource[]): ReadonlyMap<string, Authorizer> {
  return new Map(
    ofType(resources, 'AWS::ApiGateway::Authorizer').map(({ id, identity, properties }) => {
      const parsed = schema.safeParse(properties);
      const functionName = functionNameIn(parsed.data?.AuthorizerUri ?? '');
      if (!parsed.success || !functionName || parsed.data.AuthorizerResultTtlInSeconds !== 0) {
        throw new CommandError(
          `The local runner supports only TOKEN authorizers without a cache, which ${id} is not.`,
        );
      }
      const { IdentitySource, IdentityValidationExpression } = parsed.data;
      const validation = IdentityValidationExpression
        ? new RegExp(`^(${IdentityValidationExpression})$`)
        : undefined;
      const header = IdentitySource.replace('method.request.header.', '').toLowerCase();
      return [identity.ref, { functionName, header, validation }] as const;
    }),
  );
}

type Invoke = (functionName: string, event: unknown) => Promise<InvocationOutcome>;

/** Invokes the authorizer. Returns the context of an allowed caller, or the gateway response for a refused one. */
export async function authorize(
  { functionName, header, validation }: Authorizer,
  request: GatewayRequest,
  methodArn: string,
  invoke: Invoke,
): Promise<AuthorizerContext | GatewayResponseType> {
  const authorizationToken = headerOf(request, header);
  if (!authorizationToken || validation?.test(authorizationToken) === false) return 'UNAUTHORIZED';
  const outcome = await invoke(functionName, { type: 'TOKEN', methodArn, authorizationToken });
  if (!outcome.ok) return outcome.errorMessage === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE';
  const answer = answerSchema.safeParse(outcome.payload);
  if (!answer.success) return 'AUTHORIZER_CONFIGURATION_ERROR';
  if (!isAllowed(answer.data.policyDocument.Statement, methodArn)) return 'ACCESS_DENIED';
  return { ...asTexts(answer.data.context ?? {}), principalId: answer.data.principalId };
}

const oneOrMore = z.union([z.string(), z.array(z.string())]);
const statement = z.object({ Effect: z.enum(['Allow', 'Deny']), Action: oneOrMore, Resource: oneOrMore });
type Statement = z.infer<typeof statement>;

const answerSchema = z.object({
  principalId: z.string(),
  policyDocument: z.object({
    Statement: z.union([
      z.array(statement),
      z.pipe(
        statement,
        z.transform((one) => [one]),
      ),
    ]),
  }),
  // An object or a list is a configuration error, as on API Gateway.
  context: z.nullish(z.record(z.string(), z.nullish(z.union([z.string(), z.number(), z.boolean()])))),
});

const asTexts = (context: Readonly<Record<string, unknown>>): AuthorizerContext =>
  Object.fromEntries(
    Object.entries(context)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );

/** Whether a statement allows the method and none denies it. */
function isAllowed(statements: readonly Statement[], methodArn: string): boolean {
  const effects = statements.filter((one) => fits(one, methodArn)).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

const fits = ({ Action, Resource }: Statement, methodArn: string): boolean =>
  [Action].flat().some((pattern) => matches(pattern, 'execute-api:Invoke')) &&
  [Resource].flat().some((pattern) => matches(pattern, methodArn));

function matches(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i').test(text);
}
