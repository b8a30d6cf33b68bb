import * as z from 'zod/mini';
import { Defect } from '../../defect.ts';
import { doneBody, readAnswer, type YookassaCall } from './client.ts';

/** The most that one page holds. */
const pageSize = '100';

const page = z.object({
  type: z.literal('list'),
  items: z.array(z.unknown()),
  next_cursor: z.optional(z.string()),
});

/** Yields the objects of a list, newest first, page by page. It throws when a page cannot be read: the list is then not known. */
export async function* everyItem<Schema extends z.ZodMiniType>(
  call: YookassaCall,
  path: string,
  query: Readonly<Record<string, string>>,
  item: Schema,
): AsyncGenerator<z.output<Schema>, void> {
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const answer = await call(path, {
      method: 'GET',
      query: { ...query, limit: pageSize, ...(cursor !== undefined && { cursor }) },
    });
    const { items, next_cursor: next } = readAnswer(page, doneBody(answer));
    for (const each of items) yield readAnswer(item, each);
    if (next === undefined) return;
    if (seen.has(next)) throw new Defect('YOOKASSA_LIST_ENDLESS', 'YooKassa repeats a page of its list');
    seen.add(next);
    cursor = next;
  }
}

const hourMs = 60 * 60 * 1000;

/** The filter for objects that calls between the two times may have created, with an hour on both sides for the clocks. */
export const createdAround = ({
  firstCallAt,
  lastCallAt,
}: {
  readonly firstCallAt: Date;
  readonly lastCallAt: Date;
}): Readonly<Record<string, string>> => ({
  'created_at.gte': new Date(firstCallAt.getTime() - hourMs).toISOString(),
  'created_at.lte': new Date(lastCallAt.getTime() + hourMs).toISOString(),
});

/** The filter for times in [from, to). */
export const within = (field: string, from: Date, to: Date): Readonly<Record<string, string>> => ({
  [`${field}.gte`]: from.toISOString(),
  [`${field}.lt`]: to.toISOString(),
});
