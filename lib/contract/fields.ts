import * as z from 'zod/mini';
import { billCurrencies } from '../money/money.ts';

/*
 * Parameters arrive as text, whatever encoding carried them, so every input schema begins with a
 * string. The error of a check is the sentence that the caller reads: it says what to fix.
 */

const isWellFormed = z.refine<string>((text) => text.isWellFormed(), {
  error: 'The value must be valid Unicode text.',
});

const atMost = (characters: number) =>
  z.maxLength(characters, { error: `The value may not be longer than ${characters} characters.` });

/** Free text of at most so many characters. */
export const text = (characters: number) => z.string().check(isWellFormed, atMost(characters));

/**
 * Echoed in signed notices, so without characters that could hide in them: control characters, line separators.
 * Its length bounds what a chosen-prefix attack on MD5 could do.
 */
export const orderId = text(255).check(
  z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, {
    error:
      'The order_id may only contain printable characters, without line breaks, tabs and other control characters.',
  }),
  z.meta({ description: "The merchant's own id of the order; returned as InvId.", maxLength: 255 }),
);

/** Any id that is not ours, whatever it looks like, is *not found*, never invalid data. */
export const id = z.string();

/** As text: what is no amount has a refusal of its own, with its own place in the order of refusals. */
export const amountIn = z.string().check(
  z.meta({
    description: 'Above 0, at most 99999999.99, at most two decimals.',
    examples: ['100.50'],
    format: 'decimal',
  }),
);

export const flag = z.pipe(
  z
    .string()
    .check(
      z.regex(/^(?:0|1|true|false)$/i, { error: 'The value must be 1 or 0.' }),
      z.meta({ description: '1 or true, 0 or false.' }),
    ),
  z.transform((value: string) => value === '1' || value.toLowerCase() === 'true'),
);

/** One of the values, spelled exactly so. */
export const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `The value must be one of: ${values.join(', ')}.` });

export const currencyIn = oneOf(billCurrencies);

/** decimal(10,2) as a JSON number. */
export const amount = z.number();

/** `YYYY-MM-DD HH:MM:SS` in the environment's time zone. */
export const at = z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/));

/** The result flag of most endpoints. */
export const success = z.literal(true);

/** The result flag of bill/create and merchant/balance: typed clients decode exactly this split. */
export const successText = z.literal('true');
