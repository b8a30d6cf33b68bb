import * as z from 'zod/mini';
import { largestAmount } from '../money/money.ts';
import type { AccountType, Destination } from '../payout/destination.ts';
import type { PayoutRail, RailLimits, RailView, Transfer } from '../payout/payout-rail.ts';
import { isNotFound, sandboxClient, type SandboxAccess, type SandboxAnswer } from './sandbox-client.ts';

const view = z.object({
  state: z.enum(['unknown', 'accepted', 'paid', 'refused', 'provider_empty']),
  reference: z.exactOptional(z.string()),
  reason: z.exactOptional(z.string()),
});

/** One SBP transfer is at most 500,000.00. */
const limits: Readonly<Record<AccountType, RailLimits>> = {
  credit_card: { minMinor: 100n, maxMinor: largestAmount },
  sbp: { minMinor: 100n, maxMinor: 50_000_000n },
};

/** The part of the rail that needs no secret. */
const sandboxRailLimits: Pick<PayoutRail, 'limits'> = { limits: (type) => limits[type] };

/** The sandbox as a payout rail. */
export function sandboxRail(access: SandboxAccess): PayoutRail {
  const call = sandboxClient(access);
  const path = ({ key }: Transfer) => `rail/transfers/${encodeURIComponent(key)}`;

  return {
    name: 'sandbox',
    tombstones: true,
    ...sandboxRailLimits,
    async send({ payoutId, key, amountMinor, currency, destination }) {
      const body = { payoutId, amountMinor: Number(amountMinor), currency, destination: sentTo(destination) };
      return read(await call('rail/transfers', { body, key }));
    },
    get: async (transfer) => read(await call(path(transfer), { method: 'GET' })),
    cancel: async (transfer) => read(await call(`${path(transfer)}/cancel`)),
    statement: async () => [],
  };
}

const sentTo = (destination: Destination) =>
  destination.type === 'credit_card'
    ? { type: 'card', account: destination.number }
    : { type: 'sbp', account: destination.phone };

function read(answer: SandboxAnswer): RailView {
  return isNotFound(answer) ? { state: 'unknown' } : view.parse(answer.body);
}
