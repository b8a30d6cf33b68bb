import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { largestBody } from '../lib/contract/body-limits.ts';
import { gatewayAnswers } from '../lib/contract/gateway-answers.ts';
import { json } from '../lib/http/answers.ts';
import { isTooLarge } from '../lib/http/gateway-event.ts';
import { bodyText } from '../lib/http/gateway-event.ts';
import { type NotificationPorts, receiveNotification } from '../lib/payment/receive-notification.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { resolvePorts } from '../lib/runtime/ports.ts';

/**
 * `POST /acquirer/notification`: only asks the acquirer again; an answer of 5xx makes it repeat the notification.
 * Whoever is not the acquirer is told that there is nothing here.
 */
export const create =
  (deps: NotificationPorts) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    if (isTooLarge(event, largestBody)) return json(413, gatewayAnswers.tooLarge);
    const received = await receiveNotification(deps, {
      headers: event.headers,
      body: bodyText(event),
    });
    return received === 'accepted' ? json(200, { success: true }) : json(404, gatewayAnswers.notFound);
  };

export const handler = lambdaHandler(async () => create(await resolvePorts()));
