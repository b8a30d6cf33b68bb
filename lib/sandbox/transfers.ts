import * as z from 'zod/mini';
import type { SandboxDeps } from './deps.ts';
import { revise, type Revised, type Slot } from './revise.ts';
import { textOrAbsent } from './table.ts';
import { transferOutcomes } from './test-values.ts';
import { transferStates, type Transfer, type TransferStep } from './transfer.ts';

const item = z.object({
  key: z.string(),
  amountMinor: z.coerce.bigint(),
  currency: z.string(),
  account: z.string(),
  state: z.enum(transferStates),
  outcome: z.enum(transferOutcomes),
  reference: z.string(),
  pendingPolls: z.number(),
  reason: textOrAbsent,
});

const slot = (key: string): Slot<Transfer> => ({
  key: { PK: `TRANSFER#${key}`, SK: 'TRANSFER' },
  parse: (raw) => item.parse(raw),
});

type Deps = Pick<SandboxDeps, 'table' | 'now' | 'random' | 'delay'>;

/** Takes the step that `decide` chooses exactly once under concurrent writers. */
export const moveTransfer = (
  deps: Deps,
  key: string,
  decide: (transfer: Transfer | undefined) => TransferStep | undefined,
): Promise<Revised<Transfer, TransferStep>> => revise(deps, slot(key), decide);
