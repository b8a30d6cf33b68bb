import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { json } from '../lib/http/answers.ts';
import { type NotificationPorts, receiveNotification } from '../lib/payment/receive-notification.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { resolvePorts } from '../lib/runtime/payment-ports.ts';

/** Whoever is not the acquirer learns nothing of this door. */
const notFound = { success: false, message: 'Not found.' };

/** `POST /acquirer/notification`: only asks the acquirer again; an answer of 5xx makes it repeat the notification. */
export const create =
  (deps: NotificationPorts) =>
  async ({ headers, body, isBase64Encoded }: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const text = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString();
    const received = await receiveNotification(deps, { headers, body: text });
    return received === 'accepted' ? json(200, { success: true }) : json(404, notFound);
  };

export const handler = lambdaHandler(async () => create(await resolvePorts()));
