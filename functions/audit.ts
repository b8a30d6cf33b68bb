import { continueAudit } from '../lib/operator/audit/run.ts';
import { dailyStepsOf } from '../lib/operator/audit/steps.ts';
import { type AuditFunctionPorts, auditPorts } from '../lib/runtime/audit.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';

/** Begins the day's audit or continues the one under way, as far as its time allows. */
export const create = (deps: AuditFunctionPorts) => async () => continueAudit(deps, dailyStepsOf(deps));

export const handler = lambdaHandler(async () => create(auditPorts()));
