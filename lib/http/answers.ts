import type { APIGatewayProxyResult } from 'aws-lambda';
import { invalidDataMessage, messageOf, statusOf } from '../contract/refusals.ts';
import { safetyHeaders } from '../contract/safety-headers.ts';
import type { RefusalAnswer } from '../contract/route.ts';
import { presentRefusal, type RefusalNumbers } from './present/refusal.ts';
import type { FieldErrors } from './validation.ts';

/** Returns a JSON response, whatever `Accept` says. Responses of the API must not be cached. */
export const json = (statusCode: number, body: unknown): APIGatewayProxyResult => ({
  statusCode,
  headers: { ...safetyHeaders, 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

export const withHeader = (
  answer: APIGatewayProxyResult,
  name: string,
  value: string,
): APIGatewayProxyResult => ({ ...answer, headers: { ...answer.headers, [name]: value } });

export const invalidData = (errors: FieldErrors): APIGatewayProxyResult =>
  json(422, { success: false, message: invalidDataMessage, errors });

export const refused = (
  refusal: string,
  answer: RefusalAnswer,
  numbers?: RefusalNumbers,
): APIGatewayProxyResult =>
  json(statusOf(answer), {
    success: false,
    message: messageOf(refusal, answer),
    ...(typeof answer === 'object' && 'field' in answer && { errors: { [answer.field]: [answer.sentence] } }),
    ...(numbers && presentRefusal(numbers)),
  });

export const generalError = (): APIGatewayProxyResult =>
  json(500, { success: false, message: 'api:error.general_error' });
