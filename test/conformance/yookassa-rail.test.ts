import type { FaultRule } from '../../infra/yookassa-emulator/faults.ts';
import { changeSettings } from '../../infra/yookassa-emulator/world.ts';
import type { Destination } from '../../lib/payout/destination.ts';
import { yookassaRail } from '../../lib/provider/yookassa/rail.ts';
import { lossyFetch } from '../support/lossy-fetch.ts';
import { anEmulator } from '../support/yookassa-emulator.ts';
import { describeRail } from './rail.ts';
import { type RailSubject, type TransferFate, transferFates } from './rail-subject.ts';

const laterMs = 5 * 60_000;
/** What the emulator does with the first request. */
const effects: Readonly<Record<TransferFate, FaultRule['do'] | undefined>> = {
  paid: undefined,
  paid_later: { kind: 'ends', afterMs: laterMs, reason: undefined },
  refused: { kind: 'ends', afterMs: 0, reason: 'recipient_not_found' },
  refused_later: { kind: 'ends', afterMs: laterMs, reason: 'rejected_by_payee' },
  account_empty: { kind: 'ends', afterMs: 0, reason: 'insufficient_funds' },
  account_empty_later: { kind: 'ends', afterMs: laterMs, reason: 'insufficient_funds' },
  rejected: { kind: 'refused' },
  forbidden: { kind: 'refused_credentials' },
  busy: { kind: 'too_many_requests', retryAfterMs: 1500 },
  fails_before: { kind: 'internal_error', acted: false },
  fails_after: { kind: 'internal_error', acted: true },
};
const match = { method: 'POST', path: '^/v3/payouts$', nth: undefined } as const;

const toPhone: Destination = { type: 'sbp', phone: '79161234567', bankId: 100_000_000_111 };
/** Ends at once, where a payout by SBP takes seconds. */
const toCard: Destination = { type: 'credit_card', number: '5555555555554477', holder: undefined };

async function subjectWith({
  searchLagSeconds,
}: {
  readonly searchLagSeconds: number;
}): Promise<RailSubject> {
  const emulator = await anEmulator();
  const { world, gatewayId, gatewaySecretKey } = emulator;
  changeSettings(world, { searchLagSeconds });
  const { lossy, loseNext } = lossyFetch();
  const limits = { minMinor: 100n, maxMinor: 50_000_000n };

  return {
    rail: yookassaRail({
      apiUrl: emulator.apiUrl,
      credentials: async () => [{ id: gatewayId, secretKey: gatewaySecretKey }],
      limits: { sbp: limits, credit_card: limits },
      fetch: lossy,
    }),
    now: () => new Date(world.clock.now()),
    pass: (minutes) => emulator.advance(minutes * 60_000),
    meets(transfer, fate) {
      const effect = effects[fate];
      if (effect) world.faults.add({ match, times: 1, do: effect });
      return { ...transfer, destination: fate === 'fails_after' ? toCard : toPhone };
    },
    loseNext,
    async change(reference, to) {
      const payout = world.state.payouts.get(reference);
      if (!payout) throw new Error(`The emulator has no payout ${reference}.`);
      const at = world.clock.now();
      world.state.save(
        to === 'paid'
          ? { ...payout, status: 'succeeded', succeededAt: at, cancellation: undefined }
          : {
              ...payout,
              status: 'canceled',
              succeededAt: undefined,
              cancellation: { party: 'payout_network', reason: 'rejected_by_payee' },
            },
      );
    },
    paidOut: async (payoutId) =>
      [...world.state.payouts.values()]
        .filter(({ status, metadata }) => status === 'succeeded' && metadata['payout_id'] === payoutId)
        .map(({ amountMinor }) => BigInt(amountMinor)),
    stop: emulator.stop,
  };
}

for (const [name, searchLagSeconds] of [
  ['YooKassa', 0],
  ['YooKassa with a search that lags', 600],
] as const) {
  const promises = { isOwn: true, tombstones: false, searchLagSeconds, fates: transferFates, changes: true };
  describeRail(name, promises, () => subjectWith({ searchLagSeconds }));
}
