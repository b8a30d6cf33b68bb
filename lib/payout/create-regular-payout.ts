import type { Caller } from '../merchant/merchant.ts';
import { parseAmount } from '../money/money.ts';
import { fail, type Result } from '../result.ts';
import type { CreationRefusal } from './assess.ts';
import { type CreatedPayouts, type CreationPorts, createPayouts } from './create-payouts.ts';
import type { Destination } from './destination.ts';
import type { RefusalNumbers } from './refusal-numbers.ts';
import type { PayoutRequest } from './request-identity.ts';

export type CreateRegularPayout = {
  readonly caller: Caller;
  /** As sent by the merchant. */
  readonly amount: string;
  readonly destination: Destination;
  readonly orderId: string | undefined;
  readonly idempotencyKey: string | undefined;
};

/** The request for a payout to a card or an SBP account. */
export const regularRequest = ({
  caller,
  amount,
  destination,
  ...named
}: CreateRegularPayout): PayoutRequest => ({
  merchantId: caller.merchantId,
  kind: 'regular',
  target: { destination },
  requested: { amountMinor: parseAmount(amount) },
  ...named,
  autoGroupId: undefined,
});

/** Creates a payout from the balance to a card or an SBP account (contract 4.8). */
export async function createRegularPayout(
  ports: CreationPorts,
  command: CreateRegularPayout,
): Promise<Result<CreatedPayouts, CreationRefusal, RefusalNumbers>> {
  if (!command.caller.regularPayouts) return fail('unauthorized_action');
  return createPayouts(ports, regularRequest(command));
}
