import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Returns the service's base URL: the configured one, else the domain and stage of the request. */
export const baseUrlOf = (
  { requestContext: { domainName, stage } }: APIGatewayProxyEvent,
  publicUrl: string | undefined,
): string => publicUrl ?? `https://${domainName}/${stage}`;
