import type { Caller } from '../merchant/merchant.ts';
import { parseAmount } from '../money/money.ts';
import { fail, type Result } from '../result.ts';
import {
  type CreatedPayouts,
  type CreationPorts,
  type CreationRefusal,
  createPayouts,
} from './create-payouts.ts';

type CreatePersonalPayout = {
  readonly caller: Caller;
  readonly accountId: string;
  /** As the merchant spelled it. */
  readonly amount: string;
  readonly orderId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
};

/** Only regular payouts need the grant that this refusal is about. */
export type PersonalPayoutRefusal = Exclude<CreationRefusal, 'unauthorized_action'>;

/** Contract 4.7: out of the balance to an account that was stored for the merchant. */
export async function createPersonalPayout(
  ports: CreationPorts,
  { caller, accountId, amount, orderId, idempotencyKey }: CreatePersonalPayout,
): Promise<Result<CreatedPayouts, PersonalPayoutRefusal>> {
  const created = await createPayouts(ports, {
    merchantId: caller.merchantId,
    kind: 'personal',
    target: { accountId },
    requested: { amountMinor: parseAmount(amount) },
    orderId,
    idempotencyKey,
  });
  if (created.ok) return created;
  const { error } = created;
  if (error === 'unauthorized_action') throw new Error('A personal payout needs no grant');
  return fail(error);
}
