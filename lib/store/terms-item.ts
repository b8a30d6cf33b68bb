import * as z from 'zod/mini';
import type { MerchantId } from '../ids.ts';
import { commissionPayers, refundFees, type Terms, type TermsOverrides } from '../merchant/terms.ts';
import type { BillCurrency } from '../money/money.ts';
import { notNegative } from './minor.ts';

/** Terms: what the operator set for one merchant and currency. The rest is the environment's defaults. */
export const termsKey = (merchantId: MerchantId, currency: BillCurrency) =>
  ({ PK: `M#${merchantId}`, SK: `TERMS#${currency}` }) as const;

const fee = z.object({
  bps: z.int().check(z.gte(0), z.lte(10_000)),
  fixedMinor: notNegative,
  minimumMinor: notNegative,
});

const overrides = z.object({
  paymentFee: z.exactOptional(fee),
  refundFee: z.exactOptional(z.enum(refundFees)),
  payoutFee: z.exactOptional(fee),
  payoutMinMinor: z.exactOptional(notNegative),
  payoutMaxMinor: z.exactOptional(notNegative),
  dayLimitMinor: z.exactOptional(notNegative),
  monthLimitMinor: z.exactOptional(notNegative),
  commissionPayer: z.exactOptional(z.enum(commissionPayers)),
  autoApproveUpToMinor: z.exactOptional(notNegative),
  autoApproveDayTotalMinor: z.exactOptional(notNegative),
  autoApproveKnownUpToMinor: z.exactOptional(notNegative),
  autoApproveKnownDayTotalMinor: z.exactOptional(notNegative),
  secondPersonAboveMinor: z.exactOptional(notNegative),
  reserveBasisPoints: z.exactOptional(z.int().check(z.gte(0), z.lte(10_000))),
  reserveDays: z.exactOptional(z.int().check(z.gte(0), z.lte(365))),
} satisfies Record<keyof TermsOverrides, z.ZodMiniType>);

export const toOverrides = (raw: unknown): TermsOverrides => overrides.parse(raw ?? {});

/** Parses the terms of a merchant over the defaults. */
export const toTerms = (raw: unknown, defaults: Terms): Terms => ({ ...defaults, ...toOverrides(raw) });
