import {
  type Adjustment,
  adjustmentEntry,
  type Adjustments,
  approved,
  isFinalAdjustment,
  isSamePerson,
  rejected,
} from '../ledger/adjustment.ts';
import { type ReasonRefusal, readPersonName, readReason } from '../ledger/signed-reason.ts';
import { fail, ok, type Result } from '../result.ts';

type Ports = { readonly now: () => Date; readonly adjustments: Adjustments };
type Command = { readonly adjustmentId: string; readonly by: string };
type DecisionRefusal = 'adjustment_not_found' | 'adjustment_already_decided' | 'person_invalid';

/** Posts what another person proposed: state, balance and journal in one transaction. */
export async function approveAdjustment(
  { adjustments, now }: Ports,
  command: Command,
): Promise<Result<Adjustment, DecisionRefusal | 'same_person' | 'balance_not_enough'>> {
  const found = await findUndecided(adjustments, command);
  if (!found.ok) return found;
  const { adjustment, by } = found.value;
  if (isSamePerson(adjustment.proposedBy, by)) return fail('same_person');
  const after = approved(adjustment, { by, at: now() });
  const written = await adjustments.approve(after, adjustmentEntry(after));
  return written.ok ? ok(after) : written;
}

/** Ends it without moving money. Who proposed it may do so as well: that is a withdrawal. */
export async function rejectAdjustment(
  { adjustments, now }: Ports,
  { reason: said, ...command }: Command & { readonly reason: string },
): Promise<Result<Adjustment, DecisionRefusal | ReasonRefusal>> {
  const reason = readReason(said);
  if (!reason.ok) return reason;
  const found = await findUndecided(adjustments, command);
  if (!found.ok) return found;
  const { adjustment, by } = found.value;
  const after = rejected(adjustment, { by, at: now(), reason: reason.value });
  const written = await adjustments.reject(after);
  return written.ok ? ok(after) : written;
}

type Undecided = { readonly adjustment: Adjustment; readonly by: string };

async function findUndecided(
  adjustments: Adjustments,
  command: Command,
): Promise<Result<Undecided, DecisionRefusal>> {
  const by = readPersonName(command.by);
  if (by === undefined) return fail('person_invalid');
  const adjustment = await adjustments.find(command.adjustmentId);
  if (!adjustment) return fail('adjustment_not_found');
  return isFinalAdjustment(adjustment) ? fail('adjustment_already_decided') : ok({ adjustment, by });
}
