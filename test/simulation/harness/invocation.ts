import type { Fault } from './faults.ts';

/** One run of a handler: it may be frozen, and it may die between any two of its calls. */
export class Invocation {
  readonly id: number;
  readonly useCase: string;
  readonly startedAt: number;
  readonly startedInStep: number;
  /** Its clock differs from the others' by this much. */
  readonly skewMs: number;
  readonly died = Promise.withResolvers<void>();
  /** What was done to it, so that a failure can be told from one that nothing explains. */
  readonly suffered: Fault[] = [];
  isDead = false;
  /** A scenario keeps it before such a call until it lets it go. */
  pausedAt: RegExp | undefined;
  isPatient = false;
  frozenUntilStep = 0;

  constructor(
    id: number,
    useCase: string,
    begun: { readonly at: number; readonly step: number; readonly skewMs: number },
  ) {
    this.id = id;
    this.useCase = useCase;
    this.startedAt = begun.at;
    this.startedInStep = begun.step;
    this.skewMs = begun.skewMs;
  }

  die(): void {
    this.isDead = true;
    this.died.resolve();
  }
}
