import * as z from 'zod/mini';

/** Minor units as they lie in the table: an integer. */
export const minor = z.coerce.bigint();

/** The same where less than nothing would make money: IAM lets operators write terms past the command's checks. */
export const notNegative = z.coerce.bigint().check(z.nonnegative());
