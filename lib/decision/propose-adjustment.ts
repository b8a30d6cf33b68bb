import { type MerchantId, readMerchantId, readPaymentId, readPayoutId } from '../ids.ts';
import { type Adjustment, type Adjustments, type Direction } from '../ledger/adjustment.ts';
import { type ReasonRefusal, readPersonName, readReason } from '../ledger/signed-reason.ts';
import type { Merchants } from '../merchant/ports.ts';
import { type BalanceCurrency, largestAmount, type Money } from '../money/money.ts';
import type { Payments } from '../payment/ports.ts';
import type { Payouts } from '../payout/ports.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = {
  readonly now: () => Date;
  readonly merchants: Pick<Merchants, 'find'>;
  readonly payments: Pick<Payments, 'find'>;
  readonly payouts: Pick<Payouts, 'find'>;
  readonly adjustments: Pick<Adjustments, 'create' | 'find'>;
};
type Command = {
  /** The id of the decision: a repetition finds the adjustment. */
  readonly id: string;
  readonly merchantId: string;
  readonly direction: Direction;
  readonly amount: Money<BalanceCurrency>;
  readonly reason: string;
  /** A payment or payout of this merchant. */
  readonly about: string | undefined;
  readonly by: string;
};
type ProposalRefusal =
  | ReasonRefusal
  | 'merchant_not_found'
  | 'adjustment_amount_invalid'
  | 'person_invalid'
  | 'about_not_found';

/** Records an adjustment for another person to approve. No money moves. */
export async function proposeAdjustment(
  ports: Ports,
  { id, direction, amount, about, ...said }: Command,
): Promise<Result<Adjustment, ProposalRefusal>> {
  if (amount.minor <= 0n || amount.minor > largestAmount) return fail('adjustment_amount_invalid');
  const reason = readReason(said.reason);
  if (!reason.ok) return reason;
  const proposedBy = readPersonName(said.by);
  if (proposedBy === undefined) return fail('person_invalid');
  const merchantId = readMerchantId(said.merchantId);
  if (!merchantId || !(await ports.merchants.find(merchantId))) return fail('merchant_not_found');
  if (about !== undefined && !(await isOf(ports, merchantId, about))) return fail('about_not_found');

  const adjustment: Adjustment = {
    id,
    merchantId,
    direction,
    amount,
    reason: reason.value,
    about,
    status: 'PROPOSED',
    proposedBy,
    proposedAt: ports.now(),
    decision: undefined,
  };
  const created = await ports.adjustments.create(adjustment);
  return created.ok ? ok(adjustment) : ok((await ports.adjustments.find(id)) ?? adjustment);
}

/** Whether the payment or payout belongs to the merchant. Otherwise the entry would appear in another merchant's history. */
async function isOf({ payments, payouts }: Ports, merchantId: MerchantId, about: string): Promise<boolean> {
  const [payoutId, paymentId] = [readPayoutId(about), readPaymentId(about)];
  const found = payoutId ? await payouts.find(payoutId) : paymentId && (await payments.find(paymentId));
  return found?.merchantId === merchantId;
}
