import * as z from 'zod/mini';
import { commissionPayers, type Terms, type TermsOverrides } from '../merchant/terms.ts';
import type { BillCurrency } from '../money/money.ts';
import { notNegative } from './minor.ts';

/** Terms: what the operator set for one merchant and currency; the environment's defaults fill the rest. */
export const termsKey = (merchantId: string, currency: BillCurrency) =>
  ({ PK: `M#${merchantId}`, SK: `TERMS#${currency}` }) as const;

const fee = z.object({
  bps: z.int().check(z.gte(0), z.lte(10_000)),
  fixedMinor: notNegative,
  minimumMinor: notNegative,
});

const overrides = z.object({
  paymentFee: z.optional(fee),
  payoutFee: z.optional(fee),
  payoutMinMinor: z.optional(notNegative),
  payoutMaxMinor: z.optional(notNegative),
  dayLimitMinor: z.optional(notNegative),
  monthLimitMinor: z.optional(notNegative),
  commissionPayer: z.optional(z.enum(commissionPayers)),
  autoApproveUpToMinor: z.optional(notNegative),
  autoApproveDayTotalMinor: z.optional(notNegative),
  autoApproveKnownUpToMinor: z.optional(notNegative),
  autoApproveKnownDayTotalMinor: z.optional(notNegative),
  secondPersonAboveMinor: z.optional(notNegative),
});

export const toOverrides = (raw: unknown): TermsOverrides => overrides.parse(raw ?? {});

/** A merchant without an item of their own has the defaults. */
export const toTerms = (raw: unknown, defaults: Terms): Terms => ({ ...defaults, ...toOverrides(raw) });
