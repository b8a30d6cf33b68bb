import type { MerchantId } from '../../ids.ts';
import type { Merchant } from '../../merchant/merchant.ts';
import type { Cut, Listing, Window } from '../../search/listing.ts';
import { fillPage, type Place } from '../../search/fill-page.ts';
import type { Listings, Owner } from '../../search/ports.ts';

/** As many calls as fill one page: each reads at most a thousand rows for those that match. */
const mostCalls = 10;

export type ListQuery<T> = {
  readonly window: Window;
  /** Where the page before ended. */
  readonly after: Cut | undefined;
  readonly limit: number;
  /** Undefined: every item. */
  readonly matches: ((item: T) => boolean) | undefined;
};

/** `next`: where the page after this one begins; undefined at the end of the window. A page that is not full may have one. */
export type ListPage<T> = { readonly items: readonly T[]; readonly next: Cut | undefined };

/** Returns one page of a list, newest first. Of a filtered list it reads at most ten thousand rows. */
export async function listPage<T>(
  listing: Listing<T>,
  { window, after, limit, matches }: ListQuery<T>,
): Promise<ListPage<T>> {
  const items: T[] = [];
  let place: Place | undefined = after === undefined ? undefined : { cut: after, direction: 'older' };
  for (let call = 0; call < mostCalls && items.length < limit; call += 1) {
    const page = await fillPage(listing, { window, place, perPage: limit - items.length, matches });
    items.push(...page.items);
    place = page.next;
    if (!place) break;
  }
  return { items, next: place?.cut };
}

const aDayMs = 86_400_000;

/** Returns the merchants whose items are listed: one, or all, newest first. */
export async function ownersOf(
  { listings, now }: { readonly listings: Pick<Listings, 'merchants'>; readonly now: () => Date },
  merchantId: MerchantId | undefined,
): Promise<readonly Owner[]> {
  if (merchantId !== undefined) return [{ merchantId, shards: undefined }];
  return (await allMerchants(listings, now())).map(({ id }) => ({ merchantId: id, shards: undefined }));
}

/** Returns all merchants, newest first. */
export async function allMerchants(
  listings: Pick<Listings, 'merchants'>,
  now: Date,
): Promise<readonly Merchant[]> {
  const window = { from: new Date(0), to: new Date(now.getTime() + aDayMs) };
  const merchants: Merchant[] = [];
  let after: Cut | undefined;
  do {
    const page = await listPage(listings.merchants(), { window, after, limit: 1_000, matches: undefined });
    merchants.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return merchants;
}
