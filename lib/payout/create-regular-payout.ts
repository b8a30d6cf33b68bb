import type { Caller } from '../merchant/merchant.ts';
import { parseAmount } from '../money/money.ts';
import { fail, type Result } from '../result.ts';
import {
  type CreatedPayouts,
  type CreationPorts,
  type CreationRefusal,
  createPayouts,
} from './create-payouts.ts';
import type { Destination } from './destination.ts';
import type { RefusalNumbers } from './refusal-numbers.ts';

type CreateRegularPayout = {
  readonly caller: Caller;
  /** As sent by the merchant. */
  readonly amount: string;
  readonly destination: Destination;
  readonly orderId: string | undefined;
  readonly idempotencyKey: string | undefined;
};

/** Creates a payout from the balance to a card or an SBP account (contract 4.8). */
export async function createRegularPayout(
  ports: CreationPorts,
  { caller, amount, destination, orderId, idempotencyKey }: CreateRegularPayout,
): Promise<Result<CreatedPayouts, CreationRefusal, RefusalNumbers>> {
  if (!caller.regularPayouts) return fail('unauthorized_action');
  return createPayouts(ports, {
    merchantId: caller.merchantId,
    kind: 'regular',
    target: { destination },
    requested: { amountMinor: parseAmount(amount) },
    orderId,
    idempotencyKey,
    autoGroupId: undefined,
  });
}
