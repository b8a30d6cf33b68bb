import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';

/** The sandbox's own table, separate from the service's, with keys PK and SK. */
export type Table = { readonly client: Pick<DynamoDBDocumentClient, 'send'>; readonly name: string };

/** A text that may be absent in an item; its key is required in the type of what is read. */
export const textOrAbsent: z.ZodMiniType<string | undefined> = z.optional(z.string());

export const time = z.pipe(
  z.iso.datetime(),
  z.transform((text: string) => new Date(text)),
);
export const timeOrAbsent: z.ZodMiniType<Date | undefined> = z.optional(time);
