import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { largestBody } from '../lib/contract/body-limits.ts';
import { gatewayAnswers } from '../lib/contract/gateway-answers.ts';
import { json } from '../lib/http/answers.ts';
import { bodyText, isTooLarge, lowerCaseNames } from '../lib/http/gateway-event.ts';
import { type NotificationPorts, receiveNotification } from '../lib/payment/receive-notification.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { notificationPorts } from '../lib/runtime/ports.ts';

/**
 * `POST /acquirer/notification`, the sandbox's: triggers a status query, whose answer is what counts; on a 5xx the acquirer repeats the
 * notification. Any other sender gets 404.
 */
export const create =
  (deps: NotificationPorts) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    if (isTooLarge(event, largestBody)) return json(413, gatewayAnswers.tooLarge);
    const received = await receiveNotification(deps, {
      provider: 'sandbox',
      headers: lowerCaseNames(event.headers),
      body: bodyText(event),
    });
    return received === 'accepted' ? json(200, { success: true }) : json(404, gatewayAnswers.notFound);
  };

export const handler = lambdaHandler(async () => create(await notificationPorts()));
