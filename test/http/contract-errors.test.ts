import { describe, expect, it } from 'vitest';
import { type ErrorRow, errorTable } from '../../lib/contract/error-table.ts';
import type { MerchantFlags } from '../../lib/merchant/merchant.ts';
import { paid } from '../support/api-deps.ts';
import { aCaller, apiEvent, form, get, lambdaContext, post, type Sent } from '../support/api-event.ts';
import { handlers, type Path, paths } from '../support/api-handlers.ts';
import { aBill, aPayment, aShop, billId, merchantId, paymentId, shopId } from '../support/builders.ts';
import { card, type payoutHarness } from '../support/payout-harness.ts';
import { testRail } from '../support/rail.ts';
import { type ServiceHarness, serviceHarness } from '../support/service-harness.ts';

/** How a caller comes to this error; or the one line that says why nobody can. */
type Way =
  | string
  | {
      readonly given?: Parameters<typeof payoutHarness>[0];
      readonly before?: (harness: ServiceHarness) => Promise<unknown>;
      readonly sent: (harness: ServiceHarness) => Sent;
    };

const alwaysThere =
  'A token lies in the table only together with its merchant, so whoever passed the authorizer exists.';
const noAccount = 'A regular payout names no stored account.';

/** With the merchant as it is, but for these flags; payouts read them again from the table. */
const flagged = (flags: Partial<MerchantFlags>, sent: (harness: ServiceHarness) => Sent): Way => ({
  given: { merchant: flags },
  sent: (harness) => ({ ...sent(harness), caller: aCaller(flags) }),
});

const merchantWays = (sent: (harness: ServiceHarness) => Sent) => ({
  merchant_not_found: alwaysThere,
  merchant_banned: flagged({ banned: true }, sent),
  merchant_subscription_inactive: flagged({ subscription: 'inactive' }, sent),
  merchant_subscription_not_found: flagged({ subscription: 'none' }, sent),
  merchant_not_verified: flagged({ verified: false }, sent),
});

const bill = (fields: Readonly<Record<string, string>> = {}) =>
  form({ amount: '1', shop_id: shopId, ...fields });
const keyed = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, 'Idempotency-Key': 'key-1' } });
const others = aShop({ id: 'OthersOthersShop', merchantId: 'AnotherMerchant1' });

const billCreate: Readonly<Record<string, Way>> = {
  ...merchantWays(() => bill()),
  shop_not_found: { sent: () => bill({ shop_id: 'x' }) },
  access_denied: { before: ({ shops }) => shops.create(others), sent: () => bill({ shop_id: others.id }) },
  shop_not_enabled: { before: ({ shops }) => shops.set(shopId, { enabled: false }), sent: () => bill() },
  invalid_amount: { sent: () => bill({ amount: '0' }) },
  no_payout: { sent: () => bill({ currency_in: 'KZT' }) },
  'Idempotency-Key': {
    before: (harness) => post(handlers['/bill/create'](harness), keyed(bill())),
    sent: () => keyed(bill({ amount: '2' })),
  },
  invalid: { sent: () => form({}) },
};

const toggled = () => form({ id: billId, active: '0' });
const toggle: Readonly<Record<string, Way>> = {
  ...merchantWays(toggled),
  bill_not_found: { sent: () => form({ id: 'x', active: '1' }) },
  bill_is_finished: { before: (harness) => paid(harness, paymentId), sent: toggled },
  invalid: { sent: () => form({ id: billId, active: 'x' }) },
};

const multi = 'MultiMultiMulti1';
async function thousandAndOne({ bills, payments }: ServiceHarness): Promise<void> {
  const many = aBill({ id: multi, type: 'MULTI' });
  await bills.create(many, [], []);
  const hold = { bill: many, now: many.createdAt, lockUntil: many.createdAt };
  const ids = Array.from({ length: 1001 }, (_, n) => `${multi}00${String(n).padStart(8, '0')}`);
  await Promise.all(
    ids.map((id) => payments.start(aPayment({ id, billId: multi, billType: 'MULTI' }), hold)),
  );
}

const list: Readonly<Record<string, Way>> = {
  ...merchantWays(() => ({ query: { id: billId } })),
  bill_not_found: { sent: () => ({ query: { id: 'x' } }) },
  too_many_payments: { before: thousandAndOne, sent: () => ({ query: { id: multi } }) },
  cursor: { sent: () => ({ query: { id: billId, cursor: 'x' } }) },
  invalid: { sent: () => ({ query: { id: billId, limit: 'x' } }) },
};

const readById = (id: string, missing: string): Readonly<Record<string, Way>> => ({
  ...merchantWays(() => ({ query: { id } })),
  [missing]: { sent: () => ({ query: { id: 'x' } }) },
  invalid: { sent: () => ({}) },
});

type PayoutForm = (harness: ServiceHarness, fields?: Readonly<Record<string, string>>) => Sent;
const personal: PayoutForm = ({ accountId }, fields) =>
  form({ amount: '1000', payout_account_id: accountId, ...fields });
const regular: PayoutForm = (_harness, fields) =>
  form({
    amount: '1000',
    currency: 'RUB',
    account_type: 'credit_card',
    account_identifier: card,
    card_holder: 'IVAN PETROV',
    ...fields,
  });

const payoutWays = (path: Path, sent: PayoutForm): Readonly<Record<string, Way>> => ({
  ...merchantWays(sent),
  invalid_amount: { sent: (harness) => sent(harness, { amount: '0' }) },
  daily_payout_limit_exceeded: { given: { terms: { dayLimitMinor: 1n } }, sent },
  monthly_payout_limit_exceeded: { given: { terms: { monthLimitMinor: 1n } }, sent },
  balance_not_enough: { given: { availableMinor: 1n }, sent },
  direction_not_available: { given: { rail: { ...testRail(), limits: () => undefined } }, sent },
  order_id: {
    before: (harness) => post(handlers[path](harness), sent(harness, { order_id: '1' })),
    sent: (harness) => sent(harness, { order_id: '1', amount: '2000' }),
  },
  'Idempotency-Key': {
    before: (harness) => post(handlers[path](harness), keyed(sent(harness))),
    sent: (harness) => keyed(sent(harness, { amount: '2000' })),
  },
  invalid: { sent: () => form({}) },
});

const ways: Readonly<Record<Path, Readonly<Record<string, Way>>>> = {
  '/bill/create': billCreate,
  '/bill/toggle_activity': toggle,
  '/bill/payments': list,
  '/bill/status': readById(billId, 'bill_not_found'),
  '/payment/status': readById(paymentId, 'payment_not_found'),
  '/merchant/balance': merchantWays(() => ({})),
  '/payout/personal/create': {
    ...payoutWays('/payout/personal/create', personal),
    payout_account_not_found: { sent: (harness) => personal(harness, { payout_account_id: 'x' }) },
    payout_account_banned: {
      before: ({ payoutAccounts, accountId }) => payoutAccounts.set(merchantId, accountId, { banned: true }),
      sent: personal,
    },
    direction_not_available: {
      before: ({ payoutAccounts, accountId }) =>
        payoutAccounts.set(merchantId, accountId, { available: false }),
      sent: personal,
    },
  },
  '/payout/regular/create': {
    ...payoutWays('/payout/regular/create', regular),
    payout_account_not_found: noAccount,
    payout_account_banned: noAccount,
    'This action is unauthorized': flagged({ regularPayouts: false }, regular),
  },
  '/payout/status': readById('x', 'payout_not_found'),
  '/payout/dictionaries/sbp_banks': merchantWays(() => ({})),
};

/** What the row is called in the table of ways. */
function wayTo({ message, field }: ErrorRow, path: Path): Way {
  const name =
    field ?? (message === 'The given data was invalid.' ? 'invalid' : message.replace('api:error.', ''));
  return ways[path][name] ?? 'nobody knows';
}

const rows = errorTable().map((row) => {
  const path = paths.find((each) => row.endpoint.endsWith(`/api/v1${each}`));
  if (!path) throw new Error(`${row.endpoint} has no handler`);
  return { row, path, title: `${row.endpoint} ${row.status} ${row.message} ${row.field ?? ''}` };
});
const ours = rows.filter(({ row }) => row.status !== 401 && row.status !== 500);

describe('every error of the contract', () => {
  it.each(ours.filter(({ row, path }) => typeof wayTo(row, path) !== 'string'))(
    '$title',
    async ({ row, path }) => {
      const way = wayTo(row, path);
      if (typeof way === 'string') throw new Error(way);
      const harness = await serviceHarness(way.given);
      await way.before?.(harness);
      const send = row.endpoint.startsWith('GET') ? get : post;
      const { status, body } = await send(handlers[path](harness), way.sent(harness));
      expect({ status, success: body.success, message: body.message }).toEqual({
        status: row.status,
        success: false,
        message: row.message,
      });
      if (row.field) expect(body.errors).toEqual({ [row.field]: [expect.stringMatching(/\w+ .*\.$/)] });
    },
  );

  it('is reached above, or nobody can come to it for a known reason', () => {
    const unreached = ours.flatMap(({ row, path, title }) => {
      const way = wayTo(row, path);
      return typeof way === 'string' && way !== alwaysThere && way !== noAccount ? [`${title}: ${way}`] : [];
    });
    expect(unreached).toEqual([]);
  });

  it.each(rows.filter(({ row }) => row.status === 500))('$title', async ({ row, path }) => {
    const harness = await serviceHarness();
    const event = apiEvent(row.endpoint.startsWith('GET') ? 'GET' : 'POST', {
      query: { id: 'x', active: '1' },
    });
    // What must never come: a request that no authorizer saw.
    event.requestContext.authorizer = undefined;
    const { statusCode, body } = await handlers[path](harness)(event, lambdaContext);
    expect([statusCode, JSON.parse(body)]).toEqual([
      500,
      { success: false, message: 'api:error.general_error' },
    ]);
  });
});
