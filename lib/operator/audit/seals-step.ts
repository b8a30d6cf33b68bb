import type { SealPorts, SealReadPorts } from '../../seal/ports.ts';
import { sealDays } from '../../seal/seal-days.ts';
import { verifySeals } from '../../seal/verify-seals.ts';
import type { AuditStep } from './steps.ts';

/** How many days the scheduled audit compares with their seals each time. */
const dailyDays = 35;
const dayMs = 24 * 3600_000;

/** Compares the journal with its seals: all days, those since the scope's time, or, with `isDaily`, the last ones. */
export const sealsStep = (
  ports: SealReadPorts,
  { isDaily = false }: { readonly isDaily?: boolean } = {},
): AuditStep => ({
  name: 'seals',
  async part({ scope: { merchantId, since }, after, mayGoOn }) {
    const lastDays = isDaily ? new Date(ports.now().getTime() - dailyDays * dayMs) : undefined;
    const verified = await verifySeals(
      ports,
      { merchantId, since: since ?? lastDays },
      { after, mayGoOn: afterOneUnit(mayGoOn) },
    );
    const { findings: differences, cursor: next, seals } = verified;
    return { counts: { seals }, differences, next };
  },
});

/** Seals the days that are over. It writes, so the scheduled audit alone has it. */
export const sealingStep = (ports: SealPorts): AuditStep => ({
  name: 'sealing',
  async part({ after, mayGoOn }) {
    const {
      findings: differences,
      cursor: next,
      written,
    } = await sealDays(ports, {
      after,
      mayGoOn: afterOneUnit(mayGoOn),
    });
    return { counts: { sealed: written }, differences, next };
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
