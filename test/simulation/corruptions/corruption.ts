import type { Items } from './items.ts';

/** A change of the table that no use case makes, and what the audit finds of it: `<invariant>: <record>`, in alphabetical order. */
export type Corruption = {
  readonly name: string;
  readonly does: (items: Items) => void;
  readonly finds: readonly string[];
};
