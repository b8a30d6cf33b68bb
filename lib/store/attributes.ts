import * as z from 'zod/mini';

/**
 * An attribute that may be absent in the table. Unlike with `z.optional`, its key is required in the input and output
 * types, so a reader or writer that forgets it does not compile.
 */
export const orAbsent = <S extends z.ZodMiniType>(
  schema: S,
): z.ZodMiniType<z.output<S> | undefined, z.input<S> | undefined> => z.optional(schema);

/**
 * The attribute names of a stored `T`; its `amount` is stored as two of them. A schema that
 * `satisfies Record<AttributeOf<T>, …>` has every attribute and no other.
 */
export type AttributeOf<T> = T extends { readonly amount: unknown }
  ? Exclude<keyof T, 'amount'> | 'amountMinor' | 'currency'
  : keyof T;
