import type { Focus } from '../harness/focus.ts';
import type { Manners } from '../harness/manner-sets.ts';
import type { Scenario } from './scenarios.ts';

/** A change of the product's source; the file must contain `find` exactly once. */
export type Patch = { readonly file: string; readonly find: string; readonly put: string };

/** `manners`: of the providers, which each seed draws unless they are given. */
type Seeds = { readonly focus: Focus; readonly manners?: Manners };

/** A guard and the patches that remove it, from every place that implements it. */
export type Mutant = {
  readonly name: string;
  /** What the guard promises. */
  readonly guard: string;
  readonly patches: readonly Patch[];
  /**
   * What must report a violation: seeds of the simulation with this focus, a scenario of a few calls, or the audit of a table with this
   * corruption (`../corruptions`), which it must find by another name or not at all.
   */
  readonly by: Seeds | { readonly scenario: Scenario } | { readonly corruption: string };
};
