import * as z from 'zod/mini';
import { type RefreshBanksPorts, refreshSbpBanks } from '../lib/payout/refresh-sbp-banks.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { rails } from '../lib/runtime/providers.ts';
import { sbpBanks } from '../lib/runtime/stores.ts';
import { system } from '../lib/runtime/system.ts';

/** Other fields are those of a schedule's event. */
const event = z.object({ acceptFewer: z.optional(z.boolean()) });

/** Once a day, and when an operator asks: replaces the dictionary of SBP banks with the provider's. */
export const create = (deps: RefreshBanksPorts) => (invocation: unknown) =>
  refreshSbpBanks(deps, { acceptFewer: event.parse(invocation).acceptFewer === true });

export const handler = lambdaHandler(async () =>
  create({ ...system, rails: await rails(), sbpBanks: sbpBanks() }),
);
