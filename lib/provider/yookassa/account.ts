import * as z from 'zod/mini';
import type { AccountView, ProviderAccount } from '../../provider-port.ts';
import { readAnswer, type YookassaAccess, yookassaClient } from './client.ts';
import { accountMoney } from './objects.ts';

/** `GET /me`: a shop has `payment_methods`, a payout gateway `payout_methods` and `payout_balance`. */
const me = z.object({
  account_id: z.string(),
  status: z.string(),
  test: z.boolean(),
  fiscalization_enabled: z.optional(z.boolean()),
  payment_methods: z.optional(z.array(z.string())),
  payout_methods: z.optional(z.array(z.string())),
  payout_balance: z.optional(accountMoney),
});
const newest = z.object({ items: z.array(z.object({ test: z.boolean() })) });

type Access = Pick<YookassaAccess, 'apiUrl' | 'credentials' | 'fetch' | 'timeoutMs'>;

/**
 * The shop. The documentation names `GET /me` for partners, platforms and payouts only: for a shop that may not call it, the list of
 * payments proves the keys, and its newest payment says whether the shop is a test shop.
 */
export const yookassaShopAccount = (access: Access): ProviderAccount => ({
  account: () =>
    withCurrentKeys(access, async (call, id) => {
      const answer = await call('me', { method: 'GET' });
      if (answer.kind === 'done') return knownFrom(answer.body, 'card');
      if (!answer.outcome.startsWith('forbidden')) return { state: 'refused', id, reason: answer.outcome };
      const listed = await call('payments', { method: 'GET', query: { limit: '1' } });
      if (listed.kind === 'refused') return { state: 'refused', id, reason: listed.outcome };
      const [payment] = readAnswer(newest, listed.body).items;
      const live = payment && !payment.test;
      return { state: 'known', id, live, ...notTold };
    }),
});

const notTold = { enabled: undefined, methods: undefined, receipts: undefined, balances: [] } as const;

/** The payout gateway. */
export const yookassaGatewayAccount = (access: Access): ProviderAccount => ({
  account: () =>
    withCurrentKeys(access, async (call, id) => {
      const answer = await call('me', { method: 'GET' });
      return answer.kind === 'done'
        ? knownFrom(answer.body, 'credit_card')
        : { state: 'refused', id, reason: answer.outcome };
    }),
});

/** Only with the current keys: previous ones would hide that the provider refuses these. */
async function withCurrentKeys(
  { credentials, ...access }: Access,
  read: (call: ReturnType<typeof yookassaClient>, id: string) => Promise<AccountView>,
): Promise<AccountView> {
  const [current] = await credentials();
  if (current.id === '') return { state: 'not_set' };
  return read(yookassaClient({ ...access, credentials: async () => [current] }), current.id);
}

function knownFrom(body: unknown, card: 'card' | 'credit_card'): AccountView {
  const { account_id: id, status, test, ...rest } = readAnswer(me, body);
  const { payment_methods, payout_methods, fiscalization_enabled: receipts, payout_balance } = rest;
  const methods = (payment_methods ?? payout_methods)?.map((name) => (name === 'bank_card' ? card : name));
  const balances = payout_balance ? [{ currency: payout_balance.currency, minor: payout_balance.value }] : [];
  return { state: 'known', id, live: !test, enabled: status === 'enabled', methods, receipts, balances };
}
