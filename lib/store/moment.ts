import * as z from 'zod/mini';

/** A moment as it lies in the table: ISO text, which sorts by time. */
export const moment = z.pipe(
  z.string(),
  z.transform((text) => new Date(text)),
);
