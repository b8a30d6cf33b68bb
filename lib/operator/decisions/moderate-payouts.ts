import { approvePayout, declinePayout } from '../../payout/moderate.ts';
import { fail, ok } from '../../result.ts';
import type { CarryOutPorts, Carried } from './carry-out.ts';
import { type Decision, mostPayouts, type ShownPayout } from './decision.ts';

/** What became of one payout of a batch; `refusal` is a key of the command's sentences. */
export type PayoutVerdict = { readonly id: string; readonly refusal?: string | undefined };

/** So many transactions at a time: a batch ends within the function's time, and one merchant's item is not crowded. */
const atOnce = 16;

/**
 * U2, U3 for each payout as it was shown. Each is a transaction of its own: what is refused of one holds up no other, and
 * carried out once more only what is still open moves.
 */
export async function moderatePayouts(
  ports: CarryOutPorts,
  decision: Extract<Decision, { kind: 'approve_payouts' | 'decline_payouts' }>,
  signature: { readonly by: string; readonly id: string },
): Promise<Carried> {
  const { payouts } = decision;
  if (payouts.length === 0 || payouts.length > mostPayouts) return fail('too_many_payouts');
  const waiting = [...payouts];
  const verdicts: PayoutVerdict[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const done = await moderate(ports, decision, next, signature);
      verdicts.push({ id: next.id, ...(!done.ok && { refusal: done.error }) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const order = new Map(payouts.map(({ id }, at) => [id, at]));
  return ok({
    is: 'payouts',
    verdicts: verdicts.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0)),
  });
}

const moderate = (
  ports: CarryOutPorts,
  decision: Parameters<typeof moderatePayouts>[1],
  { id: payoutId, revision }: ShownPayout,
  signature: { readonly by: string; readonly id: string },
) =>
  decision.kind === 'approve_payouts'
    ? approvePayout(ports, { payoutId, revision, reason: decision.reason, ...signature })
    : declinePayout(ports, { payoutId, revision, reason: decision.reason, ...signature });
