import * as z from 'zod/mini';

/**
 * An attribute that may be absent in the table. Other than with `z.optional`, its key is required in the types of what is
 * read and of what is written, so that a reader or a writer that forgets it does not compile.
 */
export const orAbsent = <S extends z.ZodMiniType>(
  schema: S,
): z.ZodMiniType<z.output<S> | undefined, z.input<S> | undefined> => z.optional(schema);

/**
 * The attributes of a stored `T`; its `amount` lies in two of them. A schema that `satisfies Record<AttributeOf<T>, …>`
 * has neither one too few nor one too many.
 */
export type AttributeOf<T> = T extends { readonly amount: unknown }
  ? Exclude<keyof T, 'amount'> | 'amountMinor' | 'currency'
  : keyof T;
