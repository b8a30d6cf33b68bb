import * as z from 'zod/mini';

/** A time as stored: ISO text, which sorts by time. */
export const moment = z.pipe(
  z.string(),
  z.transform((text) => new Date(text)),
);
