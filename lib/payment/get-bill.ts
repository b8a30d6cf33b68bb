import { type Caller, whyRefused } from '../merchant/merchant.ts';
import type { Payments } from './ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { type Bill, billAsShown } from '../bill/bill.ts';
import { isBillId, isPaymentId, readShopId } from '../ids.ts';
import type { Contact } from '../bill/contact.ts';
import type { Bills, Contacts, OrderQuery } from '../bill/ports.ts';

export type GetBillPorts = {
  readonly bills: Bills;
  readonly contacts: Contacts;
  readonly payments: Payments;
  readonly now: () => Date;
};
/** `contact`: its masks, until it is erased. */
export type FoundBill = { readonly bill: Bill; readonly contact: Contact | undefined };

type Query = {
  readonly caller: Caller;
  /** One of the two is given; the id takes precedence. */
  readonly id: string | undefined;
  readonly orderId: string | undefined;
  /** With `orderId`: only bills of this shop. */
  readonly shopId: string | undefined;
};

export type GetBillRefusal = 'merchant_banned' | 'bill_not_found';

/**
 * Returns a bill by its id, or by the id of one of its payments: known clients send the TrsId of a postback (contract
 * 4.4). A client that lost the response to its creation finds the newest bill by `order_id`.
 */
export async function getBill(
  ports: GetBillPorts,
  { caller, id, orderId = '', shopId }: Query,
): Promise<Result<FoundBill, GetBillRefusal>> {
  const refusal = whyRefused(caller, ['merchant_banned']);
  if (refusal) return fail(refusal);

  const { merchantId } = caller;
  const bill = await (id === undefined
    ? findByOrder(ports, { merchantId, orderId, shopId })
    : findByEitherId(ports, id));
  // Another merchant's bill is indistinguishable from a missing one.
  if (!bill || bill.merchantId !== merchantId) return fail('bill_not_found');
  const contact = bill.hasContact ? await ports.contacts.find(bill.id) : undefined;
  return ok({ bill: billAsShown(bill, ports.now()), contact: contact?.masks });
}

type OfOrder = Omit<OrderQuery, 'shopId'> & Pick<Query, 'shopId'>;

async function findByOrder({ bills }: GetBillPorts, query: OfOrder): Promise<Bill | undefined> {
  const shopId = readShopId(query.shopId);
  if (shopId !== query.shopId) return undefined;
  return bills.findNewestOfOrder({ ...query, shopId });
}

async function findByEitherId({ bills, payments }: GetBillPorts, id: string): Promise<Bill | undefined> {
  if (isBillId(id)) return bills.find(id);
  return isPaymentId(id) ? (await payments.findWithBill(id))?.bill : undefined;
}
