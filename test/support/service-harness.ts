import { dynamoBalances } from '../../lib/store/balances.ts';
import { dynamoBills } from '../../lib/store/bills.ts';
import { resolveBySystem } from '../../lib/provider/merchant-address.ts';
import { merchantPost } from '../../lib/provider/merchant-post.ts';
import { dynamoEndpoints } from '../../lib/store/endpoints.ts';
import { dynamoEvents } from '../../lib/store/events.ts';
import { dynamoListings } from '../../lib/store/listings.ts';
import { dynamoContacts } from '../../lib/store/contacts.ts';
import { dynamoPayments } from '../../lib/store/payments.ts';
import { dynamoChargebacks } from '../../lib/store/chargebacks.ts';
import { dynamoRefunds } from '../../lib/store/refunds.ts';
import { dynamoRates } from '../../lib/store/rates.ts';
import { dynamoShops } from '../../lib/store/shops.ts';
import type { Payment } from '../../lib/payment/payment.ts';
import { addPayoutAccount } from '../../lib/payout/payout-accounts.ts';
import { aBill, aPayment, aShop, merchantId } from './builders.ts';
import { listsOn, start, unchecked } from './api-deps.ts';
import { contactSealer } from './contacts.ts';
import { payoutHarness, phone } from './payout-harness.ts';

type Given = Parameters<typeof payoutHarness>[0] & { readonly payment?: Partial<Payment> };

/** Everything the merchant API needs, on one table: a merchant with a shop, a bill with a payment, in progress unless given, and a payout account. */
export async function serviceHarness({ payment = {}, ...given }: Given = {}) {
  const harness = await payoutHarness(given);
  const { table, now } = harness;
  const ports = {
    shops: dynamoShops(table),
    bills: dynamoBills(table, now),
    contacts: dynamoContacts(table, now),
    contactSealer,
    payments: dynamoPayments(table),
    ...listsOn(table),
    balances: dynamoBalances(table),
    rates: dynamoRates(table),
    events: dynamoEvents(table),
    endpoints: dynamoEndpoints(table),
    listings: dynamoListings(table),
    opener: { open: async (sealed: string) => sealed },
    post: merchantPost({ policy: 'loopback', resolve: resolveBySystem, now }),
    chargeLimits: unchecked,
    refunds: dynamoRefunds(table, now),
    chargebacks: dynamoChargebacks(table),
    isAcquirerDeployed: () => true,
    refundQueue: { send: async () => undefined },
  };
  await ports.shops.create(aShop());
  await ports.bills.create(aBill(), [], []);
  await start(ports, aPayment(payment));
  const account = await addPayoutAccount(harness, {
    merchantId,
    type: 'sbp',
    number: phone,
    currency: 'RUB',
  });
  if (!account.ok) throw new Error(account.error);
  return { ...harness, ...ports, accountId: account.value.id };
}

export type ServiceHarness = Awaited<ReturnType<typeof serviceHarness>>;
