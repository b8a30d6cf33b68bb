import type { SealPorts, SealReadPorts } from '../../seal/ports.ts';
import { sealDays } from '../../seal/seal-days.ts';
import { verifySeals } from '../../seal/verify-seals.ts';
import { positionIn } from './progress.ts';
import type { AuditRuns } from './run.ts';
import type { AuditStep } from './steps.ts';

/** The scheduled audits tell how many checkpoints there were, and whether one is sealing. */
export type SealsStepPorts = SealReadPorts & { readonly auditRuns: Pick<AuditRuns, 'current' | 'ended'> };

/** How many days the scheduled audit compares with their seals each time. */
const dailyDays = 35;
const dayMs = 24 * 3600_000;

/** Compares the journal with its seals: all days, those since the scope's time, or, with `isDaily`, the last ones. */
export const sealsStep = (
  ports: SealsStepPorts,
  { isDaily = false }: { readonly isDaily?: boolean } = {},
): AuditStep => ({
  name: 'seals',
  async part({ scope: { merchantId, since }, after, mayGoOn }) {
    const lastDays = isDaily ? new Date(ports.now().getTime() - dailyDays * dayMs) : undefined;
    const { auditRuns } = ports;
    const ended = after === undefined ? await auditRuns.ended() : undefined;
    const verified = await verifySeals(
      ports,
      {
        merchantId,
        since: since ?? lastDays,
        knownCheckpoints: ended?.counts['checkpoints'] ?? 0,
        // The scheduled audit verifies before it seals.
        isSealing: async () => !isDaily && isAt(sealing, (await auditRuns.current())?.next),
      },
      { after, mayGoOn: afterOneUnit(mayGoOn) },
    );
    const { findings: differences, cursor: next, seals, checkpoints } = verified;
    return { counts: { seals, checkpoints }, differences, next };
  },
});

const sealing = { name: 'sealing' };

const isAt = (step: { readonly name: string }, position: string | undefined): boolean =>
  position !== undefined && positionIn([step], position) !== undefined;

/** Seals the days that are over. It writes, so the scheduled audit alone has it. */
export const sealingStep = (ports: SealPorts): AuditStep => ({
  ...sealing,
  async part({ after, mayGoOn }) {
    const {
      findings: differences,
      cursor: next,
      written,
      checkpoints,
    } = await sealDays(ports, {
      after,
      mayGoOn: afterOneUnit(mayGoOn),
    });
    return { counts: { sealed: written, checkpoints }, differences, next };
  },
});

/** Lets each part do something, however little time it has: a run that never advances would not end. */
function afterOneUnit(mayGoOn: () => boolean): () => boolean {
  let isFirst = true;
  return () => {
    if (!isFirst) return mayGoOn();
    isFirst = false;
    return true;
  };
}
