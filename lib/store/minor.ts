import * as z from 'zod/mini';

/** Minor units as stored: an integer. */
export const minor = z.coerce.bigint();

/** The same, not negative. IAM lets operators write terms without the command's checks, and a negative fee would create money. */
export const notNegative = z.coerce.bigint().check(z.nonnegative());
