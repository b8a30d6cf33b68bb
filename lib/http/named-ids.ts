import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isBillId, isPaymentId, isPayoutId, isRefundId } from '../ids.ts';
import { type LogFields, mayHoldCard } from '../log.ts';
import { parametersOf } from './parameters.ts';

type NamedIds = Pick<LogFields, 'bill' | 'payment' | 'payout' | 'refund'>;

/**
 * Returns the text as the kind of id whose shape it has. Other text must not be logged: it may be a token or a card number.
 */
export function namedIds(text: unknown): NamedIds {
  if (typeof text !== 'string' || mayHoldCard(text)) return {};
  if (isBillId(text)) return { bill: text };
  if (isPaymentId(text)) return { payment: text };
  if (isRefundId(text)) return { refund: text };
  return isPayoutId(text) ? { payout: text } : {};
}

/** Returns the id in an API request, or that of the payment that it is about; nothing when the request cannot be parsed. */
export async function idsOf(event: APIGatewayProxyEvent): Promise<NamedIds> {
  const parameters = await parametersOf(event).catch(() => undefined);
  const id = parameters?.['id'] ?? parameters?.['payment_id'];
  return namedIds(typeof id === 'string' ? id.trim() : id);
}
