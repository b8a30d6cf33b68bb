import { Defect } from '../defect.ts';
import type { AccountId } from '../ids.ts';
import type { Caller } from '../merchant/merchant.ts';
import { parseAmount } from '../money/money.ts';
import { fail, type Result } from '../result.ts';
import type { CreationRefusal } from './assess.ts';
import { type CreatedPayouts, type CreationPorts, createPayouts } from './create-payouts.ts';
import type { RefusalNumbers } from './refusal-numbers.ts';
import type { PayoutRequest } from './request-identity.ts';

export type CreatePersonalPayout = {
  readonly caller: Caller;
  /** Undefined for text that is not an account id. */
  readonly accountId: AccountId | undefined;
  /** As sent by the merchant. */
  readonly amount: string;
  readonly orderId: string | undefined;
  readonly idempotencyKey: string | undefined;
};

/** Only regular payouts require a grant and carry a card number or a bank. */
const ofRegularPayouts = ['unauthorized_action', 'order_id_is_card_number', 'sbp_bank_unknown'] as const;
type OfRegularPayouts = (typeof ofRegularPayouts)[number];
export type PersonalPayoutRefusal = Exclude<CreationRefusal, OfRegularPayouts>;

const isOfRegularPayouts = (refusal: CreationRefusal): refusal is OfRegularPayouts =>
  ofRegularPayouts.some((each) => each === refusal);

/** The request for a payout to an account stored for the merchant. */
export const personalRequest = ({
  caller,
  accountId,
  amount,
  ...named
}: CreatePersonalPayout): PayoutRequest => ({
  merchantId: caller.merchantId,
  kind: 'personal',
  target: { accountId },
  requested: { amountMinor: parseAmount(amount) },
  ...named,
  autoGroupId: undefined,
});

/** Creates a payout from the balance to an account stored for the merchant (contract 4.7). */
export async function createPersonalPayout(
  ports: CreationPorts,
  command: CreatePersonalPayout,
): Promise<Result<CreatedPayouts, PersonalPayoutRefusal, RefusalNumbers>> {
  const created = await createPayouts(ports, personalRequest(command));
  if (created.ok) return created;
  const { error, details } = created;
  if (isOfRegularPayouts(error))
    throw new Defect(
      'PERSONAL_PAYOUT_REFUSAL_IMPOSSIBLE',
      `A personal payout is never refused with ${error}`,
    );
  return fail(error, details);
}
