import type { LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod/mini';
import type { Carried } from '../decision/carry-out.ts';
import type { DecisionKey } from '../decision/decision.ts';
import type { RefreshedBanks } from '../payout/refresh-sbp-banks.ts';
import { invokeFunction } from '../provider/lambda-function.ts';
import { problemKeys, type ProviderReport } from '../provider-account/check-provider.ts';
import type { ReconcileAnswer } from '../reconciliation/run-due.ts';

const decisionOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum([
      'payment',
      'payout',
      'refund',
      'adjustment',
      'chargeback',
      'claim',
      'unknown_payment',
      'receipt',
      'proposal',
    ]),
    id: z.string(),
  }),
  z.object({
    kind: z.literal('payouts'),
    verdicts: z.array(
      z.object({
        id: z.string(),
        refusal: z.exactOptional(z.string()),
        proposalId: z.exactOptional(z.string()),
      }),
    ),
  }),
]);
const contradiction = z.object({ contradictedBy: z.enum(['acquirer', 'rail']), says: z.string() });
const carried = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: decisionOutcome }),
  z.object({ ok: z.literal(false), error: z.union([z.string(), contradiction]) }),
]);

/** Invokes the function that carries out the decision with this key. */
export const carryOutBy =
  (lambda: LambdaClient, functionName: string) =>
  async (key: DecisionKey): Promise<Carried> =>
    carried.parse(await invokeFunction(lambda, functionName, key));

const bankIds = z.array(z.number());
const refreshed = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('refreshed'),
    rail: z.string(),
    banks: z.number(),
    added: bankIds,
    gone: bankIds,
  }),
  z.object({
    outcome: z.literal('kept'),
    rail: z.string(),
    why: z.enum(['no_answer', 'no_banks', 'bank_listed_twice', 'too_many_banks', 'half_of_the_banks_gone']),
  }),
  z.object({ outcome: z.literal('built_in') }),
]);

/** Invokes the function that reads the dictionary of SBP banks from the provider. */
export const refreshBanksBy =
  (lambda: LambdaClient, functionName: string) =>
  async (how: { readonly acceptFewer: boolean }): Promise<RefreshedBanks> =>
    refreshed.parse(await invokeFunction(lambda, functionName, how));

const reconcileAnswer = z.union([
  z.object({ ran: z.string() }),
  z.object({ refused: z.enum(['day_not_begun', 'newer_result', 'nothing_due']) }),
]);

/** Invokes the function that reconciles a day. */
export const reconcileBy =
  (lambda: LambdaClient, functionName: string) =>
  async (date: string): Promise<ReconcileAnswer> =>
    reconcileAnswer.parse(await invokeFunction(lambda, functionName, { date }));

const roles = z.enum(['payments', 'payouts']);
const report = z.object({
  accounts: z.array(
    z.object({
      role: roles,
      state: z.enum(['known', 'not_set', 'refused', 'no_answer']),
      id: z.nullable(z.string()),
      live: z.nullable(z.boolean()),
      enabled: z.nullable(z.boolean()),
      methods: z.nullable(z.array(z.string())),
      receipts: z.nullable(z.object({ account: z.nullable(z.boolean()), record: z.boolean() })),
      balances: z.array(z.object({ currency: z.string(), amount: z.string() })),
    }),
  ),
  notifications: z.object({ status: z.nullable(z.number()) }),
  problems: z.array(
    z.object({ key: z.enum(problemKeys), role: z.nullable(roles), about: z.nullable(z.string()) }),
  ),
});

/** Invokes the function that checks a provider. Undefined: the environment does not have it. */
export const checkBy =
  (lambda: LambdaClient, functionName: string) =>
  async (provider: string): Promise<ProviderReport | undefined> => {
    const found = await invokeFunction(lambda, functionName, { provider });
    return found === null ? undefined : report.parse(found);
  };
