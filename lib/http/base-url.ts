import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Where this service is reached: the address it was given, else the domain and stage that the request came to. */
export const baseUrlOf = (
  { requestContext: { domainName, stage } }: APIGatewayProxyEvent,
  publicUrl: string | undefined,
): string => publicUrl ?? `https://${domainName}/${stage}`;
