import type { Fault } from './faults.ts';

/** One run of a handler, which can be suspended and can crash between any two of its calls. */
export class Invocation {
  readonly id: number;
  readonly useCase: string;
  readonly startedAt: number;
  readonly startedInStep: number;
  /** The offset of its clock from the virtual clock. */
  readonly skewMs: number;
  readonly died = Promise.withResolvers<void>();
  /** The faults that it met; they explain some failures (`explained.ts`). */
  readonly suffered: Fault[] = [];
  isDead = false;
  /** A scenario suspends it before a call with this name. */
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
