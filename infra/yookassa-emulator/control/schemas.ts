import * as z from 'zod/mini';
import type { NewFaultRule } from '../faults.ts';
import { payoutReasons, refundReasons } from '../manners.ts';
import { paymentReasons } from '../schemas/answers.ts';

/* Bodies of control requests. An unknown field is refused, so that a misspelt one is noticed. */

const milliseconds = z.int().check(z.minimum(0));
const amount = z
  .string()
  .check(z.regex(/^\d{1,10}\.\d{2}$/, { error: 'An amount is a text such as 100.00.' }));

export const clockMove = z.strictObject({ advanceSeconds: z.number().check(z.minimum(0)) });

export const notificationAddress = z.strictObject({ url: z.nullable(z.url({ protocol: /^https?$/ })) });

/** Any JSON: a forged notification need not look like a notification. */
export const forgedNotification = z.strictObject({ body: z.unknown() });

const effect = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['internal_error', 'no_answer']), acted: z.boolean() }),
  z.strictObject({ kind: z.literal('too_many_requests'), retryAfterMs: milliseconds }),
  z.strictObject({ kind: z.enum(['refused_credentials', 'refused', 'authorizes_less']) }),
  z.strictObject({
    kind: z.literal('notices'),
    how: z.enum(['doubled', 'early', 'late', 'lost', 'forged']),
  }),
  z.strictObject({
    kind: z.enum([
      'listed_late',
      'refunded_by_provider',
      'charged_back',
      'succeeds_late',
      'captured_amount_changes',
    ]),
    afterMs: milliseconds,
  }),
  z.strictObject({ kind: z.literal('fee_told_late'), afterMs: z.optional(milliseconds) }),
  z.strictObject({
    kind: z.literal('receipt_ends'),
    afterMs: z.optional(milliseconds),
    registration: z._default(z.enum(['succeeded', 'canceled']), 'succeeded'),
  }),
  z.strictObject({
    kind: z.literal('ends'),
    afterMs: z.optional(milliseconds),
    reason: z.optional(z.enum([...refundReasons, ...payoutReasons])),
  }),
]);

const expression = z
  .string()
  .check(z.refine(isExpression, { error: 'The path is not a regular expression.' }));

const rule = z.strictObject({
  match: z._default(
    z.strictObject({
      method: z.optional(z.enum(['GET', 'POST'])),
      path: z.optional(expression),
      nth: z.optional(z.int().check(z.minimum(1))),
    }),
    {},
  ),
  times: z.optional(z.int().check(z.minimum(1))),
  do: effect,
});

/** Parses a rule. Throws a `ZodError` that names the wrong field. */
export function readFaultRule(body: unknown): NewFaultRule {
  const { match, times, do: does } = rule.parse(body);
  const { method, path, nth } = match;
  return { match: { method, path, nth }, times, do: complete(does) };
}

/** With the fields that were left out. */
function complete(does: z.infer<typeof effect>): NewFaultRule['do'] {
  if (does.kind === 'ends') return { ...does, afterMs: does.afterMs, reason: does.reason };
  if (does.kind === 'receipt_ends' || does.kind === 'fee_told_late')
    return { ...does, afterMs: does.afterMs };
  return does;
}

export const settingsChange = z.strictObject({
  receipts: z.optional(z.boolean()),
  ownReceipts: z.optional(z.boolean()),
  listLagSeconds: z.optional(z.int().check(z.minimum(0))),
  searchLagSeconds: z.optional(z.int().check(z.minimum(0))),
  /** During a rotation a shop has two. The first is the new one. */
  shopSecretKeys: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
  gatewaySecretKeys: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
});

export const accountBalance = z.strictObject({ balance: amount });

export const payment = {
  pay: z.union([
    z.strictObject({ card: z.string(), threeDSecure: z.optional(z.enum(['confirm', 'refuse'])) }),
    z.strictObject({ sbp: z.literal(true) }),
  ]),
  decline: z.strictObject({ reason: z.enum(paymentReasons) }),
  changeAmount: z.strictObject({ amount }),
};

/** What the tax service said to a receipt. */
export const registration = z.strictObject({ state: z.enum(['pending', 'succeeded', 'canceled']) });

/** Without a reason it succeeds. */
export const refundEnd = z.strictObject({ reason: z.optional(z.enum(refundReasons)) });
export const payoutEnd = z.strictObject({ reason: z.optional(z.enum(payoutReasons)) });

export const nothing = z.strictObject({});

function isExpression(text: string): boolean {
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false;
  }
}
