import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { receiveNotification } from '../lib/payment/receive-notification.ts';
import type { ResolvePorts } from '../lib/payment/resolve-step.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { acquirer } from '../lib/runtime/acquirer.ts';
import { postbackQueue } from '../lib/runtime/queues.ts';
import { payments, shops, failedAttempts } from '../lib/runtime/store.ts';
import { system } from '../lib/runtime/system.ts';

/** `POST /acquirer/notification`: only asks the acquirer again; an answer of 5xx makes it repeat the notification. */
export const create =
  (deps: ResolvePorts) =>
  async ({ headers, body, isBase64Encoded }: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const text = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString();
    const received = await receiveNotification(deps, { headers, body: text });
    return received === 'accepted' ? answer(200, { success: true }) : answer(404, notFound);
  };

/** Whoever is not the acquirer learns nothing of this door. */
const notFound = { success: false, message: 'Not found.' };

const answer = (statusCode: number, body: object): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

export const handler = lambdaHandler(async () =>
  create({
    ...system,
    payments: payments(),
    shops: shops(),
    failedAttempts: failedAttempts(),
    acquirer: await acquirer(),
    postbackQueue: postbackQueue(),
  }),
);
