import * as z from 'zod/mini';
import { billCurrencies } from '../money/money.ts';

/*
 * Parameters arrive as text in every encoding, so every input schema starts with a string. The error of a check is
 * the sentence that the caller reads: it says what to fix.
 */

const isWellFormed = z.refine<string>((text) => text.isWellFormed(), {
  error: 'The value must be valid Unicode text.',
});

const atMost = (characters: number) =>
  z.maxLength(characters, { error: `The value may not be longer than ${characters} characters.` });

/** Free text of at most this many characters. */
export const text = (characters: number) => z.string().check(isWellFormed, atMost(characters));

/**
 * Returned in signed postbacks, so invisible characters (control characters, line separators) are not allowed.
 * The length limit bounds a chosen-prefix attack on MD5.
 */
export const orderId = text(255).check(
  z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, {
    error:
      'The order_id may only contain printable characters, without line breaks, tabs and other control characters.',
  }),
  z.meta({ type: ['string', 'integer'], maxLength: 255 }),
);

/**
 * An id that Paylink issued. Surrounding whitespace, as left by copying, is trimmed. An id of another shape is *not found*,
 * never invalid data.
 */
export const id = z.string().check(
  z.trim(),
  z.refine((value) => value !== '', { error: 'The id may not be blank.' }),
);

/** An id that may be omitted: blank text counts as absent. */
export const optionalId = z.optional(
  z.pipe(
    z.string(),
    z.transform((value: string) => value.trim() || undefined),
  ),
);

/**
 * A field that never refuses a request: what is not text becomes empty text, which the use case cannot honour and reports in
 * `ignored`.
 */
export const leftOutUnlessText = z.pipe(
  z.unknown(),
  z.transform((value: unknown): string => (typeof value === 'string' ? value : '')),
);

/** Unparsed text: an unreadable amount is the refusal `invalid_amount`, which has its own place in the order of refusals. */
export const amountIn = z.string().check(z.meta({ type: ['string', 'number'], format: 'decimal' }));

const listed = new Intl.ListFormat('en', { type: 'conjunction' });

/** Requires one of the fields: when `given` finds none, reports an error on each of them. */
export const oneRequired = <Fields>(names: readonly string[], given: (fields: Fields) => unknown) =>
  z.check<Fields>(({ value, issues }) => {
    if (given(value) !== undefined) return;
    const message = `One of ${listed.format(names)} is required.`;
    for (const name of names) issues.push({ code: 'custom', path: [name], message, input: value });
  });

const flagWords: readonly string[] = ['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'];
const isOn = (word: string): boolean => flagWords.indexOf(word.toLowerCase()) < 4;

/** A boolean as HTML checkboxes and common languages spell it, case-insensitive (`anyCase` tells the OpenAPI document). */
export const flag = z.pipe(
  z.string().check(
    z.refine((word) => flagWords.includes(word.toLowerCase()), { error: 'The value must be 1 or 0.' }),
    z.meta({
      type: ['string', 'boolean', 'integer'],
      enum: [...flagWords, 1, 0, true, false],
      anyCase: true,
    }),
  ),
  z.transform(isOn),
);

/** One of the values, case-insensitive; the output has the spelling given here. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  const find = (word: string): Values[number] | undefined =>
    values.find((value) => value.toLowerCase() === word.toLowerCase());
  return z.pipe(
    z.string().check(
      z.refine((word) => find(word) !== undefined, {
        error: `The value must be one of: ${values.join(', ')}.`,
      }),
      z.meta({ enum: values, anyCase: true }),
    ),
    z.transform((word: string): Values[number] => find(word) ?? values[0]),
  );
}

export const currencyIn = oneOf(billCurrencies);

/** decimal(10,2) as a JSON number. */
export const amount = z.number();

/** How many items a page has. */
export const perPage = z.pipe(
  z
    .string()
    .check(
      z.regex(/^(?:[1-9]\d?|100)$/, { error: 'The per_page must be a whole number from 1 to 100.' }),
      z.meta({ type: ['integer', 'string'] }),
    ),
  z.transform(Number),
);

/** What a page says of itself. Additive, as all paging is. */
export const pageMeta = {
  per_page: z.int(),
  next_cursor: z.nullable(z.string()),
  prev_cursor: z.nullable(z.string()),
};

/** The addresses of a page's neighbours. */
export const pageLinks = {
  first: z.string(),
  last: z.null(),
  prev: z.nullable(z.string()),
  next: z.nullable(z.string()),
};

/** `YYYY-MM-DD HH:MM:SS` in the environment's time zone. */
export const at = z.string().check(z.regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/));

/** The result flag of most endpoints. */
export const success = z.literal(true);

/** The result flag of bill/create and merchant/balance: typed clients decode exactly this split. */
export const successText = z.literal('true');
