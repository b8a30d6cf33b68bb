import type { View } from './view.ts';

/** The fields of a request, which the links of its answer repeat. */
export type Sent = Readonly<Record<string, string | number | boolean | undefined>>;

type Page = {
  readonly path: string;
  readonly sent: Sent;
  readonly next: string | null | undefined;
  readonly previous: string | undefined;
};

/** Presents the addresses of a page's neighbours. The last page is not known without reading all of them. */
export function pageLinksOf({ path, sent, next, previous }: Page, { baseUrl }: Pick<View, 'baseUrl'>) {
  const link = (cursor?: string) => `${baseUrl}${path}?${queryOf({ ...sent, cursor }).toString()}`;
  return {
    first: link(),
    last: null,
    prev: previous === undefined ? null : link(previous),
    next: next === undefined || next === null ? null : link(next),
  };
}

function queryOf(sent: Sent): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sent))
    if (value !== undefined)
      query.set(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value));
  return query;
}
