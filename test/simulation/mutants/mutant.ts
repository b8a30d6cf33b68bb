import type { Focus } from '../harness/focus.ts';
import type { Scenario } from './scenarios.ts';

/** A change of the product's source: the text must be there exactly once. */
export type Patch = { readonly file: string; readonly find: string; readonly put: string };

/** A guard, and what the source is without it. A guard that lies in two places is removed from both. */
export type Mutant = {
  readonly name: string;
  /** What the guard promises. */
  readonly guard: string;
  readonly patches: readonly Patch[];
  /** What kills it: seeds of the simulation with this focus, or a scenario of a few calls. */
  readonly by: { readonly focus: Focus } | { readonly scenario: Scenario };
};
