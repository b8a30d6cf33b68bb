import * as z from 'zod/mini';
import type { ReconcilePorts } from '../lib/reconciliation/ports.ts';
import { reconcileDay } from '../lib/reconciliation/reconcile-day.ts';
import { readDate } from '../lib/reconciliation/day.ts';
import { answerOf, runDueReconciliation } from '../lib/reconciliation/run-due.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { reconcilePorts } from '../lib/runtime/reconciliation.ts';

/** Without a date: a schedule's event. */
const event = z.object({
  date: z.optional(z.string().check(z.refine((text) => readDate(text) !== undefined))),
});

/** Reconciles the day that is due, every hour, or the day that an operator names. The result is read from the table. */
export const create = (deps: ReconcilePorts) => async (invocation: unknown) => {
  const { date } = event.parse(invocation);
  return answerOf(date === undefined ? await runDueReconciliation(deps) : await reconcileDay(deps, date));
};

export const handler = lambdaHandler(async () => create(await reconcilePorts()));
