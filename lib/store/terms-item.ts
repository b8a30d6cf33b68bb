import * as z from 'zod/mini';
import { commissionPayers, type Terms, type TermsOverrides } from '../merchant/terms.ts';
import type { BillCurrency } from '../money/money.ts';
import { minor } from './minor.ts';

/** Terms: what the operator set for one merchant and currency; the environment's defaults fill the rest. */
export const termsKey = (merchantId: string, currency: BillCurrency) =>
  ({ PK: `M#${merchantId}`, SK: `TERMS#${currency}` }) as const;

const fee = z.object({ bps: z.number(), fixedMinor: minor, minimumMinor: minor });

const overrides = z.object({
  paymentFee: z.optional(fee),
  payoutFee: z.optional(fee),
  payoutMinMinor: z.optional(minor),
  payoutMaxMinor: z.optional(minor),
  dayLimitMinor: z.optional(minor),
  monthLimitMinor: z.optional(minor),
  commissionPayer: z.optional(z.enum(commissionPayers)),
  autoApproveUpToMinor: z.optional(minor),
  autoApproveDayTotalMinor: z.optional(minor),
  autoApproveKnownUpToMinor: z.optional(minor),
  autoApproveKnownDayTotalMinor: z.optional(minor),
});

export const toOverrides = (raw: unknown): TermsOverrides => overrides.parse(raw ?? {});

/** A merchant without an item of their own has the defaults. */
export const toTerms = (raw: unknown, defaults: Terms): Terms => ({ ...defaults, ...toOverrides(raw) });
