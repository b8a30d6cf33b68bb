import { type IResource, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { gatewayAnswers } from '../../lib/contract/gateway-answers.ts';
import { safetyHeaders } from '../../lib/contract/safety-headers.ts';

const headers = Object.entries({ 'Content-Type': 'application/json', ...safetyHeaders }).map(
  ([name, value]) => [`method.response.header.${name}`, `'${value}'`] as const,
);

/**
 * Answers 404 without calling anything. A body of a type that it has no template for ends in the gateway's
 * UNSUPPORTED_MEDIA_TYPE, which says the same 404.
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

/** Every method that no route of the API has: without it the gateway answers 403, with a text of its own. */
export function answerNotFound(resources: Iterable<IResource>): void {
  for (const resource of resources) resource.addMethod('ANY', integration, { methodResponses });
}
