import type { Focus } from '../harness/focus.ts';
import type { Scenario } from './scenarios.ts';

/** A change of the product's source; the file must contain `find` exactly once. */
export type Patch = { readonly file: string; readonly find: string; readonly put: string };

/** A guard and the patches that remove it, from every place that implements it. */
export type Mutant = {
  readonly name: string;
  /** What the guard promises. */
  readonly guard: string;
  readonly patches: readonly Patch[];
  /** What must report a violation: seeds of the simulation with this focus, or a scenario of a few calls. */
  readonly by: { readonly focus: Focus } | { readonly scenario: Scenario };
};
