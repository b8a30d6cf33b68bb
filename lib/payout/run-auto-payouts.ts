import { kindOf, type Log } from '../log.ts';
import { type AutoPayout, nextRun } from './auto-payout.ts';
import { type CreationPorts, createPayouts } from './create-payouts.ts';
import { groupOfAutoRun } from './payout-group.ts';
import type { AutoPayouts } from './ports.ts';

export type AutoPayoutsPorts = CreationPorts & { readonly autoPayouts: AutoPayouts; readonly log: Log };

/** Runs each standing order that is due. A failed one does not stop the others and is retried at the next run. */
export async function runAutoPayouts(ports: AutoPayoutsPorts): Promise<void> {
  const failures: unknown[] = [];
  for (const auto of await ports.autoPayouts.due(ports.now())) {
    await runOne(ports, auto).catch((failure: unknown) => {
      ports.log('error', 'auto_payout_failed', { ...kindOf(failure), merchant: auto.merchantId });
      failures.push(failure);
    });
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some automatic payouts did not run');
}

/** Creates the payout like a personal one. Its group id is derived from the hour, so it can exist only once. */
async function runOne(ports: AutoPayoutsPorts, auto: AutoPayout): Promise<void> {
  const { merchantId, accountId, thresholdMinor, nextAt } = auto;
  const created = await createPayouts(ports, {
    merchantId,
    kind: 'personal',
    target: { accountId },
    requested: { everythingFromMinor: thresholdMinor },
    autoGroupId: groupOfAutoRun(merchantId, nextAt),
    idempotencyKey: undefined,
    orderId: undefined,
  });
  const at = ports.now();
  const outcome = created.ok ? (created.value.payouts[0]?.id ?? '') : created.error;
  await ports.autoPayouts.ran(auto, { at, outcome }, nextRun(auto, at, ports.timeZone));
}
