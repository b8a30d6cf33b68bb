import * as z from 'zod/mini';
import { type Carried, carryOut, type CarryOutPorts } from '../lib/decision/carry-out.ts';
import { roles } from '../lib/decision/decision.ts';
import { carryOutPorts } from '../lib/runtime/ports.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';

const event = z.object({ role: z.enum(roles), by: z.string(), id: z.string() });

/** Carries out the decision with this key, for the operator's command. */
export const create =
  (deps: CarryOutPorts) =>
  (key: unknown): Promise<Carried> =>
    carryOut(deps, event.parse(key));

export const handler = lambdaHandler(async () => create(await carryOutPorts()));
