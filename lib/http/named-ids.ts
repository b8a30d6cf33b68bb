import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isBillId, isPaymentId, isPayoutId } from '../ids.ts';
import { type LogFields, mayHoldCard } from '../log.ts';
import { parametersOf } from './parameters.ts';

type NamedIds = Pick<LogFields, 'bill' | 'payment' | 'payout'>;

/**
 * Returns the text as the kind of id whose shape it has. Other text must not be logged: it may be a token or a card number.
 */
export function namedIds(text: unknown): NamedIds {
  if (typeof text !== 'string' || mayHoldCard(text)) return {};
  if (isBillId(text)) return { bill: text };
  if (isPaymentId(text)) return { payment: text };
  return isPayoutId(text) ? { payout: text } : {};
}

/** Returns the bill, payment or payout id in an API request; nothing when the request cannot be parsed. */
export async function idsOf(event: APIGatewayProxyEvent): Promise<NamedIds> {
  const parameters = await parametersOf(event).catch(() => undefined);
  const id = parameters?.['id'];
  return namedIds(typeof id === 'string' ? id.trim() : id);
}
