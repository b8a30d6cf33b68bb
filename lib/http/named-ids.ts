import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isBillId, isPaymentId } from '../ids.ts';
import { type LogFields, mayHoldCard } from '../log.ts';
import { isPayoutId } from '../payout/payout-id.ts';
import { parametersOf } from './parameters.ts';

type NamedIds = Pick<LogFields, 'bill' | 'payment' | 'payout'>;

/** The id that this text is, told by its shape. What has none is not for a log: it may be a token or a card's number. */
export function namedIds(text: unknown): NamedIds {
  if (typeof text !== 'string' || mayHoldCard(text)) return {};
  if (isBillId(text)) return { bill: text };
  if (isPaymentId(text)) return { payment: text };
  return isPayoutId(text) ? { payout: text } : {};
}

/** The bill, payment or payout that a request to the API asks about, as far as the request can be read. */
export async function idsOf(event: APIGatewayProxyEvent): Promise<NamedIds> {
  const parameters = await parametersOf(event).catch(() => undefined);
  const id = parameters?.['id'];
  return namedIds(typeof id === 'string' ? id.trim() : id);
}
