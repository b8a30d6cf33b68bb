import type * as z from 'zod/mini';
import { unreadableCursor } from '../unreadable-cursor.ts';

/** Returns a cursor as text without blanks or quotes, so that a person can copy it to a command line. */
export const cursorText = (cursor: object): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** Reads such text. Throws for other text. */
export function readCursor<T>(schema: z.ZodMiniType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch (cause) {
    throw unreadableCursor(cause);
  }
}
