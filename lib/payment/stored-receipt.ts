import * as z from 'zod/mini';
import type { Receipt, ReceiptLine } from './receipt.ts';

const minor = z.pipe(
  z.string(),
  z.transform((text) => BigInt(text)),
);
const line = z.object({
  name: z.string(),
  quantity: z.string(),
  priceMinor: minor,
  vatCode: z.number(),
  subject: z.string(),
  mode: z.string(),
} satisfies Record<keyof ReceiptLine, z.ZodMiniType>);
// The type makes the key required in the receipt that is read.
const taxSystem: z.ZodMiniType<Receipt['taxSystem']> = z.optional(z.literal([1, 2, 3, 4, 5, 6]));

/** A receipt within the sealed request of a payment's start. */
export const storedReceipt = z.object({
  customer: z.union([z.object({ email: z.string() }), z.object({ phone: z.string() })]),
  taxSystem,
  lines: z.array(line),
} satisfies Record<keyof Receipt, z.ZodMiniType>);

/** For `JSON.stringify`: amounts as texts. */
export const amountsAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;
