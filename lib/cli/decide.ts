import type { DecisionOutcome } from '../decision/carry-out.ts';
import { decidedBy, type Decision, decisionIdLength, type Role } from '../decision/decision.ts';
import { readSignedReason } from '../ledger/signed-reason.ts';
import { outcomeOf } from './failure.ts';
import type { OperatorContext } from './operator-context.ts';
import { refuse } from './refusals.ts';

/** Records the decision under its author's own key and has it carried out. Throws a `CommandError` with the sentence of a refusal. */
export async function decide(
  context: Pick<OperatorContext, 'newId' | 'decisions' | 'carryOut'>,
  decision: Decision,
  signed: { readonly by: string; readonly role?: Role },
): Promise<DecisionOutcome> {
  // Checked before it is recorded permanently: a reason may contain a card number.
  const text =
    'evidence' in decision ? decision.evidence : 'reason' in decision ? decision.reason : undefined;
  const reason = readSignedReason({ by: signed.by, reason: text });
  if (!reason.ok) return refuse(reason.error);
  const [usual = 'operator'] = decidedBy[decision.kind];
  const key = { role: signed.role ?? usual, by: signed.by, id: context.newId(decisionIdLength) };
  await context.decisions.write(key, decision);
  const carriedOut = await context.carryOut(key).catch(refuseUnanswered);
  return carriedOut.ok ? carriedOut.value : refuse(carriedOut.error);
}

/** Without a response the decision may have been carried out, so the message must not say that nothing was done. */
function refuseUnanswered(error: unknown): never {
  const { code } = outcomeOf(error);
  if (code === 'broken' || code === 'TimeoutError') return refuse('answer_lost');
  throw error;
}
