import * as z from 'zod/mini';
import { Defect } from '../defect.ts';
import { largestAmount } from '../money/money.ts';
import type { AccountType, Destination } from '../payout/destination.ts';
import type { PayoutRail, RailLimits, RailView, Transfer } from '../payout/payout-rail.ts';
import { isNotFound, sandboxClient, type SandboxAccess, type SandboxAnswer } from './sandbox-client.ts';

const view = z.object({
  state: z.enum(['unknown', 'accepted', 'paid', 'refused', 'provider_empty']),
  reference: z.exactOptional(z.string()),
  reason: z.exactOptional(z.string()),
});

const found = z.object({ transfers: z.array(z.extend(view, { key: z.string() })) });
const minor = z.pipe(
  z.int(),
  z.transform((value: number) => BigInt(value)),
);
const paid = z.object({
  paid: z.array(
    z.object({
      reference: z.string(),
      payoutId: z.optional(z.string()),
      amountMinor: minor,
      currency: z.string(),
      at: z.pipe(
        z.iso.datetime(),
        z.transform((text: string) => new Date(text)),
      ),
    }),
  ),
});
const refusal = z.object({ error: z.string() });

/** One SBP transfer is at most 500,000.00. */
const limits: Readonly<Record<AccountType, RailLimits>> = {
  credit_card: { minMinor: 100n, maxMinor: largestAmount },
  sbp: { minMinor: 100n, maxMinor: 50_000_000n },
};

/** The part of the rail that needs no secret. */
const sandboxRailLimits: Pick<PayoutRail, 'limits'> = { limits: (type) => limits[type] };

type Options = SandboxAccess & {
  /** As the sandbox's manners say: whether it reports and cancels transfers by our key, for ever. */
  readonly tombstones?: boolean;
};

/** The sandbox as a payout rail. */
export function sandboxRail({ tombstones = true, ...access }: Options): PayoutRail {
  const call = sandboxClient(access);
  const path = (id: string) => `rail/transfers/${encodeURIComponent(id)}`;
  const look = (where: string) => call(where, { method: 'GET' });

  return {
    name: 'sandbox',
    tombstones,
    ...sandboxRailLimits,
    async send({ payoutId, key, amountMinor, currency, destination }) {
      const body = { payoutId, amountMinor: Number(amountMinor), currency, destination: sentTo(destination) };
      return readSent(await call('rail/transfers', { body, key, clear: [400, 401, 403] }));
    },
    async get(transfer) {
      const { key, reference, payoutId } = transfer;
      if (tombstones) return read(await look(path(key)));
      if (reference !== undefined) return read(await look(path(reference)));
      return ofAttempt(transfer, found.parse((await look(`rail/payouts/${payoutId}`)).body).transfers);
    },
    async cancel({ key }) {
      if (!tombstones) throw new Defect('RAIL_WITHOUT_TOMBSTONES', 'This rail cannot cancel a transfer');
      return read(await call(`${path(key)}/cancel`));
    },
    banks: undefined,
    async statement({ from, to }) {
      const answer = await look(`rail/paid/${from.getTime()}/${to.getTime()}`);
      return paid.parse(answer.body).paid.map(({ payoutId, ...line }) => ({
        kind: 'payout',
        ...line,
        ourId: payoutId,
        orderReference: undefined,
        feeMinor: undefined,
      }));
    },
  };
}

/** Of several transfers, one that moves money counts first: also that of an attempt which we took for ended. */
function ofAttempt({ key }: Transfer, transfers: z.infer<typeof found>['transfers']): RailView {
  const named =
    transfers.find(({ state }) => state === 'paid' || state === 'accepted') ??
    transfers.find((transfer) => transfer.key === key);
  if (!named) return { state: 'unknown' };
  const { key: _key, ...seen } = named;
  return seen;
}

const sentTo = (destination: Destination) =>
  destination.type === 'credit_card'
    ? { type: 'card', account: destination.number }
    : { type: 'sbp', account: destination.phone };

function readSent(answer: SandboxAnswer): RailView {
  const { status, body } = answer;
  if (status === 401 || status === 403) return { state: 'not_taken', reason: refusal.parse(body).error };
  if (status === 400 || status === 422) return { state: 'refused', reason: refusal.parse(body).error };
  return read(answer);
}

function read(answer: SandboxAnswer): RailView {
  return isNotFound(answer) ? { state: 'unknown' } : view.parse(answer.body);
}
