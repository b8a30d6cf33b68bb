import {
  type Adjustment,
  adjustmentEntry,
  type Adjustments,
  approved,
  isFinalAdjustment,
  rejected,
} from '../ledger/adjustment.ts';
import { isSamePerson } from '../ledger/same-person.ts';
import { type ReasonRefusal, readPersonName, readReason } from '../ledger/signed-reason.ts';
import { fail, ok, type Result } from '../result.ts';
import type { Role } from './decision.ts';

type Ports = { readonly now: () => Date; readonly adjustments: Adjustments };
type Command = { readonly adjustmentId: string; readonly by: string; readonly id?: string };
type DecisionRefusal = 'adjustment_not_found' | 'adjustment_already_decided' | 'person_invalid';

/** Approves what another person proposed: state, balance and journal entry in one transaction. */
export async function approveAdjustment(
  { adjustments, now }: Ports,
  command: Command,
): Promise<Result<Adjustment, DecisionRefusal | 'same_person' | 'balance_not_enough'>> {
  const found = await findUndecided(adjustments, command);
  if (!found.ok) return found;
  const { adjustment, by, isDone } = found.value;
  if (isDone) return ok(adjustment);
  if (isSamePerson(adjustment.proposedBy, by)) return fail('same_person');
  const after = approved(adjustment, { id: command.id, by, at: now(), reason: undefined });
  const written = await adjustments.approve(after, adjustmentEntry(after));
  return written.ok ? ok(after) : written;
}

/** Rejects the adjustment; no money moves. An operator may reject only their own, which withdraws it. */
export async function rejectAdjustment(
  { adjustments, now }: Ports,
  { reason: said, role, ...command }: Command & { readonly reason: string; readonly role: Role },
): Promise<Result<Adjustment, DecisionRefusal | ReasonRefusal | 'not_in_this_role'>> {
  const reason = readReason(said);
  if (!reason.ok) return reason;
  const found = await findUndecided(adjustments, command);
  if (!found.ok) return found;
  const { adjustment, by, isDone } = found.value;
  if (isDone) return ok(adjustment);
  if (role === 'operator' && !isSamePerson(adjustment.proposedBy, by)) return fail('not_in_this_role');
  const after = rejected(adjustment, { id: command.id, by, at: now(), reason: reason.value });
  const written = await adjustments.reject(after);
  return written.ok ? ok(after) : written;
}

/** `isDone`: already decided by this same decision, which is repeated after a lost response. */
type Undecided = { readonly adjustment: Adjustment; readonly by: string; readonly isDone: boolean };

async function findUndecided(
  adjustments: Adjustments,
  command: Command,
): Promise<Result<Undecided, DecisionRefusal>> {
  const by = readPersonName(command.by);
  if (by === undefined) return fail('person_invalid');
  const adjustment = await adjustments.find(command.adjustmentId);
  if (!adjustment) return fail('adjustment_not_found');
  const isDone = command.id !== undefined && adjustment.decision?.id === command.id;
  return isFinalAdjustment(adjustment) && !isDone
    ? fail('adjustment_already_decided')
    : ok({ adjustment, by, isDone });
}
