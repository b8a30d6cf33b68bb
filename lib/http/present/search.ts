import { ok, type Result } from '../../result.ts';
import type { Found } from '../../search/search.ts';
import { pageLinksOf, type Sent } from './page-links.ts';
import { timestamp } from './timestamp.ts';
import type { View } from './view.ts';

/** A page with the request's own fields, which its links repeat. */
type Answered<T> = Found<T> & { readonly sent: Sent };

/** Adds the fields of the request to the page that was found. */
export async function sentTo<T, Refusal>(
  sent: Sent,
  finding: Promise<Result<Found<T>, Refusal>>,
): Promise<Result<Answered<T>, Refusal>> {
  const found = await finding;
  return found.ok ? ok({ ...found.value, sent }) : found;
}

/** Presents a page of a search; each item as the status endpoint of its kind answers it. */
export const presentSearch =
  <T, Item extends { readonly success: true }>(path: string, presentItem: (value: T, view: View) => Item) =>
  ({ items, perPage, next, previous, incompleteBefore, sent }: Answered<T>, view: View) => ({
    success: true as const,
    data: items.map((value) => withoutSuccess(presentItem(value, view))),
    links: pageLinksOf({ path, sent, next, previous }, view),
    meta: { per_page: perPage, next_cursor: next ?? null, prev_cursor: previous ?? null },
    ...(incompleteBefore && { incomplete_before: timestamp(incompleteBefore, view.timeZone) }),
  });

function withoutSuccess<Item extends { readonly success: true }>({ success: _, ...item }: Item) {
  return item;
}
