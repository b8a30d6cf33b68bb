import * as z from 'zod/mini';
import {
  checkProvider,
  type CheckPorts,
  type ProviderReport,
} from '../lib/provider-account/check-provider.ts';
import { lambdaHandler } from '../lib/runtime/lambda-handler.ts';
import { checkPorts } from '../lib/runtime/provider-account.ts';

const event = z.object({ provider: z.string() });

/** Compares a provider's accounts with the record, for the operator's command. Null: this environment does not have the provider. */
export const create =
  (portsOf: (provider: string) => CheckPorts | undefined) =>
  async (given: unknown): Promise<ProviderReport | null> => {
    const ports = portsOf(event.parse(given).provider);
    return ports ? checkProvider(ports) : null;
  };

export const handler = lambdaHandler(() => create(checkPorts));
