import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Place } from './fill-page.ts';
import type { Window } from './listing.ts';

/** What a cursor belongs to: other values of these fields are another search. */
export type SearchKey = {
  readonly kind: string;
  readonly merchantId: string;
  readonly filters: Readonly<Record<string, unknown>>;
};

const hashOf = (key: SearchKey): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        key.kind,
        key.merchantId,
        Object.entries(key.filters)
          .filter(([, value]) => value !== undefined)
          .toSorted(([one], [other]) => (one < other ? -1 : 1)),
      ]),
    )
    .digest('base64url')
    .slice(0, 16);

const instant = String.raw`20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z`;
const time = z.string().check(
  z.regex(new RegExp(`^${instant}$`)),
  z.refine((text) => !Number.isNaN(Date.parse(text))),
);
const cut = z.string().check(
  z.regex(new RegExp(String.raw`^${instant}(?:#[\w.]{1,128} ?)?$`)),
  z.refine((text) => !Number.isNaN(Date.parse(text.slice(0, 24)))),
);

const schema = z.tuple([z.string(), time, time, z.enum(['older', 'newer']), cut]);

/** Where a page continues. The window is part of it, because one without dates moves with the time. */
export type Continued = { readonly window: Window; readonly place: Place };

/** Returns the text by which the caller asks for the page at this place. */
export function cursorText(key: SearchKey, { window, place }: Continued): string {
  const parts: z.infer<typeof schema> = [
    hashOf(key),
    window.from.toISOString(),
    window.to.toISOString(),
    place.direction,
    place.cut,
  ];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Reads such text; undefined for other text, and for the cursor of another search or another merchant. */
export function readCursor(key: SearchKey, text: string): Continued | undefined {
  const parsed = schema.safeParse(jsonIn(text));
  if (!parsed.success) return undefined;
  const [hash, from, to, direction, at] = parsed.data;
  if (hash !== hashOf(key)) return undefined;
  const continued = {
    window: { from: new Date(from), to: new Date(to) },
    place: { cut: at, direction },
  };
  // Only the very text: decoding leaves out what is no base64url.
  return cursorText(key, continued) === text ? continued : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
