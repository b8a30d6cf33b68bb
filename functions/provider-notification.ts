import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { largestBody } from '../lib/contract/body-limits.ts';
import { gatewayAnswers } from '../lib/contract/gateway-answers.ts';
import { generalError, json } from '../lib/http/answers.ts';
import { bodyText, isTooLarge, lowerCaseNames } from '../lib/http/gateway-event.ts';
import { readPayoutId } from '../lib/ids.ts';
import { type NotificationPorts, receiveNotification } from '../lib/payment/receive-notification.ts';
import { type PayoutNoticePorts, receivePayoutNotice } from '../lib/payout/receive-payout-notice.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { notificationAddresses } from '../lib/runtime/notification-address.ts';
import { notificationPorts, payoutNoticePorts } from '../lib/runtime/ports.ts';

type Deps = {
  readonly payments: NotificationPorts;
  readonly payouts: PayoutNoticePorts;
  readonly addresses: typeof notificationAddresses;
};

/**
 * `POST /acquirer/{provider}/{secret}`: the address of a provider that does not sign its notifications. Another secret is 404. What
 * it says is a hint: the payment or payout is read from the provider. The provider repeats a notification that is not answered 200.
 */
export const create =
  ({ payments, payouts, addresses }: Deps) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    if (isTooLarge(event, largestBody)) return json(413, gatewayAnswers.tooLarge);
    const { provider = '', secret = '' } = event.pathParameters ?? {};
    if (!(await addresses.isOpen(provider, secret))) return json(404, gatewayAnswers.notFound);
    const [headers, body] = [lowerCaseNames(event.headers), bodyText(event)];
    const payoutId = readPayoutId(addresses.payoutIn(body));
    if (payoutId === undefined) {
      const received = await receiveNotification(payments, { provider, headers, body });
      return received === 'accepted' ? json(200, { success: true }) : json(404, gatewayAnswers.notFound);
    }
    const noted = await receivePayoutNotice(payouts, payoutId);
    return noted === 'no_answer' ? generalError() : json(200, { success: true });
  };

export const handler = lambdaHandler(async () =>
  create({
    payments: await notificationPorts(),
    payouts: await payoutNoticePorts(),
    addresses: notificationAddresses,
  }),
);
