import * as z from 'zod/mini';
import { commissionPayers, refundFees, type Terms } from '../merchant/terms.ts';
import type { BillCurrency } from '../money/money.ts';
import type { CardTestingLimits } from '../payment/network-attempts.ts';
import { setting } from './system.ts';

const minor = z.coerce.bigint().check(z.nonnegative());
const basisPoints = z.int().check(z.gte(0), z.lte(10_000));
const fee = z.object({ bps: basisPoints, fixedMinor: minor, minimumMinor: minor });
const terms = z.object({
  paymentFee: fee,
  // No environment's record names it: a merchant's own terms do.
  refundFee: z._default(z.enum(refundFees), 'kept'),
  payoutFee: fee,
  payoutMinMinor: minor,
  payoutMaxMinor: minor,
  dayLimitMinor: minor,
  monthLimitMinor: minor,
  commissionPayer: z.enum(commissionPayers),
  autoApproveUpToMinor: minor,
  autoApproveDayTotalMinor: minor,
  autoApproveKnownUpToMinor: minor,
  autoApproveKnownDayTotalMinor: minor,
  secondPersonAboveMinor: minor,
  reserveBasisPoints: basisPoints,
  reserveDays: z.int().check(z.gte(0), z.lte(365)),
});

/** Returns the environment's default terms, for merchants without their own. */
export const defaultTerms = (currency: BillCurrency): Terms =>
  termsFrom(JSON.parse(setting('TERMS_DEFAULTS')), currency);

/** Parses an environment's record of terms as terms of one currency. */
export const termsFrom = (record: unknown, currency: BillCurrency): Terms => ({
  ...terms.parse(record),
  currency,
});

const limits = z.object({
  failuresPerTenMinutes: z.int().check(z.gte(1)),
  failuresPerDay: z.int().check(z.gte(1)),
  attemptsPerTenMinutes: z.int().check(z.gte(1)),
  openOnMultiBill: z.int().check(z.gte(1)),
});

export const cardTestingLimits = (): CardTestingLimits => limits.parse(JSON.parse(setting('LIMITS')));

/** Which merchant URLs may be called: HTTPS on public addresses only, or also HTTP and loopback. */
export const merchantUrls = () => z.enum(['public', 'loopback']).parse(setting('MERCHANT_URLS'));
