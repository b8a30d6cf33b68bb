import { type Caller, whyRefused } from '../merchant/merchant.ts';
import { isPaymentId } from '../payment/payment.ts';
import type { Payments } from '../payment/ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { type Bill, billAsShown, isBillId } from './bill.ts';
import type { Bills } from './ports.ts';

export type GetBillPorts = { readonly bills: Bills; readonly payments: Payments; readonly now: () => Date };
type Query = { readonly caller: Caller; readonly id: string };

export type GetBillRefusal = 'merchant_banned' | 'bill_not_found';

/** A bill by its id, or by the id of one of its payments: known clients send the TrsId of a postback (contract 4.4). */
export async function getBill(
  ports: GetBillPorts,
  { caller, id }: Query,
): Promise<Result<Bill, GetBillRefusal>> {
  const refusal = whyRefused(caller, ['merchant_banned']);
  if (refusal) return fail(refusal);

  const bill = await findByEitherId(ports, id);
  // Another merchant's bill looks exactly like a missing one.
  if (!bill || bill.merchantId !== caller.merchantId) return fail('bill_not_found');
  return ok(billAsShown(bill, ports.now()));
}

async function findByEitherId({ bills, payments }: GetBillPorts, id: string): Promise<Bill | undefined> {
  if (isBillId(id)) return bills.find(id);
  return isPaymentId(id) ? (await payments.findWithBill(id))?.bill : undefined;
}
