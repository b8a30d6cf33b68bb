import * as z from 'zod/mini';

/** Minor units as they lie in the table: an integer. */
export const minor = z.coerce.bigint();
