import * as z from 'zod/mini';

/**
 * A stored id. Its format was checked when it was created and is not checked again: one unusual item must not make a whole
 * list unreadable.
 */
export const storedId = <I extends string>() => z.custom<I>((value) => typeof value === 'string');
