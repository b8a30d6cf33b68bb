import { type IResource, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { gatewayAnswers } from '../../lib/contract/gateway-answers.ts';
import { safetyHeaders } from '../../lib/contract/safety-headers.ts';

const headers = Object.entries({ 'Content-Type': 'application/json', ...safetyHeaders }).map(
  ([name, value]) => [`method.response.header.${name}`, `'${value}'`] as const,
);

/**
 * Answers 404 without an invocation. A request body of another content type gets the gateway response
 * UNSUPPORTED_MEDIA_TYPE, which is the same 404.
 */
const integration = new MockIntegration({
  passthroughBehavior: PassthroughBehavior.NEVER,
  requestTemplates: { 'application/json': '{"statusCode":404}' },
  integrationResponses: [
    {
      statusCode: '404',
      responseTemplates: { 'application/json': JSON.stringify(gatewayAnswers.notFound) },
      responseParameters: Object.fromEntries(headers),
    },
  ],
});

const methodResponses = [
  { statusCode: '404', responseParameters: Object.fromEntries(headers.map(([name]) => [name, true])) },
];

/** Answers 404 to every method without a route. API Gateway's default is 403 with its own text. */
export function answerNotFound(resources: Iterable<IResource>): void {
  for (const resource of resources) resource.addMethod('ANY', integration, { methodResponses });
}
