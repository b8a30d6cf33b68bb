import * as z from 'zod/mini';

/**
 * An id as the store wrote it. Its shape was checked when it was made and is not checked again here: one unusual item
 * must not make a whole list unreadable.
 */
export const storedId = <I extends string>() => z.custom<I>((value) => typeof value === 'string');
