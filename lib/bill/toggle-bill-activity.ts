import type { BillId } from '../ids.ts';
import { type Caller, whyRefused } from '../merchant/merchant.ts';
import { fail, ok, type Result } from '../result.ts';
import { type Bill, billAsShown } from './bill.ts';
import type { Bills } from './ports.ts';

export type ToggleBillPorts = { readonly bills: Bills; readonly now: () => Date };
type Command = {
  readonly caller: Caller;
  /** Undefined when the text is not a bill id. */
  readonly billId: BillId | undefined;
  readonly active: boolean;
};

const merchantRefusals = [
  'merchant_not_found',
  'merchant_banned',
  'merchant_subscription_inactive',
  'merchant_subscription_not_found',
] as const;
export type ToggleBillRefusal = (typeof merchantRefusals)[number] | 'bill_not_found' | 'bill_is_finished';

/** Turns a payment link on or off (contract 4.2). Setting the state that it already has succeeds. */
export async function toggleBillActivity(
  { bills, now }: ToggleBillPorts,
  { caller, billId, active }: Command,
): Promise<Result<Bill, ToggleBillRefusal>> {
  const refusal = whyRefused(caller, merchantRefusals);
  if (refusal) return fail(refusal);
  if (billId === undefined) return fail('bill_not_found');

  // The write checks owner and status itself, so a payment that settles at the same time is not overlooked.
  const changed = await bills.setActive({ merchantId: caller.merchantId, billId, active });
  return changed.ok ? ok(billAsShown(changed.value, now())) : changed;
}
