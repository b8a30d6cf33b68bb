import type { SealPorts } from '../../seal/ports.ts';
import type { BalanceBooks } from './balance-check.ts';
import { balancesStep } from './balances-step.ts';
import { type ProviderDaysPorts, providerDaysStep } from './provider-days.ts';
import type { Difference } from './records.ts';
import { recordsStep } from './records-step.ts';
import { sealingStep, sealsStep, type SealsStepPorts } from './seals-step.ts';
import type { AuditScope, AuditSource } from './source.ts';

/** What the steps of an audit use. */
export type AuditPorts = ProviderDaysPorts &
  SealsStepPorts & {
    readonly auditSource: AuditSource;
    readonly balanceBooks: BalanceBooks;
  };

/** What a part of a step did. */
type AuditPart = {
  /** What it counted, by name: `items`, `balances`. The counts of the parts of a run are added up. */
  readonly counts: Readonly<Record<string, number>>;
  /** Confirmed differences alone. */
  readonly differences: readonly Difference[];
  /** Where the step continues; undefined: it is done. */
  readonly next: string | undefined;
};

/**
 * One step of an audit. `part` works from the cursor until the step is done or `mayGoOn` says no, which it is asked between two
 * pages; what it found so far is confirmed before it returns. A part that is repeated from the same cursor finds the same.
 */
export type AuditStep = {
  readonly name: string;
  readonly part: (input: {
    readonly scope: AuditScope;
    readonly after: string | undefined;
    /** It is told what the part has counted so far. */
    readonly mayGoOn: (counts?: AuditPart['counts']) => boolean;
  }) => Promise<AuditPart>;
};

/** The steps of an audit in their order. A further step is a further entry. */
export const stepsOf = (ports: AuditPorts): readonly AuditStep[] => [sealsStep(ports), ...otherSteps(ports)];

/**
 * The steps of the scheduled audit: it compares only the last days with their seals, and then seals the days that are over. In the other order
 * it would seal days anew whose seals and checkpoints somebody removed, and find nothing.
 */
export const dailyStepsOf = (ports: AuditPorts & SealPorts): readonly AuditStep[] => [
  sealsStep(ports, { isDaily: true }),
  sealingStep(ports),
  ...otherSteps(ports),
];

const otherSteps = (ports: AuditPorts): readonly AuditStep[] => [
  recordsStep(ports),
  balancesStep(ports),
  providerDaysStep(ports),
];
